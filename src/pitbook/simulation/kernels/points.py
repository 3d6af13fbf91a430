"""The kernels of points games and of games that read only ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitbook.simulation.kernels.cards import play_or_mistake
from pitbook.simulation.kernels.jit import compile_kernel
from pitbook.simulation.kernels.table_positions import (
    BEST_AT,
    BOARD,
    DEALER_AT,
    ERR,
    ERR_OF,
    HAND,
    KIND_AT,
    KINDS,
    LOW_AT,
    MATCH_AT,
    MATCHES,
    PLAYS,
    SEATS,
)

ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))
RANKS, ALL_SUITS = np.uint64(13), np.uint64(15)


@compile_kernel
def play_points(number: int, key: Any, table: Any, cards: Any, ends: Any) -> None:
    """Write the cell of every seat of a batch of rounds, starting at round `number`."""
    numbers, sums, places = table.numbers, table.sums, table.places
    small, wide, cell_of = table.small, table.wide, table.cell_of
    seats, hand, board = numbers[SEATS], numbers[HAND], numbers[BOARD]
    best_at, match_at = np.uint64(numbers[BEST_AT]), np.uint64(numbers[MATCH_AT])
    kind_at, low_at = np.uint64(numbers[KIND_AT]), np.uint64(numbers[LOW_AT])
    matches, kinds = np.uint64(numbers[MATCHES]), np.uint64(numbers[KINDS])
    for row in range(cards.shape[0]):
        dealer_ranks = ZERO
        for place in range(board):
            rank = np.uint64(cards[row, seats * hand + place]) >> TWO
            dealer_ranks = np.uint64(sums[np.uint64(places[place]) + dealer_ranks * RANKS + rank])
        dealer = np.uint64(numbers[DEALER_AT]) + TWO * dealer_ranks
        for seat in range(seats):
            ranks, suit, rank_bits, card_bits, has_twins = ZERO, ALL_SUITS, ZERO, ZERO, ZERO
            for place in range(hand):
                card = np.uint64(cards[row, seat * hand + place])
                ranks = np.uint64(sums[np.uint64(places[place]) + ranks * RANKS + (card >> TWO)])
                suit &= ONE << (card & THREE)
                rank_bits |= ONE << (card >> TWO)
                has_twins |= card_bits >> card & ONE
                card_bits |= ONE << card
            matched = ZERO
            for place in range(board):
                matched += rank_bits >> (np.uint64(cards[row, seats * hand + place]) >> TWO) & ONE
            play = np.uint64(small[best_at + ranks])
            if numbers[ERR]:
                rate = (numbers[ERR], numbers[ERR_OF])
                play = play_or_mistake((number + row, seat), key, play, numbers[PLAYS], rate)
            if small[low_at + play]:
                ahead = wide[dealer] - wide[TWO * ranks]
            else:
                ahead = wide[TWO * ranks + ONE] - wide[dealer + ONE]
            winner = np.uint64(1 - (ahead > 0) + (ahead < 0))
            group = np.uint64(small[match_at + matched])
            kind = np.uint64(
                small[kind_at + FOUR * ranks + TWO * np.uint64(suit != ZERO) + has_twins]
            )
            at = ((play * THREE + winner) * matches + group) * kinds + kind
            ends[row, seat] = cell_of[at]


@compile_kernel
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
