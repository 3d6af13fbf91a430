"""Every board up to a change of suits, and how many hole cards make which hand with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from pitbook.hands import batch
from pitbook.hands.kinds import Ace, catalogue

Cards = NDArray[np.uint8]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Boards:
    """Boards (one of each suit pattern), their kinds, and counts of hands by kind of hand and hole.

    A column of `counts` is a pair of kinds: those of the five cards and of the hole cards.
    """

    cards: Cards
    kinds: Ints
    columns: tuple[tuple[int, int], ...]
    counts: Ints


@cache
def boards(hole: int, ace: Ace) -> Boards:
    """The boards of a game with so many hole cards."""
    cards = _up_to_suits(5 - hole)
    hole_kinds = len(catalogue(hole))
    width = len(catalogue(5)) * hole_kinds
    counts = np.stack([np.bincount(made, minlength=width) for made in _made(cards, hole, ace)])
    used = np.flatnonzero(counts.any(axis=0))
    columns = tuple((int(one) // hole_kinds, int(one) % hole_kinds) for one in used)
    return Boards(cards, kinds_of(cards, ace), columns, counts[:, used])


def holes(board: Cards, hole: int, ace: Ace) -> tuple[Cards, Ints]:
    """Every set of hole cards beside a board, and the pair of kinds each makes, as one number."""
    rest = np.setdiff1d(np.arange(52, dtype=np.uint8), board)
    own = rest[np.array(list(combinations(range(len(rest)), hole)), np.intp)]
    hands = np.concatenate([own, np.broadcast_to(board, (len(own), len(board)))], axis=1)
    made = kinds_of(hands, ace) * len(catalogue(hole)) + kinds_of(own, ace)
    return own, made


def kinds_of(cards: Cards, ace: Ace) -> Ints:
    """Kinds of one to five cards; a single card is nothing."""
    if cards.shape[1] == 1:
        return np.zeros(len(cards), np.int64)
    return batch.kinds(cards, ace=ace).astype(np.int64)


def _made(cards: Cards, hole: int, ace: Ace) -> list[Ints]:
    return [holes(board, hole, ace)[1] for board in cards]


def _up_to_suits(size: int) -> Cards:
    every = np.array(list(combinations(range(52), size)), np.int64)
    least = np.full(len(every), np.iinfo(np.int64).max)
    for suits in permutations(range(4)):
        turned = np.sort(every // 4 * 4 + np.array(suits)[every % 4], axis=1)
        least = np.minimum(least, turned @ (64 ** np.arange(size)[::-1]))
    _, first = np.unique(least, return_index=True)
    return every[first].astype(np.uint8)
