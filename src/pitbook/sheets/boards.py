"""Every board up to a change of suits, and how many hole cards make which hand with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb

import numpy as np

from pitbook.hands.card_sets import CardArray, Ints, choices_up_to_suits, disjoint_sets, kinds_of
from pitbook.hands.kinds import Ace, catalogue

HANDS_AT_ONCE = 400_000


@dataclass(frozen=True)
class BoardCounts:
    """Boards (one of each suit pattern), their kinds, and counts of hands by kind of hand and hole.

    A column of `counts` is a pair of kinds: those of the five cards and of the hole cards.
    """

    cards: CardArray
    kinds: Ints
    columns: tuple[tuple[int, int], ...]
    counts: Ints


@cache
def boards(hole: int, ace: Ace) -> BoardCounts:
    """The boards of a game with so many hole cards."""
    cards, _ = choices_up_to_suits(5 - hole)
    width = len(catalogue(5)) * len(catalogue(hole))
    at_once = max(1, HANDS_AT_ONCE // comb(47 + hole, hole))
    parts = [cards[start : start + at_once] for start in range(0, len(cards), at_once)]
    made = [_holes(part, hole, ace)[1] for part in parts]
    seen = [np.bincount(one.ravel(), minlength=width) for one in made]
    used = np.flatnonzero(np.sum(seen, axis=0))
    column = np.zeros(width, np.int64)
    column[used] = np.arange(len(used))
    counts = np.concatenate([_counts(column[one], len(used)) for one in made])
    columns = tuple(divmod(int(one), len(catalogue(hole))) for one in used)
    return BoardCounts(cards, kinds_of(cards, ace), columns, counts)


@lru_cache(maxsize=128)
def holes_beside(hole: int, ace: Ace, board: int) -> tuple[CardArray, Ints]:
    """Every set of hole cards beside a board, and the pair of kinds each makes, as one number."""
    own, made = _holes(boards(hole, ace).cards[board : board + 1], hole, ace)
    return own[0], made[0]


def _holes(cards: CardArray, hole: int, ace: Ace) -> tuple[CardArray, Ints]:
    """For several boards at once: all hole cards beside each, and what they make."""
    own, hands = disjoint_sets(cards, hole)
    return own, kinds_of(hands, ace) * len(catalogue(hole)) + kinds_of(own, ace)


def _counts(made: Ints, width: int) -> Ints:
    shifted = made + np.arange(len(made))[:, None] * width
    return np.bincount(shifted.ravel(), minlength=len(made) * width).reshape(-1, width)
