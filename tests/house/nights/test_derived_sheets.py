"""A derived table uses the house's chips, venue and law; its base is recorded."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.nights.kit import CMS, MHL, OMS, RULES, Evening
from tests.house.nights.tournament.step_lines import schedule

from pitbook import load
from pitbook.house.nights import commands as do
from pitbook.house.nights import facts
from pitbook.house.nights.house_rules import HouseRules
from pitbook.house.nights.sheets import DerivedSheet, derive, level_sheet, limit_violations
from pitbook.house.nights.state import NightState, apply
from pitbook.house.nights.views import table_view
from pitbook.house.table.stored_sheets import dump_sheet, game_of
from pitbook.rules.refusals import Refusal
from pitbook.sheets.check import check
from pitbook.sheets.findings import errors
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import rule_texts

LAS, STAX = load("louisiana-stud/standard"), load("louisiana-stud/stax-required")
CHIPS = (100, 200, 300, 400)
HOUSE, STATE = "Oceanfront Gaming, Inc.", "New Hampshire"


def derive_sheet(base: Sheet, rules: HouseRules = RULES, **options: Any) -> Sheet:
    derived = derive(base, rules, **options)
    assert isinstance(derived, DerivedSheet), derived
    return derived.sheet


def with_chips(*values: int) -> HouseRules:
    chips = RULES.chips.model_copy(update={"values": values})
    return RULES.model_copy(update={"chips": chips})


@pytest.mark.parametrize("base", [CMS, MHL, LAS, STAX], ids=lambda sheet: sheet.id)
def test_derived_sheet_has_the_houses_chips_venue_and_law(base: Sheet) -> None:
    house = derive_sheet(base).house
    assert (house.venue, house.jurisdiction) == (HOUSE, STATE)
    assert (house.chips.values, house.chips.clause) == (CHIPS, "OMS-18")
    assert house.approval is None  # Iowa approved the base sheet, and not this one.


@pytest.mark.long
@pytest.mark.parametrize("base", [CMS, MHL, LAS, STAX], ids=lambda sheet: sheet.id)
def test_stakes_and_wins_are_payable_in_house_chips(base: Sheet) -> None:
    assert not errors(check(derive_sheet(base)))


def test_sheet_with_requested_limits_is_adopted_by_the_house() -> None:
    sheet = derive_sheet(OMS, limits={"ante": {"max": "3"}}, cut=False)
    assert (sheet.house.venue, sheet.house.jurisdiction) == (HOUSE, STATE)


def test_stakes_not_payable_in_house_chips_are_refused_with_the_clause() -> None:
    refusal = derive(CMS, with_chips(200, 400))
    assert isinstance(refusal, Refusal)
    assert "A wager of $1 cannot be made with the table's chips." in refusal.message
    assert refusal.clause == "OMS-18"


def test_rule_texts_of_a_derived_sheet_claim_no_other_venue_law_or_approval() -> None:
    rules_text = " ".join(text.sentence for text in rule_texts(derive_sheet(CMS)))
    assert f"the venue is {HOUSE}" in rules_text
    assert f"governed by the rules of {STATE}" in rules_text
    assert "the chips used at the table shall be $1, $2, $3 and $4" in rules_text
    for other in ("Catfish", "Iowa", "approved", "2018"):
        assert other not in rules_text
    derived = (
        "Derived from catfish-bend/mississippi-stud, as it is dealt by Oceanfront Gaming, Inc."
    )
    assert derive_sheet(CMS).source.note == derived


def test_effective_date_without_an_approval_is_kept() -> None:
    assert derive_sheet(OMS, limits={"ante": {"max": "3"}}, cut=False).effective == OMS.effective


def test_iowa_cap_rule_is_replaced_by_the_houses_limit() -> None:
    low = CMS.limits[0].model_copy(update={"pays_max": 1_000_000, "posted": False})
    base = CMS.model_copy(update={"limits": (low,)})
    assert {finding.code for finding in errors(check(base, thorough=False))} == {"iowa"}
    sheet = derive_sheet(base)
    assert not errors(check(sheet, thorough=False))
    assert sheet.single_bet_max is not None
    assert (sheet.single_bet_max.value, sheet.single_bet_max.clause) == (400, "OMS-10")


def test_derived_table_records_its_base_sheet_and_the_differences(evening: Evening) -> None:
    evening.must(do.AdmitTable("stud-2", dump_sheet(CMS), derived=True))
    table = evening.state.tables["stud-2"]
    assert table.base == digest(CMS)
    assert table.base_sheet is not None
    assert game_of(table.base_sheet).sheet == CMS
    assert evening.another().state.tables["stud-2"] == table  # Read again from the book.
    fields = {difference["field"] for difference in table.differences}
    assert {"house.venue", "house.jurisdiction", "house.chips.values"} <= fields
    view = table_view(table)
    assert view["sheet"]["venue"] == HOUSE
    assert view["base_sheet"] == {
        "id": CMS.id,
        "title": CMS.title,
        "hash": digest(CMS),
        "venue": "Catfish Bend Casino II",
    }
    assert "The two sheets are Catfish Bend Casino II and Oceanfront Gaming, Inc." in " ".join(
        view["differences"]
    )


def test_older_derived_table_has_only_the_base_hash() -> None:
    derived = derive(CMS, RULES)
    assert isinstance(derived, DerivedSheet)
    document = {
        "fact": "table-admitted",
        "table": "stud-2",
        "sheet": dump_sheet(derived.sheet),
        "base": digest(CMS),
        "limits": derived.limits,
        "differences": [],
    }
    table = apply(NightState(), facts.load(document)).tables["stud-2"]
    assert table.is_derived
    assert (table.base, table_view(table)["base_sheet"]) == (digest(CMS), None)


@pytest.mark.parametrize("kind", ["hourly", "multi-table"])
@pytest.mark.parametrize("base", [CMS, LAS], ids=lambda sheet: sheet.id)
def test_tournament_levels_use_the_houses_chips_without_value(base: Sheet, kind: str) -> None:
    sheet = level_sheet(base, schedule(kind=kind), 1, RULES)
    assert not isinstance(sheet, Refusal)
    house = sheet.house
    assert (house.venue, house.jurisdiction, house.approval) == (HOUSE, STATE, None)
    assert (house.chips.values, house.chips.clause) == ((100, 500, 2_500, 10_000), "OMS-10")
    assert sheet.source.note is not None
    assert f"Derived from {base.id}" in sheet.source.note


@pytest.mark.long
@pytest.mark.parametrize(
    ("changed", "message", "clause"),
    [
        ({"jurisdiction": "Iowa"}, "is written for Iowa", "OMS-20"),
        ({"chips": (100, 500)}, "uses $5 chips, which", "OMS-18"),
    ],
)
def test_another_houses_sheet_is_refused_or_derived(
    evening: Evening, changed: dict[str, Any], message: str, clause: str
) -> None:
    if values := changed.pop("chips", None):
        changed["chips"] = OMS.house.chips.model_copy(update={"values": values})
    other = OMS.model_copy(update={"house": OMS.house.model_copy(update=changed)})
    refusal = evening.no(do.AdmitTable("stud-3", dump_sheet(other)))
    assert message in refusal.message
    assert "You can open the table with rules adjusted to the event" in refusal.message
    assert refusal.clause == clause
    evening.must(do.AdmitTable("stud-3", dump_sheet(other), derived=True))
    assert limit_violations(game_of(evening.state.tables["stud-3"].sheet).sheet, RULES) == ()


def test_sheet_without_a_state_is_admitted_unchanged(evening: Evening) -> None:
    chips = OMS.house.chips.model_copy(update={"values": (100, 200)})
    house = OMS.house.model_copy(update={"jurisdiction": "any", "chips": chips})
    evening.must(do.AdmitTable("stud-3", dump_sheet(OMS.model_copy(update={"house": house}))))
    assert not evening.state.tables["stud-3"].is_derived


@pytest.mark.parametrize(("most", "fine"), [("4", True), ("5", False)])
def test_a_house_may_keep_its_limit_in_tournaments_too(most: str, fine: bool) -> None:
    bets = RULES.bets
    tournament_bets = bets.tournament.model_copy(update={"bet_limit": "as-chance"})
    rules = RULES.model_copy(
        update={"bets": bets.model_copy(update={"tournament": tournament_bets})}
    )
    level = {"minutes": 20, "limits": {"ante": {"min": "2", "max": most}}}
    sheet = level_sheet(OMS, schedule(levels=[level]), 1, rules)
    assert isinstance(sheet, Refusal) != fine
    if isinstance(sheet, Refusal):
        assert "The ante can be $5, above the single-bet maximum of $4" in sheet.message
        assert sheet.clause == "OMS-10"
