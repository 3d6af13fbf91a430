"""The kernel of ladder games."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitbook.simulate.kernels.cards import erred
from pitbook.simulate.kernels.jit import compiled
from pitbook.simulate.kernels.layout import (
    BOARD,
    BOARD_AT,
    BOARD_SETS,
    BOARDS,
    ERR,
    ERR_OF,
    HAND,
    HAND_AT,
    HANDS,
    HOLE_AT,
    HOLE_SETS,
    HOLES,
    SEATS,
    STREETS,
    STREETS_AT,
)

ZERO, ONE, TWO, THREE = (np.uint64(number) for number in range(4))
RANKS, ALL_SUITS = np.uint64(13), np.uint64(15)


class LadderBatch(NamedTuple):
    """What lies on the table in a batch of rounds: ranks as multisets, suits in common as bits."""

    holes: Any  # [rounds, seats]
    hole_suits: Any
    boards: Any  # [rounds, board cards turned]
    board_suits: Any


@compiled
def play_ladder(number: int, key: Any, table: Any, cards: Any, ends: Any) -> None:
    """The cell of every seat of a batch of rounds, the first of them round `number`."""
    rounds, seats = ends.shape
    board = table.numbers[BOARD]
    held = LadderBatch(
        np.zeros((rounds, seats), np.uint16),
        np.zeros((rounds, seats), np.uint8),
        np.zeros((rounds, board + 1), np.uint16),
        np.full((rounds, board + 1), 15, np.uint8),
    )
    _looked(table, cards, held)
    _decided(number, key, table, held, ends)
    _ended(table, held, ends)


@compiled
def _looked(table: Any, cards: Any, held: Any) -> None:
    """Cards read: the hole cards of each seat, and the board after each of its cards."""
    numbers, sums, places = table.numbers, table.sums, table.places
    seats, hand, board = numbers[SEATS], numbers[HAND], numbers[BOARD]
    holes, hole_suits, boards, board_suits = held
    for row in range(cards.shape[0]):
        for seat in range(seats):
            ranks, suits = ZERO, ALL_SUITS
            for place in range(hand):
                card = np.uint64(cards[row, seat * hand + place])
                ranks = np.uint64(sums[np.uint64(places[place]) + ranks * RANKS + (card >> TWO)])
                suits &= ONE << (card & THREE)
            holes[row, seat], hole_suits[row, seat] = ranks, suits
        ranks, suits = ZERO, ALL_SUITS
        for turned in range(board):
            card = np.uint64(cards[row, seats * hand + turned])
            ranks = np.uint64(sums[np.uint64(places[turned]) + ranks * RANKS + (card >> TWO)])
            suits &= ONE << (card & THREE)
            boards[row, turned + 1], board_suits[row, turned + 1] = ranks, suits


@compiled
def _decided(number: int, key: Any, table: Any, held: Any, nodes: Any) -> None:
    """Street by street every play leads to the next node: no seat waits for another."""
    numbers, sums, places = table.numbers, table.sums, table.places
    small, wide = table.small, table.wide
    holes, hole_suits, boards, board_suits = held
    rounds, seats = nodes.shape
    streets, wrong = numbers[STREETS], numbers[ERR]
    for row in range(rounds):
        for seat in range(seats):
            nodes[row, seat] = 0
    for street in range(streets):
        line = STREETS_AT + 3 * street
        known, at, width = places[line], np.uint64(places[line + 1]), np.uint64(places[line + 2])
        for row in range(rounds):
            join, suits = at + np.uint64(boards[row, known]), board_suits[row, known]
            for seat in range(seats):
                here = np.uint64(nodes[row, seat])
                spot = TWO * np.uint64(sums[join + np.uint64(holes[row, seat]) * width])
                spot += np.uint64((hole_suits[row, seat] & suits) != 0)
                play = np.uint64(small[np.uint64(wide[here]) + spot])
                if wrong:
                    decision, plays = seat * streets + street, wide[here + ONE]
                    rate = (wrong, numbers[ERR_OF])
                    play = erred((number + row, decision), key, play, plays, rate)
                nodes[row, seat] = wide[here + TWO + play]


@compiled
def _ended(table: Any, held: Any, nodes: Any) -> None:
    """The last node of every seat and what its wagers look at: to cells, in the same place."""
    numbers, small, wide, cell_of = table.numbers, table.small, table.wide, table.cell_of
    holes, hole_suits, boards, board_suits = held
    hole_at, board_at = np.uint64(numbers[HOLE_AT]), np.uint64(numbers[BOARD_AT])
    hand_at, hole_sets = np.uint64(numbers[HAND_AT]), np.uint64(numbers[HOLE_SETS])
    board_sets, hands = np.uint64(numbers[BOARD_SETS]), np.uint64(numbers[HANDS])
    hole_groups, board_groups = np.uint64(numbers[HOLES]), np.uint64(numbers[BOARDS])
    board = numbers[BOARD]
    for row in range(nodes.shape[0]):
        common, suits = np.uint64(boards[row, board]), board_suits[row, board]
        third = np.uint64(small[board_at + TWO * common + np.uint64(suits != 0)])
        for seat in range(nodes.shape[1]):
            own, own_suits = np.uint64(holes[row, seat]), hole_suits[row, seat]
            five = np.uint64((own_suits & suits) != 0) * hole_sets + own
            first = np.uint64(small[hand_at + five * board_sets + common])
            second = np.uint64(small[hole_at + TWO * own + np.uint64(own_suits != 0)])
            end = np.uint64(wide[np.uint64(nodes[row, seat])])
            at = ((end * hands + first) * hole_groups + second) * board_groups + third
            nodes[row, seat] = cell_of[at]
