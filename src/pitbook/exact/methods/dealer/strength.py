"""The strength of the best cards of a hand, and how many hands make each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer.stored_counts import load_or_count
from pitbook.exact.methods.dealer.structure import kinds_by_class
from pitbook.hands.kinds import Ace, catalogue
from pitbook.hands.ranking import classes, key, rank_table

# Sums of up to seven of these, none more than four times, are all different (a test adds them up).
KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
Ranks = tuple[int, ...]  # Rising.


class Strength(NamedTuple):
    """Best classes: by the sum of the keys of ranks, and by the ranks of one suit, as bits.

    A suit with too few cards has -1.
    """

    by_ranks: NDArray[np.int16]
    by_suit: NDArray[np.int16]
    classes: int


@cache
def strength_of(best: int, cards: int, ace: Ace) -> Strength:
    """The best so many of so many cards; the large table is mapped from disk."""

    def make() -> dict[str, NDArray[np.int16]]:
        return {"by_ranks": _by_ranks(best, cards, ace)}

    by_ranks = load_or_count(("strength", best, cards, ace), make, 0.0)["by_ranks"]
    return Strength(by_ranks, _by_suit(best, ace), len(classes(best, ace)))


def _by_ranks(best: int, cards: int, ace: Ace) -> NDArray[np.int16]:
    unsuited = {
        hand.ranks[::-1]: place for place, hand in enumerate(classes(best, ace)) if not hand.suited
    }
    for size in range(best + 1, cards + 1):
        unsuited = {
            one: max(map(unsuited.__getitem__, _without_one(one))) for one in multisets(size)
        }
    sums = [sum(KEYS[rank] for rank in one) for one in unsuited]
    by_ranks = np.full(max(sums) + 1, -1, np.int16)
    by_ranks[sums] = list(unsuited.values())
    return by_ranks


def multisets(size: int) -> Iterator[Ranks]:
    """Every multiset of so many ranks, none more than four times."""

    def grown(held: Ranks, low: int) -> Iterator[Ranks]:
        if len(held) == size:
            yield held
            return
        for rank in range(low, 13):
            if held[-4:] != (rank,) * 4:
                yield from grown((*held, rank), rank)

    return grown((), 0)


def _without_one(ranks: Ranks) -> Iterator[Ranks]:
    """The ranks without one of them."""
    for place, rank in enumerate(ranks):
        if not place or ranks[place - 1] != rank:
            yield ranks[:place] + ranks[place + 1 :]


def _by_suit(best: int, ace: Ace) -> NDArray[np.int16]:
    found, table = np.full(1 << 13, -1, np.int16), rank_table(best, ace)
    for mask in range(1 << 13):
        bits = [rank for rank in range(13) if mask >> rank & 1]
        if len(bits) == best:
            found[mask] = table[key(bits, True)]
        elif len(bits) > best:
            found[mask] = max(found[mask ^ 1 << rank] for rank in bits)
    return found


SUITS = 4
CARDS_MAX = 7  # Sums of more keys are not all different.


def can_count(best: int, cards: int) -> bool:
    """Whether so many cards are counted here: two suits cannot both have a flush among them."""
    return best < cards <= min(CARDS_MAX, 2 * best - 1)


@cache
def best_ways(best: int, cards: int, ace: Ace) -> tuple[int, ...]:
    """Sets of so many cards of one deck by the kind of their best hand."""
    assert can_count(best, cards)
    strength = strength_of(best, cards, ace)
    found = np.zeros(strength.classes, np.int64)
    for ranks in multisets(cards):
        held = Counter(ranks).values()
        place = strength.by_ranks[sum(KEYS[rank] for rank in ranks)]
        found[place] += prod(comb(SUITS, many) for many in held)
    others = _keys_beside(cards - best)
    for mask in range(1 << 13):
        beside = cards - mask.bit_count()
        if not 0 <= beside <= cards - best:
            continue
        total = sum(KEYS[rank] for rank in range(13) if mask >> rank & 1)
        places = strength.by_ranks[total + others[beside]]
        np.subtract.at(found, places, SUITS)
        np.add.at(found, np.maximum(places, strength.by_suit[mask]), SUITS)
    ways = np.zeros(len(catalogue(best)), np.int64)
    np.add.at(ways, list(kinds_by_class(best, ace)), found)
    return tuple(ways.tolist())


def _keys_beside(most: int) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """By number of cards, the sums of keys of every set of that many cards of the other suits."""
    keys = [KEYS[card % 13] for card in range(13 * (SUITS - 1))]
    return [np.array([sum(some) for some in combinations(keys, n)]) for n in range(most + 1)]
