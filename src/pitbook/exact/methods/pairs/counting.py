"""How every own hand fares against the dealer's hands: counted once for a structure, then kept."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.memory import released_cache
from pitbook.exact.methods.duels.strength import KEYS, strength_of
from pitbook.exact.working import tracked
from pitbook.hands.kinds import Ace
from pitbook.text import say

__all__ = ["Met", "Shape", "met_by", "met_in_all", "seconds", "suit_swaps"]

Ints = NDArray[np.int64]
THREADS = 2
SECONDS_A_HAND = 1e-7
TABLED = 4  # The most cards of a set that the table knows.


class Shape(NamedTuple):
    """All that decides who is ahead: cards dealt, how many count, and who qualifies."""

    own: int
    other: int
    up: int  # Of the other hand's cards, those that are seen: none or one.
    best: int
    ace: Ace
    least: int  # The first class that qualifies; 0 where every hand does.


class Met(NamedTuple):
    """By own hand, up to suits: its class, how often it comes, and how many hands it meets.

    `weaker` hands of the dealer have a lower class, `level` ones one that is not higher, `below`
    ones do not qualify.
    """

    hands: NDArray[np.uint8]
    up: NDArray[np.uint8]  # The card seen, 255 where none is.
    classes: NDArray[np.int16]
    ways: NDArray[np.int32]
    weaker: NDArray[np.int32]
    level: NDArray[np.int32]
    below: NDArray[np.int32]


def suit_swaps(deck: Sequence[Card], fixed: Sequence[Card] = ()) -> NDArray[np.uint8]:
    """By swap of suits that keeps the deck and some cards, where every card goes."""
    held, found = set(deck), []
    for order in permutations(range(4)):
        moved = [card // 4 * 4 + order[card % 4] for card in DECK]
        if {moved[card] for card in held} == held and all(moved[one] == one for one in fixed):
            found.append(moved)
    return np.array(found, np.uint8)


def met_by(shape: Shape, deck: Sequence[Card] = DECK) -> Met:
    """Every own hand of a deck, up to suits, against the dealer's."""
    ups: list[tuple[Card, ...]] = [()]
    many = [1]
    if shape.up:
        swaps = suit_swaps(deck)
        orbits = {card: {int(one) for one in swaps[:, card]} for card in deck}
        ups = [(card,) for card in deck if card == min(orbits[card])]
        many = [len(orbits[card]) for (card,) in ups]
    each = seconds(shape, deck) / len(ups)
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            found = pool.map(lambda up, times: _met(shape, deck, up, times), ups, many)
            parts = list(tracked(found, len(ups), say("exact.working.dealer"), each=each))
        except BaseException:  # Whoever watches has had enough.
            pool.shutdown(cancel_futures=True)
            raise
    return Met(*map(np.concatenate, zip(*parts, strict=True)))


def seconds(shape: Shape, deck: Sequence[Card] = DECK) -> float:
    """About how long all hands of a deck take."""
    left, closed = len(deck) - shape.up, shape.other - shape.up
    ups = len(deck) / 4 / THREADS if shape.up else 1
    return SECONDS_A_HAND * ups * (comb(left, closed) + comb(left, shape.own))


def met_in_all(shape: Shape, deck: Sequence[Card] = DECK) -> int:
    """How many of the dealer's hands share no card with an own hand."""
    return comb(len(deck) - shape.own - shape.up, shape.other - shape.up)


def _met(shape: Shape, deck: Sequence[Card], up: tuple[Card, ...], times: int) -> Met:
    from pitbook.exact.methods.pairs.kernels import hands_in, ranked_in, swept  # noqa: PLC0415

    left = np.array([card for card in deck if card not in up], np.int64)
    swaps = suit_swaps(deck, up)
    own, ways = hands_in(left, shape.own, swaps)
    other, alike = hands_in(left, shape.other - shape.up, swaps)
    keys, open_cards = np.array(KEYS, np.int64), np.array(up, np.int64)
    ours = strength_of(shape.best, shape.own, shape.ace)
    theirs = strength_of(shape.best, shape.other, shape.ace)
    nothing = np.zeros(0, np.int64)
    classes = ranked_in(own, nothing, keys, ours.by_ranks, ours.by_suit)
    others = ranked_in(other, open_cards, keys, theirs.by_ranks, theirs.by_suit)
    order, theirs_first = _order(classes), _order(others)
    own, ways, classes = own[order], ways[order], classes[order]
    as_other = np.zeros(0, np.int16)
    if shape.own == shape.other - shape.up:
        as_other = ranked_in(own, open_cards, keys, theirs.by_ranks, theirs.by_suit)
    every = np.arange(ours.classes + 1)
    own_at = np.searchsorted(classes, every)
    other_at = np.searchsorted(others[theirs_first], every)
    rule = (shape.least, alike[theirs_first], as_other, (*_entries(swaps.tobytes()), _choose()))
    met = swept(own, own_at, other[theirs_first], other_at, rule)
    seen = np.full(len(own), up[0] if up else 255, np.uint8)
    return Met(own, seen, classes, ways * np.int32(times), *met)


def _order(classes: NDArray[np.int16]) -> NDArray[np.intp]:
    return np.argsort(classes, kind="stable")


def _choose() -> Ints:
    return np.array([[comb(card, size) for size in range(7)] for card in range(53)], np.int64)


@released_cache(maxsize=2)
def _entries(swaps: bytes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """By set of up to four cards the number of those that suits make of it, the empty set first.

    Then by that number, how many swaps leave such a set as it is.
    """
    bits = np.uint64(1) << np.frombuffer(swaps, np.uint8).reshape(-1, 52).astype(np.uint64)
    choose, found, often = _choose(), [np.zeros(1, np.int32)], [np.array([len(bits)])]
    for size in range(1, TABLED + 1):
        sets = np.array(list(combinations(range(52), size)))
        images: NDArray[np.uint64] = bits[:, sets].sum(axis=2, dtype=np.uint64)
        _, numbers, many = np.unique(images.min(axis=0), return_inverse=True, return_counts=True)
        entries = np.empty(len(sets), np.int32)
        entries[choose[sets, np.arange(1, size + 1)].sum(axis=1)] = numbers
        found.append(entries + np.int32(sum(map(len, often))))
        often.append(len(bits) // many)
    return np.concatenate(found), np.concatenate(often).astype(np.int32)
