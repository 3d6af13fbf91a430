"""The mathematics as one document: keys, types, and sums that must come out."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from tests.exact.plain_stud import PlainStud
from tests.generated_sheets import document as written
from tests.generated_sheets import street_stud_sheets
from tests.rules.rounds.play import known_sheets
from tests.sheets.samples import CMS, LAS, MHL, hi_lo, stud

from pitbook.exact.sheet_figures import math_document
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet

FLOATS = (
    *("house_edge", "element_of_risk", "standard_deviation", "volatility_index"),
    *("win", "push", "lose", "hit_frequency"),
)
FRACTIONS = ("expected", "average_wager", "variance")


# A round of four cards against eight takes long, Match'em goes the same way; so does counting all
# hands of five against a dealer's, and all boards: three and four cards go the same way.
LONG = (
    *("unusual/four-card-hi-lo", "classic/caribbean-stud", "classic/casino-holdem"),
    *("pennsylvania/four-card-poker", "pennsylvania/ultimate-texas-holdem"),
)
SOME_TIME = ("classic/casino-war", "pennsylvania/crazy-4-poker")
COUNTED = [
    pytest.param(one, marks=[pytest.mark.slow] * (one.id in (*LONG[1:], *SOME_TIME)))
    for one in known_sheets()
]
CAPPED = [
    pytest.param(one, marks=[pytest.mark.slow] * (one.id in (*LONG, *SOME_TIME)))
    for one in known_sheets()
]


@pytest.mark.slow_cases(
    "louisiana-stud/standard",
    "oceanfront/mississippi-stud",
    "pennsylvania/mississippi-stud",
    "pennsylvania/three-card-poker",
    "unusual/bets-withdrawn",
    "unusual/four-card-hi-lo",
)
@pytest.mark.parametrize("sheet", COUNTED, ids=lambda sheet: sheet.id)
def test_every_known_sheet_keeps_the_contract(sheet: Sheet) -> None:
    found = math_document(sheet)
    assert list(found["wagers"]) == ["main", *sheet.side]
    assert found["assumptions"] == {
        "ante": None,
        "limits": False,
        "seats": 1,
        "ties": "smallest bet",
        "play": "best",
    }
    checked(found, sheet)


@pytest.mark.slow_cases(
    "louisiana-stud/standard",
    "oceanfront/mississippi-stud",
    "pennsylvania/mississippi-stud",
    "pennsylvania/three-card-poker",
    "unusual/bets-withdrawn",
)
@pytest.mark.long
@pytest.mark.parametrize("sheet", CAPPED, ids=lambda sheet: sheet.id)
def test_every_known_sheet_with_caps_and_side_wagers(sheet: Sheet) -> None:
    ante = sheet.main_wager.max
    side = {wager: rule.stake.max for wager, rule in sheet.side.items()}
    found = math_document(sheet, ante=ante, side=side)
    assert found["assumptions"]["limits"] is True
    assert found["assumptions"]["ante"] == f"{ante // 100}.00"
    checked(found, sheet)
    if side:
        consistent(found["round"])
        assert set(found["assumptions"]["side"]) == set(side)
    else:
        assert "round" not in found


@pytest.mark.long
@settings(max_examples=10)
@given(street_stud_sheets())
def test_generated_sheets_keep_the_contract(sheet: StreetStud) -> None:
    checked(math_document(sheet, wager="main"), sheet)
    checked(math_document(sheet, ante=sheet.ante.min, wager="main"), sheet)


def checked(found: dict[str, Any], sheet: Sheet) -> None:
    """One JSON document, whose numbers agree with each other."""
    assert json.loads(json.dumps(found)) == found
    assert found["sheet"] == sheet.id
    assert found["hash"] == digest(sheet)
    for name, figures in found["wagers"].items():
        consistent(figures)
        if name == "main" and isinstance(sheet, StreetStud):
            folds = [street.id for street in sheet.streets if street.fold]
            assert list(figures["fold_rate"]) == folds
            folded = sum(
                Fraction(one["probability"])
                for one in figures["outcomes"]
                if one["outcome"] == "fold"
            )
            assert sum(figures["fold_rate"].values()) == pytest.approx(float(folded))


def consistent(figures: dict[str, Any]) -> None:
    assert all(isinstance(figures[key], float) for key in FLOATS)
    mean, wager, variance = (Fraction(figures[key]) for key in FRACTIONS)
    outcomes = figures["outcomes"]
    shares = [Fraction(one["probability"]) for one in outcomes]
    nets = [Fraction(one["net"]) for one in outcomes]
    assert sum(shares) == 1
    assert sum(one["count"] for one in outcomes) == figures["rounds"]
    assert sum(Fraction(one["contribution"]) for one in outcomes) == mean
    assert sum(share * net for share, net in zip(shares, nets, strict=True)) == mean
    squares = sum(share * net**2 for share, net in zip(shares, nets, strict=True))
    assert squares - mean**2 == variance
    units = [Fraction(one["units"]) for one in outcomes]
    assert sum(share * unit for share, unit in zip(shares, units, strict=True)) == wager
    assert figures["house_edge"] == float(-mean)
    assert figures["element_of_risk"] == float(-mean / wager)
    assert figures["standard_deviation"] == pytest.approx(float(variance) ** 0.5, rel=1e-14)
    assert figures["win"] == figures["hit_frequency"]
    for result, sign in (("win", 1), ("push", 0), ("lose", -1)):
        share = sum(s for s, net in zip(shares, nets, strict=True) if (net > 0) - (net < 0) == sign)
        assert figures[result] == float(share)
    assert all({"outcome", "units", "result", "net", "count"} <= set(one) for one in outcomes)
    assert nets == sorted(nets, reverse=True)


@pytest.mark.long
def test_fold_rates_against_every_board() -> None:
    """First street: the starting hands that plain counting folds."""
    sheet = stud(CMS)
    rates = math_document(sheet)["wagers"]["main"]["fold_rate"]
    plain = PlainStud(written(sheet)).round()
    assert rates["flop"] == pytest.approx(412 / 1326)
    main = math_document(sheet)["wagers"]["main"]
    assert Fraction(main["expected"]) == plain.expected
    assert sum(rates.values()) == pytest.approx(
        sum(one["count"] for one in main["outcomes"] if one["outcome"] == "fold") / main["rounds"]
    )


def test_one_wager_alone() -> None:
    found = math_document(stud(LAS), wager="stax")
    assert list(found["wagers"]) == ["stax"]


@pytest.mark.long
def test_a_stake_brings_the_caps_to_a_side_wager() -> None:
    sheet = hi_lo(MHL, ('pays_max = "25000"', 'pays_max = "5000"'))
    free = math_document(sheet)["wagers"]["matchem-bonus"]
    small = math_document(sheet, ante=Cents(5_00))["wagers"]["matchem-bonus"]
    stakes = {"matchem-bonus": Cents(100_00)}
    large = math_document(sheet, ante=Cents(5_00), side=stakes)["wagers"]["matchem-bonus"]
    assert free["expected"] == small["expected"]
    assert large["house_edge"] > free["house_edge"]


@pytest.mark.long
def test_side_stakes_beside_one_dollar_need_no_ante() -> None:
    found = math_document(stud(CMS), side={"three-card-bonus": Cents(2_00)})
    parts = [Fraction(found["wagers"][wager]["expected"]) for wager in ("main", "three-card-bonus")]
    assert Fraction(found["round"]["expected"]) == parts[0] + 2 * parts[1]
