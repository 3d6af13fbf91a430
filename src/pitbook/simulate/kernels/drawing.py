"""The words of `random_words`, compiled: whole numbers of 64 bits that never grow past them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.simulate.kernels.compiled import compiled, woven

RandomWords = NDArray[np.uint32]

ZERO, ONE = np.uint64(0), np.uint64(1)
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
_FACTOR_0, _FACTOR_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEP_0, _STEP_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


@woven
def philox(number: Any, attempt: Any, purpose: Any, key: Any) -> Any:
    """The four words of a counter."""
    zero, one = number & LOW, number >> HALF
    two, three = attempt, purpose
    low, high = key & LOW, key >> HALF
    for _ in range(10):
        first, second = _FACTOR_0 * zero, _FACTOR_1 * two
        zero, one = (second >> HALF) ^ one ^ low, second & LOW
        two, three = (first >> HALF) ^ three ^ high, first & LOW
        low, high = (low + _STEP_0) & LOW, (high + _STEP_1) & LOW
    return zero, one, two, three


@compiled
def philox_many(number: Any, key: Any, words: RandomWords) -> None:
    """The words of counters from `number` on: [word, counter], so that lanes run side by side."""
    for place in range(words.shape[1]):
        zero, one, two, three = philox(number + np.uint64(place), ZERO, ZERO, key)
        words[0, place], words[1, place] = zero, one
        words[2, place], words[3, place] = two, three


@compiled
def lane(place: int, words: Any) -> Any:
    """One of four words."""
    if place < 2:
        return words[0] if place == 0 else words[1]
    return words[2] if place == 2 else words[3]


@compiled
def erred(decision: Any, key: Any, best: Any, plays: int, rate: Any) -> Any:
    """The play that is made: the best one, or another where this decision goes wrong.

    A decision is a round's number and its place among the round's decisions.
    """
    number, place = decision
    wrong, out_of = rate
    others = np.uint64(plays - 1)
    if others == ZERO:
        return best
    size = np.uint64(out_of) * others
    left_over = (LOW + ONE) % size
    attempt, purpose = ZERO, np.uint64(1 + place // 4)
    scaled = ZERO
    while True:
        scaled = lane(place % 4, philox(np.uint64(number), attempt, purpose, key)) * size
        if (scaled & LOW) >= left_over:
            break
        attempt += ONE
    drawn = scaled >> HALF
    if drawn >= np.uint64(wrong) * others:
        return best
    other = drawn % others
    return other if other < best else other + ONE
