"""Hole cards against a dealer's on every board: ranked once, then wins and ties read in order.

On one board all pairs of cards left are put in the order of their strength. Of the pairs counted so
far, those that share no card with a pair are all, less those with its first card, less those with
its second: inclusion and exclusion on two cards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitbook.exact.methods.duels.machine import compiled

__all__ = ["added", "board_of", "halves", "over_flops", "products"]

FEW = 1024
TYPES = 26  # Thirteen ranks, of the suit that may flush or not.
TAKEN, LISTED = 1, 2
INSIDE, OUTSIDE = (0, 3, 4, 5), (0, 1, 2, 5)  # Events of a hand that would not qualify, or would.


class Room(NamedTuple):
    """Room to work in, for one board after the other."""

    left: Any  # The places of the cards beside the board,
    types: Any  # and their types: a rank, and whether the card is of the suit that may flush.
    many: Any  # By type, how many are left.
    number: Any  # By two types, the number of such a pair.
    one_of: Any  # By that number, its types and its class.
    two_of: Any
    classes: Any
    order: Any
    slot: Any  # By class, where its pairs are in the order.
    stamp: Any  # By class, the last board that had it.
    amounts: Any  # By number, what is added to which cells, and whether the other play is made.
    cells: Any
    takes: Any


class Listed(NamedTuple):
    """Boards that are kept one by one: row, weight, kind, events."""

    where: Any
    often: Any
    shapes: Any
    counts: Any


@compiled
def over_flops(span: Any, laid: Any, cards: Any, rule: Any, out: Any) -> Any:
    """Every pair of hole cards after some flops, both up to suits, on all boards that follow.

    Cards that differ in suits alone are of one type where those suits make no flush; all pairs of
    two types fare alike. `out` takes counts by row and cell, of all boards and of those on which
    the other play is taken. Boards where kinds that are listed might take it are returned one by
    one.
    """
    deck, flops, ways, starts, orbit_of, pairs, sizes = laid
    size, columns = len(deck) - 3, out[0].shape[1]
    room = _room(size, len(rule[0]))
    sums, gone = (
        np.zeros((size, size, columns), np.int32),
        np.zeros((size, size, columns), np.int32),
    )
    listed = _nothing_listed()
    found, boards, board = 0, 0, np.empty(5, np.int64)
    for flop in range(span[0], span[1]):
        rest = _beside(flops[flop], deck)
        board[:3] = flops[flop]
        sums[:], gone[:] = 0, 0
        for row in range(starts[flop], starts[flop + 1]):
            board[3:] = pairs[row]
            boards += 1
            kinds, types = _typed(boards, board, rest, cards, room)
            few = _compared(np.sort(room.order[:kinds]), (types, sizes[row]), rule, room)
            _added_to(sums, gone, room)
            if few and found < rule[6]:
                where = (starts[flop], orbit_of[flop], ways[flop], sizes[row])
                listed, found = _noted(listed, found, where, rule, room)
        for a in range(size):
            for b in range(a + 1, size):
                row = starts[flop] + orbit_of[flop, a, b]
                for cell in range(columns):
                    out[0][row, cell] += ways[flop] * sums[a, b, cell]
                    out[1][row, cell] += ways[flop] * gone[a, b, cell]
    return (
        listed.where[:found].copy(),
        listed.often[:found].copy(),
        listed.shapes[:found].copy(),
        listed.counts[:found].copy(),
    )


@compiled
def _room(size: int, classes: int) -> Any:
    return Room(
        np.empty(size - 2, np.int64),
        np.empty(size - 2, np.int64),
        np.zeros(TYPES, np.int64),
        np.zeros((TYPES, TYPES), np.int64),
        np.empty(TYPES * TYPES, np.int64),
        np.empty(TYPES * TYPES, np.int64),
        np.empty(TYPES * TYPES, np.int64),
        np.empty(TYPES * TYPES, np.int64),
        np.zeros(classes, np.int64),
        np.zeros(classes, np.int64),
        np.zeros((TYPES * TYPES, 4), np.int32),
        np.zeros((TYPES * TYPES, 4), np.int64),
        np.zeros(TYPES * TYPES, np.int64),
    )


@compiled
def _nothing_listed() -> Any:
    return Listed(
        np.empty(FEW, np.int32),
        np.empty(FEW, np.int32),
        np.empty(FEW, np.int8),
        np.empty((FEW, 6), np.int16),
    )


@compiled
def _beside(flop: Any, deck: Any) -> Any:
    """The cards of a deck that are not of the flop."""
    left = np.empty(len(deck) - 3, np.int64)
    at = 0
    for card in deck:
        if card != flop[0] and card != flop[1] and card != flop[2]:
            left[at] = card
            at += 1
    return left


@compiled
def _typed(stamp: int, board: Any, rest: Any, cards: Any, room: Any) -> Any:
    """The types of the cards left, and every pair of types with its class.

    The different classes are noted as they come, with how many pairs of types they have; how many
    classes and how many such pairs there are is returned.
    """
    keys, by_ranks, by_suit = cards
    total, suit, suited = board_of(board, keys)
    room.many[:] = 0
    at = 0
    for place in range(len(rest)):
        card = rest[place]
        if card != board[3] and card != board[4]:
            kind = (card >> 2) + (13 if card & 3 == suit else 0)
            room.left[at], room.types[at] = place, kind
            room.many[kind] += 1
            at += 1
    kinds, pairs = 0, 0
    for one in range(TYPES):
        for two in range(one, TYPES):
            if not room.many[one] or room.many[two] < 1 + (one == two):
                continue
            x, y = one % 13, two % 13
            best = np.int64(by_ranks[total + keys[x] + keys[y]])
            if suit >= 0:
                mask = suited | ((1 << x) if one >= 13 else 0) | ((1 << y) if two >= 13 else 0)
                best = max(best, np.int64(by_suit[mask]))
            room.number[one, two], room.number[two, one] = pairs, pairs
            room.one_of[pairs], room.two_of[pairs], room.classes[pairs] = one, two, best
            pairs += 1
            if room.stamp[best] != stamp:
                room.stamp[best], room.slot[best] = stamp, 0
                room.order[kinds] = best
                kinds += 1
            room.slot[best] += 1
    return kinds, pairs


@compiled
def _compared(distinct: Any, board: Any, rule: Any, room: Any) -> bool:
    """Every pair of types against all pairs that share no card with it; whether any is listed."""
    pairs, weight = board
    shape_of, cell_of, least, river, listed, prefers, _ = rule
    many, order, slot = room.many, room.order, room.slot
    at, low, few, cards = 0, 0, False, len(room.left)
    for best in distinct:
        slot[best], at = at, at + slot[best]
    held, under = np.zeros(TYPES, np.int64), np.zeros(TYPES, np.int64)
    for pair in range(pairs):
        best = room.classes[pair]
        order[slot[best]] = pair
        slot[best] += 1
        if best < least:
            low += _held(room.one_of[pair], room.two_of[pair], many, under)
    whole = (cards - 2) * (cards - 3) // 2
    counted, start = 0, 0
    for best in distinct:
        end, shape, inside = slot[best], shape_of[best], best < least
        for place in range(start, end):
            pair = order[place]
            room.amounts[pair, 0] = counted - held[room.one_of[pair]] - held[room.two_of[pair]]
        for place in range(start, end):
            pair = order[place]
            counted += _held(room.one_of[pair], room.two_of[pair], many, held)
        for place in range(start, end):
            pair = order[place]
            a, b, won = room.one_of[pair], room.two_of[pair], room.amounts[pair, 0]
            level = counted - held[a] - held[b] + 1
            below = low - under[a] - under[b]
            if inside:
                below += 1
                at4 = INSIDE
                n = (whole - below, below - level, level - won, won)
            else:
                at4 = OUTSIDE
                n = (whole - level, level - won, won - below, below)
            gained = np.int64(0)
            for one in range(4):
                gained += n[one] * river[shape, at4[one]]
                room.amounts[pair, one] = weight * n[one]
                room.cells[pair, one] = cell_of[shape, at4[one]]
            takes = gained > 0 or (gained == 0 and (prefers or listed[shape]))
            room.takes[pair] = 0 if not takes else LISTED if listed[shape] else TAKEN
            few = few or room.takes[pair] == LISTED
        start = end
    return few


@compiled
def _held(one: int, two: int, many: Any, held: Any) -> Any:
    """So many pairs of two types, put to each card of theirs."""
    if one == two:
        held[one] += many[one] - 1
        return many[one] * (many[one] - 1) // 2
    held[one] += many[two]
    held[two] += many[one]
    return many[one] * many[two]


@compiled
def _added_to(sums: Any, gone: Any, room: Any) -> None:
    """What each pair of types comes to, put to every pair of cards of theirs."""
    left, types, number, amounts, cells = (
        room.left,
        room.types,
        room.number,
        room.amounts,
        room.cells,
    )
    for a in range(len(left)):
        pairs = number[types[a]]
        for b in range(a + 1, len(left)):
            pair = pairs[types[b]]
            here = sums[left[a], left[b]]
            here[cells[pair, 0]] += amounts[pair, 0]
            here[cells[pair, 1]] += amounts[pair, 1]
            here[cells[pair, 2]] += amounts[pair, 2]
            here[cells[pair, 3]] += amounts[pair, 3]
            if room.takes[pair] == TAKEN:
                here = gone[left[a], left[b]]
                here[cells[pair, 0]] += amounts[pair, 0]
                here[cells[pair, 1]] += amounts[pair, 1]
                here[cells[pair, 2]] += amounts[pair, 2]
                here[cells[pair, 3]] += amounts[pair, 3]


@compiled
def _noted(few: Any, found: int, where: Any, rule: Any, room: Any) -> Any:
    """Every pair of cards that is listed on a board."""
    start, orbit_of, ways, weight = where
    shape_of, least = rule[0], rule[2]
    for a in range(len(room.left)):
        for b in range(a + 1, len(room.left)):
            pair = room.number[room.types[a], room.types[b]]
            if room.takes[pair] != LISTED:
                continue
            if found == len(few.where):
                few = Listed(
                    np.append(few.where, few.where),
                    np.append(few.often, few.often),
                    np.append(few.shapes, few.shapes),
                    np.concatenate((few.counts, few.counts)),
                )
            events = INSIDE if room.classes[pair] < least else OUTSIDE
            few.where[found] = start + orbit_of[room.left[a], room.left[b]]
            few.often[found] = ways * weight
            few.shapes[found] = shape_of[room.classes[pair]]
            few.counts[found] = 0
            for one in range(4):
                few.counts[found, events[one]] = room.amounts[pair, one] // weight
            found += 1
    return few, found


@compiled
def board_of(board: Any, keys: Any) -> Any:
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


@compiled
def products(table: Any, by: Any) -> Any:
    """By row, the sum of its numbers times those of a column each."""
    found = np.zeros(len(table), np.int64)
    for row in range(len(table)):
        total = np.int64(0)
        for column in range(len(by)):
            total += np.int64(table[row, column]) * by[column]
        found[row] = total
    return found


@compiled
def added(table: Any, group: Any, many: int) -> Any:
    """Rows added up by group."""
    found = np.zeros((many, table.shape[1]), np.int64)
    for row in range(len(table)):
        for column in range(table.shape[1]):
            found[group[row], column] += table[row, column]
    return found


@compiled
def halves(numbers: Any, group: Any, many: int) -> Any:
    """Numbers added up by group, their upper and their lower halves apart: nothing is lost."""
    high, low = np.zeros(many, np.int64), np.zeros(many, np.int64)
    for row in range(len(numbers)):
        high[group[row]] += numbers[row] >> 32
        low[group[row]] += numbers[row] & 0xFFFFFFFF
    return high, low
