"""Rounds of any sheet: bound to its game, opened, stored, and read from files.

Not public; docs/python.md lists what is.
"""

from __future__ import annotations

from pitbook.rules.game.description import Game
from pitbook.rules.rounds.round import Round, open_round
from pitbook.sheets.families import family_of
from pitbook.sheets.model import Sheet

__all__ = ["bind", "open"]


def bind(sheet: Sheet) -> Game:
    """The sheet with its family's rules."""
    game: Game = family_of(sheet).compile(sheet)
    return game


def open(sheet: Sheet) -> Round:
    """A round of this sheet with nothing on the table yet."""
    return open_round(bind(sheet))
