"""Compiled loops for one decision against a dealer's hand.

Dealer hands that share no card with a player's hand are counted by inclusion and exclusion, in
the order of their strength. A table counts, for every set of up to four cards, the dealer hands
so far that contain it. The sum over the subsets of a player's hand, with alternating signs, is
the number of dealer hands that share no card with it. Suits that can be swapped share an entry,
and one hand represents all its images, so entries are too large by the number of swaps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitbook.exact.methods.dealer.pairs_solve import TABLE_CARDS_MAX
from pitbook.exact.methods.dealer.stored_counts import compile_kernel


class SetTable(NamedTuple):
    """The table: sets by their number among those of their size, and scratch space."""

    counts: Any  # By entry.
    entries: Any  # By set, its entry.
    often: Any  # By entry, how many swaps leave such a set unchanged.
    offsets: Any  # Where the sets of each size begin.
    choose: Any  # Binomial coefficients.
    sets: Any  # By subset of a hand, its number.
    sizes: Any  # By subset of a hand, its number of cards.


@compile_kernel
def list_hands(deck: Any, size: int, maps: Any) -> Any:
    """Every set of `size` cards up to the suit swaps `maps`, and how many sets it represents."""
    set_count = 1
    for index in range(size):
        set_count = set_count * (len(deck) - index) // (index + 1)
    hands, ways = np.empty((set_count, size), np.uint8), np.empty(set_count, np.int32)
    places, kept_count = np.arange(size), 0
    for _ in range(set_count):
        fixed_swaps = _count_fixed(deck, places, maps)
        if fixed_swaps:
            for index in range(size):
                hands[kept_count, index] = deck[places[index]]
            ways[kept_count] = maps.shape[0] // fixed_swaps
            kept_count += 1
        next_set(places, len(deck))
    return hands[:kept_count].copy(), ways[:kept_count].copy()


@compile_kernel
def _count_fixed(deck: Any, places: Any, maps: Any) -> int:
    """How many swaps leave a set unchanged; 0 if a swap makes a lower set of it."""
    original, fixed_swaps = np.uint64(0), 0
    for place in places:
        original |= np.uint64(1) << np.uint64(deck[place])
    for swap in range(maps.shape[0]):
        image = np.uint64(0)
        for place in places:
            image |= np.uint64(1) << np.uint64(maps[swap, deck[place]])
        if image < original:
            return 0
        if image == original:
            fixed_swaps += 1
    return fixed_swaps


@compile_kernel
def next_set(places: Any, count: int) -> None:
    """Advance to the next ascending set of places."""
    place = len(places) - 1
    while place >= 0 and places[place] == count - len(places) + place:
        place -= 1
    if place >= 0:
        places[place] += 1
        for following in range(place + 1, len(places)):
            places[following] = places[following - 1] + 1


@compile_kernel
def rank_hands(hands: Any, up: Any, keys: Any, by_ranks: Any, by_suit: Any) -> Any:
    """The class of every hand together with the open cards."""
    hand_classes = np.empty(len(hands), np.int16)
    base, open_suits = 0, np.zeros(4, np.int64)
    for card in up:
        base += keys[card >> 2]
        open_suits[card & 3] |= 1 << (card >> 2)
    suits = np.empty(4, np.int64)
    for row in range(len(hands)):
        total = base
        suits[:] = open_suits
        for index in range(hands.shape[1]):
            card = np.int64(hands[row, index])
            total += keys[card >> 2]
            suits[card & 3] |= 1 << (card >> 2)
        best = by_ranks[total]
        for suit in range(4):
            best = max(best, by_suit[suits[suit]])
        hand_classes[row] = best
    return hand_classes


@compile_kernel
def count_beaten(
    player_hands: Any, player_starts: Any, dealer_hands: Any, dealer_starts: Any, rule: Any
) -> Any:
    """By player's hand, count the dealer's hands that are weaker, not stronger, and not qualified.

    Both sides are sorted by class; `player_starts` and `dealer_starts` give the start of each
    class. `rule` has the first class that qualifies, the weight of each dealer hand, the class
    of each player's hand as a dealer's hand, and the empty table's parts.
    """
    least, ways, as_other, start = rule
    weaker = np.zeros(len(player_hands), np.int32)
    not_stronger = np.zeros(len(player_hands), np.int32)
    below = np.zeros(len(player_hands), np.int32)
    table = _empty_table(start, max(player_hands.shape[1], dealer_hands.shape[1]))
    for class_number in range(len(player_starts) - 1):
        if class_number == least and least:
            _count_disjoint(
                player_hands,
                as_other,
                slice(0, len(player_hands)),
                (table, dealer_hands.shape[1], class_number),
                below,
            )
        rows = slice(player_starts[class_number], player_starts[class_number + 1])
        _count_disjoint(
            player_hands, as_other, rows, (table, dealer_hands.shape[1], class_number), weaker
        )
        for row in range(dealer_starts[class_number], dealer_starts[class_number + 1]):
            _add_hands(dealer_hands[row], ways[row], table)
        _count_disjoint(
            player_hands,
            as_other,
            rows,
            (table, dealer_hands.shape[1], class_number + 1),
            not_stronger,
        )
    return weaker, not_stronger, below


@compile_kernel
def _empty_table(start: Any, cards: int) -> Any:
    """The table before any hand is added."""
    entries, fixed_swaps, choose = start
    offsets = np.zeros(TABLE_CARDS_MAX + 2, np.int64)
    for size in range(TABLE_CARDS_MAX + 1):
        offsets[size + 1] = offsets[size] + choose[52, size]
    counts, sizes = np.zeros(len(fixed_swaps), np.int32), np.zeros(1 << cards, np.int64)
    for subset in range(1, len(sizes)):
        sizes[subset] = sizes[subset >> 1] + (subset & 1)
    sets = np.zeros(1 << cards, np.int64)
    return SetTable(counts, entries, fixed_swaps, offsets, choose, sets, sizes)


@compile_kernel
def _add_hands(hand: Any, ways: int, table: Any) -> None:
    """Add a dealer's hand and its images to every set of their cards in the table."""
    counts, entries, fixed_swaps, offsets, choose, sets, sizes = table
    counts[0] += ways * fixed_swaps[0]
    for index in range(len(hand)):
        card, top = np.int64(hand[index]), 1 << index
        for subset in range(top):
            size = sizes[subset] + 1
            if size <= TABLE_CARDS_MAX:
                number = sets[subset] + choose[card, size]
                sets[top | subset] = number
                entry = entries[offsets[size] + number]
                counts[entry] += ways * fixed_swaps[entry]


