"""In how many ways the best few of some cards make each kind: by ranks, then by suits.

Every multiset of ranks is dealt in so many suits. Where one suit has cards enough for a flush, its
hands are taken out there and put where they belong; no second suit can have as many.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from math import comb, prod

import numpy as np

from pitbook.exact.methods.duels.strength import KEYS, multisets, strength_of
from pitbook.exact.methods.duels.structure import kinds_by_class
from pitbook.hands.kinds import Ace, catalogue

__all__ = ["best_ways", "knows"]

SUITS = 4
CARDS_MAX = 7  # Sums of more keys are not all different.


def knows(best: int, cards: int) -> bool:
    """Whether so many cards are counted here: two suits cannot both have a flush among them."""
    return best < cards <= min(CARDS_MAX, 2 * best - 1)


@cache
def best_ways(best: int, cards: int, ace: Ace) -> tuple[int, ...]:
    """Sets of so many cards of one deck by the kind of their best hand."""
    assert knows(best, cards)
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
