"""The verdict: what luck may do is let pass, and what it cannot do is caught."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb

import pytest
from tests.sheets.samples import CMS, LAS, MHL, OMS, hi_lo, sheet_of, stud, text_of
from tests.simulate.plans import SEED, alone, six, unusual

from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.money import Cents
from pitbook.simulate.check import (
    SIGNIFICANCE,
    check,
    chi_square_tail,
    count_tails,
    normal_tails,
    upper_gamma,
)
from pitbook.simulate.expected import expected
from pitbook.simulate.plan import Plan, plan
from pitbook.simulate.run import run
from pitbook.simulate.summary import Outcome
from pitbook.simulate.totals import Totals

ROUNDS = 10**6


@pytest.fixture(scope="module")
def played() -> Totals:
    return run(alone(CMS), ROUNDS)


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
def test_a_deliberately_wrong_sheet_is_caught(played: Totals, line: str, wrong: str) -> None:
    """The exact figures of another sheet: an outcome that pays otherwise cannot have come."""
    other = plan(stud(CMS, (line, wrong)), ante=played.ready.plan.ante, seed=SEED)
    found = check(played, expected(other))
    assert not found.agrees
    assert found.significance == 0
    assert [one for one in found.outcomes if one.z is None]


@pytest.mark.long
def test_a_wrong_ace_is_caught_by_the_counts() -> None:
    """The same lines, other odds of coming: the chi-square sees it."""
    high = hi_lo(MHL, ("in_high_hand = { A = 11 }", "in_high_hand = { A = 12 }"))
    found = check(run(alone(MHL), ROUNDS), expected(plan(high, ante=Cents(10_00), seed=SEED)))
    assert not found.agrees
    assert min(one.chance for one in found.tables) < 1e-6


def test_a_wrong_cap_is_caught_by_the_mean() -> None:
    totals = run(alone(OMS), 10**7)
    uncapped = stud(OMS, ('pays_max = "1000"', 'pays_max = "2"'))
    found = check(totals, expected(plan(uncapped, ante=Cents(4_00), seed=SEED)))
    assert not found.agrees
    assert abs(found.means[0].z or 0) > 10


def test_the_right_sheet_agrees_and_tells_everything_in_json(played: Totals) -> None:
    found = check(played)
    assert found.agrees
    assert found.significance >= SIGNIFICANCE
    document = json.loads(json.dumps(found.document(), allow_nan=False))
    assert document["verdict"] == "agrees"
    assert document["judgements"] == found.judgements == len(found.outcomes) + 2
    followed = alone(CMS).strategy.followed
    assert isinstance(followed, LadderStrategy)
    assert document["means"][0]["expected"] == pytest.approx(
        float(followed.expected) * alone(CMS).ante
    )
    assert {"wager", "outcome", "units", "count", "expected", "z"} <= set(document["outcomes"][0])


def test_every_seat_is_judged_and_the_board_only_once() -> None:
    found = check(run(six(CMS), 10**5))
    assert [one.seat for one in found.means] == [1, 2, 3, 4, 5, 6]
    wagers = [(one.seat, one.wager) for one in found.tables]
    assert wagers.count((1, "three-card-bonus")) == 1
    assert sum(wager == "three-card-bonus" for _, wager in wagers) == 1
    assert sum(wager == "main" for _, wager in wagers) == 6


def test_what_has_no_exact_figure_is_said_and_not_judged() -> None:
    capped = plan(unusual("three-hole-cards"), side={"trio": Cents(50_00)}, seed=SEED)
    found = check(run(capped, 10**5))
    assert found.means == ()
    assert found.unknown == {"mean": "side wagers share a cap with others"}
    assert found.agrees


def dying(wager: str) -> Plan:
    """Louisiana Stud where both side wagers are lost with a fold, and no card is tucked."""
    text = text_of(LAS).replace("after_fold = { plays = true", "after_fold = { plays = false")
    lines = [line for line in text.split("\n") if not line.startswith("tucks_under")]
    return plan(sheet_of("\n".join(lines)), side={wager: Cents(5_00)}, seed=SEED)


def test_a_side_wager_that_dies_with_a_fold_is_judged_where_it_looks_at_the_hand() -> None:
    found = check(run(dying("stax"), 10**6))
    folds = [
        one for one in found.outcomes if one.outcome == Outcome("stax", "fold", 1, "lose", None)
    ]
    assert folds[0].count > 10**5
    assert found.means
    assert found.agrees


def test_one_that_looks_at_the_board_alone_is_left_out() -> None:
    found = check(run(dying("three-up"), 10**5))
    assert list(found.unknown) == ["three-up"]
    assert {one.outcome.wager for one in found.outcomes} == {"main"}
    assert found.means == ()


# The laws of chance ------------------------------------------------------------------------------


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
    likely = [
        float(comb(rounds, n) * share**n * (1 - share) ** (rounds - n)) for n in range(rounds // 10)
    ]
    exact = min(1.0, 2 * min(sum(likely[: count + 1]), sum(likely[count:])))
    assert count_tails(count, 10.0, 0.005) == pytest.approx(exact, rel=0.25)


def test_a_common_count_is_judged_as_normal() -> None:
    assert count_tails(5_100, 5_000.0, 0.5) == pytest.approx(normal_tails(2.0), rel=1e-9)
