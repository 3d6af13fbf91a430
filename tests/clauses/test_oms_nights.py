"""OMS-10 and OMS-17 to OMS-20: house rules of Oceanfront Gaming for event nights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.nights.kit import CMS, DAY, OMS, RULES, Evening, make_command
from tests.house.nights.tournament.step_lines import schedule

from pitbook.house.nights import commands as do
from pitbook.house.nights.house_rules import house_path, parse_rules
from pitbook.house.nights.sheets import DerivedSheet, derive, level_sheet, limit_violations
from pitbook.house.nights.statement import (
    notice_lines,
    receipt_text,
    statement_page,
    statement_text,
)
from pitbook.house.nights.store import Night
from pitbook.house.nights.views import night_view
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import dollars
from pitbook.rules.refusals import Code, Refusal
from pitbook.sheets.field_types import choice
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    night_table = Evening(tmp_path)
    yield night_table
    night_table.close()


def sheet_with_ante_max(most: str) -> Sheet:
    """Oceanfront's game with another maximum ante, in increments of a cent."""
    stake = OMS.main_wager.model_copy(update={"max": dollars(most), "step": dollars("0.01")})
    return OMS.model_copy(update={"ante": stake, "single_bet_max": None})


@pytest.mark.parametrize(("ante", "allowed"), [("3.99", True), ("4", True), ("4.01", False)])
def test_oms_8_and_10_each_bet_raise_and_re_raise_counts_alone(ante: str, allowed: bool) -> None:
    sheet = sheet_with_ante_max(ante)
    assert max(3 * sheet.main_wager.max, 401) > 400  # A circle may hold three of them.
    refusals = limit_violations(sheet, RULES)
    assert [refusal.clause for refusal in refusals] == (
        [] if allowed else ["OMS-10", "OMS-8", "OMS-8", "OMS-8"]
    )
    assert {refusal.code for refusal in refusals} <= {Code.ABOVE_MAXIMUM}


@pytest.mark.parametrize("kind", ["hourly", "multi-table"])
def test_oms_10_tournaments_have_no_bet_limit_in_chips_of_no_value(kind: str) -> None:
    level = {"minutes": 20, "limits": {"ante": {"min": "25", "max": "1000000"}}}
    sheet = level_sheet(OMS, schedule(kind=kind, levels=[level]), 1, RULES)
    assert not isinstance(sheet, Refusal)
    assert (sheet.main_wager.max, sheet.single_bet_max) == (100_000_000, None)
    assert sheet.house.chips.clause == "OMS-10"


def test_oms_10_no_live_poker_is_dealt_and_a_limit_for_it_is_refused() -> None:
    assert RULES.bets.live_poker is None
    limit = 'clause = "OMS-10"\ncounts = { is = "each-bet", clause = "OMS-10" }\n'
    text = house_path("oceanfront").read_text(encoding="utf-8")
    text += f'\n[bets.live-poker]\nbet_max = "4"\nraises_max = 3\n{limit}'
    (finding,) = parse_rules(text, "house.toml").findings
    assert "Pitbook does not deal live poker, so it cannot enforce this" in finding.message
    assert (finding.level, finding.clause) == ("error", "OMS-10")


def test_oms_10_a_sheet_above_the_limit_is_refused_or_derived(evening: Evening) -> None:
    command = do.AdmitTable("stud-2", dump_sheet(CMS))
    refusal = evening.no(command)
    assert "is $4 per bet" in refusal.message
    assert refusal.clause == "OMS-10"
    evening.must(command._replace(derived=True))
    table, derived = evening.state.tables["stud-2"], derive(CMS, RULES)
    assert isinstance(derived, DerivedSheet)
    assert (table.base, table.sheet["hash"]) == (digest(CMS), digest(derived.sheet))
    assert {"ante.max", "single_bet_max"} & {
        difference["field"] for difference in table.differences
    }
    flat, house = derived.sheet.single_bet_max, derived.sheet.house
    assert flat is not None
    assert (flat.value, flat.clause) == (400, "OMS-10")
    assert (house.venue, house.jurisdiction) == ("Oceanfront Gaming, Inc.", "New Hampshire")
    assert (house.chips.values, house.chips.clause) == ((100, 200, 300, 400), "OMS-18")


def test_oms_16_a_sheet_that_resumes_after_an_interruption_is_refused(evening: Evening) -> None:
    irregularities = OMS.irregularities.model_copy(
        update={"interruption": choice("resume", "GEN-15")}
    )
    refusal = evening.admit("stud-3", OMS.model_copy(update={"irregularities": irregularities}))
    assert isinstance(refusal, Refusal)
    assert refusal.clause == "OMS-16"
    assert (
        'treats an interrupted hand as "resume". Oceanfront Gaming, Inc. treats it as '
        '"agree-or-dead"' in refusal.message
    )


def test_oms_17_chips_are_redeemed_at_face_value_until_the_event_closes(evening: Evening) -> None:
    evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": 500})  # Chips that were won are worth as much as bought ones.
    evening.must(do.BringFloat(dollars("10")))
    evening.redeem("ann", "23")
    evening.later(hours=6)  # The gaming date continues past midnight.
    evening.redeem("ann", "1")
    evening.retire("stud-1")
    evening.must(do.Close())
    refusal = evening.no(do.Redeem("ann", dollars("0.01")))
    assert (refusal.code, refusal.clause) == (Code.OVER, "OMS-17")
    assert f"valid on {DAY} only" in refusal.message


