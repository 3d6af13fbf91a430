"""Strategies as data: the best one, simpler ones, and what each simplification costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.exact.figures import Figures
from pitbook.exact.methods.chosen import chosen
from pitbook.exact.methods.ladder.strategies import ClassPolicy, class_name
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.rule_files import StrategyError
from pitbook.exact.spots import Spot, stakes_checked
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.text import say

__all__ = [
    "ClassPolicy",
    "StrategyError",
    "StrategyLine",
    "class_name",
    "entries",
    "grid",
    "named",
    "strategy_names",
]


def entries(
    sheet: Sheet, ante: Cents | None = None, *, purse: Cents | None = None
) -> Iterator[StrategyLine]:
    """The whole best strategy, line by line; `purse` is left beside the ante, None is enough."""
    stakes_checked(sheet, Spot((), ante=ante, purse=purse))
    game, method = chosen(sheet)
    yield from method.entries(game, ante, purse)


def named(sheet: Sheet, name: str, ante: Cents | None = None) -> Figures:
    """The main game's figures under "best", "always-1x", "never-fold", "never-3x" and the like."""
    game, method = chosen(sheet)
    return method.follow(game, name, ante).figures


def strategy_names(sheet: Sheet) -> tuple[str, ...]:
    """The strategies that need no rule file."""
    game, method = chosen(sheet)
    return method.names(game)


def grid(sheet: Sheet, ante: Cents | None = None) -> dict[str, dict[str, Any]]:
    """The 13 by 13 of starting hands: best play and its worth; suited hands above the diagonal."""
    game, _ = chosen(sheet)
    if game.hand_size != 2 or any(game.stages[0].opens[1:]):
        raise StrategyError(say("exact.strategy.no-grid"))
    first = game.stages[0].id
    rows = [one for one in entries(sheet, ante) if one.street == first]
    return {one.cards: {"play": one.play, "worth": one.worth} for one in rows}
