"""A player of several spots, where hands are seen one by one (MHL-15 the other way).

The table asks here before it turns a card or takes a play. `step` does not: rounds that were
played before the rule was kept are on record, and are read as they were played.
"""

from __future__ import annotations

from pitbook.rules.game.refusals import Code, Refusal, refused
from pitbook.rules.rounds.actions import Absent, Action, Decide, Turn
from pitbook.rules.rounds.round import Round

__all__ = ["earlier_spot", "too_soon"]


def earlier_spot(round: Round, number: int) -> int | None:
    """The spot that its player has to play before this one's cards are seen, if there is one."""
    seat = round.seat(number)
    if round.game.one_by_one is None or seat is None:
        return None
    own = [one for one in round.waiting if _player(round, one) == seat.player]
    if round.game.sheet.deal.direction == "right-to-left":
        own.reverse()
    return own[0] if own and own[0] != number else None


def too_soon(round: Round, action: Action) -> Refusal | None:
    """Why a card of a spot is not seen yet, or its hand not played."""
    if round.game.one_by_one is None or not isinstance(action, Turn | Decide | Absent):
        return None
    number = action.place if isinstance(action, Turn) else action.seat
    first = earlier_spot(round, number)
    if first is None:
        return None
    clause = round.game.one_by_one
    return refused(Code.NOT_NOW, "engine.spots.too-soon", clause, first=first, seat=number)


def _player(round: Round, number: int) -> str:
    seat = round.seat(number)
    assert seat is not None
    return seat.player
