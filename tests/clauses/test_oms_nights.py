"""OMS-10 and OMS-17 to OMS-20: what Oceanfront Gaming's house rules ask of an event night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.nights.kit import CMS, DAY, OMS, RULES, Evening, making
from tests.house.nights.tournament.evening import schedule

from pitbook.house.nights import commands as do
from pitbook.house.nights.house_rules import examined, find
from pitbook.house.nights.sheets import Derived, departures, derive, level_sheet
from pitbook.house.nights.statement import (
    notice_lines,
    receipt_text,
    statement_page,
    statement_text,
)
from pitbook.house.nights.store import Night
from pitbook.house.nights.views import night_shown
from pitbook.house.table.state import dump_sheet
from pitbook.money import dollars
from pitbook.rules.refusals import Code, Refusal
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import choice


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.close()


def anted(most: str) -> Sheet:
    """Oceanfront's own game with another largest ante, in steps of a cent."""
    stake = OMS.main_wager.model_copy(update={"max": dollars(most), "step": dollars("0.01")})
    return OMS.model_copy(update={"ante": stake, "single_bet_max": None})


@pytest.mark.parametrize(("ante", "fine"), [("3.99", True), ("4", True), ("4.01", False)])
def test_oms_8_and_10_each_bet_raise_and_re_raise_counts_alone(ante: str, fine: bool) -> None:
    sheet = anted(ante)
    assert max(3 * sheet.main_wager.max, 401) > 400  # A circle may hold three of them.
    found = departures(sheet, RULES)
    assert [one.clause for one in found] == ([] if fine else ["OMS-10", "OMS-8", "OMS-8", "OMS-8"])
    assert {one.code for one in found} <= {Code.ABOVE_MAXIMUM}


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
    text = find("oceanfront").read_text(encoding="utf-8")
    text += f'\n[bets.live-poker]\nbet_max = "4"\nraises_max = 3\n{limit}'
    (found,) = examined(text, "house.toml").findings
    assert "Pitbook deals no live poker" in found.message
    assert (found.level, found.clause) == ("error", "OMS-10")


def test_oms_10_sheet_above_the_limit_is_refused_or_derived(evening: Evening) -> None:
    command = do.AdmitTable("stud-2", dump_sheet(CMS))
    refusal = evening.no(command)
    assert "the limit of $4 a bet" in refusal.message
    assert refusal.clause == "OMS-10"
    evening.must(command._replace(derived=True))
    table, made = evening.state.tables["stud-2"], derive(CMS, RULES)
    assert isinstance(made, Derived)
    assert (table.base, table.sheet["hash"]) == (digest(CMS), digest(made.sheet))
    assert {"ante.max", "single_bet_max"} & {one["field"] for one in table.differences}
    flat, house = made.sheet.single_bet_max, made.sheet.house
    assert flat is not None
    assert (flat.value, flat.clause) == (400, "OMS-10")
    assert (house.venue, house.jurisdiction) == ("Oceanfront Gaming, Inc.", "New Hampshire")
    assert (house.chips.values, house.chips.clause) == ((100, 200, 300, 400), "OMS-18")


def test_oms_16_sheet_that_plays_on_after_a_power_cut_is_refused(evening: Evening) -> None:
    odd = OMS.irregularities.model_copy(update={"interruption": choice("resume", "GEN-15")})
    refusal = evening.admit("stud-3", OMS.model_copy(update={"irregularities": odd}))
    assert isinstance(refusal, Refusal)
    assert refusal.clause == "OMS-16"
    assert 'is "resume" on the sheet and "agree-or-dead" at Oceanfront' in refusal.message


def test_oms_17_chips_are_redeemed_at_face_value_until_the_event_closes(evening: Evening) -> None:
    evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": 500})  # Won chips are worth what bought ones are.
    evening.must(do.BringFloat(dollars("10")))
    evening.redeem("ann", "23")
    evening.later(hours=6)  # Past midnight the gaming date goes on.
    evening.redeem("ann", "1")
    evening.retire("stud-1")
    evening.must(do.Close())
    refusal = evening.no(do.Redeem("ann", dollars("0.01")))
    assert (refusal.code, refusal.clause) == (Code.OVER, "OMS-17")
    assert f"good on {DAY} alone" in refusal.message


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


