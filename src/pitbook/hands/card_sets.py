"""Arrays of card sets: all choices, complements, and one set per suit pattern."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitbook.hands import batch
from pitbook.hands.kinds import Ace

CardArray = NDArray[np.uint8]
Ints = NDArray[np.int64]


@cache
def choices(cards: int, size: int) -> NDArray[np.intp]:
    """Every set of `size` positions out of `cards`, ascending."""
    count = comb(cards, size)
    flat = chain.from_iterable(combinations(range(cards), size))
    return np.fromiter(flat, np.intp, count * size).reshape(count, size)


@cache
def choices_up_to_suits(size: int) -> tuple[CardArray, Ints]:
    """One set of cards for each suit pattern, and the number of sets with that pattern."""
    all_sets = choices(52, size)
    highest_bits = np.zeros(len(all_sets), np.int64)
    for suits in permutations(range(4)):
        bits = np.array([1 << (51 - card // 4 * 4 - suits[card % 4]) for card in range(52)])
        highest_bits = np.maximum(
            highest_bits, bits[all_sets].sum(axis=1)
        )  # The lowest cards have the highest bits.
    _, first, counts = np.unique(-highest_bits, return_index=True, return_counts=True)
    return all_sets[first].astype(np.uint8), counts.astype(np.int64)


def complement(sets: CardArray) -> CardArray:
    """For each set of cards, the other cards of the deck, ascending."""
    free = np.ones((len(sets), 52), bool)
    np.put_along_axis(free, sets.astype(np.intp), False, axis=1)
    return np.nonzero(free)[1].reshape(len(sets), -1).astype(np.uint8)


def disjoint_sets(sets: CardArray, size: int) -> tuple[CardArray, CardArray]:
    """For each set, every choice of `size` further cards, and both combined."""
    further = complement(sets)[:, choices(52 - sets.shape[1], size)]
    repeated = np.broadcast_to(sets[:, None, :], (*further.shape[:2], sets.shape[1]))
    return further, np.concatenate([repeated, further], axis=2)


def kinds_of(cards: CardArray, ace: Ace) -> Ints:
    """Kinds of one to five cards along the last axis; a single card is its rank."""
    shape = cards.shape[:-1]
    if cards.shape[-1] == 1:
        return cards[..., 0].astype(np.int64) >> 2
    rows = cards.reshape(-1, cards.shape[-1])
    return batch.kinds(rows, ace=ace).astype(np.int64).reshape(shape)
