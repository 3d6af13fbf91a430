"""The kernels of duels: every seat's decisions, its hand against the dealer's, and whole tables."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitbook.simulation.kernels.cards import BATCH, deal_rounds, play_or_mistake
from pitbook.simulation.kernels.duel_positions import (
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
from pitbook.simulation.kernels.jit import compile_kernel
from pitbook.simulation.kernels.table import batch_arrays, record_batch
from pitbook.simulation.kernels.table_positions import BOARD, ERR, ERR_OF, HAND

BOTH_BEST = 5
SUIT_BITS, COUNT_BITS = 16, 4  # Ranks as bits, and card counts, by suit.
RANKS_MASK = 2**13 - 1
ONES, EIGHTS = 0x1111, 0x8888
GOES_ON = -1


class DuelBatch(NamedTuple):
    """Hand classes of a batch of rounds, and the community cards: multiset, bits, numbers."""

    own: Any  # [rounds, seats]
    other: Any  # [rounds]
    both: Any  # [rounds, seats]
    shared: Any  # [rounds, 3]


@compile_kernel
def play_duels(number: int, key: Any, table: Any, cards: Any, ends: Any) -> None:
    """Write the cell of every seat of a batch of rounds, starting at round `number`."""
    rounds, seats = ends.shape
    batch = DuelBatch(
        np.zeros((rounds, seats), np.int32),
        np.zeros(rounds, np.int32),
        np.zeros((rounds, seats), np.int32),
        np.zeros((rounds, 3), np.int64),
    )
    _read_hand_classes(table, cards, batch)
    plays = np.zeros((rounds, seats), np.int32)
    for row in range(rounds):
        for seat in range(seats):
            ends[row, seat] = GOES_ON
    for street in range(table.places[STREETS]):
        mode = table.places[STREETS_AT + 4 * street]
        if mode == BY_HAND:
            _decide_by_hand(table, cards, batch, plays)
        elif mode == BY_HOLE:
            _decide_by_hole_cards(table, cards, plays)
        elif mode == BY_FLOP:
            _decide_by_flop(table, cards, ends, plays)
        elif mode == FIXED:
            plays[:] = table.places[STREETS_AT + 4 * street + 3]
        else:
            _decide_by_board(table, cards, batch, ends, plays)
        _make_plays(number, key, table, street, (batch.own, plays, ends))
    _write_cells(table, batch, ends)


@compile_kernel
def _read_hand_classes(table: Any, cards: Any, batch: Any) -> None:
    """Read the class of every hand of a batch."""
    places, sums, numbers = table.places, table.sums, table.numbers
    players, dealers, both, shared = batch
    hand, board, common = numbers[HAND], numbers[BOARD], places[COMMON]
    suit_at, best, all_suit_at = places[SUIT_AT], places[BEST], places[BOTH_SUIT_AT]
    own_at, other_at, both_at = places[OWN_AT], places[OTHER_AT], places[BOTH_AT]
    rounds, seats = players.shape
    for row in range(rounds):
        held = (np.int64(0), np.int64(0), np.int64(0))
        for index in range(common):
            at = places[MORE_AT + index]
            held = _add_card(held, cards[row, seats * hand + index], sums, at)
        ranks, suits, counts = held
        shared[row, 0], shared[row, 1], shared[row, 2] = ranks, suits, counts
        for index in range(common, board):
            at = places[MORE_AT + index]
            held = _add_card(held, cards[row, seats * hand + index], sums, at)
        dealers[row] = _best_class(held, sums, other_at, suit_at, best)
        for seat in range(seats):
            held = (ranks, suits, counts)
            for index in range(hand):
                at = places[MORE_AT + common + index]
                held = _add_card(held, cards[row, seat * hand + index], sums, at)
            players[row, seat] = _best_class(held, sums, own_at, suit_at, best)
            if places[BOTHS] > 1:
                for index in range(common, board):
                    at = places[MORE_AT + hand + index]
                    held = _add_card(held, cards[row, seats * hand + index], sums, at)
                both[row, seat] = _best_class(held, sums, both_at, all_suit_at, BOTH_BEST)


@compile_kernel
def _add_card(held: Any, dealt: Any, sums: Any, at: int) -> Any:
    """Add a card: ranks as a multiset, ranks of each suit as bits, and the number of each suit."""
    ranks, suits, counts = held
    card = np.int64(dealt)
    ranks = np.int64(sums[at + ranks * 13 + (card >> 2)])
    suits |= np.int64(1) << (SUIT_BITS * (card & 3) + (card >> 2))
    counts += np.int64(1) << (COUNT_BITS * (card & 3))
    return ranks, suits, counts


@compile_kernel
def _best_class(held: Any, sums: Any, at: int, suit_at: int, best: int) -> Any:
    """The best class of some cards, by their ranks or by a suit with enough of them."""
    ranks, suits, counts = held
    best_class = np.int64(sums[at + ranks])
    if (counts + (8 - best) * ONES) & EIGHTS:
        for suit in range(4):
            bits = suits >> (SUIT_BITS * suit) & RANKS_MASK
            best_class = max(best_class, np.int64(sums[suit_at + bits]))
    return best_class


@compile_kernel
def _make_plays(number: int, key: Any, table: Any, street: int, seats: Any) -> None:
    """Make the plays, or mistakes where seats err; seats that have ended do not change."""
    places, small, wide, numbers = table.places, table.small, table.wide, table.numbers
    players, plays, ends = seats
    line, mistake_rate = STREETS_AT + 4 * street, numbers[ERR]
    by_hand, menus, width = places[line] == BY_HAND, places[line + 2], places[WIDTH]
    for row in range(ends.shape[0]):
        for seat in range(ends.shape[1]):
            if ends[row, seat] != GOES_ON:
                continue
            at, play = menus, np.int64(plays[row, seat])
            if by_hand:
                at += width * np.int64(small[places[MENU_OF_AT] + players[row, seat]])
            if mistake_rate:
                decision = (number + row, seat * places[STAGES] + places[line + 1])
                rate = (mistake_rate, numbers[ERR_OF])
                play = np.int64(play_or_mistake(decision, key, np.uint64(play), wide[at], rate))
            ends[row, seat] = wide[at + 1 + play]


@compile_kernel
def _write_cells(table: Any, batch: Any, ends: Any) -> None:
    """Convert each seat's ending and hand to its cell, in place."""
    places, small, cell_of = table.places, table.small, table.cell_of
    players, dealers, both, _ = batch
    least, groups, boths = places[LEAST], places[GROUPS], places[BOTHS]
    for row in range(ends.shape[0]):
        theirs = dealers[row]
        for seat in range(ends.shape[1]):
            mine = players[row, seat]
            at = np.int64(ends[row, seat]) * 6 + _comparison_event(mine, theirs, least)
            at = at * groups + small[places[GROUP_AT] + mine]
            if boths > 1:
                at = at * boths + small[places[BOTH_GROUP_AT] + both[row, seat]]
            ends[row, seat] = cell_of[at]


