"""Short strategies on boards: a few tests after the flop and a number of outs on the river."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer.boards_solve import (
    FLOP,
    NOTHING,
    RuleDecisions,
    Solution,
    SweepRows,
    solve_decisions,
    stored_flops,
    sweep_uncached,
)
from pitbook.hands.kinds import RANK_NAMES
from pitbook.rules.actions import Play

TESTS_MAX = 5
WORTH_A_TEST = 0.002  # The share of the total gain that another test must add.
UNSEEN = 45  # Cards that a player cannot see when the whole board is open.
OUTS = 20  # Outs at which the search begins.
HIGH = range(8, 13)  # From a ten to an ace.
WINDOWS = [0b11111 << low for low in range(9)] + [0b1000000001111]
OPEN = [0b1111 << low for low in range(1, 9)]  # Four in a row, open at both ends.
Flags = NDArray[np.bool_]


class FlopTests(NamedTuple):
    """After the flop: make `play` if any test holds, else `else_play`."""

    stage: int
    tests: tuple[str, ...]
    play: Play
    else_play: Play
    choices: NDArray[np.int8]  # By row.


class ShortStrategy(NamedTuple):
    """A short strategy; `expected` is the value of a whole round.

    On the full board, a hand is folded if more than `outs_max` unseen cards beat it; None if
    there is no decision.
    """

    flop: FlopTests | None
    outs_max: int | None
    expected: Fraction


def short_strategy(solution: Solution) -> ShortStrategy:
    """The short strategy of a game; best play if it cannot be shortened."""
    flop, plan = _find_tests(solution), solution.plan
    last = plan.last_two[1]
    if last is None or not last.folded:
        followed = solution if flop is None else _solution_with_tests(solution, flop, solution.rows)
        return ShortStrategy(flop, None, followed.expected)

    @cache
    def value(outs_max: int) -> Fraction:
        rows = sweep_uncached(stored_flops(), plan.river(listing=False), outs_max)
        return _solution_with_tests(solution, flop, rows).expected

    outs_max = _best_outs(value)
    return ShortStrategy(flop, outs_max, value(outs_max))


def _best_outs(value: Callable[[int], Fraction], outs: int = OUTS) -> int:
    """The number of outs with the highest worth: search up from `outs`, else down."""
    step = 1 if value(outs + 1) > value(outs) else -1
    while 0 <= outs + step < UNSEEN and value(outs + step) > value(outs):
        outs += step
    return outs


def _solution_with_tests(solution: Solution, flop: FlopTests | None, rows: SweepRows) -> Solution:
    """The solution with best play before the flop, the tests after it, and the swept decisions on
    the board.
    """
    before = solution.before_flop.best if solution.before_flop is not None else None
    after = solution.after_flop if flop is None else flop.choices
    return solve_decisions(solution.plan, rows, RuleDecisions(before, after, ()))


def _find_tests(solution: Solution) -> FlopTests | None:
    """Tests for a decision between two plays after the flop, or None without one."""
    plan = solution.plan
    cards_seen = [street.board_cards for street in plan.streets]
    if FLOP not in cards_seen or len(plan.plays[cards_seen.index(FLOP)]) != 2:
        return None
    street = cards_seen.index(FLOP)
    reached, tests = _reached_rows(solution, cards_seen), _test_flags()
    plays, values = plan.plays[street], solution.worths_after_flop()
    bet = max((0, 1), key=lambda place: plays[place].times)
    gains = np.where(reached, values[bet] - values[1 - bet], 0)
    names = _choose_tests(tests, gains)
    holds = np.logical_or.reduce([tests[name] for name in names])
    choices = np.where(holds, bet, 1 - bet).astype(np.int8)
    return FlopTests(plan.streets[street].stage, names, plays[bet], plays[1 - bet], choices)


def _reached_rows(solution: Solution, cards_seen: list[int]) -> Flags:
    """Rows that still have the decision: no bet was made before the flop."""
    row_count = len(solution.rows.hole)
    if NOTHING not in cards_seen or solution.before_flop is None:
        return np.ones(row_count, np.bool_)
    first = cards_seen.index(NOTHING)
    go_on = solution.plan.plays[first].index(solution.plan.streets[first].go_on)
    return np.asarray(solution.before_flop.best[solution.rows.hole] == go_on)


def _choose_tests(tests: Mapping[str, Flags], gains: NDArray[np.int64]) -> tuple[str, ...]:
    """The set of tests with the highest gain. Rows with equal test results are merged."""
    codes = sum((holds.astype(np.int64) << index for index, holds in enumerate(tests.values())), 0)
    distinct, positions = np.unique(codes, return_inverse=True)
    gains_by_code = np.bincount(positions, weights=gains)
    best: tuple[int, ...] = ()
    highest = 0.0
    for size in range(1, TESTS_MAX + 1):
        for subset in combinations(range(len(tests)), size):
            value = gains_by_code[(distinct & sum(1 << place for place in subset)) != 0].sum()
            best, highest = (
                (subset, value) if value > highest * (1 + WORTH_A_TEST) else (best, highest)
            )
    return tuple(list(tests)[place] for place in best)


def _test_flags() -> dict[str, Flags]:
    """By name, the rows in which a test holds."""
    flop_pairs = stored_flops()
    flops = np.repeat(flop_pairs.flops, np.diff(flop_pairs.starts), axis=0)
    hole, cards = flop_pairs.pairs, np.concatenate([flops, flop_pairs.pairs], axis=1)
    ranks, suits = cards >> 2, cards & 3
    high, low, top = hole.max(axis=1) >> 2, hole.min(axis=1) >> 2, (flops >> 2).max(axis=1)
    suited = np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1)
    bits = np.bitwise_or.reduce(1 << ranks, axis=1)
    paired = ((hole[:, :1] >> 2 == flops >> 2) | (hole[:, 1:] >> 2 == flops >> 2)).sum(axis=1)
    pocket, straight = high == low, _has_window(bits, WINDOWS, 5)
    flush = suited.max(axis=1)
    complete = straight | (flush == 5)
    flags = {
        "own-pair": pocket | (paired > 0) | complete,
        "own-pair-top": (high == top) | (low == top) | (pocket & (high > top)) | complete,
        "own-two-pair": (paired + pocket > 1) | complete,
        "flush-draw": flush == 4,
        "straight-open": _has_window(bits, OPEN, 4),
        "straight-inside": _has_window(bits, WINDOWS, 4),
        "two-over": low > top,
        "one-over": high > top,
    }
    flags |= {f"high-{RANK_NAMES[rank]}": high >= rank for rank in HIGH}
    flags |= {f"both-{RANK_NAMES[rank]}": low >= rank for rank in HIGH[:-1]}
    return {
        **flags,
        **{
            f"flush-draw-{RANK_NAMES[rank]}": (flush == 4) & _has_high_suited(hole, suited, rank)
            for rank in HIGH
        },
    }


def _has_window(bits: NDArray[np.int64], windows: list[int], size: int) -> Flags:
    """Whether at least `size` ranks lie in one of the windows."""
    counts = [np.bitwise_count(bits & window) >= size for window in windows]
    return np.asarray(np.logical_or.reduce(counts))


def _has_high_suited(hole: NDArray[np.int64], suited: NDArray[np.int64], rank: int) -> Flags:
    """Whether a hole card of the longest suit has at least this rank."""
    longest = suited.argmax(axis=1)[:, None]
    return np.asarray((((hole & 3) == longest) & (hole >> 2 >= rank)).any(axis=1))
