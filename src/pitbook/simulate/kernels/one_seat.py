"""The kernel of one seat: two random words, four lookups, one count."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.kernels.cards import HALF, LOW, philox, philox_many
from pitbook.simulate.kernels.jit import compile_kernel
from pitbook.simulate.kernels.layout import ROW_BITS

ZERO, ONE = np.uint64(0), np.uint64(1)
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
def play_alone(rounds: Any, key: Any, steps: Any, counts: Any) -> None:
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
        _batch(number, key, steps, words[:, : (stop - number) // 2], counts)


@compile_kernel
def _batch(number: int, key: Any, steps: Any, words: Any, counts: Any) -> None:
    begin, third, fourth, fifth, labels = steps
    for place in range(words.shape[1]):
        for half in range(2):
            scaled = np.uint64(words[2 * half, place]) * FIRST_TWO
            state = np.uint64(begin[scaled >> HALF])
            scaled = (scaled & LOW) * THIRD
            state = np.uint64(third[state * THIRD + (scaled >> HALF)])
            scaled = (scaled & LOW) * FOURTH
            packed = np.uint64(fourth[state * FOURTH + (scaled >> HALF)])
            other = np.uint64(words[2 * half + 1, place]) * FIFTH
            label = np.uint64(fifth[(packed & ROW) * FIFTH + (other >> HALF)])
            end = (packed >> STAKE) * labels + label
            if (scaled & LOW) < FOUR_AGAIN or (other & LOW) < FIFTH_AGAIN:
                end = _play_round(number + 2 * place + half, key, steps)
            counts[half, end] += 1


@compile_kernel
def trace_alone(start: int, key: Any, steps: Any, trace: Any) -> None:
    """Write stake * labels + label of each round from `start` on."""
    for place in range(trace.size):
        trace[place] = _play_round(start + place, key, steps)


@compile_kernel
def _play_round(number: int, key: Any, steps: Any) -> Any:
    """Play one round, drawing its words again if they fall in the remainder."""
    begin, third, fourth, fifth, labels = steps
    index = _below(number, 0, key, FOUR)
    last = _below(number, 1, key, FIFTH)
    state = np.uint64(begin[index // (THIRD * FOURTH)])
    state = np.uint64(third[state * THIRD + index // FOURTH % THIRD])
    packed = np.uint64(fourth[state * FOURTH + index % FOURTH])
    label = np.uint64(fifth[(packed & ROW) * FIFTH + last])
    return (packed >> STAKE) * labels + label


@compile_kernel
def _below(number: int, word: int, key: Any, size: Any) -> Any:
    """A number below `size` from one of the round's two words."""
    left_over, attempt = (LOW + ONE) % size, ZERO
    while True:
        words = philox(np.uint64(number // 2), attempt, ZERO, key)
        drawn = (words[2 + word] if number % 2 == 1 else words[word]) * size
        if (drawn & LOW) >= left_over:
            return drawn >> HALF
        attempt += ONE
