"""Bets that a bankroll covers: bankroll levels, and bets reduced to the chips left."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lanes import examples
from tests.random_sheets.sheets import street_stud_sheets
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, stud
from tests.simulation.plans import (
    SEED,
    SIDES,
    bundled_sheet,
    first_mismatch,
    single_seat_plan,
    unusual_sheet,
)

from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.sheet_figures import whole_round
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import settles_after_fold
from pitbook.simulation.compare_with_exact import expected_figures
from pitbook.simulation.plan import Plan, plan
from pitbook.simulation.prepare import prepare_job
from pitbook.simulation.replay import settle_round
from pitbook.simulation.sessions.session import levels, nets_of, unknown_reason


def level_minimums(simulation_plan: Plan) -> list[int]:
    return [level.least for level in levels(simulation_plan)]


def test_a_hand_needs_its_ante_its_side_wagers_and_the_smallest_bet_on_every_street() -> None:
    ten = plan(bundled_sheet(CMS), ante=Cents(10_00))
    assert level_minimums(ten) == [dollars * 100 for dollars in range(40, 110, 10)]
    sides = plan(bundled_sheet(CMS), ante=Cents(10_00), side={"three-card-bonus": Cents(5_00)})
    assert level_minimums(sides) == [dollars * 100 for dollars in range(45, 115, 10)]


def test_hi_lo_needs_its_bet_and_for_doubles_another() -> None:
    sides = {"matchem-bonus": Cents(5_00), "poker-bonus": Cents(5_00)}
    assert level_minimums(plan(bundled_sheet(MHL), ante=Cents(10_00), side=sides)) == [20_00, 30_00]
    assert level_minimums(plan(bundled_sheet(MHL), ante=Cents(10_00), strategy="never-double")) == [
        10_00,
        20_00,
    ]


def test_withdrawable_bets_need_only_the_ante() -> None:
    simulation_plan = plan(unusual_sheet("bets-withdrawn"))
    assert level_minimums(simulation_plan)[0] == simulation_plan.ante


@pytest.mark.parametrize(("strategy", "units"), [("always-2x", [7]), ("never-fold", range(4, 11))])
def test_bankroll_need_not_cover_bets_never_made(strategy: str, units: list[int]) -> None:
    simulation_plan = plan(bundled_sheet(CMS), ante=Cents(10_00), strategy=strategy)
    assert level_minimums(simulation_plan) == [10_00 * unit_count for unit_count in units]


@pytest.mark.long
@pytest.mark.parametrize("sheet", IDS)
def test_loss_never_exceeds_the_bankroll(sheet: str) -> None:
    for level in levels(single_seat_plan(sheet)):
        nets = nets_of(level.plan)
        assert min(nets) >= -level.least
        assert sum(nets.values()) == 1


def test_short_player_reaches_the_showdown_with_smaller_bets() -> None:
    """With five antes behind the first: 3x stays 3x, and 1x is kept for each later street."""
    simulation_plan = plan(bundled_sheet(CMS), ante=Cents(10_00), strategy="best")
    level = next(
        level_found for level_found in levels(simulation_plan) if level_found.least == 60_00
    )
    limited, unlimited = level.plan.strategy.base, simulation_plan.strategy.base
    assert isinstance(limited, LadderStrategy)
    assert isinstance(unlimited, LadderStrategy)
    assert limited.solution.streets[0][0,].plays == ("1x", "2x", "3x", "fold")
    assert limited.solution.streets[1][3,].plays == ("1x", "fold")
    assert limited.solution.streets[1][1,].plays == ("1x", "2x", "3x", "fold")
    assert limited.solution.streets[2][1 + 3,].plays == ("1x", "fold")
    assert {ending.count for ending in limited.endings if ending.kind is None} == {
        ending.count for ending in unlimited.endings if ending.kind is None and ending.street == 0
    } | {ending.count for ending in limited.endings if ending.street}
    assert all(sum(ending.purse) <= 5 for ending in limited.endings)


def test_richer_players_expect_to_lose_no_more() -> None:
    """Best play gains by its larger bets, so each additional ante has value."""
    means = [
        sum(net * probability for net, probability in nets_of(level.plan).items())
        for level in levels(plan(bundled_sheet(CMS), ante=Cents(10_00)))
    ]
    assert means == sorted(means)
    assert means[-1] == Fraction(-13924, 270725) * 1000  # The value of `pitbook math --ante 10`.


@pytest.mark.parametrize("sheet", IDS)
def test_full_play_nets_what_the_mathematics_says(sheet: str) -> None:
    simulation_plan = single_seat_plan(sheet)
    exact_figures = expected_figures(simulation_plan)
    assert nets_of(simulation_plan) == (exact_figures.nets if exact_figures.nets else None)


@pytest.mark.long
@pytest.mark.parametrize("sheet", [CMS, LAS, MHL])
def test_side_wagers_are_counted_on_the_same_cards(sheet: str) -> None:
    simulation_plan = plan(bundled_sheet(sheet), ante=Cents(10_00), side=SIDES[sheet])
    figures = whole_round(bundled_sheet(sheet), simulation_plan.ante, dict(simulation_plan.side))
    nets = nets_of(simulation_plan)
    assert (
        sum(net * probability for net, probability in nets.items())
        == figures.expected * simulation_plan.ante
    )


def test_a_side_wager_that_a_fold_loses_is_lost_by_every_fold() -> None:
    """Seats follow the strategy of the main game; the side wager does not change it."""
    sheet = stud(LAS, ("after_fold = { plays = true", "after_fold = { plays = false"))
    (lost_wager,) = (name for name, rule in sheet.side.items() if not settles_after_fold(rule))
    simulation_plan = plan(sheet, ante=Cents(10_00), side={lost_wager: Cents(5_00)})
    folds = sum(simulation_plan.strategy.base.fold_rates.values())  # type: ignore[union-attr]
    assert nets_of(simulation_plan)[-15_00] > 0
    first = simulation_plan.strategy.base.fold_rates["1st-raise"]  # type: ignore[union-attr]
    assert nets_of(simulation_plan)[-15_00] == first
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
def test_engine_settles_a_short_players_rounds_the_same(sheet: str, strategy: str) -> None:
    for level in levels(single_seat_plan(sheet, strategy)):
        assert first_mismatch(prepare_job(level.plan), 10**6, 10**6 + examples(30, 60)) == ""


@pytest.mark.long
def test_a_short_player_who_errs_makes_bets_that_he_can_cover() -> None:
    for level in levels(plan(bundled_sheet(CMS), strategy="best:0.9", seed=SEED)):
        for number in range(150):
            (hand,) = settle_round(level.plan, number).settlements
            assert sum(line.stake for line in hand.lines) <= level.least


@pytest.mark.long
@settings(max_examples=examples(8, 50))
@given(street_stud_sheets(), st.sampled_from(["best", "best:0.5"]))
def test_short_player_never_overbets_on_generated_sheets(sheet: Sheet, strategy: str) -> None:
    all_levels = levels(plan(sheet, strategy=strategy, seed=SEED))
    for level in (all_levels[0], all_levels[len(all_levels) // 2]):
        for number in range(5):
            (hand,) = settle_round(level.plan, number).settlements
            assert sum(line.stake for line in hand.lines) <= level.least


def test_missing_exact_distribution_has_a_reason() -> None:
    simulation_plan = single_seat_plan(CMS)
    assert unknown_reason(simulation_plan) is None
    assert "mistakes" in str(unknown_reason(single_seat_plan(CMS, "best:0.1")))
    assert "a round limit shared by seats has no exact distribution" in str(
        unknown_reason(replace(simulation_plan, seats=2))
    )
    assert unknown_reason(replace(single_seat_plan(LAS), seats=2)) is None
