"""The methods that there are, and which one a game is worked out by: the first that fits."""

from __future__ import annotations

from pitbook.exact.compiled import compiled, once_for_each
from pitbook.exact.methods.boards.method import BOARDS
from pitbook.exact.methods.ladder.method import LADDER
from pitbook.exact.methods.method import Method
from pitbook.exact.methods.pairs.method import PAIRS
from pitbook.exact.methods.plain_answers import PLAIN
from pitbook.exact.methods.points.method import POINTS
from pitbook.rules.game import Game
from pitbook.sheets.model import Sheet

__all__ = ["METHODS", "chosen", "method_of"]

# Plain fits any game; what is too large for it, it refuses.
METHODS = (LADDER, POINTS, PAIRS, BOARDS, PLAIN)


@once_for_each
def method_of(game: Game) -> Method:
    """The fastest method for games of this structure."""
    return next(method for method in METHODS if method.fits(game))


def chosen(sheet: Sheet) -> tuple[Game, Method]:
    """The game of a sheet, and its method."""
    game = compiled(sheet)
    return game, method_of(game)
