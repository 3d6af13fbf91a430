"""What every method answers (figures, advice, strategies), and the phrases of an explanation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from pitbook.exact.figures import Figures
from pitbook.exact.rule_files import Rules
from pitbook.exact.spots import Spot
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import Play
from pitbook.text import Sentence, say

Rates = Mapping[int | str, Fraction]


@dataclass(frozen=True)
class Advice:
    """The value of every legal play in main wagers, the best one, and why."""

    actions: dict[Play, Fraction]
    best: Play
    why: str

    def worth(self, play: str) -> Fraction:
        """What a play is worth, by its text."""
        return self.actions[play]  # type: ignore[index]  # A play is its text.

    def cost(self, play: str) -> Fraction:
        """What a play gives away against the best."""
        return self.actions[self.best] - self.worth(play)

    def document(self) -> dict[str, Any]:
        """The advice as JSON carries it."""
        return {
            "actions": {play: str(worth) for play, worth in self.actions.items()},
            "best": self.best,
            "cost": {play: str(self.cost(play)) for play in self.actions},
            "why": self.why,
        }


@dataclass(frozen=True)
class StrategyLine:
    """One line of a strategy: where, with what, how much at stake, and what to do."""

    street: str
    cards: str
    units: int
    play: Play
    worth: Fraction


class SheetStrategy(Protocol):
    """A strategy laid out over every spot."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def figures(self) -> Figures:
        """The main game's figures under it."""

    @property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""


@dataclass(frozen=True)
class Method:
    """A way to work out games of one structure, exactly; amounts are in main wagers.

    Without an ante no cap applies. What is asked of a sheet as it is may be kept for the next time;
    what is tried once is not.
    """

    name: str
    fits: Callable[[Game], bool]
    slow_work: Callable[
        [Game], str | None
    ]  # What takes longer than seconds; None where nothing does.
    seconds: Callable[[Game], float]  # About how long the main game takes, the first time.
    spot_seconds: Callable[[Game], float]  # About how long advice takes, at the longest.
    expected: Callable[[Game, Cents | None], Fraction]  # Of a round under best play; not kept.
    cached_expected: Callable[
        [Game, Cents | None, int | None], Fraction
    ]  # The same, kept; with so many left.
    figures: Callable[[Game, Cents | None], Figures]  # Of the main game; not kept.
    cached_figures: Callable[[Game, Cents | None], Figures]
    rates: Callable[[Game, Cents | None], Rates]  # How often each kind decides the main game.
    fold_rates: Callable[[Game, Cents | None], dict[str, Fraction]] | None  # None: nobody folds.
    whole_round: Callable[[Game, Cents | None, Mapping[str, Cents], int | None], Figures]
    advise: Callable[[Game, Spot], Advice]
    names: Callable[[Game], tuple[str, ...]]  # Of strategies, the best one first.
    follow: Callable[[Game, str, Cents | None], SheetStrategy]
    follow_rules: Callable[[Game, Rules, Cents | None], SheetStrategy]
    entries: Callable[[Game, Cents | None, Cents | None], Iterator[StrategyLine]]  # With a purse.


def join_reasons(parts: Sequence[str]) -> Sentence:
    """The parts as one sentence.

    >>> join_reasons(["two are dealt", "one is played"])
    'Two are dealt; one is played.'
    """
    return say("exact.why.sentence", text=say("exact.why.parts", parts=tuple(parts)))


def play_text(play: str) -> Sentence:
    """A play as it stands in a sentence."""
    return say("exact.why.play", play=str(play))


def gain_text(gained: Fraction, unit: str, best: str, other: Sentence) -> Sentence:
    """By how much a play is worth more than another."""
    both = {"best": play_text(best), "other": other}
    if not gained:
        return say("exact.why.as-much", **both)
    return say("exact.why.more", gained=f"{float(gained):.4f}", unit=unit, **both)
