"""Random numbers: known answers, no bias, and the same words in machine code."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.rules.actions import Play
from pitbook.simulation.dealing import SEED_MAX, block, mixed_radix_digits, random_below
from pitbook.simulation.kernels import cards
from pitbook.simulation.strategy import play_or_mistake

MASK = 2**32 - 1


def test_known_answers_of_the_authors() -> None:
    """The three test vectors for philox4x32-10 published with Random123."""
    assert block(0, 0) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    ones = block(SEED_MAX, SEED_MAX, attempt=MASK, purpose=MASK)
    assert ones == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
    pi = block(0x299F31D0A4093822, 0x85A308D3243F6A88, attempt=0x13198A2E, purpose=0x03707344)
    assert pi == (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


@pytest.mark.long
@given(
    st.integers(0, SEED_MAX), st.integers(0, SEED_MAX), st.integers(0, MASK), st.integers(0, MASK)
)
def test_machine_code_draws_the_same_words(
    seed: int, number: int, attempt: int, purpose: int
) -> None:
    expected = block(seed, number, attempt=attempt, purpose=purpose)
    given_ = (np.uint64(number_given) for number_given in (number, attempt, purpose, seed))
    assert tuple(int(word) for word in cards.philox.py_func(*given_)) == expected  # type: ignore[attr-defined]
    if attempt == purpose == 0 or number < SEED_MAX:
        words = np.zeros((4, 2), np.uint32)
        for kernel in (cards.philox_many, cards.philox_many.py_func):  # type: ignore[attr-defined]
            kernel(np.uint64(number), np.uint64(seed), words[:, :1])
            assert tuple(words[:, 0].tolist()) == block(seed, number)


@pytest.mark.parametrize("size", [1, 2, 3, 48, 52, 255, 6_497_400])
def test_every_number_has_the_same_share_of_words(size: int) -> None:
    """Of 2^32 words each number gets the same share; both ends of its part are checked."""
    left_over = 2**32 % size
    words_per_number = 2**32 // size
    for number in sorted({0, min(1, size - 1), size // 2, size - 1}):
        first = -(-(number << 32) // size)  # The smallest word that is scaled to the number.
        last = -(-((number + 1) << 32) // size) - 1
        rejected = sum(word * size & MASK < left_over for word in {first, last})
        accepted = last - first + 1 - rejected
        assert accepted == words_per_number
        assert random_below(size, partial(_constant_word, last)) == number


def _constant_word(word: int, attempt: int) -> int:
    return word


def test_words_in_the_remainder_are_redrawn() -> None:
    """With seven parts of 2^32, four words are left over, one at the start of each of four
    parts.
    """
    rejected = [word for word in range(0, 2**32, 2**32 // 7) if word * 7 & MASK < 2**32 % 7]
    assert rejected
    attempts: list[int] = []

    def word(attempt: int) -> int:
        attempts.append(attempt)
        return rejected[0] if attempt == 0 else 2**31

    assert random_below(7, word) == 3
    assert attempts == [0, 1]


def test_digits_count_through_every_order() -> None:
    sizes = (5, 4, 3)
    all_digits = [tuple(mixed_radix_digits(number, sizes)) for number in range(prod(sizes))]
    assert all_digits == sorted(all_digits)
    assert max(Counter(all_digits).values()) == 1


@given(st.integers(0, SEED_MAX), st.integers(0, 2**50), st.integers(0, 40), st.integers(2, 6))
def test_mistakes_are_drawn_the_same(seed: int, number: int, decision: int, plays: int) -> None:
    rate = Fraction(3, 10)
    names = tuple(Play(str(play)) for play in range(plays))
    for best in range(plays):
        ordered = (names[best], *names[:best], *names[best + 1 :])
        expected = play_or_mistake(rate, ordered, seed=seed, number=number, decision=decision)
        kernel: Any = cards.play_or_mistake
        for draw in (kernel, kernel.py_func):
            play_index = draw(
                (number, decision), np.uint64(seed), np.uint64(best), np.int32(plays), (3, 10)
            )
            assert names[int(play_index)] == expected