def test_oms_19_a_date_that_is_over_is_no_date_for_an_event(evening: Evening) -> None:
    night = Night(evening.ledger, "late", clock=lambda: evening.now)
    refusal = night.give(making(event="late", gaming_date="2026-11-20"), actor="kim")
    assert isinstance(refusal, Refusal)
    assert refusal.clause == "OMS-19"


def test_oms_17_games_of_chance_give_no_refunds(evening: Evening) -> None:
    number = evening.sell("ann", "20")
    slip = evening.state.slip(number)
    assert slip is not None
    assert "at face value (OMS-17); no refunds (OMS-17)." in receipt_text(evening.state, slip)
    evening.admit()
    evening.round("stud-1", {"ann": -1})
    refusal = evening.no(do.Undo(number, "ann changed her mind"))  # What was played is not undone.
    assert (refusal.code, refusal.clause) == (Code.NOT_COVERED, "OMS-17")


def test_oms_18_chips_stay_the_houses_and_pay_for_nothing(evening: Evening) -> None:
    number = evening.sell("ann", "20")
    slip = evening.state.slip(number)
    assert slip is not None
    text = receipt_text(evening.state, slip)
    assert "property of Oceanfront Gaming, Inc. and are no means of payment (OMS-18)." in text
    evening.redeem("ann", "5")
    kinds = {
        (one.debit.kind, one.credit.kind)
        for entry in evening.ledger.entries("night/gala")
        for one in entry.transfers
        if one.debit.unit == "event-chip:gala"
    }
    assert kinds == {("issued", "wallet"), ("wallet", "issued")}  # The cage, and nobody else.


@pytest.mark.parametrize(("amount", "fine"), [("0.99", False), ("1", True), ("1.01", False)])
def test_oms_18_chips_of_one_to_four_dollars_are_sold(
    evening: Evening, amount: str, fine: bool
) -> None:
    assert night_shown(evening.ledger, evening.state)["values"] == ["1.00", "2.00", "3.00", "4.00"]
    command = do.Sell("ann", dollars(amount))
    if fine:
        evening.must(command)
    else:
        refusal = evening.no(command)
        assert "cannot be sold in chips of $1, $2, $3, $4" in refusal.message
        assert refusal.clause == "OMS-18"


@pytest.mark.parametrize(("redeemed", "expired"), [("19", 100), ("20", 0)])
def test_oms_18_unredeemed_chips_expire_on_a_line_of_their_own(
    evening: Evening, redeemed: str, expired: int
) -> None:
    evening.sell("ann", "20")
    evening.redeem("ann", redeemed)
    evening.must(do.Close())
    found = evening.statement()
    lines = {line.title: line for line in found.lines()}
    assert (lines["Expired chips"].amount, lines["Expired chips"].clause) == (expired, "OMS-18")
    assert found.found.expired == evening.ledger.balance(evening.state.till.expired) == expired
    assert evening.chips("ann") == "0.00"


@pytest.mark.parametrize("missing", ["charity", "licence", "gaming_date"])
def test_oms_19_event_names_its_charity_licence_and_date(evening: Evening, missing: str) -> None:
    answer = Night(evening.ledger, "other").give(
        making(event="other", **{missing: ""}), actor="kim"
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
    found = evening.statement()
    assert found.findings == ()
    assert found.found.proceeds == evening.ledger.balance(evening.state.till.cash) == 1_200
    for told in (statement_text(found), statement_page(found)):
        assert "Closing statement" in told
        assert "Proceeds for Seacoast Shelter" in told
        assert "NH-2026-117" in told
        assert DAY in told
        assert "House: Oceanfront Gaming, Inc., New Hampshire" in told
    (proceeds,) = [one for one in found.lines() if one.title.startswith("Proceeds")]
    assert (proceeds.amount, proceeds.clause) == (1_200, "OMS-19")


def test_oms_20_regulator_and_governing_rule_are_posted(evening: Evening) -> None:
    posted = " ".join(notice_lines(RULES.notice))
    assert posted == (
        "With comments, concerns or questions turn to the New Hampshire Racing and Charitable "
        "Gaming Commission, 21 S. Fruit St., Ste 16, Concord, NH 03301-2428. The games are "
        "conducted in accordance with RSA 287-D, Part 1209, Games of Chance House Rules (OMS-20)."
    )
    assert posted in " ".join(statement_text(evening.statement()).split("\n"))
