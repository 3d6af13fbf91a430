"""What a bankroll can pay for: levels, and bets that are cut to what is left."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.generated_sheets import street_stud_sheets
from tests.lanes import examples
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, stud
from tests.simulate.plans import SEED, SIDES, alone, bundled, mismatch, unusual

from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.sheet_figures import whole_round
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import settles_after_fold
from pitbook.simulate.expected import expected
from pitbook.simulate.plan import Plan, plan
from pitbook.simulate.prepare import ready
from pitbook.simulate.replay import settled
from pitbook.simulate.sessions.levels import levels
from pitbook.simulate.sessions.session import nets_of, why_not


def leasts(asked: Plan) -> list[int]:
    return [level.least for level in levels(asked)]


def test_a_hand_needs_its_ante_its_side_wagers_and_the_smallest_bet_on_every_street() -> None:
    ten = plan(bundled(CMS), ante=Cents(10_00))
    assert leasts(ten) == [dollars * 100 for dollars in range(40, 110, 10)]
    sides = plan(bundled(CMS), ante=Cents(10_00), side={"three-card-bonus": Cents(5_00)})
    assert leasts(sides) == [dollars * 100 for dollars in range(45, 115, 10)]


def test_hi_lo_needs_its_bet_and_for_doubles_another() -> None:
    sides = {"matchem-bonus": Cents(5_00), "poker-bonus": Cents(5_00)}
    assert leasts(plan(bundled(MHL), ante=Cents(10_00), side=sides)) == [20_00, 30_00]
    assert leasts(plan(bundled(MHL), ante=Cents(10_00), strategy="never-double")) == [10_00, 20_00]


def test_who_may_take_bets_back_needs_the_ante_alone() -> None:
    asked = plan(unusual("bets-withdrawn"))
    assert leasts(asked)[0] == asked.ante


@pytest.mark.parametrize(("strategy", "units"), [("always-2x", [7]), ("never-fold", range(4, 11))])
def test_what_a_strategy_never_bets_need_not_be_there(strategy: str, units: list[int]) -> None:
    asked = plan(bundled(CMS), ante=Cents(10_00), strategy=strategy)
    assert leasts(asked) == [10_00 * one for one in units]


@pytest.mark.long
@pytest.mark.parametrize("sheet", IDS)
def test_nobody_loses_more_than_he_has(sheet: str) -> None:
    for level in levels(alone(sheet)):
        nets = nets_of(level.plan)
        assert min(nets) >= -level.least
        assert sum(nets.values()) == 1


def test_a_short_player_bets_as_far_as_it_goes_and_comes_to_the_showdown() -> None:
    """With five antes behind the first: 3x is 3x, and 1x is kept for each street to come."""
    asked = plan(bundled(CMS), ante=Cents(10_00), strategy="best")
    level = next(one for one in levels(asked) if one.least == 60_00)
    cut, whole = level.plan.strategy.followed, asked.strategy.followed
    assert isinstance(cut, LadderStrategy)
    assert isinstance(whole, LadderStrategy)
    assert cut.solution.streets[0][0,].plays == ("1x", "2x", "3x", "fold")
    assert cut.solution.streets[1][3,].plays == ("1x", "fold")
    assert cut.solution.streets[1][1,].plays == ("1x", "2x", "3x", "fold")
    assert cut.solution.streets[2][1 + 3,].plays == ("1x", "fold")
    assert {one.count for one in cut.endings if one.kind is None} == {
        one.count for one in whole.endings if one.kind is None and one.street == 0
    } | {one.count for one in cut.endings if one.street}
    assert all(sum(one.purse) <= 5 for one in cut.endings)


def test_richer_players_expect_to_lose_no_more() -> None:
    """Best play wins money by its larger bets, so each ante more to bet with is worth something."""
    means = [
        sum(net * likely for net, likely in nets_of(level.plan).items())
        for level in levels(plan(bundled(CMS), ante=Cents(10_00)))
    ]
    assert means == sorted(means)
    assert means[-1] == Fraction(-13924, 270725) * 1000  # As `pitbook math --ante 10` has it.


@pytest.mark.parametrize("sheet", IDS)
def test_full_play_nets_what_the_mathematics_says(sheet: str) -> None:
    asked = alone(sheet)
    found = expected(asked)
    assert nets_of(asked) == (found.nets if found.nets else None)


@pytest.mark.long
@pytest.mark.parametrize("sheet", [CMS, LAS, MHL])
def test_side_wagers_are_counted_on_the_same_cards(sheet: str) -> None:
    asked = plan(bundled(sheet), ante=Cents(10_00), side=SIDES[sheet])
    figures = whole_round(bundled(sheet), asked.ante, dict(asked.side))
    nets = nets_of(asked)
    assert sum(net * likely for net, likely in nets.items()) == figures.expected * asked.ante


def test_a_side_wager_that_a_fold_loses_is_lost_by_every_fold() -> None:
    """The strategy of the main game is followed; the wager does not bend it."""
    sheet = stud(LAS, ("after_fold = { plays = true", "after_fold = { plays = false"))
    (lost,) = (name for name, rule in sheet.side.items() if not settles_after_fold(rule))
    asked = plan(sheet, ante=Cents(10_00), side={lost: Cents(5_00)})
    folds = sum(asked.strategy.followed.fold_rates.values())  # type: ignore[union-attr]
    assert nets_of(asked)[-15_00] > 0
    first = asked.strategy.followed.fold_rates["1st-raise"]  # type: ignore[union-attr]
    assert nets_of(asked)[-15_00] == first
    assert 0 < first < folds


@pytest.mark.slow_cases(
    "best-catfish-bend/mississippi-stud",
    "best-oceanfront/mississippi-stud",
    "best:0.2-catfish-bend/matchem-hi-lo",
    "best:0.2-oceanfront/mississippi-stud",
)
@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("sheet", [CMS, MHL, OMS])
@pytest.mark.parametrize("strategy", ["best", "best:0.2"])
def test_the_engine_settles_a_short_player_s_rounds_alike(sheet: str, strategy: str) -> None:
    for level in levels(alone(sheet, strategy)):
        assert mismatch(ready(level.plan), 10**6, 10**6 + examples(30, 60)) == ""


@pytest.mark.long
def test_a_short_player_who_errs_makes_bets_that_he_can_cover() -> None:
    for level in levels(plan(bundled(CMS), strategy="best:0.9", seed=SEED)):
        for number in range(150):
            (hand,) = settled(level.plan, number).settlements
            assert sum(line.stake for line in hand.lines) <= level.least


@pytest.mark.long
@settings(max_examples=examples(8, 50))
@given(street_stud_sheets(), st.sampled_from(["best", "best:0.5"]))
def test_so_it_is_whatever_a_house_writes(sheet: Sheet, strategy: str) -> None:
    every = levels(plan(sheet, strategy=strategy, seed=SEED))
    for level in (every[0], every[len(every) // 2]):
        for number in range(5):
            (hand,) = settled(level.plan, number).settlements
            assert sum(line.stake for line in hand.lines) <= level.least


def test_what_has_no_exact_distribution_says_why() -> None:
    asked = alone(CMS)
    assert why_not(asked) is None
    assert "mistakes" in str(why_not(alone(CMS, "best:0.1")))
    assert "several seats share" in str(why_not(replace(asked, seats=2)))
    assert why_not(replace(alone(LAS), seats=2)) is None
