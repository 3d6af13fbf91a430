"""The theory check tolerates random deviations and detects systematic ones."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb

import pytest
from tests.sheets.samples import CMS, LAS, MHL, OMS, hi_lo, sheet_of, stud, text_of
from tests.simulation.plans import SEED, single_seat_plan, six_seat_plan, unusual_sheet

from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.money import Cents
from pitbook.simulation.compare_with_exact import (
    SIGNIFICANCE,
    check,
    chi_square_tail,
    count_tails,
    expected_figures,
    normal_tails,
    upper_gamma,
)
from pitbook.simulation.plan import Plan, plan
from pitbook.simulation.run import run
from pitbook.simulation.totals import Outcome, Totals

ROUNDS = 10**6


@pytest.fixture(scope="module")
def totals() -> Totals:
    return run(single_seat_plan(CMS), ROUNDS)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('royal-flush = "500:1"', 'royal-flush = "400:1"'),
        ('full-house = "10:1"', 'full-house = "11:1"'),
        ('pair-6-10 = "push"', 'pair-7-10 = "push"'),
        ('straight = "4:1"', 'straight = "5:1"'),
        ("bets = [1, 2, 3]", "bets = [1, 2]"),
    ],
)
def test_a_deliberately_wrong_sheet_is_caught(totals: Totals, line: str, wrong: str) -> None:
    """With the exact figures of another sheet, an outcome that pays differently is impossible."""
    other = plan(stud(CMS, (line, wrong)), ante=totals.ready.plan.ante, seed=SEED)
    theory_check = check(totals, expected_figures(other))
    assert not theory_check.agrees
    assert theory_check.significance == 0
    assert [outcome_test for outcome_test in theory_check.outcomes if outcome_test.z is None]


@pytest.mark.long
def test_a_wrong_ace_is_caught_by_the_counts() -> None:
    """The same lines with other probabilities: the chi-square detects it."""
    high = hi_lo(MHL, ("in_high_hand = { A = 11 }", "in_high_hand = { A = 12 }"))
    theory_check = check(
        run(single_seat_plan(MHL), ROUNDS),
        expected_figures(plan(high, ante=Cents(10_00), seed=SEED)),
    )
    assert not theory_check.agrees
    assert min(table_test.chance for table_test in theory_check.tables) < 1e-6


def test_a_wrong_cap_is_caught_by_the_mean() -> None:
    totals = run(single_seat_plan(OMS), 10**7)
    uncapped = stud(OMS, ('pays_max = "1000"', 'pays_max = "2"'))
    theory_check = check(totals, expected_figures(plan(uncapped, ante=Cents(4_00), seed=SEED)))
    assert not theory_check.agrees
    assert abs(theory_check.means[0].z or 0) > 10


def test_right_sheet_agrees_and_json_has_every_test(totals: Totals) -> None:
    theory_check = check(totals)
    assert theory_check.agrees
    assert theory_check.significance >= SIGNIFICANCE
    document = json.loads(json.dumps(theory_check.document(), allow_nan=False))
    assert document["verdict"] == "agrees"
    assert document["judgements"] == theory_check.comparisons == len(theory_check.outcomes) + 2
    base = single_seat_plan(CMS).strategy.base
    assert isinstance(base, LadderStrategy)
    assert document["means"][0]["expected"] == pytest.approx(
        float(base.expected) * single_seat_plan(CMS).ante
    )
    assert {"wager", "outcome", "units", "count", "expected", "z"} <= set(document["outcomes"][0])


def test_every_seat_is_judged_and_the_board_only_once() -> None:
    theory_check = check(run(six_seat_plan(CMS), 10**5))
    assert [mean_test.seat for mean_test in theory_check.means] == [1, 2, 3, 4, 5, 6]
    wagers = [(table_test.seat, table_test.wager) for table_test in theory_check.tables]
    assert wagers.count((1, "three-card-bonus")) == 1
    assert sum(wager == "three-card-bonus" for _, wager in wagers) == 1
    assert sum(wager == "main" for _, wager in wagers) == 6


def test_missing_exact_figure_is_reported_and_not_tested() -> None:
    capped = plan(unusual_sheet("three-hole-cards"), side={"trio": Cents(50_00)}, seed=SEED)
    theory_check = check(run(capped, 10**5))
    assert theory_check.means == ()
    assert theory_check.unknown == {"mean": "side wagers share a limit with other wagers"}
    assert theory_check.agrees


def plan_with_wager_lost_by_fold(wager: str) -> Plan:
    """Louisiana Stud in which a fold loses both side wagers."""
    text = text_of(LAS).replace("after_fold = { plays = true", "after_fold = { plays = false")
    lines = [line for line in text.split("\n") if not line.startswith("tucks_under")]
    return plan(sheet_of("\n".join(lines)), side={wager: Cents(5_00)}, seed=SEED)


def test_a_side_wager_that_dies_with_a_fold_is_judged_where_it_looks_at_the_hand() -> None:
    theory_check = check(run(plan_with_wager_lost_by_fold("stax"), 10**6))
    folds = [
        outcome_test
        for outcome_test in theory_check.outcomes
        if outcome_test.outcome == Outcome("stax", "fold", 1, "lose", None)
    ]
    assert folds[0].count > 10**5
    assert theory_check.means
    assert theory_check.agrees


def test_board_only_side_wager_is_left_out() -> None:
    theory_check = check(run(plan_with_wager_lost_by_fold("three-up"), 10**5))
    assert list(theory_check.unknown) == ["three-up"]
    assert {outcome_test.outcome.wager for outcome_test in theory_check.outcomes} == {"main"}
    assert theory_check.means == ()


# Probability functions ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (29.588298, 10, 0.001), (124.342113, 100, 0.05)],
)
def test_chi_square_tails_are_those_of_the_tables(
    statistic: float, freedom: int, chance: float
) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(chance, rel=1e-6)


def test_normal_tails_are_those_of_the_tables() -> None:
    assert normal_tails(1.959964) == pytest.approx(0.05, rel=1e-5)
    assert normal_tails(-3.290527) == pytest.approx(0.001, rel=1e-5)
    assert upper_gamma(2.5, 0) == 1


@pytest.mark.parametrize("count", [0, 1, 5, 10, 14, 30])
def test_tails_of_rare_counts_are_near_the_binomial_s(count: int) -> None:
    rounds, share = 2_000, Fraction(1, 200)
    probabilities = [
        float(comb(rounds, n) * share**n * (1 - share) ** (rounds - n)) for n in range(rounds // 10)
    ]
    exact = min(1.0, 2 * min(sum(probabilities[: count + 1]), sum(probabilities[count:])))
    assert count_tails(count, 10.0, 0.005) == pytest.approx(exact, rel=0.25)


def test_a_common_count_is_judged_as_normal() -> None:
    assert count_tails(5_100, 5_000.0, 0.5) == pytest.approx(normal_tails(2.0), rel=1e-9)
