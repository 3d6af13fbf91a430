"""Numbers for multisets of ranks, so that combining cards is one look-up."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes

Ints = NDArray[np.int64]

RANKS = 13


def many(size: int) -> int:
    """How many multisets of `size` ranks there are.

    >>> [many(size) for size in range(6)]
    [1, 13, 91, 455, 1820, 6188]
    """
    return comb(RANKS + size - 1, size)


def number_of(ranks: NDArray[Any]) -> Ints:
    """The numbers of multisets, given as rows of ranks in any order."""
    size = ranks.shape[-1]
    rising = np.sort(ranks, axis=-1).astype(np.int64) + np.arange(size)
    choose = np.array(
        [[comb(one, place + 1) for one in range(RANKS + size)] for place in range(size)], np.int64
    ).reshape(size, RANKS + size)
    numbers = np.zeros(rising.shape[:-1], np.int64)
    for place in range(size):
        numbers += choose[place][rising[..., place]]
    return numbers


@cache
def ranks_of(size: int) -> NDArray[np.int8]:
    """Every multiset of a size as a row of rising ranks, in the order of the numbers."""
    rows = np.array(list(combinations_with_replacement(range(RANKS), size)), np.int8)
    rows = rows.reshape(many(size), size)
    ordered = np.empty_like(rows)
    ordered[number_of(rows)] = rows
    ordered.flags.writeable = False
    return ordered


@cache
def one_more(size: int) -> Ints:
    """[multisets, rank]: the number of the multiset with one more rank."""
    return joined(size, 1)


@cache
def joined(own: int, others: int) -> Ints:
    """[multisets of `own` ranks, of `others`]: the number of both together."""
    left = np.repeat(ranks_of(own), many(others), axis=0)
    right = np.tile(ranks_of(others), (many(own), 1))
    together = number_of(np.concatenate([left, right], axis=1))
    return together.reshape(many(own), many(others))


@cache
def class_places(size: int, ace: Ace) -> Ints:
    """[multisets, all of one suit or not]: the class of such cards; -1 where none can be."""
    places = np.full((many(size), 2), -1, np.int64)
    hands = classes(size, ace)
    numbers = number_of(np.array([hand.ranks for hand in hands], np.int64))
    places[numbers, [int(hand.suited) for hand in hands]] = np.arange(len(hands))
    return places
