"""How strong the best few of some cards are: by their ranks, or by the cards of one suit.

A hand's class is its place among all hands of its size, as `rank_of` has it. The best class of some
cards is that of their ranks, suits aside, or that of a suit with enough cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.duels.kept import kept
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes, key, rank_table

__all__ = ["KEYS", "Strength", "multisets", "strength_of"]

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

    by_ranks = kept(("strength", best, cards, ace), make, 0.0)["by_ranks"]
    return Strength(by_ranks, _by_suit(best, ace), len(classes(best, ace)))


def _by_ranks(best: int, cards: int, ace: Ace) -> NDArray[np.int16]:
    unsuited = {
        hand.ranks[::-1]: place for place, hand in enumerate(classes(best, ace)) if not hand.suited
    }
    for size in range(best + 1, cards + 1):
        unsuited = {one: max(map(unsuited.__getitem__, _less(one))) for one in multisets(size)}
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


def _less(ranks: Ranks) -> Iterator[Ranks]:
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
