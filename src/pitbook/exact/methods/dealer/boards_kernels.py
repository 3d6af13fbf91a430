"""Compiled loops over boards, flops and pairs of hole cards.

Boards, flops and hole cards are multisets of types. Given a suit, a card's type is its rank and
whether it is of that suit: see `boards_sweep`. On each board all pairs
of types are sorted by strength. The pairs that share no card with a given pair are counted by
exclusion: all pairs, minus those with its first card, minus those with its second. Spots are
counted card by card.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitbook.exact.methods.dealer.pairs_kernels import next_set
from pitbook.exact.methods.dealer.stored_counts import compile_kernel

RANKS, TYPES = 13, 26  # Ranks, and ranks in the flush suit and outside it.
NEVER, LOSES, TAKEN, LISTED = -1, 0, 1, 2


@compile_kernel
def compare_pairs_on_boards(boards: Any, cards: Any, rule: Any, work: Any, out: Any) -> None:
    """On each board, compare every pair of types with all pairs that share no card with it.

    `cards` starts with the deck by type. `out` receives four event counts by board and pair, the
    pair's class, and whether the alternative final play is chosen. `work` is scratch space.
    """
    deck = cards[0]
    for number in range(len(boards)):
        for card_type in range(TYPES):
            work.left[card_type] = deck[card_type]
        for card_type in boards[number]:
            work.left[card_type] -= 1
        board_out = out[0][number], out[1][number], out[2][number]
        class_count = _classify_pairs(boards[number], cards, work, board_out)
        _compare_pairs(class_count, rule, work, board_out)


@compile_kernel
def _classify_pairs(board: Any, cards: Any, work: Any, board_out: Any) -> int:
    """Find the class of every pair on a board; return how many distinct classes there are."""
    _, keys, by_ranks, by_suit = cards
    total, suited, flushes, distinct_count = np.int64(0), np.int64(0), board[4] >= RANKS, 0
    for card_type in board:
        total += keys[card_type % RANKS]
        suited |= (1 << (card_type - RANKS)) if card_type >= RANKS else 0
    for high in range(TYPES):
        for low in range(high + 1):
            pair = high * (high + 1) // 2 + low
            if not work.left[low] or work.left[high] < 1 + (low == high):
                board_out[2][pair] = NEVER
                continue
            x, y = low % RANKS, high % RANKS
            best = np.int64(by_ranks[total + keys[x] + keys[y]])
            if flushes:
                mask = (
                    suited | ((1 << x) if low >= RANKS else 0) | ((1 << y) if high >= RANKS else 0)
                )
                best = max(best, np.int64(by_suit[mask]))
            board_out[1][pair], board_out[2][pair] = best, LOSES
            if not work.slot[best]:
                index = distinct_count
                while index and work.distinct[index - 1] > best:
                    work.distinct[index] = work.distinct[index - 1]
                    index -= 1
                work.distinct[index] = best
                distinct_count += 1
            work.slot[best] += 1
    return distinct_count


@compile_kernel
def _order_pairs(class_count: int, least: int, work: Any, board_out: Any) -> Any:
    """Sort the pairs by class; return how many cards are left and how many pairs do not qualify."""
    slot, cards_left, order = work.slot, work.left, work.order
    at, below_least, cards = 0, 0, 0
    for index in range(class_count):
        best = work.distinct[index]
        slot[best], at = at, at + slot[best]
    for card_type in range(TYPES):
        work.held[card_type], work.under[card_type], cards = 0, 0, cards + cards_left[card_type]
    for second in range(TYPES):
        for first in range(second + 1):
            pair = second * (second + 1) // 2 + first
            if board_out[2][pair] != NEVER:
                best = np.int64(board_out[1][pair])
                order[slot[best], 0], order[slot[best], 1] = first, second
                slot[best] += 1
                if best < least:
                    below_least += _hold_pairs(first, second, cards_left, work.under)
    return cards, below_least


@compile_kernel
def _compare_pairs(class_count: int, rule: Any, work: Any, board_out: Any) -> None:
    """By pair of types, count the events and decide whether the alternative is chosen."""
    least, gains, listed, prefers = rule
    order = work.order
    slot = work.slot
    cards_left = work.left
    pair_counts = work.held
    under = work.under
    cards, low = _order_pairs(class_count, least, work, board_out)
    total = (cards - 2) * (cards - 3) // 2
    counted, start = 0, 0
    for index in range(class_count):
        best = work.distinct[index]
        end, slot[best] = slot[best], 0
        before = counted
        for at in range(start, end):
            order[at, 2] = before - pair_counts[order[at, 0]] - pair_counts[order[at, 1]]
        for at in range(start, end):
            counted += _hold_pairs(order[at, 0], order[at, 1], cards_left, pair_counts)
        for at in range(start, end):
            low_type, high_type, won = order[at, 0], order[at, 1], order[at, 2]
            level = counted - pair_counts[low_type] - pair_counts[high_type] + 1
            below = low - under[low_type] - under[high_type]
            if best < least:  # The dealer would not qualify with this pair either.
                below += 1
                n = (total - below, below - level, level - won, won)
            else:
                n = (total - level, level - won, won - below, below)
            pair, gained = high_type * (high_type + 1) // 2 + low_type, np.int64(0)
            for event in range(4):
                gained += n[event] * gains[best, event]
                board_out[0][pair, event] = n[event]
            if gained > 0 or (gained == 0 and (prefers or listed[best])):
                board_out[2][pair] = LISTED if listed[best] else TAKEN
        start = end


@compile_kernel
def play_by_outs(boards: Any, cards: Any, outs_max: int, classes: Any, takes: Any) -> None:
    """On each board, choose the alternative with every pair that more than `outs_max` cards beat.

    A card beats a pair if the board with that card alone is better than the board with the pair.
    `cards` has the deck by type, then keys and the strengths of six cards.
    """
    cards_left, with_card = np.zeros(TYPES, np.int64), np.zeros(TYPES, np.int64)
    for number in range(len(boards)):
        _add_one_card(boards[number], cards, cards_left, with_card)
        for high in range(TYPES):
            for low in range(high + 1):
                pair = high * (high + 1) // 2 + low
                if takes[number, pair] == NEVER:
                    continue
                outs = 0
                for card_type in range(TYPES):
                    if with_card[card_type] > classes[number, pair]:
                        outs += cards_left[card_type] - (card_type == low) - (card_type == high)
                takes[number, pair] = TAKEN if outs > outs_max else LOSES


@compile_kernel
def _add_one_card(board: Any, cards: Any, cards_left: Any, with_card: Any) -> None:
    """By type, the cards that a board leaves, and its class with one of them (-1: none)."""
    deck, keys, by_ranks, by_suit = cards
    total, suited, flushes = np.int64(0), np.int64(0), board[4] >= RANKS
    for card_type in range(TYPES):
        cards_left[card_type] = deck[card_type]
    for card_type in board:
        cards_left[card_type] -= 1
        total += keys[card_type % RANKS]
        suited |= (1 << (card_type - RANKS)) if card_type >= RANKS else 0
    for card_type in range(TYPES):
        with_card[card_type] = -1
        if cards_left[card_type]:
            with_card[card_type] = np.int64(by_ranks[total + keys[card_type % RANKS]])
            if flushes:
                mask = suited | ((1 << (card_type - RANKS)) if card_type >= RANKS else 0)
                with_card[card_type] = max(with_card[card_type], np.int64(by_suit[mask]))


@compile_kernel
def _hold_pairs(first: int, second: int, counts: Any, pair_counts: Any) -> Any:
    """Count the pairs of two types, and add them to the counts of each card."""
    if first == second:
        pair_counts[first] += counts[first] - 1
        return counts[first] * (counts[first] - 1) // 2
    pair_counts[first] += counts[second]
    pair_counts[second] += counts[first]
    return counts[first] * counts[second]


@compile_kernel
def add_boards(within: Any, alike: Any, board_tables: Any, cells: Any, out: Any) -> None:
    """Add boards to the flops within them, for every pair, weighted by the ways to complete them.

    `within` has by row a flop, a board, two types that complete it with the cards left of each,
    and 1, or -1 to subtract. `alike` maps a pair to the pair with the same results in
    `board_tables`; `cells` maps a class and event to a cell. `out` has the sums of all boards,
    and of those on which the other play is chosen.
    """
    amounts, classes, takes = board_tables
    for row in within:
        flop, board = row[0], row[1]
        for high in range(TYPES):
            for low in range(high + 1):
                pair = high * (high + 1) // 2 + low
                same_as = alike[pair]
                if takes[board, same_as] == NEVER:
                    continue
                times = row[6] * board_ways(row, low, high)
                best = classes[board, same_as]
                for event in range(4):
                    amount = times * amounts[board, same_as, event]
                    out[0][flop, pair, cells[best, event]] += amount
                    if takes[board, same_as] == TAKEN:
                        out[1][flop, pair, cells[best, event]] += amount


@compile_kernel
def board_ways(row: Any, low: int, high: int) -> Any:
    """The ways to complete a flop to a board when a pair of types is held; never below 0."""
    u, v, of_u, of_v = row[2], row[3], row[4], row[5]
    first = of_u - (low == u) - (high == u)
    if u == v:
        return max(first * (first - 1) // 2, 0)
    return max(first, 0) * max(of_v - (low == v) - (high == v), 0)


@compile_kernel
def sum_sources(sums: Any, sources: Any, factors: Any) -> Any:
    """By row, the sum of its sources times its factor; negative sources are skipped."""
    result = np.zeros((len(sources), sums.shape[1]), np.int32)
    for row in range(len(sources)):
        for source in sources[row]:
            if source >= 0:
                for cell in range(sums.shape[1]):
                    result[row, cell] += factors[row] * sums[source, cell]
    return result


@compile_kernel
def multiply_rows(table: Any, factors: Any) -> Any:
    """The product of each row with a vector."""
    result = np.zeros(len(table), np.int64)
    for row in range(len(table)):
        total = np.int64(0)
        for column in range(len(factors)):
            total += np.int64(table[row, column]) * factors[column]
        result[row] = total
    return result


@compile_kernel
def add_rows(table: Any, group: Any, groups: int) -> Any:
    """Sum rows by group."""
    sums = np.zeros((groups, table.shape[1]), np.int64)
    for row in range(len(table)):
        for column in range(table.shape[1]):
            sums[group[row], column] += table[row, column]
    return sums


@compile_kernel
def add_halves(numbers: Any, group: Any, groups: int) -> Any:
    """Sum numbers by group, upper and lower 32 bits apart so that nothing overflows."""
    high, low = np.zeros(groups, np.int64), np.zeros(groups, np.int64)
    for row in range(len(numbers)):
        high[group[row]] += numbers[row] >> 32
        low[group[row]] += numbers[row] & 0xFFFFFFFF
    return high, low


LOSE, TIE, WIN, BELOW = 0, 1, 2, 3  # Events; BELOW is added if the dealer does not qualify.


@compile_kernel
def count_before_flop(hole: Any, unseen: Any, first: int, cards: Any, rule: Any) -> Any:
    """Counts by flop and cell for a pair before the flop, over boards whose lowest card is `first`.

    Those of all boards, then those on which the other play is better.
    """
    shape_of, cell_of, least, river, prefers = rule
    size = len(unseen)
    flops = size * (size - 1) * (size - 2) // 6
    out = np.zeros((flops, 2, cell_of.max() + 1), np.int64)
    cards_on_board, remaining, events = np.empty(5, np.int64), unseen.copy(), np.zeros(6, np.int64)
    places = np.empty(5, np.int64)
    higher = size - first - 1
    for index in range(5):
        places[index] = first + index
    for _ in range(higher * (higher - 1) * (higher - 2) * (higher - 3) // 24):
        for index in range(5):
            cards_on_board[index] = unseen[places[index]]
            remaining[places[index]] = -1
        shape = shape_of[_count_events(hole, cards_on_board, remaining, (cards, least), events)]
        for index in range(5):
            remaining[places[index]] = unseen[places[index]]
        takes_other = _prefers_alternative(events, river, shape, prefers)
        _add_by_flop(places, events, cell_of[shape], takes_other, out)
        next_set(places[1:], size)
    return out


@compile_kernel
def _add_by_flop(places: Any, events: Any, cells: Any, takes_other: bool, out: Any) -> None:
    """Add the events of a board to each of the ten flops within it."""
    for first in range(5):
        for second in range(first + 1, 5):
            for third in range(second + 1, 5):
                x, y, z = places[first], places[second], places[third]
                flop = z * (z - 1) * (z - 2) // 6 + y * (y - 1) // 2 + x
                for event in range(6):
                    out[flop, 0, cells[event]] += events[event]
                    if takes_other:
                        out[flop, 1, cells[event]] += events[event]


@compile_kernel
def _count_events(hole: Any, board: Any, remaining: Any, rule: Any, events: Any) -> Any:
    """Count the events against every pair of the remaining cards; return the player's class."""
    cards, least = rule
    keys, by_ranks, by_suit = cards
    total, suit, suited = _board_sums(board, keys)
    by_pair = np.empty(169, np.int16)
    _rank_classes(total, keys, by_ranks, by_pair)
    player = _class_with_two(hole[0], hole[1], suit, suited, (by_pair, by_suit))
    events[:] = 0
    for a in range(len(remaining)):
        for b in range(a + 1, len(remaining)):
            if remaining[a] < 0 or remaining[b] < 0:
                continue
            dealer = _class_with_two(remaining[a], remaining[b], suit, suited, (by_pair, by_suit))
            event = LOSE if dealer > player else TIE if dealer == player else WIN
            events[event + (BELOW if dealer < least else 0)] += 1
    return player


