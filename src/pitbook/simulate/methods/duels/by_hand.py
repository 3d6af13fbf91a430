"""One decision by the own hand: by its class and the card seen, by the very cards where it must."""

from __future__ import annotations

from itertools import permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer.pairs_solve import (
    Shape,
    Solution,
    count_matches,
    number_hands,
    required_shape,
)
from pitbook.exact.methods.dealer.stored_counts import load_or_count, require_numba
from pitbook.exact.methods.dealer.structure import kinds_by_class
from pitbook.simulate.kernels.duel_layout import CHOOSE_WIDTH, MIXED
from pitbook.simulate.methods.duels.menus import Menus

Ints = NDArray[np.int64]
RANKS = 13


class ByHand(NamedTuple):
    """[class, rank of the card seen]: the play's place in its menu, or MIXED.

    Then it is in [row, rank of the card seen], and `rows` has the row of every such hand, by its
    number among all sets of as many cards; suits are renamed so that the card seen has the first.
    """

    policy: NDArray[np.uint8]
    detail: NDArray[np.uint8]
    rows: NDArray[np.int32]


def by_hand(solution: Solution, menus: Menus) -> ByHand:
    """A strategy laid out for the kernel."""
    form, counts = required_shape(solution.terms.game), solution.counts
    ups = RANKS if form.up else 1
    made = _places(solution, menus)[counts.classes, solution.chosen]
    spots = counts.classes.astype(np.int64) * ups + (counts.seen if form.up else 0)
    classes = len(kinds_by_class(form.best, form.ace))
    policy = np.zeros(classes * ups, np.uint8)
    policy[spots] = made
    mixed = np.unique(spots[policy[spots] != made])
    policy[mixed] = MIXED
    if not len(mixed):
        return ByHand(policy, np.zeros(1, np.uint8), np.zeros(1, np.int32))
    return ByHand(policy, *_detailed(form, np.isin(spots, mixed), made))


def _places(solution: Solution, menus: Menus) -> NDArray[np.uint8]:
    """By class and play of the solution, the place of the play in the menu of such a hand."""
    fight = solution.terms.fight
    kinds = np.array(kinds_by_class(fight.best, fight.ace))
    by_kind = np.zeros((kinds.max() + 1, len(solution.plays)), np.uint8)
    for kind, menu in enumerate(menus.by_kind):
        offered = menus.plays[0][menu]
        for place, play in enumerate(solution.plays):
            by_kind[kind, place] = offered.index(play) if play in offered else 0
    return np.asarray(by_kind[kinds], np.uint8)


def _detailed(
    form: Shape, wanted: NDArray[np.bool_], made: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """[hands, rank of the card seen] and the row of every hand that is wanted."""
    require_numba()
    found = load_or_count(("plays", form), lambda: _numbered(form), 0.0)
    some = wanted[found["row"]]
    hands, ranks, row = (found[name][some] for name in ("hands", "ranks", "row"))
    ups = RANKS if form.up else 1
    rows = np.full(comb(52, form.own), -1, np.int32)
    images = [numbers_of(moved) for moved in _renamed(hands, fixed=form.up)]
    for numbers in images:
        rows[numbers] = 0
    there = np.flatnonzero(rows == 0)
    rows[there] = np.arange(len(there))
    detail = np.zeros((len(there), ups), np.uint8)
    for numbers in images:
        detail[rows[numbers], ranks] = made[row]
    return detail, rows


def _numbered(form: Shape) -> dict[str, NDArray[Any]]:
    """Every own hand up to suits, the rank of the card seen, and the number of its like."""
    met = count_matches(form)
    ranks = (met.up >> 2) if form.up else np.zeros(len(met.up), np.uint8)
    return {"hands": met.hands, "ranks": ranks, "row": number_hands(met)[1].astype(np.int32)}


def _renamed(hands: NDArray[np.uint8], *, fixed: int) -> list[NDArray[np.uint8]]:
    """The hands with their suits renamed in every way; the first suit stays where it is fixed."""
    found = []
    for order in permutations(range(4)):
        if not fixed or order[0] == 0:
            suits = np.array(order, np.uint8)
            found.append((hands & ~np.uint8(3)) | suits[hands & 3])
    return found


def choose() -> NDArray[np.int32]:
    """[card, size]: sets of that size of the cards before it."""
    rows = [[comb(card, size) for size in range(CHOOSE_WIDTH)] for card in range(52)]
    return np.array(rows, np.int32)


def numbers_of(hands: NDArray[np.uint8]) -> Ints:
    """The numbers of sets of cards."""
    rising, table = np.sort(hands, axis=1), choose().astype(np.int64)
    numbers = np.zeros(len(hands), np.int64)
    for place in range(hands.shape[1]):
        numbers += table[rising[:, place], place + 1]
    return numbers