@compile_kernel
def _comparison_event(mine: Any, theirs: Any, least: Any) -> Any:
    """0 to 2: player behind, tied or ahead; 3 more if the dealer does not qualify."""
    return np.int64(mine >= theirs) + np.int64(mine > theirs) + 3 * np.int64(theirs < least)


@compile_kernel
def _decide_by_hand(table: Any, cards: Any, batch: Any, plays: Any) -> None:
    """Decide by the hand's class and the dealer's upcard, or by the exact cards if suits matter."""
    places, small, wide = table.places, table.small, table.wide
    players, _, _, _ = batch
    rounds, seats = plays.shape
    hand, upcard_ranks = table.numbers[HAND], places[UPS]
    sorted_cards, rank, suit = np.zeros(hand, np.int64), np.int64(0), np.int64(0)
    for row in range(rounds):
        if upcard_ranks > 1:
            upcard = np.int64(cards[row, seats * hand])
            rank, suit = upcard >> 2, upcard & 3
        for seat in range(seats):
            play = np.int64(small[places[POLICY_AT] + players[row, seat] * upcard_ranks + rank])
            if play == MIXED:  # Suits are renamed so that the card shown has the first one.
                for index in range(hand):
                    sorted_cards[index] = np.int64(cards[row, seat * hand + index]) ^ suit
                _sort_cards(sorted_cards)
                set_number = np.int64(0)
                for index in range(hand):
                    set_number += wide[
                        places[CHOOSE_AT] + sorted_cards[index] * CHOOSE_WIDTH + index + 1
                    ]
                hand_row = np.int64(wide[places[ROWS_AT] + set_number])
                play = np.int64(small[places[DETAIL_AT] + hand_row * upcard_ranks + rank])
            plays[row, seat] = play


