"""The figures document: keys, types, and sums that must agree."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from tests.exact.figures_json import math_document
from tests.exact.plain_stud import PlainStud
from tests.random_sheets.sheets import document as written
from tests.random_sheets.sheets import street_stud_sheets
from tests.rules.random_rounds import known_sheets
from tests.sheets.samples import CMS, LAS, MHL, hi_lo, stud

from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet

FLOATS = (
    *("house_edge", "element_of_risk", "standard_deviation", "volatility_index"),
    *("win", "push", "lose", "hit_frequency"),
)
FRACTIONS = ("expected", "average_wager", "variance")


# Four cards against eight take long; so does counting all hands of five against a dealer's, and
# all boards. Other games cover the same code faster.
SLOW_SHEETS = (
    *("unusual/four-card-hi-lo", "classic/caribbean-stud", "classic/casino-holdem"),
    *("pennsylvania/four-card-poker", "pennsylvania/ultimate-texas-holdem"),
)
SLOWER_SHEETS = ("classic/casino-war", "pennsylvania/crazy-4-poker")
COUNTED = [
    pytest.param(sheet, marks=[pytest.mark.slow] * (sheet.id in (*SLOW_SHEETS[1:], *SLOWER_SHEETS)))
    for sheet in known_sheets()
]
CAPPED = [
    pytest.param(sheet, marks=[pytest.mark.slow] * (sheet.id in (*SLOW_SHEETS, *SLOWER_SHEETS)))
    for sheet in known_sheets()
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
def test_known_sheets_have_consistent_documents(sheet: Sheet) -> None:
    document = math_document(sheet)
    assert list(document["wagers"]) == ["main", *sheet.side]
    assert document["assumptions"] == {
        "ante": None,
        "limits": False,
        "seats": 1,
        "ties": "smallest bet",
        "play": "best",
    }
    assert_document_is_consistent(document, sheet)


@pytest.mark.slow_cases(
    "louisiana-stud/standard",
    "oceanfront/mississippi-stud",
    "pennsylvania/mississippi-stud",
    "pennsylvania/three-card-poker",
    "unusual/bets-withdrawn",
)
@pytest.mark.long
@pytest.mark.parametrize("sheet", CAPPED, ids=lambda sheet: sheet.id)
def test_known_sheets_with_caps_and_side_wagers(sheet: Sheet) -> None:
    ante = sheet.main_wager.max
    side = {wager: rule.stake.max for wager, rule in sheet.side.items()}
    document = math_document(sheet, ante=ante, side=side)
    assert document["assumptions"]["limits"] is True
    assert document["assumptions"]["ante"] == f"{ante // 100}.00"
    assert_document_is_consistent(document, sheet)
    if side:
        assert_figures_are_consistent(document["round"])
        assert set(document["assumptions"]["side"]) == set(side)
    else:
        assert "round" not in document


@pytest.mark.long
@settings(max_examples=10)
@given(street_stud_sheets())
def test_generated_sheets_have_consistent_documents(sheet: StreetStud) -> None:
    assert_document_is_consistent(math_document(sheet, wager="main"), sheet)
    assert_document_is_consistent(math_document(sheet, ante=sheet.ante.min, wager="main"), sheet)


def assert_document_is_consistent(document: dict[str, Any], sheet: Sheet) -> None:
    """Assert that a JSON document's numbers agree with each other."""
    assert json.loads(json.dumps(document)) == document
    assert document["sheet"] == sheet.id
    assert document["hash"] == digest(sheet)
    for name, figures in document["wagers"].items():
        assert_figures_are_consistent(figures)
        if name == "main" and isinstance(sheet, StreetStud):
            folds = [street.id for street in sheet.streets if street.fold]
            assert list(figures["fold_rate"]) == folds
            fold_share = sum(
                Fraction(outcome["probability"])
                for outcome in figures["outcomes"]
                if outcome["outcome"] == "fold"
            )
            assert sum(figures["fold_rate"].values()) == pytest.approx(float(fold_share))


def assert_figures_are_consistent(figures: dict[str, Any]) -> None:
    assert all(isinstance(figures[key], float) for key in FLOATS)
    mean, wager, variance = (Fraction(figures[key]) for key in FRACTIONS)
    outcomes = figures["outcomes"]
    shares = [Fraction(outcome["probability"]) for outcome in outcomes]
    nets = [Fraction(outcome["net"]) for outcome in outcomes]
    assert sum(shares) == 1
    assert sum(outcome["count"] for outcome in outcomes) == figures["rounds"]
    assert sum(Fraction(outcome["contribution"]) for outcome in outcomes) == mean
    assert sum(share * net for share, net in zip(shares, nets, strict=True)) == mean
    squares = sum(share * net**2 for share, net in zip(shares, nets, strict=True))
    assert squares - mean**2 == variance
    units = [Fraction(outcome["units"]) for outcome in outcomes]
    assert sum(share * unit for share, unit in zip(shares, units, strict=True)) == wager
    assert figures["house_edge"] == float(-mean)
    assert figures["element_of_risk"] == float(-mean / wager)
    assert figures["standard_deviation"] == pytest.approx(float(variance) ** 0.5, rel=1e-14)
    assert figures["win"] == figures["hit_frequency"]
    for result, sign in (("win", 1), ("push", 0), ("lose", -1)):
        share = sum(
            share_of_net
            for share_of_net, net in zip(shares, nets, strict=True)
            if (net > 0) - (net < 0) == sign
        )
        assert figures[result] == float(share)
    assert all(
        {"outcome", "units", "result", "net", "count"} <= set(outcome) for outcome in outcomes
    )
    assert nets == sorted(nets, reverse=True)


@pytest.mark.long
def test_fold_rates_equal_plain_counting() -> None:
    """First street: the starting hands that plain counting folds."""
    sheet = stud(CMS)
    rates = math_document(sheet)["wagers"]["main"]["fold_rate"]
    plain = PlainStud(written(sheet)).round()
    assert rates["flop"] == pytest.approx(412 / 1326)
    main = math_document(sheet)["wagers"]["main"]
    assert Fraction(main["expected"]) == plain.expected
    assert sum(rates.values()) == pytest.approx(
        sum(outcome["count"] for outcome in main["outcomes"] if outcome["outcome"] == "fold")
        / main["rounds"]
    )


def test_single_wager_document() -> None:
    document = math_document(stud(LAS), wager="stax")
    assert list(document["wagers"]) == ["stax"]


@pytest.mark.long
def test_side_wager_stake_applies_caps() -> None:
    sheet = hi_lo(MHL, ('pays_max = "25000"', 'pays_max = "5000"'))
    uncapped = math_document(sheet)["wagers"]["matchem-bonus"]
    small = math_document(sheet, ante=Cents(5_00))["wagers"]["matchem-bonus"]
    stakes = {"matchem-bonus": Cents(100_00)}
    large = math_document(sheet, ante=Cents(5_00), side=stakes)["wagers"]["matchem-bonus"]
    assert uncapped["expected"] == small["expected"]
    assert large["house_edge"] > uncapped["house_edge"]


@pytest.mark.long
def test_side_stakes_without_ante_are_per_dollar() -> None:
    document = math_document(stud(CMS), side={"three-card-bonus": Cents(2_00)})
    parts = [
        Fraction(document["wagers"][wager]["expected"]) for wager in ("main", "three-card-bonus")
    ]
    assert Fraction(document["round"]["expected"]) == parts[0] + 2 * parts[1]
