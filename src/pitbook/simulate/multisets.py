"""Numbers multisets of ranks, so that combining cards is one lookup."""

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


def multiset_count(size: int) -> int:
    """Number of multisets of `size` ranks.

    >>> [multiset_count(size) for size in range(6)]
    [1, 13, 91, 455, 1820, 6188]
    """
    return comb(RANKS + size - 1, size)


def number_of(ranks: NDArray[Any]) -> Ints:
    """Numbers of multisets given as rows of ranks in any order."""
    size = ranks.shape[-1]
    rising = np.sort(ranks, axis=-1).astype(np.int64) + np.arange(size)
    choose = np.array(
        [[comb(top, place + 1) for top in range(RANKS + size)] for place in range(size)], np.int64
    ).reshape(size, RANKS + size)
    numbers = np.zeros(rising.shape[:-1], np.int64)
    for place in range(size):
        numbers += choose[place][rising[..., place]]
    return numbers


@cache
def ranks_of(size: int) -> NDArray[np.int8]:
    """Every multiset of a size as a row of ascending ranks, in order of their numbers."""
    rows = np.array(list(combinations_with_replacement(range(RANKS), size)), np.int8)
    rows = rows.reshape(multiset_count(size), size)
    ordered = np.empty_like(rows)
    ordered[number_of(rows)] = rows
    ordered.flags.writeable = False
    return ordered


@cache
def add_rank(size: int) -> Ints:
    """[multisets, rank]: number of the multiset with one more rank."""
    return joined_numbers(size, 1)


@cache
def joined_numbers(own_size: int, other_size: int) -> Ints:
    """[multisets of `own_size` ranks, of `other_size`]: number of both combined."""
    left = np.repeat(ranks_of(own_size), multiset_count(other_size), axis=0)
    right = np.tile(ranks_of(other_size), (multiset_count(own_size), 1))
    combined = number_of(np.concatenate([left, right], axis=1))
    return combined.reshape(multiset_count(own_size), multiset_count(other_size))


@cache
def class_places(size: int, ace: Ace) -> Ints:
    """[multisets, suited]: class of such cards; -1 if impossible."""
    places = np.full((multiset_count(size), 2), -1, np.int64)
    hands = classes(size, ace)
    numbers = number_of(np.array([hand.ranks for hand in hands], np.int64))
    places[numbers, [int(hand.suited) for hand in hands]] = np.arange(len(hands))
    return places
