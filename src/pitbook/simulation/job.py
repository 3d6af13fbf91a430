"""A plan ready to play on any worker, and the tally a worker returns."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitbook.extras import require_extra
from pitbook.simulation.kernel_tables import KernelTable, OneSeatTables, digest_of
from pitbook.simulation.kernels import table_positions

if TYPE_CHECKING:
    from pitbook.simulation.outcome_cells import Cell


Ints = NDArray[np.int64]
CountRows = tuple[Ints, Ints]  # Distinct rows, and the count of each.


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of rounds `start` to `stop`. All are integers, so that the order of sums does not
    matter.
    """

    start: int
    stop: int
    counts: Ints  # [seats, cells]
    net_counts: Ints  # Round nets, in steps above the floor.
    capped: CountRows  # Rounds in which a shared cap applies: net before the cap, then the cells.
    above: CountRows  # Nets above the window, in steps.
    cells: tuple[Cell, ...] | None = None  # The cells counted, if they were not known in advance.

    @classmethod
    def of(cls, start: int, stop: int, counts: Ints, net_counts: Ints | None = None) -> Tally:
        """A tally without rounds reported in full."""
        none = np.zeros(0, np.int64)
        rows = (np.zeros((0, 1 + len(counts)), np.int64), none)
        return cls(
            start, stop, counts, none if net_counts is None else net_counts, rows, (none, none)
        )

    def add_reported(self, capped: Ints, above: Ints) -> Tally:
        """Add rounds that a kernel reported in full."""
        return replace(
            self,
            capped=_merge_counts([self.capped, _count_rows(capped)]),
            above=_merge_counts([self.above, _count_rows(above)]),
        )

    def join(self, other: Tally) -> Tally:
        """Join this tally with that of the following rounds."""
        assert self.stop == other.start
        return Tally(
            self.start,
            other.stop,
            self.counts + other.counts,
            self.net_counts + other.net_counts,
            _merge_counts([self.capped, other.capped]),
            _merge_counts([self.above, other.above]),
        )


def _count_rows(rows: Ints) -> CountRows:
    different, counts = np.unique(rows, axis=0, return_counts=True)
    return different, counts.astype(np.int64)


def _merge_counts(parts: Iterable[CountRows]) -> CountRows:
    non_empty = [part for part in parts if len(part[0])]
    if len(non_empty) < 2:
        return non_empty[0] if non_empty else next(iter(parts))
    rows: Any = np.concatenate([rows for rows, _ in non_empty])
    different, row_indexes = np.unique(rows, axis=0, return_inverse=True)
    counts = np.zeros(len(different), np.int64)
    np.add.at(counts, row_indexes.reshape(-1), np.concatenate([counts for _, counts in non_empty]))
    return different, counts


REPORTED_MAX = 65_536  # Rounds that a kernel can report in full before they are fetched.
NOTHING = np.zeros((0, 1), np.int32)


@dataclass(frozen=True, eq=False)
class Job:
    """Everything a worker needs: the seed, the tables and the numbers of seats and cells."""

    seed: int
    seats: int
    cells: int
    tables: OneSeatTables | KernelTable

    @cached_property
    def digest(self) -> str:
        """Hash of everything that decides the rounds; equal jobs give equal totals."""
        return digest_of(self)

    @property
    def chunk(self) -> int:
        """Number of rounds that keep one core busy for about a tenth of a second."""
        return 2**24 if isinstance(self.tables, OneSeatTables) else 2**19

    grows = False  # Every cell is known before the first round.

    @property
    def window(self) -> int:
        """Number of round nets, from the floor up, that are counted in place."""
        return self.tables.window if isinstance(self.tables, KernelTable) else 0

    @property
    def floor(self) -> int:
        """Minimum net of all seats together, in steps."""
        return self.tables.floor if isinstance(self.tables, KernelTable) else 0

    @property
    def step(self) -> int:
        """Size of a step in cents."""
        return self.tables.step if isinstance(self.tables, KernelTable) else 1

    def with_own_arrays(self) -> Job:
        """A copy with writable arrays: arrays received over a network may be read-only.

        Numba would compile the kernels again for read-only arrays.
        """
        return copy.deepcopy(self)

    def play(self, start: int, stop: int) -> Tally:
        """Play rounds `start` to `stop` on this core."""
        return self._play(start, stop, NOTHING)

    def trace(self, start: int, stop: int) -> NDArray[np.int32]:
        """[rounds, seats]: the cell of every seat in every round."""
        trace = np.zeros((stop - start, self.seats), np.int32)
        self._play(start, stop, trace)
        return trace

    def _play(self, start: int, stop: int, trace: NDArray[np.int32]) -> Tally:
        require_extra("numba")
        if isinstance(self.tables, OneSeatTables):
            return _play_one_seat(self, self.tables, start, stop, trace)
        return _play_whole_table(self, self.tables, start, stop, trace)


def _play_one_seat(
    job: Job, tables: OneSeatTables, start: int, stop: int, trace: NDArray[np.int32]
) -> Tally:
    from pitbook.simulation.kernels.ladder import Steps, play_one_seat, trace_one_seat  # noqa: PLC0415

    stakes, labels = tables.cell_of.shape
    steps = Steps(tables.start, tables.third, tables.fourth, tables.fifth, np.uint64(labels))
    cell_of, key = tables.cell_of.ravel(), np.uint64(job.seed)
    counts = np.zeros((1, job.cells), np.int64)
    if len(trace):
        trace_one_seat(start, key, steps, trace[:, 0])
        trace[:, 0] = cell_of[trace[:, 0]]
        return Tally.of(start, stop, counts)
    ends = np.zeros((2, stakes * labels), np.int64)
    play_one_seat((start, stop), key, steps, ends)
    np.add.at(counts[0], cell_of, ends.sum(axis=0))
    return Tally.of(start, stop, counts)


def _play_whole_table(
    job: Job, table: KernelTable, start: int, stop: int, trace: NDArray[np.int32]
) -> Tally:
    from pitbook.simulation.kernels.duels import play_duel_table  # noqa: PLC0415
    from pitbook.simulation.kernels.table import KernelCounts, play_table  # noqa: PLC0415

    duels = table.arrays.numbers[table_positions.LADDER] == table_positions.BY_DUELS
    play = play_duel_table if duels else play_table
    counts = np.zeros((job.seats, job.cells), np.int64)
    net_counts = np.zeros(table.window, np.int64)
    capped = np.zeros((REPORTED_MAX if len(table.arrays.due) else 1, 1 + job.seats), np.int64)
    above = np.zeros(REPORTED_MAX, np.int64)
    tally = Tally.of(start, stop, counts, net_counts)
    number = start
    while number < stop:
        marks = np.zeros(2, np.int64)
        out = KernelCounts(counts, net_counts, capped, above, marks)
        remaining = trace[number - start :] if len(trace) else trace
        number = play((number, stop), np.uint64(job.seed), table.arrays, out, remaining)
        tally = tally.add_reported(capped[: marks[0]], above[: marks[1]])
    return tally
