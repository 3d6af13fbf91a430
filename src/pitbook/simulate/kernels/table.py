"""Whole tables: rounds dealt, played and counted a batch at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitbook.simulate.kernels.cards import BATCH, dealt
from pitbook.simulate.kernels.compiled import compiled
from pitbook.simulate.kernels.ladder import play_ladder
from pitbook.simulate.kernels.layout import BOARD, BY_LADDER, BY_RANKS, HAND, KEPT, LADDER, SEATS
from pitbook.simulate.kernels.points import play_points
from pitbook.simulate.kernels.ranks import play_ranks
from pitbook.simulate.kernels.rounds import counted


@compiled
def play_table(rounds: Any, key: Any, table: Any, out: Any, trace: Any) -> Any:
    """Play rounds from first to last; gives the round it stopped before, where it must be emptied.

    Counts go by [seat, cell] and, for several seats, by the net of the round (see `counted`).
    """
    start, stop = rounds
    numbers = table.numbers
    seats, kept = numbers[SEATS], numbers[KEPT]
    all_cards = np.zeros((BATCH, seats * numbers[HAND] + numbers[BOARD]), np.uint16)
    all_ends = np.zeros((BATCH, seats), np.int32)
    luck = np.empty((4, BATCH * kept // 4 + 1), np.uint32)
    number = start
    while number < stop:
        many = min(BATCH, stop - number)
        cards, ends = all_cards[:many], all_ends[:many]
        dealt(number, key, table, luck, cards)
        if numbers[LADDER] == BY_LADDER:
            play_ladder(number, key, table, cards, ends)
        elif numbers[LADDER] == BY_RANKS:
            play_ranks(table, cards, ends)
        else:
            play_points(number, key, table, cards, ends)
        done = counted(table, ends, out)
        if trace.size:
            traced(ends, done, trace[number - start :])
        number += done
        if done < many:
            break
    return number


@compiled
def traced(ends: Any, done: int, trace: Any) -> None:
    """Tell the cells of rounds that were counted."""
    for row in range(done):
        for seat in range(ends.shape[1]):
            trace[row, seat] = ends[row, seat]
