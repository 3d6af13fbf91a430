"""Choose the method that calculates exact figures for a game."""

from __future__ import annotations

from pitbook.exact.compiled_games import cache_by_identity
from pitbook.exact.methods.dealer.method import BOARDS, PAIRS
from pitbook.exact.methods.ladder.method import LADDER
from pitbook.exact.methods.method import Method
from pitbook.exact.methods.plain.method import PLAIN
from pitbook.exact.methods.points.method import POINTS
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.model import Sheet

# PLAIN fits any game and refuses those that are too large.
METHODS = (LADDER, POINTS, PAIRS, BOARDS, PLAIN)


@cache_by_identity
def method_for(game: Game) -> Method:
    """The fastest method for games of this structure."""
    return next(method for method in METHODS if method.fits(game))


def choose_method(sheet: Sheet) -> tuple[Game, Method]:
    """The game of a sheet, and its method."""
    game = compile_game(sheet)
    return game, method_for(game)
