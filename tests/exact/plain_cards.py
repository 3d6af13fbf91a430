"""Sets of cards and what they look like to a pay table, worked out without any code of ours."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


def shapes(cards: Ints, *, ace_low: bool) -> Ints:
    """A number for each row of one to five cards; equal numbers, equal pay, whatever the table."""
    ranks, suits = np.sort(cards // 4, axis=1), cards % 4
    size = cards.shape[1]
    alike = np.zeros(len(cards), np.int64)
    for one, other in combinations(range(size), 2):
        alike += ranks[:, one] == ranks[:, other]
    paired = np.zeros(len(cards), np.int64)
    for place in range(size - 1):
        paired = np.where(ranks[:, place] == ranks[:, place + 1], ranks[:, place], paired)
    in_line = (alike == 0) & (ranks[:, -1] - ranks[:, 0] == size - 1)
    if ace_low and size > 1:
        wheel = (ranks[:, -1] == 12) & (ranks[:, :-1] == np.arange(size - 1)).all(axis=1)
        in_line |= wheel
    one_suit = (suits == suits[:, :1]).all(axis=1)
    to_the_ace = ranks[:, 0] == 13 - size
    in_rank: Ints = alike * 13 + np.where(alike == 1, paired, 0)
    loose = (alike == 0) & ~in_line & ~one_suit if size > 1 else alike == 0
    in_rank = np.where(loose, 200 + ranks[:, -1], in_rank)  # High cards, by the highest.
    if size == 4:
        in_rank = np.where((alike == 6) & (ranks[:, 0] == 12), 300, in_rank)  # Four aces.
    flags: Ints = one_suit * 4 + in_line * 2 + (in_line & to_the_ace)
    return in_rank * 8 + flags


@cache
def patterns(size: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Sets of cards that no renaming of suits makes equal, and how many sets each stands for."""
    ways: dict[tuple[int, ...], int] = {}
    for cards in combinations(range(52), size):
        ways[_pattern(cards)] = ways.get(_pattern(cards), 0) + 1
    return tuple(ways.items())


def _pattern(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The same cards with suits renamed so that equal patterns become equal cards."""
    held: dict[int, list[int]] = {}
    for card in cards:
        held.setdefault(card % 4, []).append(card // 4)
    groups = sorted(held.values(), key=lambda ranks: (len(ranks), ranks))
    return tuple(sorted(4 * rank + suit for suit, ranks in enumerate(groups) for rank in ranks))


@cache
def sets(cards: int, size: int) -> NDArray[np.intp]:
    """Every set of so many cards, rising."""
    every = list(combinations(range(cards), size))
    return np.array(every, np.intp).reshape(len(every), size)


@cache
def ordered(cards: int, size: int) -> NDArray[np.int32]:
    """For cards in any order the number of their set; where one comes twice, the next number."""
    if size == 0:
        return np.zeros((), np.int32)
    every = sets(cards, size)
    where = np.full((cards,) * size, len(every), np.int32)
    for order in permutations(range(size)):
        where[tuple(every[:, place] for place in order)] = np.arange(len(every))
    return where
