"""Whole tables of duels, compiled separately from the other games."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitbook.simulate.kernels.cards import BATCH, deal_rounds
from pitbook.simulate.kernels.duels import play_duels
from pitbook.simulate.kernels.jit import compile_kernel
from pitbook.simulate.kernels.layout import BOARD, HAND, KEPT, SEATS
from pitbook.simulate.kernels.table import count_batch, write_trace


@compile_kernel
def play_duel_table(rounds: Any, key: Any, table: Any, out: Any, trace: Any) -> Any:
    """Play rounds from first to last, as `play_table` does."""
    start, stop = rounds
    numbers = table.numbers
    seats, reserved = numbers[SEATS], numbers[KEPT]
    all_cards = np.zeros((BATCH, seats * numbers[HAND] + numbers[BOARD]), np.uint16)
    all_ends = np.zeros((BATCH, seats), np.int32)
    luck = np.empty((4, BATCH * reserved // 4 + 1), np.uint32)
    number = start
    while number < stop:
        many = min(BATCH, stop - number)
        cards, ends = all_cards[:many], all_ends[:many]
        deal_rounds(number, key, table, luck, cards)
        play_duels(number, key, table, cards, ends)
        done = count_batch(table, ends, out)
        if trace.size:
            write_trace(ends, done, trace[number - start :])
        number += done
        if done < many:
            break
    return number
