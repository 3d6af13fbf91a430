"""One own hand against every hand of the dealer, one by one, with what both make together."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitbook.exact.methods.duels.machine import compiled
from pitbook.exact.methods.pairs.kernels import next_set

__all__ = ["faced"]


@compiled
def faced(hands: Any, up: Any, deck: Any, tables: Any, out: Any) -> None:
    """By own hand, event and group of what both make together, how many of the dealer's hands.

    `up` is the dealer's card that lies open, 255 where none does. `tables` are keys of ranks, the
    dealer's strengths, those of all cards, the group of each class of all cards, the class of each
    own hand, the first that qualifies, and how many cards of the dealer are closed.
    """
    keys, other, both, groups, classes, least, closed = tables
    left, rest = np.empty(len(deck), np.int64), np.empty(closed, np.int64)
    base, suits = np.empty(2, np.int64), np.zeros((2, 4), np.int64)
    for row in range(len(hands)):
        many = _left(hands[row], up[row], deck, left)
        _seen(hands[row], up[row], keys, base, suits)
        at = np.arange(closed)
        while True:
            for place in range(closed):
                rest[place] = left[at[place]]
            theirs = _best(rest, (keys, other[0], other[1]), base[0], suits[0])
            every = _best(rest, (keys, both[0], both[1]), base[1], suits[1])
            event = 1 + np.sign(classes[row] - theirs) + (3 if theirs < least else 0)
            out[row, event, groups[every]] += 1
            if at[0] == many - closed:
                break
            next_set(at, many)


@compiled
def _left(hand: Any, up: int, deck: Any, left: Any) -> int:
    """The cards that are neither held nor seen."""
    many = 0
    for card in deck:
        free = card != up
        for place in range(len(hand)):
            free = free and card != hand[place]
        if free:
            left[many] = card
            many += 1
    return many


@compiled
def _seen(hand: Any, up: int, keys: Any, base: Any, suits: Any) -> None:
    """Sums of keys and ranks by suit that are known: of the dealer's hand, and of all cards."""
    base[0], base[1] = 0, 0
    for suit in range(4):
        suits[0, suit], suits[1, suit] = 0, 0
    if up < 52:
        base[0] = keys[up >> 2]
        suits[0, up & 3] = 1 << (up >> 2)
        base[1] = base[0]
        suits[1, up & 3] = suits[0, up & 3]
    for place in range(len(hand)):
        card = np.int64(hand[place])
        base[1] += keys[card >> 2]
        suits[1, card & 3] |= 1 << (card >> 2)


@compiled
def _best(cards: Any, tables: Any, base: int, suits: Any) -> Any:
    """The best class of some cards beside those that are known."""
    keys, by_ranks, by_suit = tables
    total = base
    for card in cards:
        total += keys[card >> 2]
    best = np.int64(by_ranks[total])
    for suit in range(4):
        mask = suits[suit]
        for card in cards:
            if card & 3 == suit:
                mask |= 1 << (card >> 2)
        best = max(best, np.int64(by_suit[mask]))
    return best
