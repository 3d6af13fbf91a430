"""Luck as a function: seed, round and purpose give words of 32 bits, the same ones everywhere.

Philox4x32-10 (Salmon and others, 2011) turns a counter of four words and a key of two into four
words. Nothing is kept between two calls, so rounds can be played in any order, by anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

CARDS = 0  # The counter's last word for the words that deal cards.
MISTAKES = 1  # And from here on for those that decide who errs.
SEED_MAX = 2**64 - 1

_FACTORS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_MASK = 0xFFFFFFFF
_TURNS = 10


def block(
    seed: int, number: int, *, attempt: int = 0, purpose: int = CARDS
) -> tuple[int, int, int, int]:
    """Four words for the counter (number low, number high, attempt, purpose), keyed by the seed.

    >>> [f"{word:08x}" for word in block(0, 0)]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    zero, one, two, three = number & _MASK, number >> 32, attempt, purpose
    low, high = seed & _MASK, seed >> 32
    for _ in range(_TURNS):
        first, second = _FACTORS[0] * zero, _FACTORS[1] * two
        zero, one = second >> 32 ^ one ^ low, second & _MASK
        two, three = first >> 32 ^ three ^ high, first & _MASK
        low, high = low + _KEY_STEPS[0] & _MASK, high + _KEY_STEPS[1] & _MASK
    return zero, one, two, three


def below(size: int, word: Callable[[int], int]) -> int:
    """A number below `size`, each as likely as any other; `word(attempt)` gives the words.

    The word is scaled to `size` equal parts of 2^32; what is left over is drawn again.
    """
    left_over = 2**32 % size
    attempt = 0
    while (scaled := word(attempt) * size) & _MASK < left_over:
        attempt += 1
    return scaled >> 32


def digits(number: int, sizes: Sequence[int]) -> list[int]:
    """A number below the product of the sizes as one digit below each, the first weighing most."""
    found = []
    for size in reversed(sizes):
        number, digit = divmod(number, size)
        found.append(digit)
    return found[::-1]
