"""The strength of the best cards of a hand, and how many hands make each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer.stored_counts import load_or_count
from pitbook.exact.methods.dealer.structure import kinds_by_class
from pitbook.hands.kinds import Ace, hand_kinds
from pitbook.hands.ranking import classes, key, rank_table

# Sums of up to seven of these, none used more than four times, are distinct (tested).
KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
Ranks = tuple[int, ...]  # Ascending.


class Strength(NamedTuple):
    """Best classes: by the sum of the rank keys, and by the ranks of one suit, as bits.

    A suit with too few cards has -1.
    """

    by_ranks: NDArray[np.int16]
    by_suit: NDArray[np.int16]
    classes: int


@cache
def strength_of(best: int, cards: int, ace: Ace) -> Strength:
    """The strength of the best `best` of `cards` cards; the large table is mapped from disk."""

    def make() -> dict[str, NDArray[np.int16]]:
        return {"by_ranks": _by_ranks(best, cards, ace)}

    by_ranks = load_or_count(("strength", best, cards, ace), make, 0.0)["by_ranks"]
    return Strength(by_ranks, _by_suit(best, ace), len(classes(best, ace)))


def _by_ranks(best: int, cards: int, ace: Ace) -> NDArray[np.int16]:
    """By the sum of rank keys, the best class: that of the best hand with one card fewer."""
    keys = np.array(KEYS, np.int64)
    hands = [
        (hand.ranks, index) for index, hand in enumerate(classes(best, ace)) if not hand.suited
    ]
    sums = keys[np.array([ranks for ranks, _ in hands])].sum(axis=1)
    by_ranks = _table(sums, np.array([index for _, index in hands]))
    for size in range(best + 1, cards + 1):
        sets = np.array(list(combinations_with_replacement(range(13), size)))
        set_keys = keys[sets[(sets[:, 4:] != sets[:, :-4]).all(axis=1)]]  # Four of a rank at most.
        sums = set_keys.sum(axis=1)
        by_ranks = _table(sums, by_ranks[sums[:, None] - set_keys].max(axis=1))
    return by_ranks


def _table(sums: NDArray[np.int64], best_classes: NDArray[Any]) -> NDArray[np.int16]:
    by_ranks = np.full(int(sums.max()) + 1, -1, np.int16)
    by_ranks[sums] = best_classes
    return by_ranks


def multisets(size: int) -> Iterator[Ranks]:
    """Every multiset of `size` ranks, none more than four times."""

    def extend(ranks: Ranks, low: int) -> Iterator[Ranks]:
        if len(ranks) == size:
            yield ranks
            return
        for rank in range(low, 13):
            if ranks[-4:] != (rank,) * 4:
                yield from extend((*ranks, rank), rank)

    return extend((), 0)


def _by_suit(best: int, ace: Ace) -> NDArray[np.int16]:
    best_by_suit, table = np.full(1 << 13, -1, np.int16), rank_table(best, ace)
    for mask in range(1 << 13):
        bits = [rank for rank in range(13) if mask >> rank & 1]
        if len(bits) == best:
            best_by_suit[mask] = table[key(bits, True)]
        elif len(bits) > best:
            best_by_suit[mask] = max(best_by_suit[mask ^ 1 << rank] for rank in bits)
    return best_by_suit


SUITS = 4
CARDS_MAX = 7  # Sums of more keys are not distinct.


def can_count(best: int, cards: int) -> bool:
    """Whether hands of this many cards can be counted: no two suits may both have a flush."""
    return best < cards <= min(CARDS_MAX, 2 * best - 1)


@cache
def best_ways(best: int, cards: int, ace: Ace) -> tuple[int, ...]:
    """Sets of `cards` cards of one deck by the kind of their best hand."""
    assert can_count(best, cards)
    strength = strength_of(best, cards, ace)
    class_ways = np.zeros(strength.classes, np.int64)
    for ranks in multisets(cards):
        rank_counts = Counter(ranks).values()
        place = strength.by_ranks[sum(KEYS[rank] for rank in ranks)]
        class_ways[place] += prod(comb(SUITS, count) for count in rank_counts)
    offsuit_keys = _offsuit_keys(cards - best)
    for mask in range(1 << 13):
        offsuit_count = cards - mask.bit_count()
        if not 0 <= offsuit_count <= cards - best:
            continue
        total = sum(KEYS[rank] for rank in range(13) if mask >> rank & 1)
        places = strength.by_ranks[total + offsuit_keys[offsuit_count]]
        np.subtract.at(class_ways, places, SUITS)
        np.add.at(class_ways, np.maximum(places, strength.by_suit[mask]), SUITS)
    ways = np.zeros(len(hand_kinds(best)), np.int64)
    np.add.at(ways, list(kinds_by_class(best, ace)), class_ways)
    return tuple(ways.tolist())


def _offsuit_keys(count_max: int) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """By number of cards, the sums of keys of every set of that many cards of the other suits."""
    keys = [KEYS[card % 13] for card in range(13 * (SUITS - 1))]
    return [
        np.array([sum(cards_keys) for cards_keys in combinations(keys, size)])
        for size in range(count_max + 1)
    ]
