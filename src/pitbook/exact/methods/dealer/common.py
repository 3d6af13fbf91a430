"""Code shared by both dealer methods: answers, explanations and strategy tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, Protocol, TypeVar

from pitbook.exact.long_computations import TooLarge, releasable_cache
from pitbook.exact.methods.dealer.structure import EVENTS, Terms
from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.exact.methods.method import Rates, StrategyLine, gain_text, join_reasons, play_text
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.rule_files import StrategyError
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game
from pitbook.text import Sentence, say


class SolvedStrategy(Protocol):
    """A strategy solved over every deal."""

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
        """The figures of the main game and side wagers together."""

    def entries(self) -> Iterator[StrategyLine]:
        """The lines of the strategy, one for each decision."""


@dataclass(frozen=True, eq=False)
class DealerStrategy(PlainStrategy):
    """A strategy of a game against a dealer's hand; `choose` returns the play in a spot.

    It is solved when its figures are first needed; playing by it needs none.
    """

    solve: Callable[[], SolvedStrategy]

    @cached_property
    def solution(self) -> SolvedStrategy:
        """The strategy solved over every deal."""
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
        """The lines of the strategy, one for each decision."""
        return self.solution.entries()


def strategy_names(game: Game) -> tuple[str, ...]:
    """Best play, best play without each play, and each play whenever it is allowed."""
    plays = dict.fromkeys(play for stage in game.stages for play in stage.plays)
    always = (f"always-{play}" for play in plays if not play.folds)
    return ("best", *(f"never-{play}" for play in plays), *always)


def parse_strategy_name(game: Game, name: str) -> tuple[str, str]:
    """Split a strategy's name into best, never or always, and its play; raises StrategyError."""
    if name not in strategy_names(game):
        raise StrategyError(say("exact.strategy.unknown", name=name, known=strategy_names(game)))
    kind, _, play = name.partition("-")
    return kind, play


def refuse_combined(game: Game, wagers: Sequence[str]) -> None:
    """Raise TooLarge for side wagers on other cards than the main game's pay table."""
    if wagers:
        titles = tuple(game.wager_title(wager) for wager in wagers)
        raise TooLarge(say("exact.large.together", wagers=titles))


def outcome_rates(figures: Figures) -> Rates:
    """How often each outcome wins or pushes."""
    rates: dict[int | str, Fraction] = {}
    for row in figures.rows:
        share = Fraction(row.count if row.result != "lose" else 0, figures.rounds)
        rates[row.outcome] = rates.get(row.outcome, Fraction(0)) + share
    return rates


def explain_play(
    game: Game, values: Mapping[Play, Fraction], best: Play, events: Sequence[int] | None
) -> Sentence:
    """How often the hand is ahead and the dealer unqualified, and what the play gains."""
    parts = [] if events is None else [*_chances(events)]
    alternatives = [play for play in values if play != best]
    if not alternatives:
        return join_reasons([*parts, say("exact.why.only", best=play_text(best))])
    runner_up = max(alternatives, key=lambda play: values[play])
    gain, unit = values[best] - values[runner_up], game.sheet.unit[1]
    return join_reasons([*parts, gain_text(gain, unit, best, play_text(runner_up))])


def _chances(events: Sequence[int]) -> Iterator[Sentence]:
    counts, total = dict(zip(EVENTS, events, strict=True)), sum(events)
    ahead = Fraction(counts["win"] + counts["below-win"], total)
    tied = Fraction(counts["tie"] + counts["below-tie"], total)
    shares = {"ahead": _percent(ahead), "level": _percent(tied)}
    yield say("exact.why.beats", tied=bool(tied), **shares)
    if below := Fraction(sum(events[3:]), total):
        yield say("exact.why.unqualified", below=_percent(below))


def _percent(share: Fraction) -> str:
    return f"{float(share):.2%}"


Solution = TypeVar("Solution", bound=SolvedStrategy)
CachedSolution = Callable[[Game, Cents | None, int | None], Solution]
SOLUTIONS_MAX = 8


def cache_solutions(solve: Callable[[Terms], Solution]) -> CachedSolution[Solution]:
    """A cached `solve`; `antes_left` is the number of main wagers that the player has left."""

    @releasable_cache(maxsize=SOLUTIONS_MAX)
    def solve_cached(game: Game, ante: Cents | None, antes_left: int | None) -> Solution:
        return solve(terms_with_antes(game, ante, {}, antes_left))

    return solve_cached


def terms_with_antes(
    game: Game, ante: Cents | None, side: Mapping[str, Cents], antes_left: int | None
) -> Terms:
    terms = Terms(game, ante, side)
    return terms if antes_left is None else Terms(game, ante, side, Cents(antes_left * terms.stake))


SEEN = " | "  # Separates the hand from the dealer's cards against which a play is made.


class PlayRun(NamedTuple):
    """Consecutive hands, from the highest, that are played alike.

    If a hand has several plays, suits or the dealer's cards decide.
    """

    first: str
    last: str
    plays: tuple[Play, ...]


def play_runs(lines: Iterable[StrategyLine]) -> dict[str, tuple[PlayRun, ...]]:
    """By street, its runs of hands."""
    streets: dict[str, dict[str, tuple[Play, ...]]] = {}
    for line in lines:
        hands = streets.setdefault(line.street, {})
        hand = line.cards.partition(SEEN)[0]
        hands[hand] = (*hands.get(hand, ()), line.play)
    runs: dict[str, tuple[PlayRun, ...]] = {}
    for street, hands in streets.items():
        parts = [list(part) for _, part in groupby(hands, key=lambda hand: set(hands[hand]))]
        runs[street] = tuple(PlayRun(part[0], part[-1], hands[part[0]]) for part in parts)
    return runs


def starting_hand_plays(lines: Iterable[StrategyLine]) -> dict[tuple[tuple[int, ...], bool], Play]:
    """Plays with two hole cards, by their ranks and whether they are suited."""
    hands_by_name = {class_name(hand): (hand.ranks, hand.suited) for hand in classes(2)}
    return {hands_by_name[line.cards]: line.play for line in lines if line.cards in hands_by_name}
