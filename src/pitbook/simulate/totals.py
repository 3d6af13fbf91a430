"""Counts of all rounds played so far, which can be saved and continued."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil, isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.errors import PitbookError
from pitbook.simulate.cells import cell_document, cell_of
from pitbook.simulate.job import Tally
from pitbook.simulate.prepare import ReadyPlan
from pitbook.text import say


class Ranges:
    """Round numbers from 0 on, in ranges that include their start and not their stop.

    >>> ranges = Ranges([(0, 10), (20, 30)])
    >>> ranges.add(10, 20)
    >>> ranges.document(), len(ranges)
    ([[0, 30]], 30)
    """

    def __init__(self, given: list[tuple[int, int]] | None = None) -> None:
        self._ranges: list[tuple[int, int]] = []
        for start, stop in given or []:
            self.add(start, stop)

    def add(self, start: int, stop: int) -> None:
        """Mark rounds as done; done twice is a mistake of ours."""
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

    def left(self, start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
        """The rounds of a range that are not done, in pieces that end at multiples of `size`."""
        for first, last in self._gaps(start, stop):
            here = first
            while here < last:
                after = min(last, (here // size + 1) * size)
                yield here, after
                here = after

    def _gaps(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        here = start
        for first, last in list(self._ranges):
            if last <= here or first >= stop:
                continue
            if here < first:
                yield here, first
            here = last
        if here < stop:
            yield here, stop

    def document(self) -> list[list[int]]:
        """The ranges as JSON."""
        return [list(one) for one in self._ranges]

    @classmethod
    def restored(cls, document: list[list[int]]) -> Ranges:
        """The ranges of a document."""
        try:
            return cls([(int(start), int(stop)) for start, stop in document])
        except (AssertionError, TypeError, ValueError):
            raise PitbookError(say("simulate.no-ranges")) from None


@dataclass(frozen=True)
class Distribution:
    """Amounts in cents, rising, and the rounds in which each came."""

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
        """Rounds counted."""
        return sum(self.counts)

    @cached_property
    def total(self) -> int:
        """All amounts together, in cents."""
        return sum(amount * count for amount, count in self)

    @property
    def mean(self) -> Fraction:
        """Cents a round."""
        return Fraction(self.total, self.rounds)

    @cached_property
    def variance(self) -> Fraction:
        """Of one round, in cents squared."""
        squares = sum(amount * amount * count for amount, count in self)
        return Fraction(squares, self.rounds) - self.mean**2

    @property
    def deviation(self) -> float:
        """The root of the variance, in cents."""
        scale = 10**12
        return isqrt(self.variance.numerator * scale**2 // self.variance.denominator) / scale

    def quantile(self, share: Fraction) -> int:
        """The least amount that at least this share of rounds does not exceed."""
        needed = max(1, ceil(share * self.rounds))
        for amount, reached in zip(self.amounts, accumulate(self.counts), strict=True):
            if reached >= needed:
                return amount
        raise AssertionError(say("simulate.share"))

    def share(self, *, above: int | None = None, below: int | None = None) -> Fraction:
        """The share of rounds above or below an amount."""
        kept = sum(
            count
            for amount, count in self
            if (above is None or amount > above) and (below is None or amount < below)
        )
        return Fraction(kept, self.rounds)


Ints = NDArray[np.int64]


@dataclass
class Bitten:
    """A cap: how often it bit, what was due under it and what it paid, in cents."""

    times: int = 0
    due: int = 0
    paid: int = 0

    def add(self, times: int, due: int, paid: int) -> None:
        """Further bites that are alike."""
        self.times += times
        self.due += times * due
        self.paid += times * paid


@dataclass
class Totals:
    """The counts of a plan's rounds; `done` says which rounds they are."""

    ready: ReadyPlan
    done: Ranges = field(default_factory=Ranges)
    counts: Ints = field(init=False)  # [seats, cells]
    seen: Ints = field(init=False)  # Nets of whole rounds, by steps above the floor.
    others: Counter[int] = field(default_factory=Counter)  # And those that lie elsewhere, in cents.
    shared: dict[str, Bitten] = field(default_factory=dict)  # Caps on the round, by clause.
    shared_rounds: int = 0  # Rounds in which such a cap bit.
    withheld: Ints = field(init=False)  # By seat, what such caps took, in cents.

    def __post_init__(self) -> None:
        job = self.ready.job
        self.counts = np.zeros((job.seats, job.cells), np.int64)
        self.seen = np.zeros(job.window, np.int64)
        self.withheld = np.zeros(job.seats, np.int64)

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return len(self.done)

    def add(self, tally: Tally) -> None:
        """Take in what a worker brought back."""
        self.done.add(tally.start, tally.stop)
        places = self._taken(tally)
        self.counts[:, places] += tally.counts
        self.seen += tally.seen
        step = self.ready.job.step
        for net, times in zip(*tally.above, strict=True):
            self.others[int(net) * step] += int(times)
        for row, times in zip(*tally.capped, strict=True):
            self._share(int(row[0]) * step, places[row[1:]], int(times))

    def _taken(self, tally: Tally) -> Ints:
        """Where the tally's cells stand among ours; new ones make room for themselves."""
        if tally.cells is None:
            return np.arange(self.counts.shape[1])
        cells = self.ready.cells
        places = np.array([cells.take(cell) for cell in tally.cells], np.int64)
        wider = len(cells.every) - self.counts.shape[1]
        self.counts = np.pad(self.counts, ((0, 0), (0, wider)))
        return places

    def _share(self, net: int, cells: Ints, times: int) -> None:
        """Rounds in which a shared cap bites, settled by the engine."""
        found = self.ready.cells.met(cells.tolist())
        self.shared_rounds += times
        self.withheld += times * np.array(found.withheld)
        self.others[net - sum(found.withheld)] += times
        for bite in found.bites:
            self.shared.setdefault(bite.clause, Bitten()).add(times, bite.due, bite.paid)

    def nets(self) -> Distribution:
        """What all seats together net in a round, after every cap."""
        if self.ready.plan.seats == 1:
            return self.seat_nets(1)
        job, counts = self.ready.job, Counter(self.others)
        for place in np.flatnonzero(self.seen).tolist():
            counts[(place + job.floor) * job.step] += int(self.seen[place])
        return Distribution.of(counts)

    def seat_nets(self, seat: int) -> Distribution:
        """What one seat nets in a round, before caps that seats share."""
        counts: Counter[int] = Counter()
        for cell, times in self.met(seat):
            counts[int(self.ready.cells.nets[cell])] += times
        return Distribution.of(counts)

    def met(self, seat: int | None = None) -> Iterator[tuple[int, int]]:
        """Every cell that came up at a seat, or at any, and how often."""
        counts = self.counts.sum(axis=0) if seat is None else self.counts[seat - 1]
        for cell in np.flatnonzero(counts).tolist():
            yield cell, int(counts[cell])

    def caps(self) -> dict[str, Bitten]:
        """Every cap that bit, by its clause."""
        found: dict[str, Bitten] = {}
        for cell, times in self.met():
            for bite in self.ready.cells.every[cell].bites:
                found.setdefault(bite.clause, Bitten()).add(times, bite.due, bite.paid)
        for clause, bitten in self.shared.items():
            found.setdefault(clause, Bitten())
            found[clause].times += bitten.times
            found[clause].due += bitten.due
            found[clause].paid += bitten.paid
        return found

    def equals(self, other: Totals) -> bool:
        """Whether both counted the same."""
        mine, theirs = self.document(), other.document()
        return mine == theirs

    def document(self) -> dict[str, Any]:
        """All counts as JSON, from which `restored` makes the totals again."""
        if not self.ready.job.grows:
            return self._document(self.counts)
        every = self.ready.cells.every  # In an order that has nothing to do with who met them when.
        order = sorted((cell for cell, _ in self.met()), key=lambda cell: repr(every[cell]))
        cells = [cell_document(every[cell]) for cell in order]
        return {**self._document(self.counts[:, order]), "cells": cells}

    def _document(self, counts: Ints) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "done": self.done.document(),
            "counts": [_sparse(row) for row in counts],
            "seen": _sparse(self.seen),
            "others": sorted(self.others.items()),
            "shared": {
                clause: [one.times, one.due, one.paid] for clause, one in self.shared.items()
            },
            "shared_rounds": self.shared_rounds,
            "withheld": self.withheld.tolist(),
        }


def restored(ready: ReadyPlan, document: dict[str, Any]) -> Totals:
    """Totals from their document."""
    told = document.get("cells")
    places = None if told is None else [ready.cells.take(cell_of(cell)) for cell in told]
    totals = Totals(ready, Ranges.restored(document["done"]))
    for row, given in zip(totals.counts, document["counts"], strict=True):
        _fill(row, given if places is None else [[places[at], times] for at, times in given])
    _fill(totals.seen, document["seen"])
    totals.others = Counter({int(net): int(times) for net, times in document["others"]})
    totals.shared = {
        clause: Bitten(*(int(number) for number in numbers))
        for clause, numbers in document["shared"].items()
    }
    totals.shared_rounds = int(document["shared_rounds"])
    totals.withheld = np.array(document["withheld"], np.int64)
    return totals


def _sparse(counts: Ints) -> list[list[int]]:
    places = np.flatnonzero(counts)
    return [[int(place), int(counts[place])] for place in places]


def _fill(counts: Ints, given: list[list[int]]) -> None:
    for place, times in given:
        counts[place] = times
