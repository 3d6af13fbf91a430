"""A strategy laid out: what it does in every spot, what following it is worth, and where it leads.

A name ("best", "never-3x") or a rule file goes in; figures, plays and values come out, for the best
strategy and for every other one alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from pitbook.exact.memory import released_cache
from pitbook.exact.methods.chosen import chosen
from pitbook.exact.methods.ladder.followed import FollowedStrategy, StrategyCell
from pitbook.exact.methods.method import LaidStrategy
from pitbook.exact.methods.plain_answers import PlainStrategy
from pitbook.exact.methods.points.followed import DeclaredStrategy
from pitbook.exact.rule_files import Rules, StrategyError, load_rules
from pitbook.exact.strategy import strategy_names
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

__all__ = [
    "DeclaredStrategy",
    "FollowedStrategy",
    "LaidStrategy",
    "PlainStrategy",
    "StrategyCell",
    "follow",
    "follow_rules",
    "simpler",
]


def follow(sheet: Sheet, name: str = "best", ante: Cents | None = None) -> LaidStrategy:
    """A strategy by its name or its rule file; raises StrategyError with a sentence."""
    if not _is_file(name):
        return _named(sheet, name, ante)
    return follow_rules(sheet, load_rules(Path(name)), ante)


def follow_rules(sheet: Sheet, rules: Rules, ante: Cents | None = None) -> LaidStrategy:
    """A player's own rules; raises StrategyError with a sentence."""
    game, method = chosen(sheet)
    return method.follow_rules(game, rules, ante)


@released_cache(maxsize=32)
def _named(sheet: Sheet, name: str, ante: Cents | None) -> LaidStrategy:
    """The same for whoever asks again, with the figures that were worked out for it."""
    game, method = chosen(sheet)
    return method.follow(game, name, ante)


def simpler(sheet: Sheet, ante: Cents | None = None) -> Iterator[tuple[str, Fraction]]:
    """Every named strategy that can be played here, and what it costs a round against the best."""
    best = follow(sheet, "best", ante).expected
    for name in strategy_names(sheet)[1:]:
        try:
            yield name, best - follow(sheet, name, ante).expected
        except StrategyError:  # A street without that bet, or without any other.
            continue


def _is_file(name: str) -> bool:
    return name.endswith(".toml")
