"""One person, however the name is written: limits, wallets and exclusions add up (OMS-12)."""

from __future__ import annotations

import pytest
from tests.nights.kit import Evening
from tests.nights.tournament.evening import schedule

from pitbook.engine.refusals import Refusal
from pitbook.nights.tournament import commands as floor

T = "gala.t1"
CYRILLIC = "zоe"  # The middle letter is none of ours.
WHOLLY = "сосо"  # All of it Cyrillic, and it reads as coco.


@pytest.fixture(name="t1")
def a_tournament(evening: Evening) -> Evening:
    """A buy-in of $100 under a limit of $150."""
    costs = {"costs": "100", "fee": "10", "chips": "1000"}
    evening.must(floor.SetUp(T, schedule(buy_in=costs)))
    return evening


@pytest.mark.parametrize("again", ["Zoe", "ZOE", "zoe", "ｚｏｅ", "z\u1d52e"])
def test_oms_12_one_person_spends_150_however_the_name_is_written(t1: Evening, again: str) -> None:
    t1.must(floor.Enter(T, "zoe"))
    said = t1.ask(floor.Enter(T, again))
    spent = sum(one.spent for one in t1.state.tournaments[T].players.values())
    assert isinstance(said, Refusal), f"zoe and {again} spent ${spent / 100:.0f}"
    assert said.message == "zoe has entered gala.t1 already"
