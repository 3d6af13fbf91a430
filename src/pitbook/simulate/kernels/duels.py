"""The kernel of duels: every seat's decisions, and its hand against the dealer's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitbook.simulate.kernels.cards import erred
from pitbook.simulate.kernels.duel_layout import (
    BEST,
    BOTH_AT,
    BOTH_GROUP_AT,
    BOTH_SUIT_AT,
    BOTHS,
    BY_FLOP,
    BY_HAND,
    BY_HOLE,
    CHOOSE_AT,
    CHOOSE_WIDTH,
    COMMON,
    DETAIL_AT,
    FIRST,
    FIXED,
    FLOP_AT,
    GAIN_AT,
    GROUP_AT,
    GROUPS,
    HOLE_AT,
    LEAST,
    MENU_OF_AT,
    MIXED,
    MORE_AT,
    OTHER,
    OTHER_AT,
    OWN_AT,
    PAIRS,
    PAIRS_AT,
    POLICY_AT,
    PREFERS,
    ROWS_AT,
    SHAPE_AT,
    STAGES,
    STREETS,
    STREETS_AT,
    SUIT_AT,
    SWAP_AT,
    SWAPS_AT,
    UPS,
    WIDTH,
)
from pitbook.simulate.kernels.jit import compiled
from pitbook.simulate.kernels.layout import BOARD, ERR, ERR_OF, HAND

BOTH_BEST = 5
SUIT_BITS, COUNT_BITS = 16, 4  # Ranks of each suit as bits, and how many they are, side by side.
RANKS_MASK = 2**13 - 1
ONES, EIGHTS = 0x1111, 0x8888
GOES_ON = -1


class DuelBatch(NamedTuple):
    """Hands of a batch of rounds by class, and the cards in common: multiset, bits, numbers."""

    own: Any  # [rounds, seats]
    other: Any  # [rounds]
    both: Any  # [rounds, seats]
    shared: Any  # [rounds, 3]


@compiled
def play_duels(number: int, key: Any, table: Any, cards: Any, ends: Any) -> None:
    """The cell of every seat of a batch of rounds, the first of them round `number`."""
    rounds, seats = ends.shape
    read = DuelBatch(
        np.zeros((rounds, seats), np.int32),
        np.zeros(rounds, np.int32),
        np.zeros((rounds, seats), np.int32),
        np.zeros((rounds, 3), np.int64),
    )
    _read(table, cards, read)
    plays = np.zeros((rounds, seats), np.int32)
    for row in range(rounds):
        for seat in range(seats):
            ends[row, seat] = GOES_ON
    for street in range(table.places[STREETS]):
        mode = table.places[STREETS_AT + 4 * street]
        if mode == BY_HAND:
            _by_hand(table, cards, read, plays)
        elif mode == BY_HOLE:
            _by_hole(table, cards, plays)
        elif mode == BY_FLOP:
            _by_flop(table, cards, ends, plays)
        elif mode == FIXED:
            plays[:] = table.places[STREETS_AT + 4 * street + 3]
        else:
            _by_board(table, cards, read, ends, plays)
        _made(number, key, table, street, (read.own, plays, ends))
    _ended(table, read, ends)


@compiled
def _read(table: Any, cards: Any, read: Any) -> None:
    """Every hand of a batch by its class."""
    places, sums, numbers = table.places, table.sums, table.numbers
    own, other, both, shared = read
    hand, board, common = numbers[HAND], numbers[BOARD], places[COMMON]
    suit_at, best, all_suit_at = places[SUIT_AT], places[BEST], places[BOTH_SUIT_AT]
    own_at, other_at, both_at = places[OWN_AT], places[OTHER_AT], places[BOTH_AT]
    rounds, seats = own.shape
    for row in range(rounds):
        held = (np.int64(0), np.int64(0), np.int64(0))
        for place in range(common):
            at = places[MORE_AT + place]
            held = _with(held, cards[row, seats * hand + place], sums, at)
        ranks, suits, counts = held
        shared[row, 0], shared[row, 1], shared[row, 2] = ranks, suits, counts
        for place in range(common, board):
            at = places[MORE_AT + place]
            held = _with(held, cards[row, seats * hand + place], sums, at)
        other[row] = _class(held, sums, other_at, suit_at, best)
        for seat in range(seats):
            held = (ranks, suits, counts)
            for place in range(hand):
                at = places[MORE_AT + common + place]
                held = _with(held, cards[row, seat * hand + place], sums, at)
            own[row, seat] = _class(held, sums, own_at, suit_at, best)
            if places[BOTHS] > 1:
                for place in range(common, board):
                    at = places[MORE_AT + hand + place]
                    held = _with(held, cards[row, seats * hand + place], sums, at)
                both[row, seat] = _class(held, sums, both_at, all_suit_at, BOTH_BEST)


@compiled
def _with(held: Any, dealt: Any, sums: Any, at: int) -> Any:
    """Some cards and one more: ranks as a multiset, ranks of each suit as bits, and how many."""
    ranks, suits, counts = held
    card = np.int64(dealt)
    ranks = np.int64(sums[at + ranks * 13 + (card >> 2)])
    suits |= np.int64(1) << (SUIT_BITS * (card & 3) + (card >> 2))
    counts += np.int64(1) << (COUNT_BITS * (card & 3))
    return ranks, suits, counts


@compiled
def _class(held: Any, sums: Any, at: int, suit_at: int, best: int) -> Any:
    """The best class of some cards: that of their ranks, or of a suit with enough of them."""
    ranks, suits, counts = held
    found = np.int64(sums[at + ranks])
    if (counts + (8 - best) * ONES) & EIGHTS:
        for one in range(4):
            bits = suits >> (SUIT_BITS * one) & RANKS_MASK
            found = max(found, np.int64(sums[suit_at + bits]))
    return found


@compiled
def _made(number: int, key: Any, table: Any, street: int, seats: Any) -> None:
    """Plays made, or others where seats err; those that have come to an end stay there."""
    places, small, wide, numbers = table.places, table.small, table.wide, table.numbers
    own, plays, ends = seats
    line, wrong = STREETS_AT + 4 * street, numbers[ERR]
    by_hand, menus, width = places[line] == BY_HAND, places[line + 2], places[WIDTH]
    for row in range(ends.shape[0]):
        for seat in range(ends.shape[1]):
            if ends[row, seat] != GOES_ON:
                continue
            at, play = menus, np.int64(plays[row, seat])
            if by_hand:
                at += width * np.int64(small[places[MENU_OF_AT] + own[row, seat]])
            if wrong:
                decision = (number + row, seat * places[STAGES] + places[line + 1])
                rate = (wrong, numbers[ERR_OF])
                play = np.int64(erred(decision, key, np.uint64(play), wide[at], rate))
            ends[row, seat] = wide[at + 1 + play]


@compiled
def _ended(table: Any, read: Any, ends: Any) -> None:
    """The way of every seat and what its hand comes to: to cells, in the same place."""
    places, small, cell_of = table.places, table.small, table.cell_of
    own, other, both, _ = read
    least, groups, boths = places[LEAST], places[GROUPS], places[BOTHS]
    for row in range(ends.shape[0]):
        theirs = other[row]
        for seat in range(ends.shape[1]):
            mine = own[row, seat]
            at = np.int64(ends[row, seat]) * 6 + _event(mine, theirs, least)
            at = at * groups + small[places[GROUP_AT] + mine]
            if boths > 1:
                at = at * boths + small[places[BOTH_GROUP_AT] + both[row, seat]]
            ends[row, seat] = cell_of[at]


@compiled
def _event(mine: Any, theirs: Any, least: Any) -> Any:
    """0 to 2: behind, level, ahead; 3 to 5 the same where the dealer does not qualify."""
    return np.int64(mine >= theirs) + np.int64(mine > theirs) + 3 * np.int64(theirs < least)


@compiled
def _by_hand(table: Any, cards: Any, read: Any, plays: Any) -> None:
    """By the class of the own hand and the card seen, or by the very cards where suits decide."""
    places, small, wide = table.places, table.small, table.wide
    own, _, _, _ = read
    rounds, seats = plays.shape
    hand, ups = table.numbers[HAND], places[UPS]
    few, rank, suit = np.zeros(hand, np.int64), np.int64(0), np.int64(0)
    for row in range(rounds):
        if ups > 1:
            up = np.int64(cards[row, seats * hand])
            rank, suit = up >> 2, up & 3
        for seat in range(seats):
            play = np.int64(small[places[POLICY_AT] + own[row, seat] * ups + rank])
            if play == MIXED:  # Suits are renamed so that the card seen has the first one.
                for place in range(hand):
                    few[place] = np.int64(cards[row, seat * hand + place]) ^ suit
                _sort(few)
                at = np.int64(0)
                for place in range(hand):
                    at += wide[places[CHOOSE_AT] + few[place] * CHOOSE_WIDTH + place + 1]
                found = np.int64(wide[places[ROWS_AT] + at])
                play = np.int64(small[places[DETAIL_AT] + found * ups + rank])
            plays[row, seat] = play


@compiled
def _sort(cards: Any) -> None:
    for here in range(1, len(cards)):
        card, place = cards[here], here
        while place > 0 and cards[place - 1] > card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card


@compiled
def _by_hole(table: Any, cards: Any, plays: Any) -> None:
    """By two cards."""
    small, at = table.small, table.places[HOLE_AT]
    for row in range(plays.shape[0]):
        for seat in range(plays.shape[1]):
            one, two = np.int64(cards[row, 2 * seat]), np.int64(cards[row, 2 * seat + 1])
            plays[row, seat] = small[at + one * 52 + two]


@compiled
def _by_flop(table: Any, cards: Any, ends: Any, plays: Any) -> None:
    """By the flop and two cards beside it, up to suits."""
    places, small, sums = table.places, table.small, table.sums
    rounds, seats = plays.shape
    held = np.zeros(3, np.int64)
    for row in range(rounds):
        for place in range(3):
            held[place] = cards[row, 2 * seats + place]
        _sort(held)
        one, two, three = held
        flop = three * (three - 1) * (three - 2) // 6 + two * (two - 1) // 2 + one
        alike = np.int64(sums[places[FLOP_AT] + flop])
        swap = places[SWAPS_AT] + 4 * np.int64(small[places[SWAP_AT] + flop])
        one, two, three = (
            _swapped(one, small, swap),
            _swapped(two, small, swap),
            _swapped(three, small, swap),
        )
        for seat in range(seats):
            if ends[row, seat] != GOES_ON:
                continue
            first = _swapped(cards[row, 2 * seat], small, swap)
            second = _swapped(cards[row, 2 * seat + 1], small, swap)
            low, high = min(first, second), max(first, second)
            low -= np.int64(one < low) + np.int64(two < low) + np.int64(three < low)
            high -= np.int64(one < high) + np.int64(two < high) + np.int64(three < high)
            pair = high * (high - 1) // 2 + low
            plays[row, seat] = small[places[PAIRS_AT] + alike * PAIRS + pair]


@compiled
def _swapped(dealt: Any, small: Any, swap: int) -> Any:
    card = np.int64(dealt)
    return (card & ~3) | np.int64(small[swap + (card & 3)])


@compiled
def _by_board(table: Any, cards: Any, read: Any, ends: Any, plays: Any) -> None:
    """Which of two plays is better against all pairs of the cards left."""
    places, sums, wide, small = table.places, table.sums, table.wide, table.small
    own, _, _, shared = read
    other_at, suit_at = places[OTHER_AT], places[SUIT_AT]
    ats = (places[MORE_AT + 5], places[MORE_AT + 6], other_at, suit_at)
    rounds, seats = plays.shape
    for row in range(rounds):
        for seat in range(seats):
            if ends[row, seat] != GOES_ON:
                continue
            mine = np.int64(own[row, seat])
            two = (np.int64(cards[row, 2 * seat]), np.int64(cards[row, 2 * seat + 1]))
            left = _left(two, shared[row, 1], shared[row, 2])
            gains = places[GAIN_AT] + 6 * np.int64(small[places[SHAPE_AT] + mine])
            rule = (mine, places[LEAST], gains)
            if left[2]:
                gained = _gained_by_suit(shared[row, 0], left, rule, ats, (sums, wide))
            else:
                gained = _gained(shared[row, 0], left[0], rule, ats, (sums, wide))
            other = gained > 0 or (gained == 0 and places[PREFERS] == 1)
            plays[row, seat] = places[OTHER] if other else places[FIRST]


@compiled
def _left(own: Any, suits: Any, counts: Any) -> Any:
    """Cards left by rank, those of the suit that may flush, and the board's ranks of that suit."""
    left = np.int64(0)
    for rank in range(13):
        gone = (suits >> rank & 1) + (suits >> (16 + rank) & 1)
        gone += (suits >> (32 + rank) & 1) + (suits >> (48 + rank) & 1)
        left |= (4 - gone) << (4 * rank)
    flushes, bits, suit = np.int64(0), np.int64(0), np.int64(-1)
    for one in range(4):
        if (counts >> (COUNT_BITS * one) & 15) >= 3:
            suit = np.int64(one)
            bits = suits >> (SUIT_BITS * one) & RANKS_MASK
            flushes = RANKS_MASK & ~bits
    for card in own:
        left -= np.int64(1) << (4 * (card >> 2))
        if card & 3 == suit:
            flushes &= ~(np.int64(1) << (card >> 2))
    return left, flushes, bits


