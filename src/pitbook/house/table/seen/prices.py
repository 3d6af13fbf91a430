"""What a play costs, takes back and gives up: said alike wherever a play is offered."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from pitbook.money import Cents, money
from pitbook.rules.costs import fold_loss
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play

__all__ = ["Priced", "priced"]


class Priced(TypedDict):
    """What a play puts now; what it takes back of a bet, or loses of those that lie there."""

    cost: str
    back: NotRequired[str]
    loses: NotRequired[str]


def priced(game: Game, seat: Seat | None, play: Play) -> Priced:
    """The price of a play; nothing where nobody has the seat."""
    if seat is None:
        return {"cost": money(Cents(0))}
    told: Priced = {"cost": money(seat.cost(play))}
    if play.takes:
        lies = dict(seat.main)
        told["back"] = money(Cents(sum(lies.get(wager, 0) for wager in play.takes)))
    if play.folds and seat.main:
        told["loses"] = money(fold_loss(game, seat, play))
    return told
