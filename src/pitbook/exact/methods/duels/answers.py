"""What methods for a hand against a dealer's answer alike: a strategy laid out, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from pitbook.exact.figures import Figures
from pitbook.exact.methods.duels.structure import EVENTS
from pitbook.exact.methods.method import Rates, StrategyLine
from pitbook.exact.methods.plain_answers import PlainStrategy
from pitbook.exact.rule_files import StrategyError
from pitbook.exact.wording import more_told, play_told, sentence
from pitbook.exact.working import TooLarge
from pitbook.rules.game import Game
from pitbook.rules.plays import Play
from pitbook.text import Sentence, say

__all__ = ["Fought", "Solved", "names", "refuse_together", "shares", "why"]


class Solved(Protocol):
    """A strategy worked out over every deal."""

    @property
    def figures(self) -> Figures:
        """The main game's figures."""

    @property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""

    @property
    def fold_rates(self) -> dict[str, Fraction]:
        """For each decision with a fold, the share of all rounds that fold there."""

    def round_figures(self) -> Figures:
        """The main game and side wagers together."""

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision that it comes to."""


@dataclass(frozen=True, eq=False)
class Fought(PlainStrategy):
    """A strategy of a game against a dealer's hand; `choose` says it spot by spot.

    Nothing is solved until its figures are asked for: playing by it needs none.
    """

    solve: Callable[[], Solved]

    @cached_property
    def solution(self) -> Solved:
        """The strategy worked out over every deal."""
        return self.solve()

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures."""
        return self.solution.figures

    @property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""
        return self.solution.expected

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision that it comes to."""
        return self.solution.entries()


def names(game: Game) -> tuple[str, ...]:
    """Best play, without one of the plays, and one wherever it may be."""
    plays = dict.fromkeys(play for stage in game.stages for play in stage.plays)
    always = (f"always-{play}" for play in plays if not play.folds)
    return ("best", *(f"never-{play}" for play in plays), *always)


def named(game: Game, name: str) -> tuple[str, str]:
    """A strategy's name as best, never or always, and its play; raises StrategyError."""
    if name not in names(game):
        raise StrategyError(say("exact.strategy.unknown", name=name, known=names(game)))
    kind, _, play = name.partition("-")
    return kind, play


def refuse_together(game: Game, wagers: Sequence[str]) -> None:
    """Raise TooLarge for side wagers that look at other cards than the main game's pay table."""
    if wagers:
        titles = tuple(game.wager_title(one) for one in wagers)
        raise TooLarge(say("exact.large.together", wagers=titles))


def shares(figures: Figures) -> Rates:
    """How often each outcome wins or pushes."""
    found: dict[int | str, Fraction] = {}
    for row in figures.rows:
        share = Fraction(row.count if row.result != "lose" else 0, figures.rounds)
        found[row.outcome] = found.get(row.outcome, Fraction(0)) + share
    return found


def why(
    game: Game, worths: Mapping[Play, Fraction], best: Play, events: Sequence[int] | None
) -> Sentence:
    """How often the hand is ahead and the dealer does not qualify, and what the play gains."""
    parts = [] if events is None else [*_chances(events)]
    others = [play for play in worths if play != best]
    if not others:
        return sentence([*parts, say("exact.why.only", best=play_told(best))])
    other = max(others, key=lambda play: worths[play])
    gained, unit = worths[best] - worths[other], game.sheet.unit[1]
    return sentence([*parts, more_told(gained, unit, best, play_told(other))])


def _chances(events: Sequence[int]) -> Iterator[Sentence]:
    counts, total = dict(zip(EVENTS, events, strict=True)), sum(events)
    ahead = Fraction(counts["win"] + counts["below-win"], total)
    level = Fraction(counts["tie"] + counts["below-tie"], total)
    shares = {"ahead": _percent(ahead), "level": _percent(level)}
    yield say("exact.why.beats", tied=bool(level), **shares)
    if below := Fraction(sum(events[3:]), total):
        yield say("exact.why.unqualified", below=_percent(below))


def _percent(share: Fraction) -> str:
    return f"{float(share):.2%}"
