"""A plan made ready: tables that any worker can play from, wherever it runs."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitbook.extras import require_extra
from pitbook.simulate.counts.tally import Tally
from pitbook.simulate.kernels import layout
from pitbook.simulate.plans.tables import Alone, KernelTable, digest_of

TOLD_MAX = 65_536  # Rounds that a kernel can tell in full before they are fetched.
NOTHING = np.zeros((0, 1), np.int32)


@dataclass(frozen=True, eq=False)
class Job:
    """Everything a worker needs: the seed, the tables, and how many seats and cells there are."""

    seed: int
    seats: int
    cells: int
    tables: Alone | KernelTable

    @cached_property
    def digest(self) -> str:
        """A hash of all that decides how rounds go; equal jobs give equal totals."""
        return digest_of(self)

    @property
    def chunk(self) -> int:
        """Rounds that keep one core busy for about a tenth of a second."""
        return 2**24 if isinstance(self.tables, Alone) else 2**19

    grows = False  # Every cell is known before the first round.

    @property
    def window(self) -> int:
        """Nets of a round, from the floor on, that are counted in place."""
        return self.tables.window if isinstance(self.tables, KernelTable) else 0

    @property
    def floor(self) -> int:
        """The least that all seats together can net, in steps."""
        return self.tables.floor if isinstance(self.tables, KernelTable) else 0

    @property
    def step(self) -> int:
        """Cents in a step."""
        return self.tables.step if isinstance(self.tables, KernelTable) else 1

    def owned(self) -> Job:
        """The job with arrays of its own: those that came over a wire may be read-only.

        Kernels would be compiled once more for those.
        """
        return copy.deepcopy(self)

    def play(self, start: int, stop: int) -> Tally:
        """Play rounds `start` to `stop` on this core."""
        return self._played(start, stop, NOTHING)

    def trace(self, start: int, stop: int) -> NDArray[np.int32]:
        """[rounds, seats]: the cell of every seat in every round."""
        trace = np.zeros((stop - start, self.seats), np.int32)
        self._played(start, stop, trace)
        return trace

    def _played(self, start: int, stop: int, trace: NDArray[np.int32]) -> Tally:
        require_extra("numba")
        if isinstance(self.tables, Alone):
            return _alone(self, self.tables, start, stop, trace)
        return _table(self, self.tables, start, stop, trace)


def _alone(job: Job, tables: Alone, start: int, stop: int, trace: NDArray[np.int32]) -> Tally:
    from pitbook.simulate.kernels.alone import Steps, play_alone, trace_alone  # noqa: PLC0415

    stakes, labels = tables.cell_of.shape
    steps = Steps(tables.start, tables.third, tables.fourth, tables.fifth, np.uint64(labels))
    cell_of, key = tables.cell_of.ravel(), np.uint64(job.seed)
    counts = np.zeros((1, job.cells), np.int64)
    if len(trace):
        trace_alone(start, key, steps, trace[:, 0])
        trace[:, 0] = cell_of[trace[:, 0]]
        return Tally.of(start, stop, counts)
    ends = np.zeros((2, stakes * labels), np.int64)
    play_alone((start, stop), key, steps, ends)
    np.add.at(counts[0], cell_of, ends.sum(axis=0))
    return Tally.of(start, stop, counts)


def _table(job: Job, table: KernelTable, start: int, stop: int, trace: NDArray[np.int32]) -> Tally:
    from pitbook.simulate.kernels.duel_table import play_duel_table  # noqa: PLC0415
    from pitbook.simulate.kernels.rounds import KernelCounts  # noqa: PLC0415
    from pitbook.simulate.kernels.table import play_table  # noqa: PLC0415

    duels = table.arrays.numbers[layout.LADDER] == layout.BY_DUELS
    play = play_duel_table if duels else play_table
    counts = np.zeros((job.seats, job.cells), np.int64)
    seen = np.zeros(table.window, np.int64)
    capped = np.zeros((TOLD_MAX if len(table.arrays.due) else 1, 1 + job.seats), np.int64)
    above = np.zeros(TOLD_MAX, np.int64)
    tally = Tally.of(start, stop, counts, seen)
    number = start
    while number < stop:
        marks = np.zeros(2, np.int64)
        out = KernelCounts(counts, seen, capped, above, marks)
        rest = trace[number - start :] if len(trace) else trace
        number = play((number, stop), np.uint64(job.seed), table.arrays, out, rest)
        tally = tally.told(capped[: marks[0]], above[: marks[1]])
    return tally
