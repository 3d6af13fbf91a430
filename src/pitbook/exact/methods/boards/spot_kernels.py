"""One pair of hole cards against the dealer's on all boards that may follow, card by card."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitbook.exact.methods.duels.machine import compiled
from pitbook.exact.methods.pairs.kernels import next_set

__all__ = ["from_nothing", "on_boards"]

LOSE, TIE, WIN, BELOW = 0, 1, 2, 3  # Events; the last is added where the dealer does not qualify.


@compiled
def on_boards(own: Any, board: Any, left: Any, cards: Any, rule: Any) -> Any:
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
            shape = shape_of[_against(own, whole, rest, (cards, least), met)]
            other = _prefers(met, river, shape, prefers)
            for event in range(6):
                out[0, cell_of[shape, event]] += met[event]
                if other:
                    out[1, cell_of[shape, event]] += met[event]
            rest[turn] = left[turn]
            if ends > 1:
                rest[last] = left[last]
    return out


@compiled
def from_nothing(own: Any, left: Any, first: int, cards: Any, rule: Any) -> Any:
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
        shape = shape_of[_against(own, whole, rest, (cards, least), met)]
        for place in range(5):
            rest[at[place]] = left[at[place]]
        other = _prefers(met, river, shape, prefers)
        _by_flop(at, met, cell_of[shape], other, out)
        next_set(at[1:], size)
    return out


@compiled
def _by_flop(at: Any, met: Any, cells: Any, other: bool, out: Any) -> None:
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


@compiled
def _against(own: Any, board: Any, left: Any, rule: Any, met: Any) -> Any:
    """The own class on a board, and the events against every pair of the cards left."""
    cards, least = rule
    keys, by_ranks, by_suit = cards
    total, suit, suited = _board_of(board, keys)
    by_pair = np.empty(169, np.int16)
    _by_ranks(total, keys, by_ranks, by_pair)
    mine = _of_two(own[0], own[1], suit, suited, (by_pair, by_suit))
    met[:] = 0
    for a in range(len(left)):
        for b in range(a + 1, len(left)):
            if left[a] < 0 or left[b] < 0:
                continue
            theirs = _of_two(left[a], left[b], suit, suited, (by_pair, by_suit))
            event = LOSE if theirs > mine else TIE if theirs == mine else WIN
            met[event + (BELOW if theirs < least else 0)] += 1
    return mine


@compiled
def _board_of(board: Any, keys: Any) -> Any:
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
def _of_two(one: int, two: int, suit: int, suited: int, tables: Any) -> Any:
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


@compiled
def _by_ranks(total: int, keys: Any, by_ranks: Any, by_pair: Any) -> None:
    """The class of a board with each two ranks, suits aside; five of a rank are none."""
    for one in range(13):
        for two in range(one + 1):
            same = by_ranks[min(total + keys[one] + keys[two], len(by_ranks) - 1)]
            by_pair[one * 13 + two], by_pair[two * 13 + one] = same, same


@compiled
def _prefers(met: Any, river: Any, shape: int, equal: bool) -> Any:
    """Whether the other of the last two plays is better, or as good where that is enough."""
    gained = np.int64(0)
    for event in range(6):
        gained += met[event] * river[shape, event]
    return gained > 0 or (equal and gained == 0)
