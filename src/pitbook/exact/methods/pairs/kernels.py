"""Dealers' hands that share no card with an own hand, counted by inclusion and exclusion.

Hands come in the order of their strength. A table knows for every set of up to four cards how many
of the dealer's hands so far hold it; the sum over the subsets of an own hand, with alternating
signs, is the number of those that share no card with it. Suits that may be swapped make one entry
of many sets, and one hand of many of the dealer's: entries are so many times too large as there are
swaps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitbook.exact.methods.duels.machine import compiled
from pitbook.exact.methods.pairs.counting import TABLED

__all__ = ["hands_in", "next_set", "ranked_in", "swept"]


class SetTable(NamedTuple):
    """The table: sets by their place among those of their size, and room to work in."""

    counts: Any  # By entry.
    entries: Any  # By set, which entry.
    often: Any  # By entry, how many swaps leave such a set as it is.
    offsets: Any  # Where sets of each size begin.
    choose: Any  # Binomials.
    sets: Any  # By subset of a hand, its place.
    sizes: Any  # By subset of a hand, its cards.


@compiled
def hands_in(deck: Any, size: int, maps: Any) -> Any:
    """Every set of so many cards up to the suits that may be swapped, and how many are like it."""
    many = 1
    for place in range(size):
        many = many * (len(deck) - place) // (place + 1)
    hands, ways = np.empty((many, size), np.uint8), np.empty(many, np.int32)
    at, found = np.arange(size), 0
    for _ in range(many):
        alike = _first_of(deck, at, maps)
        if alike:
            for place in range(size):
                hands[found, place] = deck[at[place]]
            ways[found] = maps.shape[0] // alike
            found += 1
        next_set(at, len(deck))
    return hands[:found].copy(), ways[:found].copy()


@compiled
def _first_of(deck: Any, at: Any, maps: Any) -> int:
    """How many swaps leave a set as it is; 0 where one makes a lower set of it."""
    whole, same = np.uint64(0), 0
    for place in at:
        whole |= np.uint64(1) << np.uint64(deck[place])
    for swap in range(maps.shape[0]):
        image = np.uint64(0)
        for place in at:
            image |= np.uint64(1) << np.uint64(maps[swap, deck[place]])
        if image < whole:
            return 0
        if image == whole:
            same += 1
    return same


@compiled
def next_set(at: Any, many: int) -> None:
    """The next set of places, rising."""
    place = len(at) - 1
    while place >= 0 and at[place] == many - len(at) + place:
        place -= 1
    if place >= 0:
        at[place] += 1
        for later in range(place + 1, len(at)):
            at[later] = at[later - 1] + 1


@compiled
def ranked_in(hands: Any, up: Any, keys: Any, by_ranks: Any, by_suit: Any) -> Any:
    """The class of every hand together with the cards that lie open."""
    found = np.empty(len(hands), np.int16)
    base, open_suits = 0, np.zeros(4, np.int64)
    for card in up:
        base += keys[card >> 2]
        open_suits[card & 3] |= 1 << (card >> 2)
    suits = np.empty(4, np.int64)
    for row in range(len(hands)):
        total = base
        suits[:] = open_suits
        for place in range(hands.shape[1]):
            card = np.int64(hands[row, place])
            total += keys[card >> 2]
            suits[card & 3] |= 1 << (card >> 2)
        best = by_ranks[total]
        for suit in range(4):
            best = max(best, by_suit[suits[suit]])
        found[row] = best
    return found


@compiled
def swept(own: Any, own_at: Any, other: Any, other_at: Any, rule: Any) -> Any:
    """By own hand: the dealer's hands without its cards that are weaker, at most as strong, below.

    Both sides are in the order of their classes, and `own_at`, `other_at` say where each begins.
    `rule` is the first class that qualifies, how many hands each of the dealer's stands for, the
    class of each own hand in the dealer's place, and what the table starts from.
    """
    least, ways, as_other, start = rule
    weaker, level = np.zeros(len(own), np.int32), np.zeros(len(own), np.int32)
    below = np.zeros(len(own), np.int32)
    held = _empty(start, max(own.shape[1], other.shape[1]))
    for here in range(len(own_at) - 1):
        if here == least and least:
            _apart(own, as_other, slice(0, len(own)), (held, other.shape[1], here), below)
        mine = slice(own_at[here], own_at[here + 1])
        _apart(own, as_other, mine, (held, other.shape[1], here), weaker)
        for row in range(other_at[here], other_at[here + 1]):
            _add(other[row], ways[row], held)
        _apart(own, as_other, mine, (held, other.shape[1], here + 1), level)
    return weaker, level, below


@compiled
def _empty(start: Any, cards: int) -> Any:
    """The table before any hand."""
    entries, often, choose = start
    offsets = np.zeros(TABLED + 2, np.int64)
    for size in range(TABLED + 1):
        offsets[size + 1] = offsets[size] + choose[52, size]
    counts, sizes = np.zeros(len(often), np.int32), np.zeros(1 << cards, np.int64)
    for some in range(1, len(sizes)):
        sizes[some] = sizes[some >> 1] + (some & 1)
    sets = np.zeros(1 << cards, np.int64)
    return SetTable(counts, entries, often, offsets, choose, sets, sizes)


@compiled
def _add(hand: Any, ways: int, held: Any) -> None:
    """Hands of the dealer that are alike, in every set of their cards that the table knows."""
    counts, entries, often, offsets, choose, sets, sizes = held
    counts[0] += ways * often[0]
    for place in range(len(hand)):
        card, top = np.int64(hand[place]), 1 << place
        for rest in range(top):
            size = sizes[rest] + 1
            if size <= TABLED:
                found = sets[rest] + choose[card, size]
                sets[top | rest] = found
                entry = entries[offsets[size] + found]
                counts[entry] += ways * often[entry]


@compiled
def _apart(own: Any, as_other: Any, some: Any, so_far: Any, out: Any) -> None:
    """By own hand, the dealer's hands so far that share no card with it.

    A set of five can only be all of the dealer's hand; it is looked up in place of the table.
    """
    held, cards, here = so_far
    counts, entries, often, offsets, choose, sets, sizes = held
    most, whole = min(TABLED, cards), own.shape[1] == cards and cards > TABLED
    for row in range(some.start, some.stop):
        total = np.int64(counts[0])
        for place in range(own.shape[1]):
            card, top = np.int64(own[row, place]), 1 << place
            for rest in range(top):
                size = sizes[rest] + 1
                if size <= most:
                    found = sets[rest] + choose[card, size]
                    sets[top | rest] = found
                    many = counts[entries[offsets[size] + found]]
                    total += -many if size & 1 else many
        total //= often[0]
        if whole and as_other[row] < here:
            total -= 1
        out[row] = total
