"""Let It Ride simulated: as the engine settles it, as theory expects it, for what it takes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lanes import examples, spread
from tests.sheets.samples import LIR, stud
from tests.simulate.plans import SEED, laid, mismatch
from tests.simulate.test_against_exact import assert_agrees, judged

from pitbook.money import Cents
from pitbook.simulate.plan import Plan, plan
from pitbook.simulate.sessions.levels import levels


def spread_pairs(*pairs: tuple[str, int]) -> list[Any]:
    """The first stays in `make test`."""
    return spread([pytest.param(*one) for one in pairs], 1)


def ridden(strategy: str = "best", seats: int = 1, **side: Cents) -> Plan:
    stakes = {name.replace("_", "-"): stake for name, stake in side.items()}
    return plan(stud(LIR), ante=Cents(1000), side=stakes, seats=seats, strategy=strategy, seed=SEED)


@pytest.mark.parametrize(
    ("strategy", "seats"),
    spread_pairs(("best:0.2", 2), ("best", 1), ("best", 6), ("always-ride", 1)),
)
def test_every_round_is_what_the_engine_settles(strategy: str, seats: int) -> None:
    made = laid(ridden(strategy, seats, three_card_bonus=Cents(500)))
    assert mismatch(made, 0, examples(120, 600)) == ""


@pytest.mark.parametrize(
    ("strategy", "seats"), spread_pairs(("best", 1), ("best", 6), ("best:0.1", 1))
)
def test_play_confirms_theory(strategy: str, seats: int) -> None:
    assert_agrees(judged(ridden(strategy, seats), examples(10**6, 10**8)), seats)


def test_a_round_takes_three_bets_and_no_dollar_more() -> None:
    one = ridden()
    assert [(level.least, level.plan) for level in levels(one)] == [(3000, one)]
    beside = ridden(three_card_bonus=Cents(500))
    assert [level.least for level in levels(beside)] == [3500]
