"""A short strategy on a board: a few tests that a player sees at a glance, and what they cost.

After the flop the best of all sets of a few tests is taken. On the whole board a player counts the
unseen cards that would beat the hand, and folds with too many; how many is tried out. Before the
flop best play stays. What all of it costs is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.boards.rows import Rows, full_deck, swept_once
from pitbook.exact.methods.boards.solving import RulesSaid, Solution, solve_by
from pitbook.exact.methods.boards.structure import FLOP, NOTHING
from pitbook.hands.kinds import RANK_NAMES
from pitbook.rules.plays import Play

__all__ = ["UNSEEN", "ShortStrategy", "Tested", "short_strategy"]

TESTS_MAX = 5
WORTH_A_TEST = 0.002  # What one test more must add to the gain of all.
UNSEEN = 45  # Cards that a player does not see who sees the whole board.
OUTS = 20  # Of them so many or thereabouts: where the search begins.
HIGH = range(8, 13)  # From a ten to an ace.
WINDOWS = [0b11111 << low for low in range(9)] + [0b1000000001111]
OPEN = [0b1111 << low for low in range(1, 9)]  # Four in a row with room at both ends.

Flags = NDArray[np.bool_]


class Tested(NamedTuple):
    """After the flop: make `play` where any test holds, `else_play` elsewhere."""

    stage: int
    tests: tuple[str, ...]
    play: Play
    else_play: Play
    made: NDArray[np.int8]  # By row.


class ShortStrategy(NamedTuple):
    """A short strategy; `expected` is of a whole round.

    On the whole board a hand is given up that more than `outs_max` unseen cards beat; None where
    that is not decided.
    """

    flop: Tested | None
    outs_max: int | None
    expected: Fraction


def short_strategy(solution: Solution) -> ShortStrategy:
    """The short strategy of a game; best play where nothing can be put shorter."""
    flop, plan = _tested(solution), solution.plan
    last = plan.last_two[1]
    if last is None or not last.folded:
        made = solution if flop is None else _played(solution, flop, solution.rows)
        return ShortStrategy(flop, None, made.expected)

    @cache
    def worth(outs_max: int) -> Fraction:
        rows = swept_once(full_deck(), plan.river(listing=False), outs_max)
        return _played(solution, flop, rows).expected

    outs_max = _highest(worth)
    return ShortStrategy(flop, outs_max, worth(outs_max))


def _highest(worth: Callable[[int], Fraction], outs: int = OUTS) -> int:
    """Where the worth is highest: up from a number, else down."""
    step = 1 if worth(outs + 1) > worth(outs) else -1
    while 0 <= outs + step < UNSEEN and worth(outs + step) > worth(outs):
        outs += step
    return outs


def _played(solution: Solution, flop: Tested | None, rows: Rows) -> Solution:
    """Best play before the flop, the tests after it, and on the board as rows were swept."""
    before = solution.before.best if solution.before is not None else None
    after = solution.after if flop is None else flop.made
    return solve_by(solution.plan, rows, RulesSaid(before, after, ()))


def _tested(solution: Solution) -> Tested | None:
    """Tests for a decision between two plays after the flop; None without one."""
    plan = solution.plan
    seen = [street.seen for street in plan.streets]
    if FLOP not in seen or len(plan.plays[seen.index(FLOP)]) != 2:
        return None
    street = seen.index(FLOP)
    here, tests = _reached(solution, seen), _tests()
    plays, worths = plan.plays[street], solution.worths_after_flop()
    bet = max((0, 1), key=lambda place: plays[place].times)
    gains = np.where(here, worths[bet] - worths[1 - bet], 0)
    names = _chosen(tests, gains)
    taken = np.logical_or.reduce([tests[name] for name in names])
    made = np.where(taken, bet, 1 - bet).astype(np.int8)
    return Tested(plan.streets[street].stage, names, plays[bet], plays[1 - bet], made)


def _reached(solution: Solution, seen: list[int]) -> Flags:
    """Rows that still have the decision: not where a bet was made before the flop."""
    many = len(solution.rows.hole)
    if NOTHING not in seen or solution.before is None:
        return np.ones(many, np.bool_)
    first = seen.index(NOTHING)
    on = solution.plan.plays[first].index(solution.plan.streets[first].on)
    return np.asarray(solution.before.best[solution.rows.hole] == on)


def _chosen(tests: Mapping[str, Flags], gains: NDArray[np.int64]) -> tuple[str, ...]:
    """Of all sets of so few tests the one that gains most; rows alike in every test are one."""
    code = sum((holds.astype(np.int64) << place for place, holds in enumerate(tests.values())), 0)
    alike, back = np.unique(code, return_inverse=True)
    gained = np.bincount(back, weights=gains)
    best: tuple[int, ...] = ()
    most = 0.0
    for many in range(1, TESTS_MAX + 1):
        for some in combinations(range(len(tests)), many):
            worth = gained[(alike & sum(1 << one for one in some)) != 0].sum()
            best, most = (some, worth) if worth > most * (1 + WORTH_A_TEST) else (best, most)
    return tuple(list(tests)[one] for one in best)


def _tests() -> dict[str, Flags]:
    """By name, the rows in which a test holds."""
    laid = full_deck()
    flops = np.repeat(laid.flops, np.diff(laid.starts), axis=0)
    own, cards = laid.pairs, np.concatenate([flops, laid.pairs], axis=1)
    ranks, suits = cards >> 2, cards & 3
    high, low, top = own.max(axis=1) >> 2, own.min(axis=1) >> 2, (flops >> 2).max(axis=1)
    suited = np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1)
    bits = np.bitwise_or.reduce(1 << ranks, axis=1)
    paired = ((own[:, :1] >> 2 == flops >> 2) | (own[:, 1:] >> 2 == flops >> 2)).sum(axis=1)
    pocket, straight = high == low, _within(bits, WINDOWS, 5)
    flush = suited.max(axis=1)
    made = straight | (flush == 5)
    found = {
        "own-pair": pocket | (paired > 0) | made,
        "own-pair-top": (high == top) | (low == top) | (pocket & (high > top)) | made,
        "own-two-pair": (paired + pocket > 1) | made,
        "flush-draw": flush == 4,
        "straight-open": _within(bits, OPEN, 4),
        "straight-inside": _within(bits, WINDOWS, 4),
        "two-over": low > top,
        "one-over": high > top,
    }
    found |= {f"high-{RANK_NAMES[rank]}": high >= rank for rank in HIGH}
    found |= {f"both-{RANK_NAMES[rank]}": low >= rank for rank in HIGH[:-1]}
    return {
        **found,
        **{
            f"flush-draw-{RANK_NAMES[rank]}": (flush == 4) & _in_suit(own, suited, rank)
            for rank in HIGH
        },
    }


def _within(bits: NDArray[np.int64], windows: list[int], many: int) -> Flags:
    """Whether so many ranks lie in one of some windows."""
    counts = [np.bitwise_count(bits & window) >= many for window in windows]
    return np.asarray(np.logical_or.reduce(counts))


def _in_suit(own: NDArray[np.int64], suited: NDArray[np.int64], rank: int) -> Flags:
    """Whether a hole card of the longest suit is so high."""
    longest = suited.argmax(axis=1)[:, None]
    return np.asarray((((own & 3) == longest) & (own >> 2 >= rank)).any(axis=1))
