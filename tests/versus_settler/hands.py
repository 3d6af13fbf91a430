"""Poker hands of three, four and five cards, compared as one does at a table: count, sort, look.

A card is a number: its rank from 0 (a two) to 12 (an ace) times four, and its suit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

TEN, QUEEN, KING, ACE = 8, 10, 11, 12
RISING = {
    1: ("high",),
    3: ("high", "pair", "flush", "straight", "three", "straight-flush"),
    4: ("high", "pair", "two-pair", "straight", "flush", "three", "straight-flush", "four"),
    5: (
        *("high", "pair", "two-pair", "three", "straight", "flush"),
        *("full-house", "four", "straight-flush"),
    ),
}
GROUPS = {
    (1, 1): "high",
    (2, 1): "pair",
    (2, 2): "two-pair",
    (3, 1): "three",
    (3, 2): "full-house",
    (4, 1): "four",
}

Value = tuple[int, tuple[int, ...]]  # How high the kind is, then ranks from the weightiest.


def value(cards: Sequence[int], *, low: bool = True) -> Value:
    """What exactly these cards are worth among hands of their size.

    Where `low` does not hold, an ace stands above the king alone.
    """
    size = len(cards)
    ranks = sorted((card // 4 for card in cards), reverse=True)
    counts = Counter(ranks)
    order = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    many = [counts[rank] for rank in order] + [1]
    kind = GROUPS[many[0], many[1]]
    if kind == "high" and size > 1:
        flush = len({card % 4 for card in cards}) == 1
        top = highest_of_a_run(ranks, low=low)
        if top is not None:
            return RISING[size].index("straight-flush" if flush else "straight"), (top,)
        if flush:
            kind = "flush"
    return RISING[size].index(kind), tuple(order)


def highest_of_a_run(ranks: Sequence[int], *, low: bool) -> int | None:
    """The top of a straight of these descending ranks; with `low`, an ace may count below
    the two.
    """
    size = len(ranks)
    if ranks[0] - ranks[-1] == size - 1:
        return ranks[0]
    if low and ranks[0] == ACE and list(ranks[1:]) == list(range(size - 2, -1, -1)):
        return size - 2
    return None


def best(cards: Iterable[int], size: int, *, low: bool = True) -> Value:
    """The best hand of this many cards."""
    return max(value(some, low=low) for some in combinations(tuple(cards), size))


def kind(hand_value: Value, size: int) -> str:
    """The name of a hand, including the royal flush and four aces."""
    name = RISING[size][hand_value[0]]
    if name == "straight-flush" and hand_value[1] == (ACE,):
        return {5: "royal", 3: "mini-royal"}.get(size, name)
    if name == "four" and size == 4 and hand_value[1][0] == ACE:
        return "four-aces"
    return name


def at_least(hand_value: Value, size: int, name: str, *ranks: int) -> bool:
    """Whether a hand is at least as good as one of a kind with these ranks."""
    return (hand_value[0], hand_value[1][: len(ranks)]) >= (RISING[size].index(name), ranks)
