"""All that was played so far, in whole numbers: added up in any order, the same in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.counts.cells import cell_document, cell_of
from pitbook.simulate.counts.distribution import Distribution
from pitbook.simulate.counts.tally import Tally
from pitbook.simulate.plans.ready import ReadyPlan
from pitbook.simulate.runners.ranges import Ranges

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
