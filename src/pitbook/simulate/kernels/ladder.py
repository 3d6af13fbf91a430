"""The kernel of ladder games."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitbook.simulate.kernels.cards import maybe_err
from pitbook.simulate.kernels.jit import compile_kernel
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
    """The cards of a batch of rounds: ranks as multisets, shared suits as bits."""

    holes: Any  # [rounds, seats]
    hole_suits: Any
    boards: Any  # [rounds, board cards turned]
    board_suits: Any


@compile_kernel
def play_ladder(number: int, key: Any, table: Any, cards: Any, ends: Any) -> None:
    """Write the cell of every seat of a batch of rounds, starting at round `number`."""
    rounds, seats = ends.shape
    board = table.numbers[BOARD]
    batch = LadderBatch(
        np.zeros((rounds, seats), np.uint16),
        np.zeros((rounds, seats), np.uint8),
        np.zeros((rounds, board + 1), np.uint16),
        np.full((rounds, board + 1), 15, np.uint8),
    )
    _read_cards(table, cards, batch)
    _decide(number, key, table, batch, ends)
    _write_cells(table, batch, ends)


@compile_kernel
def _read_cards(table: Any, cards: Any, batch: Any) -> None:
    """Read the hole cards of each seat, and the board after each of its cards."""
    numbers, sums, places = table.numbers, table.sums, table.places
    seats, hand, board = numbers[SEATS], numbers[HAND], numbers[BOARD]
    holes, hole_suits, boards, board_suits = batch
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


@compile_kernel
def _decide(number: int, key: Any, table: Any, batch: Any, nodes: Any) -> None:
    """On each street, move every seat to the node its play leads to."""
    numbers, sums, places = table.numbers, table.sums, table.places
    small, wide = table.small, table.wide
    holes, hole_suits, boards, board_suits = batch
    rounds, seats = nodes.shape
    streets, wrong = numbers[STREETS], numbers[ERR]
    for row in range(rounds):
        for seat in range(seats):
            nodes[row, seat] = 0
    for street in range(streets):
        place = STREETS_AT + 3 * street
        board_cards, at, width = (
            places[place],
            np.uint64(places[place + 1]),
            np.uint64(places[place + 2]),
        )
        for row in range(rounds):
            join, suits = at + np.uint64(boards[row, board_cards]), board_suits[row, board_cards]
            for seat in range(seats):
                node = np.uint64(nodes[row, seat])
                spot = TWO * np.uint64(sums[join + np.uint64(holes[row, seat]) * width])
                spot += np.uint64((hole_suits[row, seat] & suits) != 0)
                play = np.uint64(small[np.uint64(wide[node]) + spot])
                if wrong:
                    decision, plays = seat * streets + street, wide[node + ONE]
                    rate = (wrong, numbers[ERR_OF])
                    play = maybe_err((number + row, decision), key, play, plays, rate)
                nodes[row, seat] = wide[node + TWO + play]


@compile_kernel
def _write_cells(table: Any, batch: Any, nodes: Any) -> None:
    """Convert each seat's last node and the cards its wagers look at to its cell, in place."""
    numbers, small, wide, cell_of = table.numbers, table.small, table.wide, table.cell_of
    holes, hole_suits, boards, board_suits = batch
    hole_at, board_at = np.uint64(numbers[HOLE_AT]), np.uint64(numbers[BOARD_AT])
    hand_at, hole_sets = np.uint64(numbers[HAND_AT]), np.uint64(numbers[HOLE_SETS])
    board_sets, hands = np.uint64(numbers[BOARD_SETS]), np.uint64(numbers[HANDS])
    hole_groups, board_groups = np.uint64(numbers[HOLES]), np.uint64(numbers[BOARDS])
    board = numbers[BOARD]
    for row in range(nodes.shape[0]):
        common, suits = np.uint64(boards[row, board]), board_suits[row, board]
        third = np.uint64(small[board_at + TWO * common + np.uint64(suits != 0)])
        for seat in range(nodes.shape[1]):
            holes_held, shared_suits = np.uint64(holes[row, seat]), hole_suits[row, seat]
            five = np.uint64((shared_suits & suits) != 0) * hole_sets + holes_held
            first = np.uint64(small[hand_at + five * board_sets + common])
            second = np.uint64(small[hole_at + TWO * holes_held + np.uint64(shared_suits != 0)])
            end = np.uint64(wide[np.uint64(nodes[row, seat])])
            at = ((end * hands + first) * hole_groups + second) * board_groups + third
            nodes[row, seat] = cell_of[at]
