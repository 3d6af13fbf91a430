"""Named strategies and a player's own rules: plays, figures and cost."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.method import SheetStrategy, StrategyLine
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.rule_files import (
    Rules,
    StrategyError,
    load_rules,
)
from pitbook.exact.spots import Spot, check_stakes
from pitbook.exact.work import releasable_cache
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.text import say


def follow(sheet: Sheet, name: str = "best", ante: Cents | None = None) -> SheetStrategy:
    """A strategy by its name or its rule file; raises StrategyError."""
    if not _is_rule_file(name):
        return _follow_named(sheet, name, ante)
    return follow_rules(sheet, load_rules(Path(name)), ante)


def follow_rules(sheet: Sheet, rules: Rules, ante: Cents | None = None) -> SheetStrategy:
    """A player's own rules; raises StrategyError."""
    game, method = choose_method(sheet)
    return method.follow_rules(game, rules, ante)


@releasable_cache(maxsize=32)
def _follow_named(sheet: Sheet, name: str, ante: Cents | None) -> SheetStrategy:
    """A named strategy, cached with its figures."""
    game, method = choose_method(sheet)
    return method.follow(game, name, ante)


def simpler_strategies(sheet: Sheet, ante: Cents | None = None) -> Iterator[tuple[str, Fraction]]:
    """Every named strategy that the sheet allows, and its cost per round."""
    best = follow(sheet, "best", ante).expected
    for name in strategy_names(sheet)[1:]:
        try:
            yield name, best - follow(sheet, name, ante).expected
        except StrategyError:  # A street without that bet, or without any other.
            continue


def _is_rule_file(name: str) -> bool:
    return name.endswith(".toml")


def strategy_lines(
    sheet: Sheet, ante: Cents | None = None, *, purse: Cents | None = None
) -> Iterator[StrategyLine]:
    """The whole best strategy, line by line. `purse` is the money left after the ante; None means
    no limit.
    """
    check_stakes(sheet, Spot((), ante=ante, purse=purse))
    game, method = choose_method(sheet)
    yield from method.entries(game, ante, purse)


def strategy_figures(sheet: Sheet, name: str, ante: Cents | None = None) -> Figures:
    """The main game's figures under "best", "always-1x", "never-fold", "never-3x" and the like."""
    game, method = choose_method(sheet)
    return method.follow(game, name, ante).figures


def strategy_names(sheet: Sheet) -> tuple[str, ...]:
    """The strategies that need no rule file."""
    game, method = choose_method(sheet)
    return method.names(game)


def starting_hand_grid(sheet: Sheet, ante: Cents | None = None) -> dict[str, dict[str, Any]]:
    """The 13 by 13 grid of starting hands: best play and its value; suited hands above the
    diagonal.
    """
    game, _ = choose_method(sheet)
    if game.hand_size != 2 or any(game.stages[0].opens[1:]):
        raise StrategyError(say("exact.strategy.no-grid"))
    first = game.stages[0].id
    rows = [line for line in strategy_lines(sheet, ante) if line.street == first]
    return {line.cards: {"play": line.play, "worth": line.worth} for line in rows}


def rule_figures(sheet: Sheet, rules: Rules, ante: Cents | None = None) -> Figures:
    """The main game's figures for a player who follows the rules."""
    return follow_rules(sheet, rules, ante).figures
