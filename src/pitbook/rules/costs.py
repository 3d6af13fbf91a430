"""What a hand costs to play to the end: the least and the most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play
from pitbook.rules.round import Round
from pitbook.text import say


class Shortfall(NamedTuple):
    """A player whose chips cannot take the hand to its end."""

    left: Cents
    needed: Cents
    clause: str

    @property
    def told(self) -> str:
        """What is needed, and what becomes of the hand otherwise."""
        return say("engine.purse.short", needed=self.needed, left=self.left, more=self.more)

    @property
    def more(self) -> Cents:
        """What is missing."""
        return Cents(self.needed - self.left)


def shortfall(round: Round, player: str, left: int) -> Shortfall | None:
    """Before the deal: whether what a player has left pays the smallest bets of all streets."""
    if round.phase != "wagers":
        return None
    own = [seat for seat in round.seats if seat.player == player and seat.main]
    needed = sum(cost_to_end(round.game, seat, 0) for seat in own)
    if left >= needed:
        return None
    return Shortfall(Cents(left), Cents(needed), round.game.absent_clause)


def cost_to_end(game: Game, seat: Seat, stage: int) -> Cents:
    """The smallest bet of a stage and of all that follow."""
    return Cents(sum(cheapest_play(game, seat, one) for one in range(stage, len(game.stages))))


def cheapest_play(game: Game, seat: Seat, stage: int) -> Cents:
    """The least that it costs to stay in at a stage."""
    return min(_play_costs(game, seat, stage), default=Cents(0))


def highest_cost(game: Game, seat: Seat, stage: int) -> Cents:
    """The largest bet of a stage and of all that follow: who has as much has enough."""
    later = range(stage, len(game.stages))
    return Cents(sum(max(_play_costs(game, seat, one), default=0) for one in later))


def fold_loss(game: Game, seat: Seat, play: Play) -> Cents:
    """What of the wagers that lie there a fold loses, whatever cards are still to come."""
    survives = {one.wager for one in game.asked if one.survives}
    side = tuple((wager, stake) for wager, stake in seat.side if wager not in survives)
    lines = game.price((), seat.made(play)._replace(side=side))
    return Cents(sum(line.lost for line in lines))


def _play_costs(game: Game, seat: Seat, stage: int) -> Iterator[Cents]:
    for play in game.plays(stage):
        if not play.folds and game.too_much(seat, stage, play) is None:
            yield seat.cost(play)
