"""Sets of cards and their pay table categories, without any product code."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


def shapes(cards: Ints, *, ace_low: bool) -> Ints:
    """A number for each row of one to five cards; equal numbers pay alike under any pay table."""
    ranks, suits = np.sort(cards // 4, axis=1), cards % 4
    size = cards.shape[1]
    equal_pairs = np.zeros(len(cards), np.int64)
    for first, second in combinations(range(size), 2):
        equal_pairs += ranks[:, first] == ranks[:, second]
    paired = np.zeros(len(cards), np.int64)
    for place in range(size - 1):
        paired = np.where(ranks[:, place] == ranks[:, place + 1], ranks[:, place], paired)
    is_straight = (equal_pairs == 0) & (ranks[:, -1] - ranks[:, 0] == size - 1)
    if ace_low and size > 1:
        wheel = (ranks[:, -1] == 12) & (ranks[:, :-1] == np.arange(size - 1)).all(axis=1)
        is_straight |= wheel
    is_flush = (suits == suits[:, :1]).all(axis=1)
    is_ace_high = ranks[:, 0] == 13 - size
    code: Ints = equal_pairs * 13 + np.where(equal_pairs == 1, paired, 0)
    is_high_card = (equal_pairs == 0) & ~is_straight & ~is_flush if size > 1 else equal_pairs == 0
    code = np.where(is_high_card, 200 + ranks[:, -1], code)  # High cards, by the highest.
    if size == 4:
        code = np.where((equal_pairs == 6) & (ranks[:, 0] == 12), 300, code)  # Four aces.
    flags: Ints = is_flush * 4 + is_straight * 2 + (is_straight & is_ace_high)
    return code * 8 + flags


@cache
def patterns(size: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Sets of cards up to suits, and how many sets each represents."""
    ways: dict[tuple[int, ...], int] = {}
    for cards in combinations(range(52), size):
        ways[_pattern(cards)] = ways.get(_pattern(cards), 0) + 1
    return tuple(ways.items())


def _pattern(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The same cards with suits renamed so that equal patterns become equal cards."""
    ranks_by_suit: dict[int, list[int]] = {}
    for card in cards:
        ranks_by_suit.setdefault(card % 4, []).append(card // 4)
    groups = sorted(ranks_by_suit.values(), key=lambda ranks: (len(ranks), ranks))
    return tuple(sorted(4 * rank + suit for suit, ranks in enumerate(groups) for rank in ranks))


@cache
def sets(cards: int, size: int) -> NDArray[np.intp]:
    """Every set of `size` cards, ascending."""
    subsets = list(combinations(range(cards), size))
    return np.array(subsets, np.intp).reshape(len(subsets), size)


@cache
def ordered_set_numbers(cards: int, size: int) -> NDArray[np.int32]:
    """The set number of cards in any order; if a card is repeated, the next unused number."""
    if size == 0:
        return np.zeros((), np.int32)
    subsets = sets(cards, size)
    set_numbers = np.full((cards,) * size, len(subsets), np.int32)
    for order in permutations(range(size)):
        set_numbers[tuple(subsets[:, place] for place in order)] = np.arange(len(subsets))
    return set_numbers
