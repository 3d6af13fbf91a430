"""Best play with an own hand: what every play nets against all of the dealer's hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.figures import Figures, figures, main_row, round_row
from pitbook.exact.methods.duels.kept import defer_compiling, kept
from pitbook.exact.methods.duels.machine import needed
from pitbook.exact.methods.duels.structure import EVENTS, kind_starts
from pitbook.exact.methods.duels.terms import Terms
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.pairs.counting import Met, Shape, met_by, met_in_all, seconds
from pitbook.exact.methods.pairs.structure import shape
from pitbook.rules.plays import Play
from pitbook.rules.settlement import Line

__all__ = ["HandCounts", "Solution", "counts_of", "merged", "numbered", "solve", "structure"]

Ints = NDArray[np.int64]
KEY_MAX = 2**62


@dataclass(frozen=True, eq=False)
class HandCounts:
    """Hands that fare alike: class, rank of the card seen, events, and how many there are.

    They are in the order of their classes. Events add up to `total` on every row.
    """

    classes: NDArray[np.int16]
    seen: NDArray[np.uint8]
    events: NDArray[np.int32]
    ways: Ints
    total: int


def events_of(met: Met, least: int, total: int) -> NDArray[np.int32]:
    """By own hand, how many of the dealer's it meets in each event."""
    inside = met.classes < least
    weaker, level, below = met.weaker, met.level, met.below
    ties, none = level - weaker, np.int32(0)
    found = np.empty((len(weaker), len(EVENTS)), np.int32)
    found[:, 0] = total - np.where(inside, below, level)
    found[:, 1] = np.where(inside, none, ties)
    found[:, 2] = np.where(inside, none, weaker - below)
    found[:, 3] = np.where(inside, below - level, none)
    found[:, 4] = np.where(inside, ties, none)
    found[:, 5] = np.where(inside, weaker, below)
    return found


def numbered(met: Met) -> tuple[Ints, Ints]:
    """Hands that no pay table tells apart: the first of each, and for every hand its number."""
    key, most = np.zeros(len(met.classes), np.int64), 1
    for part in (met.classes, met.up >> 2, met.weaker, met.level - met.weaker, met.below):
        wide = int(part.max()) + 1
        if most * wide >= KEY_MAX:  # Numbers without holes: there are fewer than 2**24 hands.
            _, key = np.unique(key, return_inverse=True)
            most = int(key.max()) + 1
        key, most = key * wide + part, most * wide
    _, first, back = np.unique(key, return_index=True, return_inverse=True)
    return first, back


def merged(form: Shape, deck: Sequence[Card] = DECK) -> HandCounts:
    """The hands of a deck, those put together that no pay table tells apart."""
    met, total = met_by(form, deck), met_in_all(form, deck)
    first, back = numbered(met)
    ways = np.zeros(len(first), np.int64)
    np.add.at(ways, back, met.ways)
    parts: Any = [part[first] for part in met]
    some = Met(*parts)
    seen = (some.up >> 2).astype(np.uint8)
    return HandCounts(some.classes, seen, events_of(some, form.least, total), ways, total)


def structure(form: Shape) -> tuple[str, Shape]:
    """What counts are kept by."""
    return "pairs", form


@lru_cache(maxsize=8)
def counts_of(form: Shape) -> HandCounts:
    """The counts of a full deck, from the disk where they were made before."""

    needed()

    def make() -> Mapping[str, NDArray[Any]]:
        found = merged(form)
        return {
            "classes": found.classes,
            "seen": found.seen,
            "events": found.events,
            "ways": found.ways,
            "total": np.array(found.total),
        }

    found = kept(structure(form), make, seconds(form))
    total = int(found["total"])
    return HandCounts(found["classes"], found["seen"], found["events"], found["ways"], total)