@compiled
def _gained(ranks: int, left: int, rule: Any, ats: Any, tables: Any) -> Any:
    """What the other play gains where no flush can be: by two ranks."""
    mine, least, gains = rule
    six, seven, other_at, _ = ats
    sums, wide = tables
    gained = np.int64(0)
    for one in range(13):
        many = left >> (4 * one) & 15
        if not many:
            continue
        with_one = seven + 13 * np.int64(sums[six + ranks * 13 + one])
        for two in range(one, 13):
            ways = many * (many - 1) // 2 if one == two else many * (left >> (4 * two) & 15)
            theirs = np.int64(sums[other_at + np.int64(sums[with_one + two])])
            gained += ways * wide[gains + _event(mine, theirs, least)]
    return gained


@compiled
def _gained_by_suit(ranks: int, left: Any, rule: Any, ats: Any, tables: Any) -> Any:
    """The same where one suit may flush: of either rank one card may be of that suit."""
    mine, least, gains = rule
    six, seven, other_at, suit_at = ats
    sums, wide = tables
    cards, flushes, bits = left
    none = np.int64(sums[suit_at + bits])
    gained = np.int64(0)
    for one in range(13):
        many = cards >> (4 * one) & 15
        if not many:
            continue
        with_one = seven + 13 * np.int64(sums[six + ranks * 13 + one])
        a, bit = flushes >> one & 1, np.int64(1) << one
        first = np.int64(sums[suit_at + (bits | bit)])
        for two in range(one, 13):
            others = cards >> (4 * two) & 15
            theirs = np.int64(sums[other_at + np.int64(sums[with_one + two])])
            ways = (many - a) * (many - a - 1) // 2
            if one == two:
                event = _event(mine, max(theirs, first), least)
                gained += a * (many - a) * wide[gains + event]
            else:
                b, more = flushes >> two & 1, bits | np.int64(1) << two
                ways = (many - a) * (others - b)
                event = _event(mine, max(theirs, np.int64(sums[suit_at + (more | bit)])), least)
                gained += a * b * wide[gains + event]
                event = _event(mine, max(theirs, first), least)
                gained += a * (others - b) * wide[gains + event]
                event = _event(mine, max(theirs, np.int64(sums[suit_at + more])), least)
                gained += b * (many - a) * wide[gains + event]
            gained += ways * wide[gains + _event(mine, max(theirs, none), least)]
    return gained