@compile_kernel
def _count_disjoint(player_hands: Any, as_other: Any, rows: Any, counted: Any, out: Any) -> None:
    """By player's hand, the dealer's hands so far that share no card with it.

    A set of five can only be the dealer's whole hand; it is checked without the table.
    """
    table, cards, class_number = counted
    counts, entries, fixed_swaps, offsets, choose, sets, sizes = table
    size_max = min(TABLE_CARDS_MAX, cards)
    checks_equal_hand = player_hands.shape[1] == cards and cards > TABLE_CARDS_MAX
    for row in range(rows.start, rows.stop):
        total = np.int64(counts[0])
        for index in range(player_hands.shape[1]):
            card, top = np.int64(player_hands[row, index]), 1 << index
            for subset in range(top):
                size = sizes[subset] + 1
                if size <= size_max:
                    number = sets[subset] + choose[card, size]
                    sets[top | subset] = number
                    count = counts[entries[offsets[size] + number]]
                    total += -count if size & 1 else count
        total //= fixed_swaps[0]
        if checks_equal_hand and as_other[row] < class_number:
            total -= 1
        out[row] = total


@compile_kernel
def choose_plays(events: Any, starts: Any, nets: Any, least: Any) -> Any:
    """For each hand, the best play that it is good enough for, or else the first play."""
    choices = np.zeros(len(events), np.int8)
    for kind in range(len(starts) - 1):
        for row in range(starts[kind], starts[kind + 1]):
            best, found_any = np.int64(0), False
            for play in range(len(nets)):
                if kind < least[play]:
                    continue
                net = np.int64(0)
                for event in range(events.shape[1]):
                    net += events[row, event] * nets[play, kind, event]
                if not found_any or net > best:
                    best, found_any, choices[row] = net, True, play
    return choices


