"""The minimum and maximum cost of playing a hand to the end, and the loss of a fold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Seat
from pitbook.rules.round import Round
from pitbook.text import say


class Shortfall(NamedTuple):
    """A player who cannot afford to play the hand to the end."""

    available: Cents
    needed: Cents
    clause: str

    @property
    def message(self) -> str:
        """The message: the amount needed, and what happens otherwise."""
        return say("engine.purse.short", needed=self.needed, left=self.available, more=self.missing)

    @property
    def missing(self) -> Cents:
        return Cents(self.needed - self.available)


def shortfall(round: Round, player: str, available: int) -> Shortfall | None:
    """Before the deal: the shortfall if a player cannot pay the smallest bets of all streets."""
    if round.phase != "wagers":
        return None
    seats = [seat for seat in round.seats if seat.player == player and seat.main]
    needed = sum(cost_to_end(round.game, seat, 0) for seat in seats)
    if available >= needed:
        return None
    return Shortfall(Cents(available), Cents(needed), round.game.absent_clause)


def cost_to_end(game: Game, seat: Seat, stage: int) -> Cents:
    """The sum of the smallest bets of this stage and all later ones."""
    return Cents(
        sum(
            cheapest_play(game, seat, stage_number)
            for stage_number in range(stage, len(game.stages))
        )
    )


def cheapest_play(game: Game, seat: Seat, stage: int) -> Cents:
    """The cheapest way to stay in at a stage."""
    return min(_play_costs(game, seat, stage), default=Cents(0))


def highest_cost(game: Game, seat: Seat, stage: int) -> Cents:
    """The sum of the largest bets of this stage and all later ones."""
    later = range(stage, len(game.stages))
    return Cents(sum(max(_play_costs(game, seat, later_stage), default=0) for later_stage in later))


def fold_loss(game: Game, seat: Seat, play: Play) -> Cents:
    """What a fold loses of the wagers already placed, regardless of the cards to come."""
    survives = {wager.wager for wager in game.wager_rules if wager.survives}
    side = tuple((wager, stake) for wager, stake in seat.side if wager not in survives)
    lines = game.price((), seat.after_play(play)._replace(side=side))
    return Cents(sum(line.lost for line in lines))


def _play_costs(game: Game, seat: Seat, stage: int) -> Iterator[Cents]:
    for play in game.plays(stage):
        if not play.folds and game.exceeded_clause(seat, stage, play) is None:
            yield seat.cost(play)
