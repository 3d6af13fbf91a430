"""Flops, pairs and boards by the types of their cards: what suits make no difference to is one.

Take a suit. A card's type is its rank, and whether it is of that suit. Where no suit has three
cards of a board, ranks alone decide who is ahead. So a flop and a pair fare as their ranks do on
all boards; and for each suit of the flop, on the boards that have three or more of it, as their
types do instead of as their ranks do. Both are sums over few boards: a *source* is a flop with a
pair by rank or by type, and every flop and pair of cards has one by rank and one for each suit of
its flop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pitbook.exact.methods.boards.counting import FlopPairs

__all__ = ["PAIRS", "Boards", "Typed", "typed_flops"]

Ints = NDArray[np.int64]
KindNumbers = tuple[int, ...]  # Types, rising.
RANKS, TYPES, SUITS = 13, 26, 4
PAIRS = TYPES * (TYPES + 1) // 2
FLUSHES = 3  # So many of a suit on a board, or more, and two more make a flush.


class Boards(NamedTuple):
    """Boards by rank, or by type with three or more of one suit, and the flops within them."""

    boards: Ints
    deck: Ints  # By type, its cards.
    numbers: NDArray[np.int32]  # By three types, the number of the flop; -1 where it is none.

    @property
    def within(self) -> Ints:
        """By flop: a board, and two types that make it of the flop with their cards left; and 1.

        Of equal types on a board the first are taken.
        """
        found = []
        for first, second in combinations(range(5), 2):
            flop = [place for place in range(5) if place not in (first, second)]
            u, v, three = self.boards[:, first], self.boards[:, second], self.boards[:, flop]
            again = (self.boards[:, max(first - 1, 0)] == u) & (first > 0)
            again |= (self.boards[:, second - 1] == v) & (second > first + 1)
            number = self.numbers[three[:, 0], three[:, 1], three[:, 2]].astype(np.int64)
            left = [self.deck[one] - (three == one[:, None]).sum(axis=1) for one in (u, v)]
            rows = np.stack([number, np.arange(len(u)), u, v, *left, np.ones_like(u)], axis=1)
            found.append(rows[~again])
        every = np.concatenate(found)
        return every[np.argsort(every[:, 0], kind="stable")]

    @property
    def codes(self) -> Ints:
        """By board, a number for its ranks."""
        return np.sort(self.boards % RANKS, axis=1) @ RANKS ** np.arange(4, -1, -1)


class Typed(NamedTuple):
    """All boards of a deck: by rank first, then by suit; suits with equal ranks share theirs."""

    boards: tuple[Boards, ...]
    of_suit: tuple[int, ...]  # By suit, which of them.
    many: int  # Flops in all.

    def sources(self, laid: FlopPairs) -> Ints:
        """By row its sources, numbered by flop and pair; -1 where a suit is not of the flop."""
        found = [_sources(self.boards[0].numbers, laid, None)]
        for suit, which in enumerate(self.of_suit):
            found.append(_sources(self.boards[which].numbers, laid, suit))
        return np.stack(found, axis=1)


def typed_flops(laid: FlopPairs) -> Typed:
    """The boards of a deck, and its flops numbered."""
    deck = {int(card) for card in laid.deck}
    by_rank = Counter(card // SUITS for card in deck)
    suits = [
        frozenset(card // SUITS for card in deck if card % SUITS == one) for one in range(SUITS)
    ]
    ranks = np.array([by_rank[rank] for rank in range(RANKS)] + [0] * RANKS)
    found, many = [_boards(_by_rank(by_rank), ranks, 0)], 0
    different = list(dict.fromkeys(suits))
    for suit in different:
        many = int(found[-1].numbers.max()) + 1 or many
        other = [by_rank[rank] - (rank in suit) for rank in range(RANKS)]
        types = np.array(other + [int(rank in suit) for rank in range(RANKS)])
        found.append(_boards(_by_type(types), types, many))
    many = int(found[-1].numbers.max()) + 1 or many
    return Typed(tuple(found), tuple(1 + different.index(suit) for suit in suits), many)


def _by_rank(deck: Counter[int]) -> Iterator[KindNumbers]:
    for board in combinations_with_replacement(range(RANKS), 5):
        if all(many <= deck[rank] for rank, many in Counter(board).items()):
            yield board


def _by_type(deck: Ints) -> Iterator[KindNumbers]:
    suited = [kind for kind in range(RANKS, TYPES) if deck[kind]]
    for size in range(FLUSHES, 6):
        beside = [
            some
            for some in combinations_with_replacement(range(RANKS), 5 - size)
            if all(many <= deck[kind] for kind, many in Counter(some).items())
        ]
        for some in combinations(suited, size):
            yield from (other + some for other in beside)


def _boards(boards: Iterator[KindNumbers], deck: Ints, start: int) -> Boards:
    """Boards with the flops within them, numbered from a start."""
    every = list(boards)
    flops = dict.fromkeys(some for board in every for some in combinations(board, 3))
    numbers = np.full((TYPES,) * 3, -1, np.int32)
    for number, flop in enumerate(flops, start):
        numbers[flop] = number
    return Boards(np.array(every, np.int64).reshape(-1, 5), deck, numbers)


def _sources(numbers: NDArray[np.int32], laid: FlopPairs, suit: int | None) -> Ints:
    """By row, the number of flop and pair as types beside a suit, or by rank."""
    flops, pairs = (_types(cards, suit) for cards in (laid.flops, laid.pairs))
    number = numbers[flops[:, 0], flops[:, 1], flops[:, 2]].astype(np.int64)
    flop = np.repeat(number, np.diff(laid.starts))
    pair = pairs[:, 1] * (pairs[:, 1] + 1) // 2 + pairs[:, 0]
    return np.where(flop < 0, -1, flop * PAIRS + pair)


def _types(cards: Ints, suit: int | None) -> Ints:
    return np.sort(cards // SUITS + RANKS * (cards % SUITS == suit), axis=1)
