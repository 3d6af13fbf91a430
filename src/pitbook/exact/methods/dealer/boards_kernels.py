"""Compiled loops over boards, flops and pairs of hole cards.

Boards, flops and pairs of hole cards are multisets of types: see `boards_sweep`. On one board all
pairs of types are put in the order of their strength. Of the pairs counted so far, those that share
no card with a pair are all, less those with its first card, less those with its second. Spots are
counted card by card.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitbook.exact.methods.dealer.pairs_kernels import next_set
from pitbook.exact.methods.dealer.stored_counts import compile_kernel

RANKS, TYPES = 13, 26  # Ranks, and ranks of the suit that flushes.
NEVER, LOSES, TAKEN, LISTED = -1, 0, 1, 2


@compile_kernel
def rank_boards(boards: Any, cards: Any, rule: Any, work: Any, out: Any) -> None:
    """On each board, every pair of types against all pairs that share no card with it.

    `cards` has the deck by type first. `out` takes four events by board and pair, its class, and
    whether the other of the last two plays is taken; `work` is room to work in.
    """
    deck = cards[0]
    for number in range(len(boards)):
        for kind in range(TYPES):
            work.left[kind] = deck[kind]
        for kind in boards[number]:
            work.left[kind] -= 1
        here = out[0][number], out[1][number], out[2][number]
        kinds = _classify_pairs(boards[number], cards, work, here)
        _compare_pairs(kinds, rule, work, here)


@compile_kernel
def _classify_pairs(board: Any, cards: Any, work: Any, here: Any) -> int:
    """The class of every pair beside a board; the different ones are put in order."""
    _, keys, by_ranks, by_suit = cards
    total, suited, flushes, found = np.int64(0), np.int64(0), board[4] >= RANKS, 0
    for kind in board:
        total += keys[kind % RANKS]
        suited |= (1 << (kind - RANKS)) if kind >= RANKS else 0
    for two in range(TYPES):
        for one in range(two + 1):
            pair = two * (two + 1) // 2 + one
            if not work.left[one] or work.left[two] < 1 + (one == two):
                here[2][pair] = NEVER
                continue
            x, y = one % RANKS, two % RANKS
            best = np.int64(by_ranks[total + keys[x] + keys[y]])
            if flushes:
                mask = (
                    suited | ((1 << x) if one >= RANKS else 0) | ((1 << y) if two >= RANKS else 0)
                )
                best = max(best, np.int64(by_suit[mask]))
            here[1][pair], here[2][pair] = best, LOSES
            if not work.slot[best]:
                at = found
                while at and work.distinct[at - 1] > best:
                    work.distinct[at] = work.distinct[at - 1]
                    at -= 1
                work.distinct[at] = best
                found += 1
            work.slot[best] += 1
    return found


@compile_kernel
def _order_pairs(kinds: int, least: int, work: Any, here: Any) -> Any:
    """Pairs in the order of their classes; how many cards are left, and pairs do not qualify."""
    slot, left, order = work.slot, work.left, work.order
    at, low, cards = 0, 0, 0
    for place in range(kinds):
        best = work.distinct[place]
        slot[best], at = at, at + slot[best]
    for kind in range(TYPES):
        work.held[kind], work.under[kind], cards = 0, 0, cards + left[kind]
    for two in range(TYPES):
        for one in range(two + 1):
            pair = two * (two + 1) // 2 + one
            if here[2][pair] != NEVER:
                best = np.int64(here[1][pair])
                order[slot[best], 0], order[slot[best], 1] = one, two
                slot[best] += 1
                if best < least:
                    low += _hold_pairs(one, two, left, work.under)
    return cards, low


@compile_kernel
def _compare_pairs(kinds: int, rule: Any, work: Any, here: Any) -> None:
    """By pair of types the events, and whether the other of the last two plays is taken."""
    least, gains, listed, prefers = rule
    order, slot, left, held, under = work.order, work.slot, work.left, work.held, work.under
    cards, low = _order_pairs(kinds, least, work, here)
    whole = (cards - 2) * (cards - 3) // 2
    counted, start = 0, 0
    for place in range(kinds):
        best = work.distinct[place]
        end, slot[best] = slot[best], 0
        before = counted
        for at in range(start, end):
            order[at, 2] = before - held[order[at, 0]] - held[order[at, 1]]
        for at in range(start, end):
            counted += _hold_pairs(order[at, 0], order[at, 1], left, held)
        for at in range(start, end):
            one, two, won = order[at, 0], order[at, 1], order[at, 2]
            level = counted - held[one] - held[two] + 1
            below = low - under[one] - under[two]
            if best < least:  # The dealer would not qualify with it: it is below, too.
                below += 1
                n = (whole - below, below - level, level - won, won)
            else:
                n = (whole - level, level - won, won - below, below)
            pair, gained = two * (two + 1) // 2 + one, np.int64(0)
            for event in range(4):
                gained += n[event] * gains[best, event]
                here[0][pair, event] = n[event]
            if gained > 0 or (gained == 0 and (prefers or listed[best])):
                here[2][pair] = LISTED if listed[best] else TAKEN
        start = end


@compile_kernel
def play_by_outs(boards: Any, cards: Any, outs_max: int, classes: Any, takes: Any) -> None:
    """On each board, the other play with every pair that more unseen cards beat than `outs_max`.

    A card beats a pair where the board and that card alone are better than the board and the pair.
    `cards` has the deck by type first, then keys and the strengths of six cards.
    """
    left, beside = np.zeros(TYPES, np.int64), np.zeros(TYPES, np.int64)
    for number in range(len(boards)):
        _add_one_card(boards[number], cards, left, beside)
        for two in range(TYPES):
            for one in range(two + 1):
                pair = two * (two + 1) // 2 + one
                if takes[number, pair] == NEVER:
                    continue
                outs = 0
                for kind in range(TYPES):
                    if beside[kind] > classes[number, pair]:
                        outs += left[kind] - (kind == one) - (kind == two)
                takes[number, pair] = TAKEN if outs > outs_max else LOSES


@compile_kernel
def _add_one_card(board: Any, cards: Any, left: Any, beside: Any) -> None:
    """By type, how many cards a board leaves, and the class of the board with one; -1: none."""
    deck, keys, by_ranks, by_suit = cards
    total, suited, flushes = np.int64(0), np.int64(0), board[4] >= RANKS
    for kind in range(TYPES):
        left[kind] = deck[kind]
    for kind in board:
        left[kind] -= 1
        total += keys[kind % RANKS]
        suited |= (1 << (kind - RANKS)) if kind >= RANKS else 0
    for kind in range(TYPES):
        beside[kind] = -1
        if left[kind]:
            beside[kind] = np.int64(by_ranks[total + keys[kind % RANKS]])
            if flushes:
                mask = suited | ((1 << (kind - RANKS)) if kind >= RANKS else 0)
                beside[kind] = max(beside[kind], np.int64(by_suit[mask]))


@compile_kernel
def _hold_pairs(one: int, two: int, many: Any, held: Any) -> Any:
    """So many pairs of two types, put to each card of theirs."""
    if one == two:
        held[one] += many[one] - 1
        return many[one] * (many[one] - 1) // 2
    held[one] += many[two]
    held[two] += many[one]
    return many[one] * many[two]


@compile_kernel
def add_boards(within: Any, alike: Any, found: Any, cells: Any, out: Any) -> None:
    """Boards put to the flops within them, for every pair, as often as two cards make them.

    `within` has by row a flop, a board, two types that make it with how many cards each has left,
    and 1, or -1 where it is taken off. `alike` says by pair which pair of the boards in `found` it
    fares as; `cells` where the four events of a class are counted. `out` are sums of all boards,
    and where the other play is taken.
    """
    amounts, classes, takes = found
    for row in within:
        flop, board = row[0], row[1]
        for two in range(TYPES):
            for one in range(two + 1):
                pair = two * (two + 1) // 2 + one
                like = alike[pair]
                if takes[board, like] == NEVER:
                    continue
                times = row[6] * board_ways(row, one, two)
                best = classes[board, like]
                for event in range(4):
                    more = times * amounts[board, like, event]
                    out[0][flop, pair, cells[best, event]] += more
                    if takes[board, like] == TAKEN:
                        out[1][flop, pair, cells[best, event]] += more


@compile_kernel
def board_ways(row: Any, one: int, two: int) -> Any:
    """In how many ways a board comes of a flop where a pair of types is held; never below 0."""
    u, v, of_u, of_v = row[2], row[3], row[4], row[5]
    first = of_u - (one == u) - (two == u)
    if u == v:
        return max(first * (first - 1) // 2, 0)
    return max(first, 0) * max(of_v - (one == v) - (two == v), 0)


@compile_kernel
def sum_sources(sums: Any, sources: Any, often: Any) -> Any:
    """By row, the sums of its sources so often; a source below 0 is none."""
    found = np.zeros((len(sources), sums.shape[1]), np.int32)
    for row in range(len(sources)):
        for source in sources[row]:
            if source >= 0:
                for cell in range(sums.shape[1]):
                    found[row, cell] += often[row] * sums[source, cell]
    return found


@compile_kernel
def multiply_rows(table: Any, by: Any) -> Any:
    """By row, the sum of its numbers times those of a column each."""
    found = np.zeros(len(table), np.int64)
    for row in range(len(table)):
        total = np.int64(0)
        for column in range(len(by)):
            total += np.int64(table[row, column]) * by[column]
        found[row] = total
    return found


@compile_kernel
def add_rows(table: Any, group: Any, many: int) -> Any:
    """Rows added up by group."""
    found = np.zeros((many, table.shape[1]), np.int64)
    for row in range(len(table)):
        for column in range(table.shape[1]):
            found[group[row], column] += table[row, column]
    return found


@compile_kernel
def add_halves(numbers: Any, group: Any, many: int) -> Any:
    """Numbers added up by group, their upper and their lower halves apart: nothing is lost."""
    high, low = np.zeros(many, np.int64), np.zeros(many, np.int64)
    for row in range(len(numbers)):
        high[group[row]] += numbers[row] >> 32
        low[group[row]] += numbers[row] & 0xFFFFFFFF
    return high, low


LOSE, TIE, WIN, BELOW = 0, 1, 2, 3  # Events; the last is added where the dealer does not qualify.


@compile_kernel
def count_spot(own: Any, board: Any, left: Any, cards: Any, rule: Any) -> Any:
    """Counts by cell for a pair whose board lies there from the flop on, or whole.

    First over all boards that may follow, then over those on which the other play is better.
    """
    shape_of, cell_of, least, river, prefers = rule
    out = np.zeros((2, cell_of.max() + 1), np.int64)
    whole, rest, met = np.empty(5, np.int64), left.copy(), np.zeros(6, np.int64)
    whole[: len(board)] = board
    ends = 1 if len(board) == 5 else len(left)
    for turn in range(ends):
        for last in range(turn + 1, ends if ends > 1 else 2):
            if ends > 1:
                whole[3], whole[4] = left[turn], left[last]
                rest[turn], rest[last] = -1, -1
            shape = shape_of[_count_events(own, whole, rest, (cards, least), met)]
            other = _takes_other_play(met, river, shape, prefers)
            for event in range(6):
                out[0, cell_of[shape, event]] += met[event]
                if other:
                    out[1, cell_of[shape, event]] += met[event]
            rest[turn] = left[turn]
            if ends > 1:
                rest[last] = left[last]
    return out


@compile_kernel
def count_before_flop(own: Any, left: Any, first: int, cards: Any, rule: Any) -> Any:
    """The same by flop for a pair that has seen nothing; boards whose lowest card is one alone."""
    shape_of, cell_of, least, river, prefers = rule
    size = len(left)
    flops = size * (size - 1) * (size - 2) // 6
    out = np.zeros((flops, 2, cell_of.max() + 1), np.int64)
    whole, rest, met = np.empty(5, np.int64), left.copy(), np.zeros(6, np.int64)
    at = np.empty(5, np.int64)
    beside = size - first - 1
    for place in range(5):
        at[place] = first + place
    for _ in range(beside * (beside - 1) * (beside - 2) * (beside - 3) // 24):
        for place in range(5):
            whole[place] = left[at[place]]
            rest[at[place]] = -1
        shape = shape_of[_count_events(own, whole, rest, (cards, least), met)]
        for place in range(5):
            rest[at[place]] = left[at[place]]
        other = _takes_other_play(met, river, shape, prefers)
        _add_by_flop(at, met, cell_of[shape], other, out)
        next_set(at[1:], size)
    return out


@compile_kernel
def _add_by_flop(at: Any, met: Any, cells: Any, other: bool, out: Any) -> None:
    """The events of a board, for each of the ten flops within it."""
    for one in range(5):
        for two in range(one + 1, 5):
            for three in range(two + 1, 5):
                x, y, z = at[one], at[two], at[three]
                flop = z * (z - 1) * (z - 2) // 6 + y * (y - 1) // 2 + x
                for event in range(6):
                    out[flop, 0, cells[event]] += met[event]
                    if other:
                        out[flop, 1, cells[event]] += met[event]


@compile_kernel
def _count_events(own: Any, board: Any, left: Any, rule: Any, met: Any) -> Any:
    """The own class on a board, and the events against every pair of the cards left."""
    cards, least = rule
    keys, by_ranks, by_suit = cards
    total, suit, suited = _board_sums(board, keys)
    by_pair = np.empty(169, np.int16)
    _rank_classes(total, keys, by_ranks, by_pair)
    mine = _class_with_two(own[0], own[1], suit, suited, (by_pair, by_suit))
    met[:] = 0
    for a in range(len(left)):
        for b in range(a + 1, len(left)):
            if left[a] < 0 or left[b] < 0:
                continue
            theirs = _class_with_two(left[a], left[b], suit, suited, (by_pair, by_suit))
            event = LOSE if theirs > mine else TIE if theirs == mine else WIN
            met[event + (BELOW if theirs < least else 0)] += 1
    return mine


@compile_kernel
def _board_sums(board: Any, keys: Any) -> Any:
    """A board's sum of keys, the suit that may make a flush (-1: none), and its ranks as bits."""
    total, many, bits = 0, np.zeros(4, np.int64), np.zeros(4, np.int64)
    for place in range(5):
        card = np.int64(board[place])
        total += keys[card >> 2]
        many[card & 3] += 1
        bits[card & 3] |= 1 << (card >> 2)
    for suit in range(4):
        if many[suit] >= 3:
            return total, suit, bits[suit]
    return total, -1, np.int64(0)


@compile_kernel
def _class_with_two(one: int, two: int, suit: int, suited: int, tables: Any) -> Any:
    """The class of a board with two cards."""
    by_pair, by_suit = tables
    best = np.int64(by_pair[(one >> 2) * 13 + (two >> 2)])
    if suit >= 0:
        mask = suited
        if suit == one & 3:
            mask |= 1 << (one >> 2)
        if suit == two & 3:
            mask |= 1 << (two >> 2)
        best = max(best, np.int64(by_suit[mask]))
    return best


@compile_kernel
def _rank_classes(total: int, keys: Any, by_ranks: Any, by_pair: Any) -> None:
    """The class of a board with each two ranks, suits aside; five of a rank are none."""
    for one in range(13):
        for two in range(one + 1):
            same = by_ranks[min(total + keys[one] + keys[two], len(by_ranks) - 1)]
            by_pair[one * 13 + two], by_pair[two * 13 + one] = same, same


@compile_kernel
def _takes_other_play(met: Any, river: Any, shape: int, equal: bool) -> Any:
    """Whether the other of the last two plays is better, or as good where that is enough."""
    gained = np.int64(0)
    for event in range(6):
        gained += met[event] * river[shape, event]
    return gained > 0 or (equal and gained == 0)
