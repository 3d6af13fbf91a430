"""Counts of all rounds played so far, saved and resumed, and the figures computed from them."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil, isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.errors import PitbookError
from pitbook.money import Cents, Odds
from pitbook.rules.settlement_lines import Line
from pitbook.simulation.job import Tally
from pitbook.simulation.outcome_cells import cell_document, cell_of
from pitbook.simulation.prepare import ReadyPlan
from pitbook.text import say


class Ranges:
    """Round numbers from 0, in half-open ranges.

    >>> ranges = Ranges([(0, 10), (20, 30)])
    >>> ranges.add(10, 20)
    >>> ranges.document(), len(ranges)
    ([[0, 30]], 30)
    """

    def __init__(self, ranges: list[tuple[int, int]] | None = None) -> None:
        self._ranges: list[tuple[int, int]] = []
        for start, stop in ranges or []:
            self.add(start, stop)

    def add(self, start: int, stop: int) -> None:
        """Mark rounds as done; marking them twice is our bug."""
        assert start < stop
        assert all(stop <= first or last <= start for first, last in self._ranges), "counted twice"
        insort(self._ranges, (start, stop))
        merged: list[tuple[int, int]] = []
        for first, last in self._ranges:
            if merged and merged[-1][1] == first:
                merged[-1] = (merged[-1][0], last)
            else:
                merged.append((first, last))
        self._ranges = merged

    def __len__(self) -> int:
        return sum(stop - start for start, stop in self._ranges)

    def remaining(self, start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
        """The rounds of a range not yet done, in pieces that end at multiples of `size`."""
        for first, last in self._gaps(start, stop):
            position = first
            while position < last:
                after = min(last, (position // size + 1) * size)
                yield position, after
                position = after

    def _gaps(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        position = start
        for first, last in list(self._ranges):
            if last <= position or first >= stop:
                continue
            if position < first:
                yield position, first
            position = last
        if position < stop:
            yield position, stop

    def document(self) -> list[list[int]]:
        """The ranges as JSON."""
        return [list(bounds) for bounds in self._ranges]

    @classmethod
    def from_document(cls, document: list[list[int]]) -> Ranges:
        """Read the ranges from JSON."""
        try:
            return cls([(int(start), int(stop)) for start, stop in document])
        except (AssertionError, TypeError, ValueError):
            raise PitbookError(say("simulate.no-ranges")) from None


@dataclass(frozen=True)
class Distribution:
    """Amounts in cents, ascending, with the number of rounds of each."""

    amounts: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Distribution:
        """The distribution of a mapping from amounts to counts."""
        amounts = tuple(sorted(amount for amount, count in counts.items() if count))
        return cls(amounts, tuple(counts[amount] for amount in amounts))

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(zip(self.amounts, self.counts, strict=True))

    @cached_property
    def rounds(self) -> int:
        """Number of rounds counted."""
        return sum(self.counts)

    @cached_property
    def total(self) -> int:
        """Sum of all amounts, in cents."""
        return sum(amount * count for amount, count in self)

    @property
    def mean(self) -> Fraction:
        """Mean in cents per round."""
        return Fraction(self.total, self.rounds)

    @cached_property
    def variance(self) -> Fraction:
        """Variance of one round, in cents squared."""
        squares = sum(amount * amount * count for amount, count in self)
        return Fraction(squares, self.rounds) - self.mean**2

    @property
    def deviation(self) -> float:
        """Standard deviation, in cents."""
        scale = 10**12
        return isqrt(self.variance.numerator * scale**2 // self.variance.denominator) / scale

    def quantile(self, share: Fraction) -> int:
        """The smallest amount that at least this share of rounds does not exceed."""
        needed = max(1, ceil(share * self.rounds))
        for amount, reached in zip(self.amounts, accumulate(self.counts), strict=True):
            if reached >= needed:
                return amount
        raise AssertionError(say("simulate.share"))

    def share(self, *, above: int | None = None, below: int | None = None) -> Fraction:
        """The share of rounds above or below an amount."""
        rounds_counted = sum(
            count
            for amount, count in self
            if (above is None or amount > above) and (below is None or amount < below)
        )
        return Fraction(rounds_counted, self.rounds)


Ints = NDArray[np.int64]


@dataclass
class CapTotal:
    """How often a cap applied, the amount due and the amount paid, in cents."""

    times: int = 0
    due: int = 0
    paid: int = 0

    def add(self, times: int, due: int, paid: int) -> None:
        """Add equal applications of the cap."""
        self.times += times
        self.due += times * due
        self.paid += times * paid


@dataclass
class Totals:
    """The counts of a plan's rounds; `done` holds the rounds they include."""

    ready: ReadyPlan
    done: Ranges = field(default_factory=Ranges)
    counts: Ints = field(init=False)  # [seats, cells]
    net_counts: Ints = field(init=False)  # Nets of whole rounds, in steps above the floor.
    other_nets: Counter[int] = field(default_factory=Counter)  # Nets outside that window, in cents.
    shared: dict[str, CapTotal] = field(default_factory=dict)  # Caps on the round, by clause.
    shared_rounds: int = 0  # Rounds in which such a cap applied.
    withheld: Ints = field(init=False)  # By seat, the amount withheld by such caps, in cents.

    def __post_init__(self) -> None:
        job = self.ready.job
        self.counts = np.zeros((job.seats, job.cells), np.int64)
        self.net_counts = np.zeros(job.window, np.int64)
        self.withheld = np.zeros(job.seats, np.int64)

    @property
    def rounds(self) -> int:
        """Number of rounds played."""
        return len(self.done)

    def add(self, tally: Tally) -> None:
        """Add a worker's tally."""
        self.done.add(tally.start, tally.stop)
        places = self._place_cells(tally)
        self.counts[:, places] += tally.counts
        self.net_counts += tally.net_counts
        step = self.ready.job.step
        for net, times in zip(*tally.above, strict=True):
            self.other_nets[int(net) * step] += int(times)
        for row, times in zip(*tally.capped, strict=True):
            self._add_capped_rounds(int(row[0]) * step, places[row[1:]], int(times))

    def _place_cells(self, tally: Tally) -> Ints:
        """Indexes of the tally's cells among ours, adding new cells."""
        if tally.cells is None:
            return np.arange(self.counts.shape[1])
        cells = self.ready.cells
        places = np.array([cells.number_of(cell) for cell in tally.cells], np.int64)
        wider = len(cells.cells) - self.counts.shape[1]
        self.counts = np.pad(self.counts, ((0, 0), (0, wider)))
        return places

    def _add_capped_rounds(self, net: int, cells: Ints, times: int) -> None:
        """Add rounds in which a shared cap applies, settled by the engine."""
        capped = self.ready.cells.apply_shared_caps(cells.tolist())
        self.shared_rounds += times
        self.withheld += times * np.array(capped.withheld)
        self.other_nets[net - sum(capped.withheld)] += times
        for bite in capped.applied_caps:
            self.shared.setdefault(bite.clause, CapTotal()).add(times, bite.due, bite.paid)

    def nets(self) -> Distribution:
        """Net of all seats together in a round, after every cap."""
        if self.ready.plan.seats == 1:
            return self.seat_nets(1)
        job, counts = self.ready.job, Counter(self.other_nets)
        for place in np.flatnonzero(self.net_counts).tolist():
            counts[(place + job.floor) * job.step] += int(self.net_counts[place])
        return Distribution.of(counts)

    def seat_nets(self, seat: int) -> Distribution:
        """Net of one seat in a round, before shared caps."""
        counts: Counter[int] = Counter()
        for cell, times in self.cell_counts(seat):
            counts[int(self.ready.cells.nets[cell])] += times
        return Distribution.of(counts)

    def cell_counts(self, seat: int | None = None) -> Iterator[tuple[int, int]]:
        """Every cell that occurred at a seat, or at any seat, with its count."""
        counts = self.counts.sum(axis=0) if seat is None else self.counts[seat - 1]
        for cell in np.flatnonzero(counts).tolist():
            yield cell, int(counts[cell])

    def caps(self) -> dict[str, CapTotal]:
        """Every cap that applied, by clause."""
        totals_by_clause: dict[str, CapTotal] = {}
        for cell, times in self.cell_counts():
            for bite in self.ready.cells.cells[cell].applied_caps:
                totals_by_clause.setdefault(bite.clause, CapTotal()).add(times, bite.due, bite.paid)
        for clause, cap in self.shared.items():
            totals_by_clause.setdefault(clause, CapTotal())
            totals_by_clause[clause].times += cap.times
            totals_by_clause[clause].due += cap.due
            totals_by_clause[clause].paid += cap.paid
        return totals_by_clause

    def equals(self, other: Totals) -> bool:
        """Whether both have the same counts."""
        ours, theirs = self.document(), other.document()
        return ours == theirs

    def document(self) -> dict[str, Any]:
        """All counts as JSON; `totals_from_document` reads them back."""
        if not self.ready.job.grows:
            return self._document(self.counts)
        all_cells = self.ready.cells.cells  # Sorted, whatever order cells occurred in.
        order = sorted(
            (cell for cell, _ in self.cell_counts()), key=lambda cell: repr(all_cells[cell])
        )
        cell_documents = [cell_document(all_cells[cell]) for cell in order]
        return {**self._document(self.counts[:, order]), "cells": cell_documents}

    def _document(self, counts: Ints) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "done": self.done.document(),
            "counts": [_sparse_pairs(row) for row in counts],
            "seen": _sparse_pairs(self.net_counts),
            "others": sorted(self.other_nets.items()),
            "shared": {
                clause: [cap.times, cap.due, cap.paid] for clause, cap in self.shared.items()
            },
            "shared_rounds": self.shared_rounds,
            "withheld": self.withheld.tolist(),
        }


