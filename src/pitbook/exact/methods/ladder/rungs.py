"""From class to class as cards come: how many cards lead where, whatever the pay table says.

Suits matter only as "all of one suit so far", so a class (ranks and that flag) is all a player
knows on a ladder: 13, 169, 741, 2,535 and 7,462 classes for one to five cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from pitbook.hands.kinds import Ace, catalogue
from pitbook.hands.ranking import HandClass, classes

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rung:
    """From every class of `cards` cards: where the next cards lead (`to`) and in how many ways."""

    cards: int
    to: Ints
    ways: Ints

    def expect(self, values: Ints) -> Ints:
        """The sum of next values over all ways: [..., next classes] -> [..., classes]."""
        sums: Ints = np.einsum("...ij,ij->...i", np.take(values, self.to, axis=-1), self.ways)
        return sums

    def spread(self, weights: Ints, size: int) -> Ints:
        """Weights carried forward: [..., classes] -> [..., next classes]."""
        out = np.zeros((*weights.shape[:-1], size), np.int64)
        flat = weights.reshape(-1, weights.shape[-1])
        rows = out.reshape(-1, size)
        target = self.to.ravel()
        for number, given in enumerate(flat):
            carried = (given[:, None] * self.ways).ravel()
            rows[number] = np.bincount(target, carried, minlength=size)
        return out


@cache
def hole_ways(cards: int, ace: Ace) -> Ints:
    """How many hands of one deck are in each class."""
    return np.array([_hands_in(one) for one in classes(cards, ace)], np.int64)


@cache
def rung(cards: int, more: int, ace: Ace) -> Rung:
    """The rung from classes of `cards` cards by `more` further cards."""
    rows: list[dict[int, int]] = [{place: 1} for place in range(len(classes(cards, ace)))]
    for size in range(cards, cards + more):
        step = _one_card(size, ace)
        rows = [_further(row, step) for row in rows]
    # Cards turned together have no order: each set was reached in `more` factorial orders.
    orders = factorial(more)
    width = max(len(row) for row in rows)
    to = np.zeros((len(rows), width), np.int64)
    ways = np.zeros((len(rows), width), np.int64)
    for place, row in enumerate(rows):
        to[place, : len(row)] = list(row)
        ways[place, : len(row)] = [count // orders for count in row.values()]
    return Rung(cards, to, ways)


@cache
def kind_counts(cards: int, ace: Ace) -> Ints:
    """For every class of `cards` cards, how many ways the rest of five cards makes each kind."""
    last = rung(cards, 5 - cards, ace)
    kinds = np.array([one.kind for one in classes(5, ace)], np.int64)
    counts = np.zeros((len(last.to), len(catalogue(5))), np.int64)
    rows = np.repeat(np.arange(len(last.to)), last.to.shape[1])
    np.add.at(counts, (rows, kinds[last.to.ravel()]), last.ways.ravel())
    return counts


def ways_to_turn(seen: int, more: int) -> int:
    """How many sets of `more` cards are left when `seen` are known."""
    return comb(52 - seen, more)


@cache
def _one_card(cards: int, ace: Ace) -> tuple[dict[int, int], ...]:
    places = {(one.ranks, one.suited): n for n, one in enumerate(classes(cards + 1, ace))}
    return tuple(_next_card(one, places) for one in classes(cards, ace))


def _next_card(hand: HandClass, places: dict[tuple[tuple[int, ...], bool], int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for rank in range(13):
        left = 4 - hand.ranks.count(rank)
        ranks = tuple(sorted((*hand.ranks, rank), reverse=True))
        # A suited hand stays suited by the one card of its suit and of a rank it does not hold.
        same = 1 if hand.suited and rank not in hand.ranks else 0
        for suited, ways in ((True, same), (False, left - same)):
            if ways:
                found[places[ranks, suited]] = ways
    return found


def _further(row: dict[int, int], step: tuple[dict[int, int], ...]) -> dict[int, int]:
    found: dict[int, int] = {}
    for place, ways in row.items():
        for after, more in step[place].items():
            found[after] = found.get(after, 0) + ways * more
    return found


def _hands_in(hand: HandClass) -> int:
    if hand.suited:
        return 4
    ways = 1
    for rank in set(hand.ranks):
        ways *= comb(4, hand.ranks.count(rank))
    return ways - (4 if len(set(hand.ranks)) == len(hand.ranks) else 0)