@compile_kernel
def _sort_cards(cards: Any) -> None:
    for index in range(1, len(cards)):
        card, place = cards[index], index
        while place > 0 and cards[place - 1] > card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card


@compile_kernel
def _decide_by_hole_cards(table: Any, cards: Any, plays: Any) -> None:
    """Decide by two hole cards."""
    small, at = table.small, table.places[HOLE_AT]
    for row in range(plays.shape[0]):
        for seat in range(plays.shape[1]):
            first, second = np.int64(cards[row, 2 * seat]), np.int64(cards[row, 2 * seat + 1])
            plays[row, seat] = small[at + first * 52 + second]


@compile_kernel
def _decide_by_flop(table: Any, cards: Any, ends: Any, plays: Any) -> None:
    """Decide by the flop and two hole cards, up to suits."""
    places, small, sums = table.places, table.small, table.sums
    rounds, seats = plays.shape
    flop_cards = np.zeros(3, np.int64)
    for row in range(rounds):
        for index in range(3):
            flop_cards[index] = cards[row, 2 * seats + index]
        _sort_cards(flop_cards)
        low_card, middle_card, high_card = flop_cards
        flop = (
            high_card * (high_card - 1) * (high_card - 2) // 6
            + middle_card * (middle_card - 1) // 2
            + low_card
        )
        alike = np.int64(sums[places[FLOP_AT] + flop])
        swap = places[SWAPS_AT] + 4 * np.int64(small[places[SWAP_AT] + flop])
        low_card, middle_card, high_card = (
            _swap_suit(low_card, small, swap),
            _swap_suit(middle_card, small, swap),
            _swap_suit(high_card, small, swap),
        )
        for seat in range(seats):
            if ends[row, seat] != GOES_ON:
                continue
            first = _swap_suit(cards[row, 2 * seat], small, swap)
            second = _swap_suit(cards[row, 2 * seat + 1], small, swap)
            low, high = min(first, second), max(first, second)
            low -= (
                np.int64(low_card < low) + np.int64(middle_card < low) + np.int64(high_card < low)
            )
            high -= (
                np.int64(low_card < high)
                + np.int64(middle_card < high)
                + np.int64(high_card < high)
            )
            pair = high * (high - 1) // 2 + low
            plays[row, seat] = small[places[PAIRS_AT] + alike * PAIRS + pair]


@compile_kernel
def _swap_suit(dealt: Any, small: Any, swap: int) -> Any:
    card = np.int64(dealt)
    return (card & ~3) | np.int64(small[swap + (card & 3)])


@compile_kernel
def _decide_by_board(table: Any, cards: Any, batch: Any, ends: Any, plays: Any) -> None:
    """Choose the play that is better against all pairs of the cards left."""
    places, sums, wide, small = table.places, table.sums, table.wide, table.small
    players, _, _, shared = batch
    other_at, suit_at = places[OTHER_AT], places[SUIT_AT]
    ats = (places[MORE_AT + 5], places[MORE_AT + 6], other_at, suit_at)
    rounds, seats = plays.shape
    for row in range(rounds):
        for seat in range(seats):
            if ends[row, seat] != GOES_ON:
                continue
            mine = np.int64(players[row, seat])
            hole = (np.int64(cards[row, 2 * seat]), np.int64(cards[row, 2 * seat + 1]))
            left = _cards_left(hole, shared[row, 1], shared[row, 2])
            gains = places[GAIN_AT] + 6 * np.int64(small[places[SHAPE_AT] + mine])
            rule = (mine, places[LEAST], gains)
            if left[2]:
                gained = _gain_with_flush(shared[row, 0], left, rule, ats, (sums, wide))
            else:
                gained = _gain_without_flush(shared[row, 0], left[0], rule, ats, (sums, wide))
            other = gained > 0 or (gained == 0 and places[PREFERS] == 1)
            plays[row, seat] = places[OTHER] if other else places[FIRST]


