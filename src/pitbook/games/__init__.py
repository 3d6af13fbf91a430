"""The families of games: what each makes of cards and wagers. Families do not know each other.

Not public; docs/python.md lists what is.
"""

from __future__ import annotations

from pitbook.engine.game import Game
from pitbook.engine.round import Round, open_round
from pitbook.games.hi_lo import HiLoGame
from pitbook.games.street_stud import StreetStudGame
from pitbook.sheets.families import Sheet
from pitbook.sheets.street_stud import StreetStud

__all__ = ["bind", "open"]


def bind(sheet: Sheet) -> Game:
    """The sheet with its family's rules."""
    return StreetStudGame(sheet) if isinstance(sheet, StreetStud) else HiLoGame(sheet)


def open(sheet: Sheet) -> Round:
    """A round of this sheet with nothing on the table yet."""
    return open_round(bind(sheet))