@compile_kernel
def count_events(events: Any, starts: Any, ways: Any, choices: Any, plays: int) -> Any:
    """By play, kind and event, its count; there are fewer than 2**48 deals."""
    counts = np.zeros((plays, len(starts) - 1, events.shape[1]), np.int64)
    for kind in range(len(starts) - 1):
        for row in range(starts[kind], starts[kind + 1]):
            for event in range(events.shape[1]):
                counts[choices[row], kind, event] += ways[row] * events[row, event]
    return counts


@compile_kernel
def count_deals(hands: Any, up: Any, deck: Any, tables: Any, out: Any) -> None:
    """By player's hand, event and group of the combined hand, count the dealer's hands.

    `up` is the dealer's open card, 255 if there is none. `tables` has the rank keys, the
    dealer's strengths, those of all cards, the group of each class of all cards, the class of
    each player's hand, the first class that qualifies, and the number of the dealer's closed
    cards.
    """
    keys, dealer_tables, all_cards, groups, classes, least, closed = tables
    unseen, closed_cards = np.empty(len(deck), np.int64), np.empty(closed, np.int64)
    base, suits = np.empty(2, np.int64), np.zeros((2, 4), np.int64)
    for row in range(len(hands)):
        unseen_count = _cards_left(hands[row], up[row], deck, unseen)
        _known_sums(hands[row], up[row], keys, base, suits)
        places = np.arange(closed)
        while True:
            for index in range(closed):
                closed_cards[index] = unseen[places[index]]
            dealer_class = _best_class(
                closed_cards, (keys, dealer_tables[0], dealer_tables[1]), base[0], suits[0]
            )
            combined_class = _best_class(
                closed_cards, (keys, all_cards[0], all_cards[1]), base[1], suits[1]
            )
            event = 1 + np.sign(classes[row] - dealer_class) + (3 if dealer_class < least else 0)
            out[row, event, groups[combined_class]] += 1
            if places[0] == unseen_count - closed:
                break
            next_set(places, unseen_count)


@compile_kernel
def _cards_left(hand: Any, up: int, deck: Any, unseen: Any) -> int:
    """Write the cards that are neither held nor seen to `unseen`; return how many there are."""
    count = 0
    for card in deck:
        free = card != up
        for index in range(len(hand)):
            free = free and card != hand[index]
        if free:
            unseen[count] = card
            count += 1
    return count


@compile_kernel
def _known_sums(hand: Any, up: int, keys: Any, base: Any, suits: Any) -> None:
    """Write the sums of keys and ranks by suit for the dealer's hand and for all cards."""
    base[0], base[1] = 0, 0
    for suit in range(4):
        suits[0, suit], suits[1, suit] = 0, 0
    if up < 52:
        base[0] = keys[up >> 2]
        suits[0, up & 3] = 1 << (up >> 2)
        base[1] = base[0]
        suits[1, up & 3] = suits[0, up & 3]
    for index in range(len(hand)):
        card = np.int64(hand[index])
        base[1] += keys[card >> 2]
        suits[1, card & 3] |= 1 << (card >> 2)


@compile_kernel
def _best_class(cards: Any, tables: Any, base: int, suits: Any) -> Any:
    """The best class of these cards together with the known ones."""
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