def test_oms_17_the_day_ends_at_the_hour_of_the_house_file(evening: Evening) -> None:
    evening.sell("ann", "20")
    evening.later(hours=7, minutes=59)  # A minute to four.
    evening.redeem("ann", "4")
    evening.later(minutes=1)
    for command in (do.Redeem("ann", dollars("4")), do.Sell("ann", dollars("4"))):
        refusal = evening.no(command)
        assert (refusal.code, refusal.clause) == (Code.OVER, "OMS-17")
    assert isinstance(evening.admit(), Refusal)
    evening.must(do.Close())


def test_oms_19_an_event_on_a_past_date_is_refused(evening: Evening) -> None:
    night = Night(evening.ledger, "late", clock=lambda: evening.now)
    refusal = night.give(make_command(event="late", gaming_date="2026-11-20"), actor="kim")
    assert isinstance(refusal, Refusal)
    assert refusal.clause == "OMS-19"


def test_oms_17_games_of_chance_give_no_refunds(evening: Evening) -> None:
    number = evening.sell("ann", "20")
    slip = evening.state.slip(number)
    assert slip is not None
    assert "at face value (OMS-17). No refunds (OMS-17)." in receipt_text(evening.state, slip)
    evening.admit()
    evening.round("stud-1", {"ann": -1})
    # A played purchase cannot be voided.
    refusal = evening.no(do.Undo(number, "ann changed her mind"))
    assert (refusal.code, refusal.clause) == (Code.NOT_COVERED, "OMS-17")


def test_oms_18_chips_are_house_property_and_not_a_means_of_payment(evening: Evening) -> None:
    number = evening.sell("ann", "20")
    slip = evening.state.slip(number)
    assert slip is not None
    text = receipt_text(evening.state, slip)
    assert "property of Oceanfront Gaming, Inc. and may not be used as payment (OMS-18)." in text
    evening.redeem("ann", "5")
    kinds = {
        (transfer.debit.kind, transfer.credit.kind)
        for entry in evening.ledger.entries("night/gala")
        for transfer in entry.transfers
        if transfer.debit.unit == "event-chip:gala"
    }
    assert kinds == {("issued", "wallet"), ("wallet", "issued")}  # Only the cage.


@pytest.mark.parametrize(("amount", "allowed"), [("0.99", False), ("1", True), ("1.01", False)])
def test_oms_18_chips_of_one_to_four_dollars_are_sold(
    evening: Evening, amount: str, allowed: bool
) -> None:
    assert night_view(evening.ledger, evening.state)["values"] == ["1.00", "2.00", "3.00", "4.00"]
    command = do.Sell("ann", dollars(amount))
    if allowed:
        evening.must(command)
    else:
        refusal = evening.no(command)
        assert "cannot be sold in $1, $2, $3, $4 chips" in refusal.message
        assert refusal.clause == "OMS-18"


@pytest.mark.parametrize(("redeemed", "expired"), [("19", 100), ("20", 0)])
def test_oms_18_unredeemed_chips_expire_on_a_line_of_their_own(
    evening: Evening, redeemed: str, expired: int
) -> None:
    evening.sell("ann", "20")
    evening.redeem("ann", redeemed)
    evening.must(do.Close())
    closing = evening.statement()
    lines = {line.title: line for line in closing.lines()}
    assert (lines["Expired chips"].amount, lines["Expired chips"].clause) == (expired, "OMS-18")
    assert (
        closing.totals.expired == evening.ledger.balance(evening.state.accounts.expired) == expired
    )
    assert evening.chips("ann") == "0.00"


@pytest.mark.parametrize("missing", ["charity", "licence", "gaming_date"])
def test_oms_19_event_names_its_charity_license_and_date(evening: Evening, missing: str) -> None:
    answer = Night(evening.ledger, "other").give(
        make_command(event="other", **{missing: ""}), actor="kim"
    )
    assert isinstance(answer, Refusal)
    assert answer.clause == "OMS-19"


def test_oms_19_proceeds_are_the_charitys_and_the_event_closes_with_a_statement(
    evening: Evening,
) -> None:
    evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": -1_200})
    evening.redeem("ann", "8")
    evening.retire("stud-1")
    evening.must(do.Close())
    closing = evening.statement()
    assert closing.findings == ()
    assert closing.totals.proceeds == evening.ledger.balance(evening.state.accounts.cash) == 1_200
    for text in (statement_text(closing), statement_page(closing)):
        assert "Closing statement" in text
        assert "Net proceeds for Seacoast Shelter" in text
        assert "NH-2026-117" in text
        assert DAY in text
        assert "Casino: Oceanfront Gaming, Inc., New Hampshire" in text
    (proceeds,) = [
        closing_line
        for closing_line in closing.lines()
        if closing_line.title.startswith("Net proceeds")
    ]
    assert (proceeds.amount, proceeds.clause) == (1_200, "OMS-19")


def test_oms_20_regulator_and_governing_rule_are_posted(evening: Evening) -> None:
    posted = " ".join(notice_lines(RULES.notice))
    assert posted == (
        "For comments, concerns or questions, contact the New Hampshire Racing and Charitable "
        "Gaming Commission, 21 S. Fruit St., Ste 16, Concord, NH 03301-2428. The games are "
        "conducted in accordance with RSA 287-D, Part 1209, Games of Chance House Rules (OMS-20)."
    )
    assert posted in " ".join(statement_text(evening.statement()).split("\n"))