def totals_from_document(ready: ReadyPlan, document: dict[str, Any]) -> Totals:
    """Read totals from their JSON."""
    cell_documents = document.get("cells")
    places = (
        None
        if cell_documents is None
        else [ready.cells.number_of(cell_of(cell)) for cell in cell_documents]
    )
    totals = Totals(ready, Ranges.from_document(document["done"]))
    for row, row_document in zip(totals.counts, document["counts"], strict=True):
        _fill_counts(
            row,
            row_document if places is None else [[places[at], times] for at, times in row_document],
        )
    _fill_counts(totals.net_counts, document["seen"])
    totals.other_nets = Counter({int(net): int(times) for net, times in document["others"]})
    totals.shared = {
        clause: CapTotal(*(int(number) for number in numbers))
        for clause, numbers in document["shared"].items()
    }
    totals.shared_rounds = int(document["shared_rounds"])
    totals.withheld = np.array(document["withheld"], np.int64)
    return totals


def _sparse_pairs(counts: Ints) -> list[list[int]]:
    places = np.flatnonzero(counts)
    return [[int(place), int(counts[place])] for place in places]


def _fill_counts(counts: Ints, pairs: list[list[int]]) -> None:
    for place, times in pairs:
        counts[place] = times


# The outcomes of each wager -----------------------------------------------------------------------


