"""The game of a sheet, compiled once for whoever asks again with an equal one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from pitbook.rules.bind import bind
from pitbook.rules.game import Game
from pitbook.sheets.model import Sheet

__all__ = ["compiled", "once_for_each"]

KEPT_MAX = 64

Of = TypeVar("Of")
Found = TypeVar("Found")


def once_for_each(find: Callable[[Of], Found]) -> Callable[[Of], Found]:
    """What is found out about something, once; told apart by being the same one, at no cost."""
    kept: dict[int, tuple[Of, Found]] = {}  # What is held here has its place to itself.

    @wraps(find)
    def found(of: Of) -> Found:
        known = kept.get(id(of))
        if known is None:
            if len(kept) >= KEPT_MAX:
                kept.clear()
            known = kept[id(of)] = of, find(of)
        return known[1]

    return found


@lru_cache(maxsize=KEPT_MAX)
def compiled(sheet: Sheet) -> Game:
    """The sheet with its family's rules."""
    return bind(sheet)
