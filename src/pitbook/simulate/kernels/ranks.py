"""The kernel of ranks: all that a seat meets is one number, and the cell lies there."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitbook.simulate.kernels.compiled import compiled
from pitbook.simulate.kernels.layout import BOARD, HAND, SEATS


@compiled
def play_ranks(table: Any, cards: Any, ends: Any) -> None:
    """The cell of every seat of a batch of rounds."""
    numbers, cell_of = table.numbers, table.cell_of
    seats, hand, board = numbers[SEATS], numbers[HAND], numbers[BOARD]
    for row in range(cards.shape[0]):
        for seat in range(seats):
            at = np.int64(0)
            for place in range(hand):
                at = at * 13 + (np.int64(cards[row, seat * hand + place]) >> 2)
            for place in range(board):
                at = at * 13 + (np.int64(cards[row, seats * hand + place]) >> 2)
            ends[row, seat] = cell_of[at]