MAIN = "main"


class Outcome(NamedTuple):
    """One line of an outcome table, before caps; `units` counts the wager's own stakes."""

    wager: str
    outcome: str
    units: int
    result: str
    odds: Odds | None


def outcomes(
    lines: Sequence[Line], side: Collection[str], ante: Cents, *, by_wager: bool = False
) -> Iterator[Outcome]:
    """The outcomes of a seat: the main game combined, its wagers on request, and each side
    wager.
    """
    main = _main_lines(lines, side)
    yield _combined_outcome(main, ante)
    for line in main if by_wager else ():
        yield _outcome(line.wager, line, line.stake // ante)
    for line in lines:
        if line.wager in side:
            yield _outcome(line.wager, line, 1)


def main_wagers_differ(lines: Sequence[Line], side: Collection[str]) -> bool:
    """Whether the main game's wagers end in different ways."""
    return len({_end(line) for line in _main_lines(lines, side)}) > 1


def _main_lines(lines: Sequence[Line], side: Collection[str]) -> list[Line]:
    return [line for line in lines if line.wager not in side]


def _end(line: Line) -> tuple[object, ...]:
    return line.outcome, line.result, line.odds


def _combined_outcome(main: Sequence[Line], ante: Cents) -> Outcome:
    """The main wagers combined: their common outcome, or all outcomes with the net result."""
    units = sum(line.stake for line in main) // ante
    if not main_wagers_differ(main, ()):
        return _outcome(MAIN, main[0], units)
    net = sum(line.net for line in main)
    result = "win" if net > 0 else "lose" if net < 0 else "push"
    outcome = " + ".join(dict.fromkeys(str(line.outcome) for line in main))
    return Outcome(MAIN, outcome, units, result, None)


def _outcome(wager: str, line: Line, units: int) -> Outcome:
    return Outcome(wager, str(line.outcome), units, line.result, line.odds)


def outcome_counts(
    totals: Totals, seat: int | None = None, *, by_wager: bool | None = None
) -> dict[Outcome, int]:
    """How often each outcome of each wager occurred, at one seat or at all.

    The main game's wagers are listed one by one if they ever ended differently.
    """
    plan, cells = totals.ready.plan, totals.ready.cells.cells
    side = [wager for wager, _ in plan.side]
    apart = by_wager or any(
        main_wagers_differ(cells[cell].lines, side) for cell, _ in totals.cell_counts()
    )
    counts: dict[Outcome, int] = {}
    for cell, times in totals.cell_counts(seat):
        for outcome in outcomes(cells[cell].lines, side, plan.ante, by_wager=apart):
            counts[outcome] = counts.get(outcome, 0) + times
    return counts


def outcome_order(outcome: Outcome) -> tuple[Any, ...]:
    """The order of a table: the main game first; wins before pushes and losses, highest first."""
    value = Fraction(outcome.odds.to, outcome.odds.one) if outcome.odds else Fraction(0)
    place = ("win", "push", "lose").index(outcome.result)
    return (outcome.wager != "main", outcome.wager, place, -value, outcome.outcome, outcome.units)
