"""Every board up to a change of suits, and how many hole cards make which hand with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitbook.hands import batch
from pitbook.hands.kinds import Ace, catalogue

Cards = NDArray[np.uint8]
Ints = NDArray[np.int64]

HANDS_AT_ONCE = 400_000


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
    width = len(catalogue(5)) * len(catalogue(hole))
    at_once = max(1, HANDS_AT_ONCE // comb(47 + hole, hole))
    parts = [cards[start : start + at_once] for start in range(0, len(cards), at_once)]
    counts = np.concatenate([_counts(_holes(part, hole, ace)[1], width) for part in parts])
    used = np.flatnonzero(counts.any(axis=0))
    columns = tuple(divmod(int(one), len(catalogue(hole))) for one in used)
    return Boards(cards, _kinds(cards, ace), columns, counts[:, used])


@lru_cache(maxsize=128)
def holes_beside(hole: int, ace: Ace, board: int) -> tuple[Cards, Ints]:
    """Every set of hole cards beside a board, and the pair of kinds each makes, as one number."""
    own, made = _holes(boards(hole, ace).cards[board : board + 1], hole, ace)
    return own[0], made[0]


def _holes(cards: Cards, hole: int, ace: Ace) -> tuple[Cards, Ints]:
    """For several boards at once: all hole cards beside each, and what they make."""
    free = np.ones((len(cards), 52), bool)
    np.put_along_axis(free, cards.astype(np.intp), False, axis=1)
    rest = np.nonzero(free)[1].reshape(len(cards), -1).astype(np.uint8)
    own = rest[:, _choices(rest.shape[1], hole)]
    board = np.broadcast_to(cards[:, None, :], (*own.shape[:2], cards.shape[1]))
    hands = np.concatenate([own, board], axis=2).reshape(-1, 5)
    made = _kinds(hands, ace) * len(catalogue(hole)) + _kinds(own.reshape(-1, hole), ace)
    return own, made.reshape(own.shape[:2])


@cache
def _choices(cards: int, size: int) -> NDArray[np.intp]:
    return np.array(list(combinations(range(cards), size)), np.intp)


def _counts(made: Ints, width: int) -> Ints:
    shifted = made + np.arange(len(made))[:, None] * width
    return np.bincount(shifted.ravel(), minlength=len(made) * width).reshape(-1, width)


def _kinds(cards: Cards, ace: Ace) -> Ints:
    """Kinds of one to five cards; a single card is nothing."""
    if cards.shape[1] == 1:
        return np.zeros(len(cards), np.int64)
    return batch.kinds(cards, ace=ace).astype(np.int64)


def _up_to_suits(size: int) -> Cards:
    every = _choices(52, size).astype(np.int64)
    least = np.full(len(every), np.iinfo(np.int64).max)
    for suits in permutations(range(4)):
        turned = np.sort(every // 4 * 4 + np.array(suits)[every % 4], axis=1)
        least = np.minimum(least, turned @ (64 ** np.arange(size)[::-1]))
    _, first = np.unique(least, return_index=True)
    return every[first].astype(np.uint8)
