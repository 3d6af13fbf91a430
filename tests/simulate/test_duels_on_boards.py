"""Decisions on a board by the kernel, with a strategy drawn at random: no sweep of all boards."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tests.simulate.plans import SEED, bundled
from tests.simulate.test_duels import unlike

from pitbook.cards import Card
from pitbook.exact.methods.dealer.boards_advice import worths_at
from pitbook.exact.methods.dealer.boards_solve import (
    Solution,
    StreetWorths,
    SweepRows,
    plan_of,
    stored_flops,
)
from pitbook.exact.methods.dealer.boards_sweep import FlopPairs, SweepCounts
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.plain.solve import PlainSolver, Seen
from pitbook.money import Cents
from pitbook.rules.game import Seat, compile_game
from pitbook.rules.plays import Play
from pitbook.simulate.job import Job
from pitbook.simulate.methods.spot_strategy import Choosing
from pitbook.simulate.plan import Plan
from pitbook.simulate.prepare import ready
from pitbook.simulate.strategy import Strategy

ANTE = Cents(10_00)
ULTIMATE, CASINO = "pennsylvania/ultimate-texas-holdem", "classic/casino-holdem"


def drawn(name: str) -> Solution:
    """A solution whose plays before the whole board are anybody's."""
    luck, laid = np.random.default_rng(SEED), stored_flops()
    plan = plan_of(Terms(compile_game(bundled(name)), ANTE))
    pairs = sorted({_least_pair(laid, one, two) for one in range(52) for two in range(one)})
    nothing = np.zeros((0, 0), np.int32)
    none = np.zeros(0, np.int32)
    swept = SweepCounts(
        nothing, nothing, none, none, none.astype(np.int8), nothing.astype(np.int16)
    )
    rows = SweepRows(swept, none.astype(np.int64), np.zeros(0, np.int16), np.array(pairs))
    before = StreetWorths(none, luck.integers(len(plan.plays[0]), size=len(pairs), dtype=np.int8))
    flop = next(number for number, street in enumerate(plan.streets) if street.seen)
    many = int(laid.starts[-1])
    after = luck.integers(len(plan.plays[flop]), size=many, dtype=np.int8)
    return Solution(plan, rows, before if flop else None, after, {})


def _least_pair(laid: FlopPairs, one: int, two: int) -> tuple[int, int]:
    low, high = min(sorted(pair) for pair in laid.swaps[:, [one, two]].tolist())
    return low, high


def _row(laid: FlopPairs, flop: list[int], own: list[int]) -> int:
    """The row of a flop and two cards, by trying every swap of suits."""
    listed = {tuple(three): place for place, three in enumerate(laid.flops.tolist())}
    for swap in laid.swaps.tolist():
        three = tuple(sorted(swap[card] for card in flop))
        if three in listed:
            rest = [card for card in range(52) if card not in three]
            one, two = (rest.index(swap[card]) for card in own)
            return int(laid.starts[listed[three]] + laid.orbit_of[listed[three], one, two])
    raise AssertionError


def planned(name: str, seats: int, mistakes: str) -> Plan:
    """A plan by such a strategy; the description asks it spot by spot."""
    solution, laid = drawn(name), stored_flops()
    plan = solution.plan
    listed = [tuple(pair) for pair in solution.rows.pairs.tolist()]

    def choose(stage: int, seen: Seen, seat: Seat) -> Play:
        own, board = [int(card) for card in seen[0]], [int(card) for card in seen[1]]
        if not board:
            assert solution.before is not None
            return plan.plays[0][int(solution.before.best[listed.index(_least_pair(laid, *own))])]
        if len(board) == 3:
            assert solution.after is not None
            return plan.plays[stage][int(solution.after[_row(laid, board, own)])]
        worths, _ = worths_at(plan, stage, seen[0], tuple(Card(card) for card in board))
        return max(worths, key=worths.__getitem__)

    sheet = bundled(name)
    followed = DealerStrategy("drawn", PlainSolver(plan.terms.game, ANTE), choose, lambda: solution)
    strategy = Strategy("drawn", Fraction(mistakes), Choosing(followed))
    side = tuple((wager, rule.stake.min) for wager, rule in sheet.side.items())
    return Plan(sheet, ANTE, side, seats, strategy, SEED)


@cache
def traced(name: str, seats: int, mistakes: str) -> Plan:
    return planned(name, seats, mistakes)


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
def test_every_round_is_the_one_that_the_description_plays(
    name: str, seats: int, mistakes: str, rounds: int
) -> None:
    found = ready(traced(name, seats, mistakes))
    assert isinstance(found.job, Job)
    assert unlike(found, 0, rounds) == []


@pytest.mark.long
def test_all_ends_are_come_to() -> None:
    found = ready(traced(ULTIMATE, 3, "0"))
    stakes = {found.cells.every[cell].staked for cell in found.job.trace(0, 2_000).ravel().tolist()}
    trips = bundled(ULTIMATE).side["trips"].stake.min
    assert {stake - trips for stake in stakes} == {times * ANTE for times in (2, 3, 4, 5, 6)}
