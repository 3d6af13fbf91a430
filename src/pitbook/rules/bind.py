"""Bind a sheet to its family's rules, and open a round of it."""

from __future__ import annotations

from pitbook.rules.game import Game
from pitbook.rules.round import Round, open_round
from pitbook.sheets.families import family_of
from pitbook.sheets.model import Sheet


def bind(sheet: Sheet) -> Game:
    """The sheet with its family's rules."""
    game: Game = family_of(sheet).compile(sheet)
    return game


def open(sheet: Sheet) -> Round:
    """A round of this sheet with nothing on the table yet."""
    return open_round(bind(sheet))
