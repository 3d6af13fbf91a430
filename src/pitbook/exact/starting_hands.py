"""Starting hands side by side: what is best with each, and what it is worth, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitbook.cards import Card, cards
from pitbook.exact.advice import advise
from pitbook.rules.game import Game
from pitbook.sheets.model import Sheet

__all__ = ["PAIR", "RANKS", "StartingHand", "cells", "fits"]

RANKS = "AKQJT98765432"
PAIR = 2
SPADE, HEART = "s", "h"


class StartingHand(NamedTuple):
    """Two ranks, suited or not; `worth` in main wagers, as a fraction."""

    cards: str
    suited: bool
    play: str
    short: str
    worth: str


def fits(game: Game) -> bool:
    """Whether the first decision is about two cards of one's own alone."""
    stage = next(one for one in game.stages if one.plays)
    own = game.places[0]
    return own.cards - own.later == PAIR and not any(stage.opens[1:]) and game.decks == 1


def cells(game: Game, sheet: Sheet) -> Iterator[StartingHand]:
    """All 169, row by row: suited above the pairs, of two suits below."""
    stage = next(one for one in game.stages if one.plays)
    shorts = {str(play): play.short for play in stage.plays}
    for row, high in enumerate(RANKS):
        for column, low in enumerate(RANKS):
            suited = column > row
            found = advise(sheet, _hand(high, low, suited=suited))
            best = str(found.best)
            yield StartingHand(
                f"{RANKS[min(row, column)]}{RANKS[max(row, column)]}",
                suited,
                best,
                shorts.get(best, best),
                str(found.actions[found.best]),
            )


def _hand(one: str, other: str, *, suited: bool) -> tuple[Card, ...]:
    return cards(" ".join((one + SPADE, other + (SPADE if suited else HEART))))
