"""The interface of every method (figures, advice, strategies), and phrases of explanations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from pitbook.exact.outcome_figures import Figures
from pitbook.exact.rule_files import Rules
from pitbook.exact.spots import Spot
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.text import Sentence, say

Rates = Mapping[int | str, Fraction]


@dataclass(frozen=True)
class Advice:
    """The value of every legal play in main wagers, the best one, and why."""

    actions: dict[Play, Fraction]
    best: Play
    why: str

    def worth(self, play: str) -> Fraction:
        """The value of a play, by its text."""
        return self.actions[play]  # type: ignore[index]  # A play is its text.

    def cost(self, play: str) -> Fraction:
        """The cost of a play compared with the best."""
        return self.actions[self.best] - self.worth(play)

    def document(self) -> dict[str, Any]:
        """The advice as JSON."""
        return {
            "actions": {play: str(value) for play, value in self.actions.items()},
            "best": self.best,
            "cost": {play: str(self.cost(play)) for play in self.actions},
            "why": self.why,
        }


@dataclass(frozen=True)
class StrategyLine:
    """One line of a strategy: street, cards, units at stake, play and worth."""

    street: str
    cards: str
    units: int
    play: Play
    worth: Fraction


class SheetStrategy(Protocol):
    """A strategy for every spot."""

    @property
    def name(self) -> str:
        """The strategy's name."""

    @property
    def figures(self) -> Figures:
        """The main game's figures under the strategy."""

    @property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""


@dataclass(frozen=True)
class Method:
    """A way to solve games of one structure exactly; amounts are in main wagers.

    Without an ante no cap applies. Answers about an unchanged sheet may be cached; trials are
    not.
    """

    name: str
    fits: Callable[[Game], bool]
    slow_work: Callable[[Game], str | None]  # What takes longer than seconds, or None.
    seconds: Callable[[Game], float]  # Approximate time for the main game, the first time.
    spot_seconds: Callable[[Game], float]  # Approximate maximum time for advice.
    expected: Callable[[Game, Cents | None], Fraction]  # Of a round under best play; not cached.
    # The same, cached; for a number of main wagers left.
    cached_expected: Callable[[Game, Cents | None, int | None], Fraction]
    figures: Callable[[Game, Cents | None], Figures]  # Of the main game; not cached.
    cached_figures: Callable[[Game, Cents | None], Figures]
    rates: Callable[[Game, Cents | None], Rates]  # How often each kind decides the main game.
    # None if the game has no fold.
    fold_rates: Callable[[Game, Cents | None], dict[str, Fraction]] | None
    whole_round: Callable[[Game, Cents | None, Mapping[str, Cents], int | None], Figures]
    advise: Callable[[Game, Spot], Advice]
    names: Callable[[Game], tuple[str, ...]]  # Of strategies, the best one first.
    follow: Callable[[Game, str, Cents | None], SheetStrategy]
    follow_rules: Callable[[Game, Rules, Cents | None], SheetStrategy]
    entries: Callable[[Game, Cents | None, Cents | None], Iterator[StrategyLine]]  # With a purse.


def join_reasons(parts: Sequence[str]) -> Sentence:
    """The sentences as one text.

    >>> join_reasons(["You hold a pair.", "Low is the only play."])
    'You hold a pair. Low is the only play.'
    """
    return say("exact.why.parts", parts=tuple(parts))


def play_text(play: str) -> Sentence:
    """A play as worded in a sentence."""
    return say("exact.why.play", play=str(play))


def gain_text(gain: Fraction, unit: str, best: str, other: Sentence) -> Sentence:
    """By how much a play is worth more than another."""
    plays = {"best": play_text(best), "other": other}
    if not gain:
        return say("exact.why.as-much", **plays)
    return say("exact.why.more", gained=f"{float(gain):.4f}", unit=unit, **plays)
