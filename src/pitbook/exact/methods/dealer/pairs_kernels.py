"""Compiled loops for one decision against a dealer's hand.

Dealer hands that share no card with an own hand are counted by inclusion and exclusion. Hands come
in the order of their strength. A table counts, for every set of up to four cards, the dealer hands
so far that hold it. The sum over the subsets of an own hand, with alternating signs, is the number
of dealer hands that share no card with it. Suits that can be swapped share an entry, and one hand
stands for all its images, so entries are too large by the number of swaps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitbook.exact.methods.dealer.pairs_solve import TABLE_CARDS_MAX
from pitbook.exact.methods.dealer.stored_counts import compile_kernel


class SetTable(NamedTuple):
    """The table: sets by their place among those of their size, and room to work in."""

    counts: Any  # By entry.
    entries: Any  # By set, which entry.
    often: Any  # By entry, how many swaps leave such a set as it is.
    offsets: Any  # Where sets of each size begin.
    choose: Any  # Binomials.
    sets: Any  # By subset of a hand, its place.
    sizes: Any  # By subset of a hand, its cards.


@compile_kernel
def list_hands(deck: Any, size: int, maps: Any) -> Any:
    """Every set of so many cards up to the suits that may be swapped, and how many are like it."""
    many = 1
    for place in range(size):
        many = many * (len(deck) - place) // (place + 1)
    hands, ways = np.empty((many, size), np.uint8), np.empty(many, np.int32)
    at, found = np.arange(size), 0
    for _ in range(many):
        alike = _count_fixed(deck, at, maps)
        if alike:
            for place in range(size):
                hands[found, place] = deck[at[place]]
            ways[found] = maps.shape[0] // alike
            found += 1
        next_set(at, len(deck))
    return hands[:found].copy(), ways[:found].copy()


@compile_kernel
def _count_fixed(deck: Any, at: Any, maps: Any) -> int:
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


@compile_kernel
def next_set(at: Any, many: int) -> None:
    """The next set of places, rising."""
    place = len(at) - 1
    while place >= 0 and at[place] == many - len(at) + place:
        place -= 1
    if place >= 0:
        at[place] += 1
        for later in range(place + 1, len(at)):
            at[later] = at[later - 1] + 1


@compile_kernel
def rank_hands(hands: Any, up: Any, keys: Any, by_ranks: Any, by_suit: Any) -> Any:
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


@compile_kernel
def count_beaten(own: Any, own_at: Any, other: Any, other_at: Any, rule: Any) -> Any:
    """By own hand: the dealer's hands without its cards that are weaker, at most as strong, below.

    Both sides are in the order of their classes, and `own_at`, `other_at` say where each begins.
    `rule` is the first class that qualifies, how many hands each of the dealer's stands for, the
    class of each own hand in the dealer's place, and what the table starts from.
    """
    least, ways, as_other, start = rule
    weaker, level = np.zeros(len(own), np.int32), np.zeros(len(own), np.int32)
    below = np.zeros(len(own), np.int32)
    held = _empty_table(start, max(own.shape[1], other.shape[1]))
    for here in range(len(own_at) - 1):
        if here == least and least:
            _count_disjoint(own, as_other, slice(0, len(own)), (held, other.shape[1], here), below)
        mine = slice(own_at[here], own_at[here + 1])
        _count_disjoint(own, as_other, mine, (held, other.shape[1], here), weaker)
        for row in range(other_at[here], other_at[here + 1]):
            _add_hands(other[row], ways[row], held)
        _count_disjoint(own, as_other, mine, (held, other.shape[1], here + 1), level)
    return weaker, level, below


@compile_kernel
def _empty_table(start: Any, cards: int) -> Any:
    """The table before any hand."""
    entries, often, choose = start
    offsets = np.zeros(TABLE_CARDS_MAX + 2, np.int64)
    for size in range(TABLE_CARDS_MAX + 1):
        offsets[size + 1] = offsets[size] + choose[52, size]
    counts, sizes = np.zeros(len(often), np.int32), np.zeros(1 << cards, np.int64)
    for some in range(1, len(sizes)):
        sizes[some] = sizes[some >> 1] + (some & 1)
    sets = np.zeros(1 << cards, np.int64)
    return SetTable(counts, entries, often, offsets, choose, sets, sizes)


@compile_kernel
def _add_hands(hand: Any, ways: int, held: Any) -> None:
    """Hands of the dealer that are alike, in every set of their cards that the table knows."""
    counts, entries, often, offsets, choose, sets, sizes = held
    counts[0] += ways * often[0]
    for place in range(len(hand)):
        card, top = np.int64(hand[place]), 1 << place
        for rest in range(top):
            size = sizes[rest] + 1
            if size <= TABLE_CARDS_MAX:
                found = sets[rest] + choose[card, size]
                sets[top | rest] = found
                entry = entries[offsets[size] + found]
                counts[entry] += ways * often[entry]


@compile_kernel
def _count_disjoint(own: Any, as_other: Any, some: Any, so_far: Any, out: Any) -> None:
    """By own hand, the dealer's hands so far that share no card with it.

    A set of five can only be all of the dealer's hand; it is looked up in place of the table.
    """
    held, cards, here = so_far
    counts, entries, often, offsets, choose, sets, sizes = held
    most, whole = min(TABLE_CARDS_MAX, cards), own.shape[1] == cards and cards > TABLE_CARDS_MAX
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


@compile_kernel
def choose_plays(events: Any, starts: Any, nets: Any, least: Any) -> Any:
    """By row, the first of the best plays that its kind allows; where none is, the first."""
    found = np.zeros(len(events), np.int8)
    for kind in range(len(starts) - 1):
        for row in range(starts[kind], starts[kind + 1]):
            most, any_yet = np.int64(0), False
            for play in range(len(nets)):
                if kind < least[play]:
                    continue
                won = np.int64(0)
                for event in range(events.shape[1]):
                    won += events[row, event] * nets[play, kind, event]
                if not any_yet or won > most:
                    most, any_yet, found[row] = won, True, play
    return found


@compile_kernel
def count_events(events: Any, starts: Any, ways: Any, chosen: Any, plays: int) -> Any:
    """By play, kind and event, how often it is met; fewer than 2**48 deals are in all."""
    found = np.zeros((plays, len(starts) - 1, events.shape[1]), np.int64)
    for kind in range(len(starts) - 1):
        for row in range(starts[kind], starts[kind + 1]):
            for event in range(events.shape[1]):
                found[chosen[row], kind, event] += ways[row] * events[row, event]
    return found


@compile_kernel
def count_deals(hands: Any, up: Any, deck: Any, tables: Any, out: Any) -> None:
    """By own hand, event and group of what both make together, how many of the dealer's hands.

    `up` is the dealer's card that lies open, 255 where none does. `tables` are keys of ranks, the
    dealer's strengths, those of all cards, the group of each class of all cards, the class of each
    own hand, the first that qualifies, and how many cards of the dealer are closed.
    """
    keys, other, both, groups, classes, least, closed = tables
    left, rest = np.empty(len(deck), np.int64), np.empty(closed, np.int64)
    base, suits = np.empty(2, np.int64), np.zeros((2, 4), np.int64)
    for row in range(len(hands)):
        many = _cards_left(hands[row], up[row], deck, left)
        _known_sums(hands[row], up[row], keys, base, suits)
        at = np.arange(closed)
        while True:
            for place in range(closed):
                rest[place] = left[at[place]]
            theirs = _best_class(rest, (keys, other[0], other[1]), base[0], suits[0])
            every = _best_class(rest, (keys, both[0], both[1]), base[1], suits[1])
            event = 1 + np.sign(classes[row] - theirs) + (3 if theirs < least else 0)
            out[row, event, groups[every]] += 1
            if at[0] == many - closed:
                break
            next_set(at, many)


@compile_kernel
def _cards_left(hand: Any, up: int, deck: Any, left: Any) -> int:
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


@compile_kernel
def _known_sums(hand: Any, up: int, keys: Any, base: Any, suits: Any) -> None:
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


@compile_kernel
def _best_class(cards: Any, tables: Any, base: int, suits: Any) -> Any:
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
