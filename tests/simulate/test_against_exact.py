"""Play confirms theory, sheet by sheet: a sample of rounds in `make test`, 10^9 in the slow lane.

That kernels deal and settle as the engine does is compared round by round in other tests.
"""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import Any

import pytest
from tests.sheets.samples import IDS, LAS, MHL, OMS
from tests.simulate.plans import ODD, SEED, alone, bundled, odd, six

from pitbook.money import Cents
from pitbook.simulate.check import TheoryCheck, check
from pitbook.simulate.expected import expected
from pitbook.simulate.plan import Plan, plan
from pitbook.simulate.run import run

ERRORS_MAX = 3.3  # Standard errors: luck strays so far once in a thousand times.


def judged(plan: Plan, rounds: int) -> TheoryCheck:
    found = check(run(plan, rounds))
    print(f"seed {plan.seed}: significance {found.significance:.3f}")  # noqa: T201
    return found


def assert_agrees(found: TheoryCheck, seats: int) -> None:
    assert len(found.means) == seats
    assert all(one.z is not None and abs(one.z) < ERRORS_MAX for one in found.means)
    assert found.agrees


def rounds(quick: int, whole: int) -> list[Any]:
    """So many rounds in `make test`, and more in the slow lane."""
    return [quick, pytest.param(whole, marks=pytest.mark.slow)]


@pytest.mark.long
@pytest.mark.parametrize("rounds", rounds(10**6, 10**8))
@pytest.mark.parametrize("sheet", IDS)
def test_one_seat(sheet: str, rounds: int) -> None:
    assert_agrees(judged(alone(sheet), rounds), 1)


@pytest.mark.slow_cases("louisiana-stud/standard-500000")
@pytest.mark.long
@pytest.mark.parametrize("rounds", rounds(5 * 10**5, 10**7))
@pytest.mark.parametrize("sheet", IDS)
def test_six_seats(sheet: str, rounds: int) -> None:
    """Every side wager, and caps that bite; what seats share of a cap has no exact figure."""
    assert_agrees(judged(six(sheet), rounds), 6)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", IDS)
def test_a_thousand_million_rounds_of_one_seat(sheet: str) -> None:
    assert_agrees(judged(alone(sheet), 10**9), 1)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", IDS)
def test_a_thousand_million_rounds_of_six_seats(sheet: str) -> None:
    assert_agrees(judged(six(sheet), 10**9), 6)


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
    found = judged(odd(name), rounds)
    assert found.outcomes
    assert found.agrees


QUICK = [(OMS, "0.01"), (MHL, "0.5"), (LAS, "1"), (OMS, "1"), (MHL, "0.01")]
MISTAKES = [
    pytest.param(*one, marks=[] if one in QUICK else pytest.mark.slow)
    for one in product((OMS, MHL, LAS), ("0.01", "0.5", "1"))
]


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "rate"), MISTAKES)
def test_mistakes_come_as_often_as_asked(sheet: str, rate: str) -> None:
    found = judged(alone(sheet, f"best:{rate}"), 10**6)
    assert found.means
    assert found.agrees


@pytest.mark.long
@pytest.mark.parametrize("rounds", rounds(3 * 10**7, 10**8))
def test_a_strategy_costs_what_exact_says(rounds: int) -> None:
    """Rounds are the same for every strategy, so the difference is known better than either."""
    best, never = (run(alone(OMS, name), rounds).nets() for name in ("best", "never-3x"))
    exact = [expected(alone(OMS, name)) for name in ("best", "never-3x")]
    assert exact[0].mean is not None
    assert exact[1].mean is not None
    cost = exact[0].mean - exact[1].mean
    error = best.deviation / sqrt(rounds) * 2
    assert abs(float(best.mean - never.mean - cost)) < ERRORS_MAX * error
    assert cost > 0


@pytest.mark.long
def test_exact_nets_of_a_round_add_up() -> None:
    for asked in (
        alone(MHL),
        plan(bundled(MHL), side={"poker-bonus": Cents(5_00)}, seed=SEED),
        odd("one seat with a bonus on the board"),
        alone(OMS, "best:0.05"),
    ):
        found = expected(asked)
        assert found.nets is not None
        assert found.mean is not None
        assert sum(found.nets.values()) == pytest.approx(1, abs=1e-12)
        mean = sum(net * likely for net, likely in found.nets.items())
        assert float(mean) == pytest.approx(float(found.mean), rel=1e-9)
        by_wager = {row.wager for row in found.rows}
        for wager in by_wager:
            shares = [likely for row, likely in found.rows.items() if row.wager == wager]
            assert float(sum(shares)) == pytest.approx(1, abs=1e-12)
