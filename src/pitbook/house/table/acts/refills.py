"""Play chips again, at one word, for who cannot pay another hand; never for money."""

from __future__ import annotations

from pitbook.house.ledger.accounts import move
from pitbook.house.table import facts
from pitbook.house.table.commands import By, Refill
from pitbook.house.table.desk import Desk
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.refusals import Code, Refusal, refuse

__all__ = ["least_of_a_hand", "refill"]


def refill(desk: Desk, by: By, command: Refill) -> Refusal | None:
    """The chips that a guest starts with once more, on record as any other money is."""
    player = desk.state.seats[command.seat]
    refusal = desk.luck.door().exclusion_of(player) or _not_now(desk, player)
    if refusal is not None:
        return refusal
    given, why = desk.state.stake, f"{desk.state.table} refill"
    desk.transfers.append(move(desk.till.issued, desk.till.wallet(player), given, why))
    desk.note(facts.Refilled(command.seat, player, given))
    return None


def least_of_a_hand(game: Game) -> Cents:
    """What a hand takes to its showdown at the least: every required wager, and each street."""
    main, rule = game.main
    seat = Seat(1, "", tuple((wager, rule.min) for wager in (main, *game.equals)))
    sides = sum(one.stake.min for one in game.sheet.side.values() if one.stake.required)
    put = sum(amount for _, amount in seat.main)
    return Cents(put + sides + sum(_cheapest(game, seat, n) for n in range(len(game.stages))))


def _cheapest(game: Game, seat: Seat, stage: int) -> int:
    return min((seat.cost(play) for play in game.plays(stage) if not play.folds), default=0)


def _not_now(desk: Desk, player: str) -> Refusal | None:
    """A hand is played with the chips that were there (GEN-10); who has enough is given none."""
    state = desk.state
    own = [one for one in state.round.seats if one.player == player] if state.round else []
    if state.live and own and desk.round.phase != "wagers":
        return refuse(Code.NOT_NOW, "table.refills.when-over", "GEN-10")
    staked = sum(amount for seat in own for _, amount in seat.stakes) if state.live else 0
    least = least_of_a_hand(state.game)
    if (has := desk.purse(player) + staked) >= least:
        return refuse(Code.NOT_NOW, "table.refills.enough", player=player, has=has, least=least)
    return None
