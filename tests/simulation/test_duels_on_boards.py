"""Decisions on a board by kernel, with a random strategy so that no sweep of all boards is
needed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tests.simulation.plans import SEED, bundled_sheet
from tests.simulation.test_duels import different_rounds

from pitbook.cards import Card
from pitbook.exact.methods.dealer.boards_solve import (
    Solution,
    StreetValues,
    SweepRows,
    SweptDecisions,
    plan_of,
    stored_flops,
)
from pitbook.exact.methods.dealer.boards_strategies import play_values_at
from pitbook.exact.methods.dealer.boards_sweep import FlopPairs, SweepCounts
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.plain.solve import OpenCards, PlainSolver
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Seat, compile_game
from pitbook.simulation.job import Job
from pitbook.simulation.plan import Plan
from pitbook.simulation.prepare import prepare_job
from pitbook.simulation.strategy import SpotStrategy, Strategy

ANTE = Cents(10_00)
ULTIMATE, CASINO = "pennsylvania/ultimate-texas-holdem", "classic/casino-holdem"


def random_solution(name: str) -> Solution:
    """A solution with random plays before the whole board."""
    luck, flop_pairs = np.random.default_rng(SEED), stored_flops()
    plan = plan_of(Terms(compile_game(bundled_sheet(name)), ANTE))
    pairs = sorted(
        {_least_pair(flop_pairs, first, second) for first in range(52) for second in range(first)}
    )
    empty_table = np.zeros((0, 0), np.int32)
    empty = np.zeros(0, np.int32)
    swept = SweepCounts(
        empty_table, empty_table, empty, empty, empty.astype(np.int8), empty_table.astype(np.int16)
    )
    rows = SweepRows(swept, empty.astype(np.int64), np.zeros(0, np.int16), np.array(pairs))
    before = StreetValues(empty, luck.integers(len(plan.plays[0]), size=len(pairs), dtype=np.int8))
    flop = next(number for number, street in enumerate(plan.streets) if street.board_cards)
    many = int(flop_pairs.starts[-1])
    after = luck.integers(len(plan.plays[flop]), size=many, dtype=np.int8)
    return Solution(plan, before if flop else None, {}, decided=SweptDecisions(rows, after))


def _least_pair(flop_pairs: FlopPairs, first: int, second: int) -> tuple[int, int]:
    low, high = min(sorted(pair) for pair in flop_pairs.swaps[:, [first, second]].tolist())
    return low, high


def _row(flop_pairs: FlopPairs, flop: list[int], hole: list[int]) -> int:
    """The row of a flop and two hole cards, found by trying every suit permutation."""
    listed = {tuple(three): place for place, three in enumerate(flop_pairs.flops.tolist())}
    for swap in flop_pairs.swaps.tolist():
        three = tuple(sorted(swap[card] for card in flop))
        if three in listed:
            others = [card for card in range(52) if card not in three]
            first, second = (others.index(swap[card]) for card in hole)
            return int(
                flop_pairs.starts[listed[three]] + flop_pairs.orbit_of[listed[three], first, second]
            )
    raise AssertionError


def random_plan(name: str, seats: int, mistakes: str) -> Plan:
    """A plan with a random strategy; the description queries it spot by spot."""
    solution, flop_pairs = random_solution(name), stored_flops()
    plan = solution.plan
    listed = [tuple(pair) for pair in solution.rows.pairs.tolist()]

    def choose(stage: int, visible: OpenCards, seat: Seat) -> Play:
        hole, board = [int(card) for card in visible[0]], [int(card) for card in visible[1]]
        if not board:
            assert solution.before_flop is not None
            return plan.plays[0][
                int(solution.before_flop.best[listed.index(_least_pair(flop_pairs, *hole))])
            ]
        if len(board) == 3:
            assert solution.after_flop is not None
            return plan.plays[stage][int(solution.after_flop[_row(flop_pairs, board, hole)])]
        worths, _ = play_values_at(plan, stage, visible[0], tuple(Card(card) for card in board))
        return max(worths, key=worths.__getitem__)

    sheet = bundled_sheet(name)
    dealer_strategy = DealerStrategy(
        "drawn", PlainSolver(plan.terms.game, ANTE), choose, lambda: solution
    )
    strategy = Strategy("drawn", Fraction(mistakes), SpotStrategy(dealer_strategy))
    side = tuple((wager, rule.stake.min) for wager, rule in sheet.side.items())
    return Plan(sheet, ANTE, side, seats, strategy, SEED)


@cache
def cached_plan(name: str, seats: int, mistakes: str) -> Plan:
    return random_plan(name, seats, mistakes)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seats", "mistakes", "rounds"),
    [
        (ULTIMATE, 3, "0", 15),
        pytest.param(ULTIMATE, 3, "0", 60, marks=pytest.mark.slow),
        pytest.param(ULTIMATE, 1, "0.3", 60, marks=pytest.mark.slow),
        pytest.param(CASINO, 2, "0.2", 60, marks=pytest.mark.slow),
    ],
)
def test_kernels_play_the_same_rounds_as_the_description(
    name: str, seats: int, mistakes: str, rounds: int
) -> None:
    ready_plan = prepare_job(cached_plan(name, seats, mistakes))
    assert isinstance(ready_plan.job, Job)
    assert different_rounds(ready_plan, 0, rounds) == []


@pytest.mark.long
def test_every_bet_size_occurs() -> None:
    ready_plan = prepare_job(cached_plan(ULTIMATE, 3, "0"))
    stakes = {
        ready_plan.cells.cells[cell].total_bet
        for cell in ready_plan.job.trace(0, 2_000).ravel().tolist()
    }
    trips = bundled_sheet(ULTIMATE).side["trips"].stake.min
    assert {stake - trips for stake in stakes} == {times * ANTE for times in (2, 3, 4, 5, 6)}
