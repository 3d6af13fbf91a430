"""Simulations agree with the exact figures for every sheet; the slow lane plays 10^9 rounds.

Other tests compare kernels and engine round by round.
"""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import Any

import pytest
from tests.sheets.samples import IDS, LAS, MHL, OMS
from tests.simulation.plans import (
    ODD,
    SEED,
    bundled_sheet,
    odd_plan,
    single_seat_plan,
    six_seat_plan,
)

from pitbook.money import Cents
from pitbook.simulation.compare_with_exact import TheoryCheck, check, expected_figures
from pitbook.simulation.plan import Plan, plan
from pitbook.simulation.run import run

ERRORS_MAX = 3.3  # Standard errors: exceeded by chance once in a thousand times.


def run_check(plan: Plan, rounds: int) -> TheoryCheck:
    theory_check = check(run(plan, rounds))
    print(f"seed {plan.seed}: significance {theory_check.significance:.3f}")  # noqa: T201
    return theory_check


def assert_agrees(theory_check: TheoryCheck, seats: int) -> None:
    assert len(theory_check.means) == seats
    assert all(
        mean_test.z is not None and abs(mean_test.z) < ERRORS_MAX
        for mean_test in theory_check.means
    )
    assert theory_check.agrees


def rounds(quick: int, slow: int) -> list[Any]:
    """The number of rounds in `make test`, and in the slow lane."""
    return [quick, pytest.param(slow, marks=pytest.mark.slow)]


@pytest.mark.long
@pytest.mark.parametrize("rounds", rounds(10**6, 10**8))
@pytest.mark.parametrize("sheet", IDS)
def test_one_seat(sheet: str, rounds: int) -> None:
    assert_agrees(run_check(single_seat_plan(sheet), rounds), 1)


@pytest.mark.slow_cases("louisiana-stud/standard-500000")
@pytest.mark.long
@pytest.mark.parametrize("rounds", rounds(5 * 10**5, 10**7))
@pytest.mark.parametrize("sheet", IDS)
def test_six_seats(sheet: str, rounds: int) -> None:
    """With every side wager and active caps; a shared cap has no exact figure."""
    assert_agrees(run_check(six_seat_plan(sheet), rounds), 6)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", IDS)
def test_a_billion_rounds_of_one_seat(sheet: str) -> None:
    assert_agrees(run_check(single_seat_plan(sheet), 10**9), 1)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", IDS)
def test_a_billion_rounds_of_six_seats(sheet: str) -> None:
    assert_agrees(run_check(six_seat_plan(sheet), 10**9), 6)


@pytest.mark.slow_cases(
    "bets taken back-300000",
    "mistakes at hi-lo-300000",
    "one seat with a bonus on the board-300000",
    "three hole cards-300000",
)
@pytest.mark.long
@pytest.mark.parametrize("rounds", rounds(3 * 10**5, 10**6))
@pytest.mark.parametrize("name", ODD)
def test_odd_games_and_ways_to_play(name: str, rounds: int) -> None:
    theory_check = run_check(odd_plan(name), rounds)
    assert theory_check.outcomes
    assert theory_check.agrees


QUICK = [(OMS, "0.01"), (MHL, "0.5"), (LAS, "1"), (OMS, "1"), (MHL, "0.01")]
MISTAKES = [
    pytest.param(*case, marks=[] if case in QUICK else pytest.mark.slow)
    for case in product((OMS, MHL, LAS), ("0.01", "0.5", "1"))
]


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "rate"), MISTAKES)
def test_mistakes_come_as_often_as_asked(sheet: str, rate: str) -> None:
    theory_check = run_check(single_seat_plan(sheet, f"best:{rate}"), 10**6)
    assert theory_check.means
    assert theory_check.agrees


@pytest.mark.long
@pytest.mark.parametrize("rounds", rounds(3 * 10**7, 10**8))
def test_a_strategy_costs_what_exact_says(rounds: int) -> None:
    """Every strategy plays the same rounds, so the difference is more precise than either value."""
    best, never = (run(single_seat_plan(OMS, name), rounds).nets() for name in ("best", "never-3x"))
    exact = [expected_figures(single_seat_plan(OMS, name)) for name in ("best", "never-3x")]
    assert exact[0].mean is not None
    assert exact[1].mean is not None
    cost = exact[0].mean - exact[1].mean
    error = best.deviation / sqrt(rounds) * 2
    assert abs(float(best.mean - never.mean - cost)) < ERRORS_MAX * error
    assert cost > 0


@pytest.mark.long
def test_exact_nets_of_a_round_add_up() -> None:
    for checked_plan in (
        single_seat_plan(MHL),
        plan(bundled_sheet(MHL), side={"poker-bonus": Cents(5_00)}, seed=SEED),
        odd_plan("one seat with a bonus on the board"),
        single_seat_plan(OMS, "best:0.05"),
    ):
        figures = expected_figures(checked_plan)
        assert figures.nets is not None
        assert figures.mean is not None
        assert sum(figures.nets.values()) == pytest.approx(1, abs=1e-12)
        mean = sum(net * probability for net, probability in figures.nets.items())
        assert float(mean) == pytest.approx(float(figures.mean), rel=1e-9)
        by_wager = {row.wager for row in figures.rows}
        for wager in by_wager:
            shares = [
                probability for row, probability in figures.rows.items() if row.wager == wager
            ]
            assert float(sum(shares)) == pytest.approx(1, abs=1e-12)
