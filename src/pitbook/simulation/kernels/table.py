"""Deals, plays and counts rounds of whole tables in batches."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.simulation.kernels.cards import BATCH, deal_rounds
from pitbook.simulation.kernels.jit import compile_kernel
from pitbook.simulation.kernels.ladder import play_ladder
from pitbook.simulation.kernels.points import play_points, play_ranks
from pitbook.simulation.kernels.table_positions import (
    BOARD,
    BY_LADDER,
    BY_RANKS,
    FLOOR,
    HAND,
    KEPT,
    LADDER,
    SEATS,
)

Ints = NDArray[np.int64]


class KernelCounts(NamedTuple):
    """The counters of a kernel.

    Two sorts of rounds are reported in full: those in which a shared cap applies (`capped`: net
    before the cap, then cells) and those with a net above the window (`above`). `marks` counts the
    rows of each.
    """

    counts: Ints  # [seats, cells]
    seen: Ints  # Nets of rounds, in steps above the floor.
    capped: Ints
    above: Ints
    marks: Ints


@compile_kernel
def count_batch(table: Any, ends: Any, out: Any) -> int:
    """Count a batch; returns how many rounds were counted before the report arrays were full."""
    nets, due, due_max, floor = table.nets, table.due, table.due_max, table.numbers[FLOOR]
    counts, net_counts, capped, above, marks = out
    seats = ends.shape[1]
    for row in range(ends.shape[0]):
        if marks[0] == capped.shape[0] or marks[1] == above.size:
            return row
        net, is_capped = np.int64(0), False
        for seat in range(seats):
            net += nets[ends[row, seat]]
            counts[seat, ends[row, seat]] += 1
        if seats == 1:
            continue
        for cap in range(due.shape[0]):
            total = np.int64(0)
            for seat in range(seats):
                total += due[cap, ends[row, seat]]
            is_capped |= total > due_max[cap]
        place = np.uint64(net - floor)
        if is_capped:
            capped[marks[0], 0] = net
            for seat in range(seats):
                capped[marks[0], 1 + seat] = ends[row, seat]
            marks[0] += 1
        elif place < np.uint64(net_counts.size):
            net_counts[place] += 1
        else:
            above[marks[1]] = net
            marks[1] += 1
    return len(ends)


@compile_kernel
def play_table(rounds: Any, key: Any, table: Any, out: Any, trace: Any) -> Any:
    """Play rounds from first to last; returns the round before which the counters must be emptied.

    Counts are by [seat, cell] and, for several seats, by the net of the round (see
    `count_batch`).
    """
    start, stop = rounds
    numbers, (all_cards, all_ends, luck) = table.numbers, batch_arrays(table)
    number = start
    while number < stop:
        batch_size = min(BATCH, stop - number)
        cards, ends = all_cards[:batch_size], all_ends[:batch_size]
        deal_rounds(number, key, table, luck, cards)
        if numbers[LADDER] == BY_LADDER:
            play_ladder(number, key, table, cards, ends)
        elif numbers[LADDER] == BY_RANKS:
            play_ranks(table, cards, ends)
        else:
            play_points(number, key, table, cards, ends)
        done = record_batch(table, ends, out, trace, number - start)
        number += done
        if done < batch_size:
            break
    return number


@compile_kernel
def batch_arrays(table: Any) -> Any:
    """Arrays for the cards, the cells and the random numbers of a batch of rounds."""
    numbers = table.numbers
    seats, reserved = numbers[SEATS], numbers[KEPT]
    cards = np.zeros((BATCH, seats * numbers[HAND] + numbers[BOARD]), np.uint16)
    ends = np.zeros((BATCH, seats), np.int32)
    return cards, ends, np.empty((4, BATCH * reserved // 4 + 1), np.uint32)


@compile_kernel
def record_batch(table: Any, ends: Any, out: Any, trace: Any, offset: int) -> Any:
    """Count the rounds of a batch and write their cells if traced; returns the rounds counted."""
    done = count_batch(table, ends, out)
    if trace.size:
        for row in range(done):
            for seat in range(ends.shape[1]):
                trace[offset + row, seat] = ends[row, seat]
    return done
