"""The kernels of ladder games: a table of seats, or one seat by four lookups."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.simulation.kernels.cards import HALF, LOW, philox, philox_many, play_or_mistake
from pitbook.simulation.kernels.jit import compile_kernel
from pitbook.simulation.kernels.table_positions import (
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
    ROW_BITS,
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
            for index in range(hand):
                card = np.uint64(cards[row, seat * hand + index])
                ranks = np.uint64(sums[np.uint64(places[index]) + ranks * RANKS + (card >> TWO)])
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
    streets, mistake_rate = numbers[STREETS], numbers[ERR]
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
                if mistake_rate:
                    decision, plays = seat * streets + street, wide[node + ONE]
                    rate = (mistake_rate, numbers[ERR_OF])
                    play = play_or_mistake((number + row, decision), key, play, plays, rate)
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


# One seat: two random words, four lookups, one count ----------------------------------------------


FOUR = np.uint64(52 * 51 * 50 * 49)  # Orders of the first four cards, dealt by the first word; and
FIRST_TWO, THIRD, FOURTH, FIFTH = (np.uint64(size) for size in (52 * 51, 50, 49, 48))
FOUR_AGAIN, FIFTH_AGAIN = np.uint64(2**32 % int(FOUR)), np.uint64(2**32 % 48)  # Redrawn below.
BATCH = 512  # Blocks of words at a time: they fit in the near cache.
ROW, STAKE = np.uint64(2**ROW_BITS - 1), np.uint64(ROW_BITS)


class Steps(NamedTuple):
    """The tables of one seat, as `tables.Alone` explains them, and the number of labels."""

    start: NDArray[Any]
    third: NDArray[Any]
    fourth: NDArray[Any]
    fifth: NDArray[Any]
    labels: Any


@compile_kernel
def play_one_seat(rounds: Any, key: Any, steps: Any, counts: Any) -> None:
    """Play rounds from first to last; counts by [stake * labels + label], in two halves.

    A block of four words serves two rounds; an odd round at either end is played alone.
    """
    start, stop = rounds
    if start % 2 == 1 and start < stop:
        counts[0, _play_round(start, key, steps)] += 1
        start += 1
    if stop % 2 == 1 and start < stop:
        stop -= 1
        counts[0, _play_round(stop, key, steps)] += 1
    words = np.empty((4, BATCH), np.uint32)
    for number in range(start, stop, 2 * BATCH):
        philox_many(np.uint64(number // 2), key, words)
        _play_batch(number, key, steps, words[:, : (stop - number) // 2], counts)


@compile_kernel
def _play_batch(number: int, key: Any, steps: Any, words: Any, counts: Any) -> None:
    begin, third, fourth, fifth, labels = steps
    for index in range(words.shape[1]):
        for half in range(2):
            scaled = np.uint64(words[2 * half, index]) * FIRST_TWO
            state = np.uint64(begin[scaled >> HALF])
            scaled = (scaled & LOW) * THIRD
            state = np.uint64(third[state * THIRD + (scaled >> HALF)])
            scaled = (scaled & LOW) * FOURTH
            packed = np.uint64(fourth[state * FOURTH + (scaled >> HALF)])
            other = np.uint64(words[2 * half + 1, index]) * FIFTH
            label = np.uint64(fifth[(packed & ROW) * FIFTH + (other >> HALF)])
            end = (packed >> STAKE) * labels + label
            if (scaled & LOW) < FOUR_AGAIN or (other & LOW) < FIFTH_AGAIN:
                end = _play_round(number + 2 * index + half, key, steps)
            counts[half, end] += 1


@compile_kernel
def trace_one_seat(start: int, key: Any, steps: Any, trace: Any) -> None:
    """Write stake * labels + label of each round from `start` on."""
    for index in range(trace.size):
        trace[index] = _play_round(start + index, key, steps)


@compile_kernel
def _play_round(number: int, key: Any, steps: Any) -> Any:
    """Play one round and return its stake and label as one index into the counts."""
    begin, third, fourth, fifth, labels = steps
    index = _random_below(number, 0, key, FOUR)
    last = _random_below(number, 1, key, FIFTH)
    state = np.uint64(begin[index // (THIRD * FOURTH)])
    state = np.uint64(third[state * THIRD + index // FOURTH % THIRD])
    packed = np.uint64(fourth[state * FOURTH + index % FOURTH])
    label = np.uint64(fifth[(packed & ROW) * FIFTH + last])
    return (packed >> STAKE) * labels + label


@compile_kernel
def _random_below(number: int, word: int, key: Any, size: Any) -> Any:
    """A uniform number below `size` from one of the round's two random words, redrawn if biased."""
    left_over, attempt = (LOW + ONE) % size, ZERO
    while True:
        words = philox(np.uint64(number // 2), attempt, ZERO, key)
        drawn = (words[2 + word] if number % 2 == 1 else words[word]) * size
        if (drawn & LOW) >= left_over:
            return drawn >> HALF
        attempt += ONE