@compile_kernel
def _board_sums(board: Any, keys: Any) -> Any:
    """A board's sum of keys, the suit that may make a flush (-1: none), and that suit's ranks as
    bits.
    """
    total, suit_counts, suit_ranks = 0, np.zeros(4, np.int64), np.zeros(4, np.int64)
    for index in range(5):
        card = np.int64(board[index])
        total += keys[card >> 2]
        suit_counts[card & 3] += 1
        suit_ranks[card & 3] |= 1 << (card >> 2)
    for suit in range(4):
        if suit_counts[suit] >= 3:
            return total, suit, suit_ranks[suit]
    return total, -1, np.int64(0)


@compile_kernel
def _class_with_two(first: int, second: int, suit: int, suited: int, tables: Any) -> Any:
    """The class of a board with two hole cards."""
    by_pair, by_suit = tables
    best = np.int64(by_pair[(first >> 2) * 13 + (second >> 2)])
    if suit >= 0:
        mask = suited
        if suit == first & 3:
            mask |= 1 << (first >> 2)
        if suit == second & 3:
            mask |= 1 << (second >> 2)
        best = max(best, np.int64(by_suit[mask]))
    return best


@compile_kernel
def _rank_classes(total: int, keys: Any, by_ranks: Any, by_pair: Any) -> None:
    """The class of a board with each two ranks, ignoring suits."""
    for high in range(13):
        for low in range(high + 1):
            same = by_ranks[min(total + keys[high] + keys[low], len(by_ranks) - 1)]
            by_pair[high * 13 + low], by_pair[low * 13 + high] = same, same


@compile_kernel
def _prefers_alternative(events: Any, gains: Any, shape: int, accept_ties: bool) -> Any:
    """Whether the alternative final play is better, or ties if ties count."""
    gained = np.int64(0)
    for event in range(6):
        gained += events[event] * gains[shape, event]
    return gained > 0 or (accept_ties and gained == 0)