@compile_kernel
def _cards_left(hole: Any, suits: Any, counts: Any) -> Any:
    """Counts of the cards left by rank: all, those of the possible flush suit, and the board's
    ranks of it.
    """
    left = np.int64(0)
    for rank in range(13):
        seen_count = (suits >> rank & 1) + (suits >> (16 + rank) & 1)
        seen_count += (suits >> (32 + rank) & 1) + (suits >> (48 + rank) & 1)
        left |= (4 - seen_count) << (4 * rank)
    flushes, bits, suit = np.int64(0), np.int64(0), np.int64(-1)
    for flush_suit in range(4):
        if (counts >> (COUNT_BITS * flush_suit) & 15) >= 3:
            suit = np.int64(flush_suit)
            bits = suits >> (SUIT_BITS * flush_suit) & RANKS_MASK
            flushes = RANKS_MASK & ~bits
    for card in hole:
        left -= np.int64(1) << (4 * (card >> 2))
        if card & 3 == suit:
            flushes &= ~(np.int64(1) << (card >> 2))
    return left, flushes, bits


@compile_kernel
def _gain_without_flush(ranks: int, left: int, rule: Any, ats: Any, tables: Any) -> Any:
    """What the alternative play gains if no flush is possible, summed over pairs of ranks."""
    mine, least, gains = rule
    six, seven, other_at, _ = ats
    sums, wide = tables
    gained = np.int64(0)
    for low_rank in range(13):
        low_count = left >> (4 * low_rank) & 15
        if not low_count:
            continue
        with_low = seven + 13 * np.int64(sums[six + ranks * 13 + low_rank])
        for high_rank in range(low_rank, 13):
            ways = (
                low_count * (low_count - 1) // 2
                if low_rank == high_rank
                else low_count * (left >> (4 * high_rank) & 15)
            )
            theirs = np.int64(sums[other_at + np.int64(sums[with_low + high_rank])])
            gained += ways * wide[gains + _comparison_event(mine, theirs, least)]
    return gained


@compile_kernel
def _gain_with_flush(ranks: int, left: Any, rule: Any, ats: Any, tables: Any) -> Any:
    """What the alternative play gains if one suit can make a flush."""
    mine, least, gains = rule
    six, seven, other_at, suit_at = ats
    sums, wide = tables
    cards, flushes, bits = left
    none = np.int64(sums[suit_at + bits])
    gained = np.int64(0)
    for low_rank in range(13):
        low_count = cards >> (4 * low_rank) & 15
        if not low_count:
            continue
        with_low = seven + 13 * np.int64(sums[six + ranks * 13 + low_rank])
        low_flush, bit = flushes >> low_rank & 1, np.int64(1) << low_rank
        first = np.int64(sums[suit_at + (bits | bit)])
        for high_rank in range(low_rank, 13):
            high_count = cards >> (4 * high_rank) & 15
            theirs = np.int64(sums[other_at + np.int64(sums[with_low + high_rank])])
            ways = (low_count - low_flush) * (low_count - low_flush - 1) // 2
            if low_rank == high_rank:
                event = _comparison_event(mine, max(theirs, first), least)
                gained += low_flush * (low_count - low_flush) * wide[gains + event]
            else:
                high_flush, both_bits = flushes >> high_rank & 1, bits | np.int64(1) << high_rank
                ways = (low_count - low_flush) * (high_count - high_flush)
                event = _comparison_event(
                    mine, max(theirs, np.int64(sums[suit_at + (both_bits | bit)])), least
                )
                gained += low_flush * high_flush * wide[gains + event]
                event = _comparison_event(mine, max(theirs, first), least)
                gained += low_flush * (high_count - high_flush) * wide[gains + event]
                event = _comparison_event(
                    mine, max(theirs, np.int64(sums[suit_at + both_bits])), least
                )
                gained += high_flush * (low_count - low_flush) * wide[gains + event]
            gained += ways * wide[gains + _comparison_event(mine, max(theirs, none), least)]
    return gained


# Whole tables -------------------------------------------------------------------------------------


@compile_kernel
def play_duel_table(rounds: Any, key: Any, table: Any, out: Any, trace: Any) -> Any:
    """Play rounds from first to last, as `play_table` does."""
    start, stop = rounds
    all_cards, all_ends, luck = batch_arrays(table)
    number = start
    while number < stop:
        batch_size = min(BATCH, stop - number)
        cards, ends = all_cards[:batch_size], all_ends[:batch_size]
        deal_rounds(number, key, table, luck, cards)
        play_duels(number, key, table, cards, ends)
        done = record_batch(table, ends, out, trace, number - start)
        number += done
        if done < batch_size:
            break
    return number
