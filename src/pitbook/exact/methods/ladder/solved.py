"""Solutions that are kept for the next time somebody asks."""

from __future__ import annotations

from pitbook.exact.compiled import compiled
from pitbook.exact.memory import released_cache
from pitbook.exact.methods.ladder.solving import Solution, solve
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

__all__ = ["enough", "solved"]


def solved(sheet: Sheet, ante: Cents | None = None, room: int | None = None) -> Solution:
    """The solution of a sheet, kept for the next time; `room` as in `solve`."""
    return _solved(sheet, ante, enough(sheet, room))


@released_cache(maxsize=64)  # A solution in use stays, however long ago it was solved.
def _solved(sheet: Sheet, ante: Cents | None, room: int | None) -> Solution:
    return solve(sheet, ante, room=room)


def enough(sheet: Sheet, room: int | None) -> int | None:
    """The antes for all streets, or None where they pay for every bet.

    Bets that were placed before the deal are paid for.
    """
    if room is None or room >= sheet.units_max - 1 or compiled(sheet).equals:
        return None
    return room
