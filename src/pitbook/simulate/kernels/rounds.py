"""Rounds counted by the batch: a cell for each seat, and what the seats net together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.kernels.compiled import compiled
from pitbook.simulate.kernels.layout import FLOOR

Ints = NDArray[np.int64]


class KernelCounts(NamedTuple):
    """Where kernels count.

    Told in full are rounds in which a shared cap bites (`capped`: their net before it, their
    cells) and nets above the window (`above`); `marks` holds how many rows of each are written.
    """

    counts: Ints  # [seats, cells]
    seen: Ints  # Nets of rounds, by steps above the floor.
    capped: Ints
    above: Ints
    marks: Ints


@compiled
def counted(table: Any, ends: Any, out: Any) -> int:
    """Count a batch; gives how many rounds were counted before there was no more room to tell."""
    nets, due, due_max, floor = table.nets, table.due, table.due_max, table.numbers[FLOOR]
    counts, seen, capped, above, marks = out
    seats = ends.shape[1]
    for row in range(ends.shape[0]):
        if marks[0] == capped.shape[0] or marks[1] == above.size:
            return row
        net, bites = np.int64(0), False
        for seat in range(seats):
            net += nets[ends[row, seat]]
            counts[seat, ends[row, seat]] += 1
        if seats == 1:
            continue
        for cap in range(due.shape[0]):
            total = np.int64(0)
            for seat in range(seats):
                total += due[cap, ends[row, seat]]
            bites |= total > due_max[cap]
        place = np.uint64(net - floor)
        if bites:
            capped[marks[0], 0] = net
            for seat in range(seats):
                capped[marks[0], 1 + seat] = ends[row, seat]
            marks[0] += 1
        elif place < np.uint64(seen.size):
            seen[place] += 1
        else:
            above[marks[1]] = net
            marks[1] += 1
    return len(ends)