@dataclass(frozen=True, eq=False)
class Solution:
    """Every hand's play, the best one or another, and what comes of it."""

    terms: Terms
    counts: HandCounts
    plays: tuple[Play, ...]  # The preferred of equals first.
    chosen: NDArray[np.int8]

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """By kind, its first row; then how many rows there are."""
        fight = self.terms.fight
        return np.searchsorted(self.counts.classes, kind_starts(fight.best, fight.ace))

    @cached_property
    def worths(self) -> Ints:
        """By play and row, in cents over all of the dealer's hands."""
        found = np.empty((len(self.plays), len(self.counts.classes)), np.int64)
        for place, nets in enumerate(_nets(self.terms, self.plays)):
            for kind, (start, end) in enumerate(pairwise(self.starts)):
                found[place, start:end] = self.counts.events[start:end] @ nets[kind]
        return found

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """By play and row, whether the hand is good enough for it."""
        kinds = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return kinds >= _least(self.plays)[:, None]

    @cached_property
    def met(self) -> dict[Play, list[list[int]]]:
        """By play, how often it meets each kind and event."""
        from pitbook.exact.methods.pairs.weighing_kernels import gathered  # noqa: PLC0415

        counts, many = self.counts, len(self.plays)
        sums = gathered(counts.events, self.starts, counts.ways, self.chosen, many)
        return dict(zip(self.plays, sums.tolist(), strict=True))

    @property
    def rounds(self) -> int:
        """All deals."""
        return int(self.counts.ways.sum()) * self.counts.total

    @cached_property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""
        won = 0
        for play, sums in self.met.items():
            nets = self.terms.nets(self.terms.seat.made(play)).tolist()
            won += sum(
                count * net
                for row, paid in zip(sums, nets, strict=True)
                for count, net in zip(row, paid, strict=True)
            )
        return Fraction(won, self.rounds * self.terms.stake)

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures; side wagers left out."""
        side = self.terms.side or {}
        return figures(
            main_row([one for one in lines if one.wager not in side], self.terms.stake, count)
            for lines, count in self.settled()
        )

    def round_figures(self) -> Figures:
        """The main game and side wagers together, in main wagers."""
        return figures(round_row(lines, self.terms.stake, count) for lines, count in self.settled())

    def settled(self) -> Iterator[tuple[tuple[Line, ...], int]]:
        """Every way to end: the lines of all wagers, and how often."""
        for play, sums in self.met.items():
            seat = self.terms.seat.made(play)
            for kind, row in enumerate(sums):
                for event, count in enumerate(row):
                    if count:
                        lines = self.terms.lines(seat, kind, event)
                        assert lines is not None
                        yield lines, count

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision, hands by class."""
        from pitbook.exact.methods.pairs.strategies import lines_of  # noqa: PLC0415

        return lines_of(self)

    @property
    def fold_rates(self) -> dict[str, Fraction]:
        """The share of hands that are given up."""
        folds = [place for place, play in enumerate(self.plays) if play.folds]
        gone = int(self.counts.ways[np.isin(self.chosen, folds)].sum())
        share = Fraction(gone, int(self.counts.ways.sum()))
        return {self.terms.game.stages[0].id: share}


ChoosePlays = Callable[["Solution"], NDArray[np.int8]]


def solve(
    terms: Terms, deck: Sequence[Card] | None = None, choose: ChoosePlays | None = None
) -> Solution:
    """Best play of a game; on some cards alone, or by another way to choose, where one is named."""
    defer_compiling("pairs")
    form = shape(terms.game)
    counts = counts_of(form) if deck is None else merged(form, deck)
    plays = terms.plays(0, terms.seat)
    best = _best(terms, counts, plays)
    return best if choose is None else replace(best, chosen=choose(best))


def _best(terms: Terms, counts: HandCounts, plays: tuple[Play, ...]) -> Solution:
    """The first of the best that are allowed, on every row."""
    needed()
    from pitbook.exact.methods.pairs.weighing_kernels import weighed  # noqa: PLC0415

    blank = Solution(terms, counts, plays, np.zeros(0, np.int8))
    nets, least = np.array(_nets(terms, plays)), _least(plays)
    return replace(blank, chosen=weighed(counts.events, blank.starts, nets, least))


def _nets(terms: Terms, plays: Sequence[Play]) -> list[Ints]:
    return [terms.nets(terms.seat.made(play)) for play in plays]


def _least(plays: Sequence[Play]) -> Ints:
    """By play, the lowest kind that may make it."""
    return np.array([play.needs.least if play.needs else 0 for play in plays], np.int64)
