"""Games of chance: each bet, raise and re-raise alone against the limit, or a derived sheet."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.nights.kit import CMS, MHL, OMS, RULES, Evening

from pitbook import load
from pitbook.house.nights import commands as do
from pitbook.house.nights.house_rules import HouseRules
from pitbook.house.nights.sheets import DerivedSheet, derive, limit_violations
from pitbook.house.nights.store import Accepted
from pitbook.house.table.limits import limits_of
from pitbook.house.table.stored_sheets import dump_sheet, game_of
from pitbook.money import dollars
from pitbook.rules.refusals import Code, Refusal
from pitbook.sheets.field_types import choice
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet

LAS = load("louisiana-stud/standard")
STAX = load("louisiana-stud/stax-required")


def with_ante_max(most: str) -> Sheet:
    """Oceanfront's game with another maximum ante, in one-cent increments."""
    stake = OMS.main_wager.model_copy(update={"max": dollars(most), "step": dollars("0.01")})
    return OMS.model_copy(update={"ante": stake, "single_bet_max": None})


def rules_counting(how: str) -> HouseRules:
    bets = RULES.bets
    chance = bets.chance.model_copy(update={"counts": choice(how, "OMS-8")})
    return RULES.model_copy(update={"bets": bets.model_copy(update={"chance": chance})})


@pytest.mark.parametrize(("most", "count"), [("3.99", 0), ("4", 0), ("4.01", 4)])
def test_ante_and_each_piece_of_a_street_count_separately(most: str, count: int) -> None:
    violations = limit_violations(with_ante_max(most), RULES)
    assert len(violations) == count  # The ante, and the bets of three streets.
    if violations:
        assert "the Ante can reach $4.01" in violations[0].message
        assert [violation.clause for violation in violations] == [
            "OMS-10",
            "OMS-8",
            "OMS-8",
            "OMS-8",
        ]


@pytest.mark.parametrize(("most", "fine"), [("1.33", True), ("1.34", False)])
def test_house_that_counts_whole_circles_counts_raises_together(most: str, fine: bool) -> None:
    assert (limit_violations(with_ante_max(most), rules_counting("whole-circle")) == ()) == fine
    assert limit_violations(with_ante_max(most), RULES) == ()


def test_bet_without_pieces_is_one_bet() -> None:
    messages = [violation.message for violation in limit_violations(CMS, RULES)]
    assert any("each bet of Flop bet can reach $1,500" in message for message in messages), messages


@pytest.mark.parametrize("state", ["State of New Hampshire", "NH", "Any", "new hampshire"])
def test_state_name_spelling_does_not_matter(state: str) -> None:
    house = OMS.house.model_copy(update={"jurisdiction": state})
    assert limit_violations(OMS.model_copy(update={"house": house}), RULES) == ()


def test_bet_of_another_family_has_its_own_name() -> None:
    assert "the Bet can reach $500" in limit_violations(MHL, RULES)[0].message


@pytest.mark.parametrize("base", [CMS, MHL, LAS, STAX], ids=lambda sheet: sheet.id)
def test_derived_sheet_is_within_the_limits_and_has_its_own_hash(base: Sheet) -> None:
    assert limit_violations(base, RULES) != ()
    derived = derive(base, RULES)
    assert isinstance(derived, DerivedSheet)
    assert limit_violations(derived.sheet, RULES) == ()
    assert derived.base == digest(base) != digest(derived.sheet)
    assert {*derived.limits} == {*limits_of(base)}
    fields = {difference["field"] for difference in derived.differences}
    assert {"single_bet_max", "irregularities.interruption"} <= fields
    assert game_of(dump_sheet(derived.sheet)).sheet == derived.sheet  # As facts keep it.


def test_derived_limits_are_as_high_as_they_may_be() -> None:
    derived = derive(CMS, RULES)
    assert isinstance(derived, DerivedSheet)
    assert derived.limits["ante"] == {"min": "1.00", "max": "1.00", "step": "1.00"}
    assert derived.limits["three-card-bonus"] == {"min": "1.00", "max": "4.00", "step": "1.00"}
    pays = "main.pays"
    assert not any(difference["field"].startswith(pays) for difference in derived.differences)


@pytest.mark.parametrize(("most", "fine"), [("3", True), ("4", True), ("5", False)])
def test_requested_limits_must_be_within_the_houses_limits(most: str, fine: bool) -> None:
    derived = derive(MHL, RULES, {"bet": {"min": "2", "max": most}})
    assert isinstance(derived, DerivedSheet) == fine
    if isinstance(derived, Refusal):
        assert "the Bet can reach $5" in derived.message


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"ant": {"max": "4"}}, 'Did you mean "ante"'),
        ({"ante": {"max": "x"}}, "is not an amount"),
        ({"ante": {"min": "3", "max": "2"}}, "These limits conflict"),
    ],
)
def test_invalid_limits_are_refused(limits: dict[str, Any], message: str) -> None:
    refusal = derive(OMS, RULES, limits)
    assert isinstance(refusal, Refusal)
    assert message in refusal.message


def test_sheet_with_a_minimum_above_the_limit_cannot_be_derived() -> None:
    stake = CMS.main_wager.model_copy(update={"step": dollars("5")})
    refusal = derive(CMS.model_copy(update={"ante": stake}), RULES)
    assert isinstance(refusal, Refusal)
    assert "The minimum ante already means a bet of $15, above the $4 limit." in refusal.message


def test_table_on_a_sheet_within_the_limits_keeps_the_sheet(evening: Evening) -> None:
    assert isinstance(evening.admit(), Accepted)
    table = evening.state.tables["stud-1"]
    assert not table.is_derived
    assert (table.base, table.differences) == (digest(OMS), ())


def test_table_on_another_sheet_is_refused_with_the_limit_or_derived(evening: Evening) -> None:
    command = do.AdmitTable("stud-2", dump_sheet(CMS))
    refusal = evening.no(command)
    assert (refusal.code, refusal.clause) == (Code.ABOVE_MAXIMUM, "OMS-10")
    assert "The limit at Oceanfront Gaming, Inc. is $4 per bet" in refusal.message
    assert "rules adjusted to the event limits" in refusal.message
    evening.must(command._replace(derived=True))
    table = evening.state.tables["stud-2"]
    assert table.is_derived
    assert table.base == digest(CMS)
    assert limit_violations(game_of(table.sheet).sheet, RULES) == ()


def test_sheet_with_another_rule_for_power_cuts_is_refused_too(evening: Evening) -> None:
    irregularities = OMS.irregularities.model_copy(
        update={"interruption": choice("resume", "GEN-15")}
    )
    refusal = evening.admit("stud-3", OMS.model_copy(update={"irregularities": irregularities}))
    assert isinstance(refusal, Refusal)
    assert refusal.clause == "OMS-16"


def test_table_names_and_sheets_are_checked(evening: Evening) -> None:
    evening.admit()
    assert "already" in evening.no(do.AdmitTable("stud-1", dump_sheet(OMS))).message
    assert (
        "is not a valid table name" in evening.no(do.AdmitTable("Stud 1", dump_sheet(OMS))).message
    )
    altered = {**dump_sheet(OMS), "hash": "0" * 64}
    assert "hash" in evening.no(do.AdmitTable("stud-4", altered)).message
