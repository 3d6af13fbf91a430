"""The best hand within more cards than a hand has: one to five of up to seven."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import prod

from pitbook.cards import Card, rank, suit
from pitbook.errors import CardError
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import PRIMES, classes, rank_of, rank_table
from pitbook.text import say

SUITED = 2  # The mark of one suit in a key.

__all__ = ["best_kind", "best_rank", "kind_of_rank"]


def best_rank(cards: Sequence[Card], size: int, ace: Ace = "high-or-low") -> int:
    """The rank, as `rank_of` gives it, of the best hand of that size within the cards.

    >>> from pitbook.cards import cards
    >>> best_rank(cards("As Ks Qs Js Ts 2c 2d"), 5) == rank_of(cards("As Ks Qs Js Ts"))
    True
    """
    if len(cards) < size:
        raise CardError(say("cards.best.too-few", cards=len(cards), size=size))
    if len(cards) == size:
        return rank_of(cards, ace)
    if size == 1:  # A card is of one suit with itself.
        return max(rank_of((card,), ace) for card in cards)
    table, primes = rank_table(size, ace), [PRIMES[rank(card)] for card in cards]
    whole, left_out = prod(primes), combinations(primes, len(cards) - size)
    # Suits aside, a hand is the product of its ranks: all of them less those that are left out.
    best = max(table[whole // prod(out) << 2] for out in left_out)
    suits = [suit(card) for card in cards]
    for one in {one for one in suits if suits.count(one) >= size}:
        same = [prime for prime, its in zip(primes, suits, strict=True) if its == one]
        flushes = (table[prod(hand) << 2 | SUITED] for hand in combinations(same, size))
        best = max(best, *flushes)
    return best


def best_kind(cards: Sequence[Card], size: int, ace: Ace = "high-or-low") -> int:
    """The kind of the best hand of that size within the cards."""
    return kind_of_rank(size, ace)[best_rank(cards, size, ace)]


@cache
def kind_of_rank(size: int, ace: Ace = "high-or-low") -> tuple[int, ...]:
    """By rank, the kind of a hand."""
    return tuple(hand.kind for hand in classes(size, ace))
