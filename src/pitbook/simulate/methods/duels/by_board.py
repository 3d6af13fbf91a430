"""Decisions on a board: by two hole cards, by the flop up to suits, and what the last two gain."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK
from pitbook.exact.methods.dealer.boards_advice import hole_number
from pitbook.exact.methods.dealer.boards_solve import Solution, stored_flops
from pitbook.exact.methods.dealer.structure import EVENTS
from pitbook.rules.plays import Play
from pitbook.simulate.methods.duels.by_hand import numbers_of

Ints = NDArray[np.int64]


class Flops(NamedTuple):
    """By flop: the number of its like, and the swap of suits that makes it that; and all swaps.

    `plays` has by that number and pair beside it the play's place in its menu.
    """

    alike: Ints
    swap: Ints
    swaps: NDArray[np.int64]  # [swaps, suits]
    plays: NDArray[np.uint8]


def holes(solution: Solution, menu: tuple[Play, ...]) -> NDArray[np.uint8]:
    """By two cards, the play's place in the menu."""
    assert solution.before is not None
    places = _places(solution, 0, menu)
    found = np.zeros((52, 52), np.uint8)
    for one in DECK:
        for two in DECK:
            if one != two:
                found[one, two] = places[solution.before.best[hole_number(solution, (one, two))]]
    return found


def flops(solution: Solution, street: int, menu: tuple[Play, ...]) -> Flops:
    """Every flop up to suits, and the play of every pair beside it."""
    assert solution.after is not None
    laid, chosen = stored_flops(), _places(solution, street, menu)[solution.after]
    codes = np.array([2704, 52, 1])
    one, two = np.tril_indices(49, -1)
    plays = chosen[laid.starts[:-1, None] + laid.orbit_of[:, one, two]]
    rising = np.array([(a, b, c) for a in range(52) for b in range(a) for c in range(b)])[:, ::-1]
    images = np.sort(laid.swaps[:, rising], axis=2) @ codes
    alike = np.searchsorted(laid.flops @ codes, images.min(axis=0))
    order = np.argsort(numbers_of(rising.astype(np.uint8)))
    return Flops(alike[order], images.argmin(axis=0)[order], laid.swaps[:, :4] & 3, plays)


class Gains(NamedTuple):
    """By class its kind of gains, by that and event what the other play gains; and both plays."""

    shapes: tuple[int, ...]
    gains: Ints
    first: Play
    other: Play
    prefers: bool


def gains_of(solution: Solution) -> Gains:
    """The last decision, which is worked out at the table; rules decide it by class alone."""
    plan = solution.plan
    preferred, _ = last = plan.plays[-1]
    first, other = sorted(last, key=lambda play: play.folds)
    if solution.last is not None:
        either = np.array([[-1] * len(EVENTS), [1] * len(EVENTS)])
        return Gains(tuple(map(int, solution.last)), either, first, other, False)
    gains = plan.cells.gains(*plan.last_two)
    gains = gains // (gcd(*(int(one) for one in gains.ravel())) or 1)
    return Gains(plan.cells.shapes, gains, first, other, preferred == other)


def _places(solution: Solution, street: int, menu: tuple[Play, ...]) -> NDArray[np.uint8]:
    """By play of the solution, its place in the menu."""
    return np.array([menu.index(play) for play in solution.plan.plays[street]], np.uint8)
