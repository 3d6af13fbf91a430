"""Let It Ride simulated: settled as by the engine, with the expected mean and minimum bankroll."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lanes import examples, spread
from tests.sheets.samples import LIR, stud
from tests.simulation.plans import SEED, first_mismatch, prepare_cached
from tests.simulation.test_against_exact import assert_agrees, run_check

from pitbook.money import Cents
from pitbook.simulation.plan import Plan, plan
from pitbook.simulation.sessions.session import levels


def spread_pairs(*pairs: tuple[str, int]) -> list[Any]:
    """Only the first pair runs in `make test`."""
    return spread([pytest.param(*pair) for pair in pairs], 1)


def let_it_ride_plan(strategy: str = "best", seats: int = 1, **side: Cents) -> Plan:
    stakes = {name.replace("_", "-"): stake for name, stake in side.items()}
    return plan(stud(LIR), ante=Cents(1000), side=stakes, seats=seats, strategy=strategy, seed=SEED)


@pytest.mark.parametrize(
    ("strategy", "seats"),
    spread_pairs(("best:0.2", 2), ("best", 1), ("best", 6), ("always-ride", 1)),
)
def test_every_round_matches_the_engine(strategy: str, seats: int) -> None:
    ready_plan = prepare_cached(let_it_ride_plan(strategy, seats, three_card_bonus=Cents(500)))
    assert first_mismatch(ready_plan, 0, examples(120, 600)) == ""


@pytest.mark.parametrize(
    ("strategy", "seats"), spread_pairs(("best", 1), ("best", 6), ("best:0.1", 1))
)
def test_simulation_agrees_with_theory(strategy: str, seats: int) -> None:
    assert_agrees(run_check(let_it_ride_plan(strategy, seats), examples(10**6, 10**8)), seats)


def test_round_takes_exactly_three_bets() -> None:
    base_plan = let_it_ride_plan()
    assert [(level.least, level.plan) for level in levels(base_plan)] == [(3000, base_plan)]
    plan_with_bonus = let_it_ride_plan(three_card_bonus=Cents(500))
    assert [level.least for level in levels(plan_with_bonus)] == [3500]
