"""OMS-10 and OMS-17 to OMS-20: what Oceanfront Gaming's house rules ask of an event night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.nights.kit import CMS, DAY, OMS, RULES, Evening, making

from pitbook.engine.refusals import Code, Refusal
from pitbook.money import dollars
from pitbook.nights import commands as do
from pitbook.nights.chance import Kind, departures, over_limit
from pitbook.nights.derived import Derived, derive
from pitbook.nights.night import Night
from pitbook.nights.printed import notice_lines, receipt_text, statement_html, statement_text
from pitbook.sheets.digest import digest
from pitbook.table.model import kept_sheet


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("kind", "bet", "raises", "fine"),
    [
        ("chance", "3.99", 0, True),
        ("chance", "4", 0, True),
        ("chance", "4.01", 0, False),
        ("live-poker", "4", 3, True),
        ("live-poker", "4", 4, False),
        ("live-poker", "4.01", 3, False),
        ("tournament", "4.01", 4, True),
        ("tournament", "1000000", 99, True),
    ],
)
def test_oms_10_four_dollars_a_bet_three_raises_in_poker_none_in_tournaments(
    kind: Kind, bet: str, raises: int, fine: bool
) -> None:
    refusal = over_limit(RULES, kind, dollars(bet), raises=raises)
    assert (refusal is None) == fine
    assert refusal is None or (refusal.code, refusal.clause) == (Code.ABOVE_MAXIMUM, "OMS-10")


@pytest.mark.parametrize(("ante", "fine"), [("3.99", True), ("4", True), ("4.01", False)])
def test_oms_8_and_10_each_bet_raise_and_re_raise_counts_alone(ante: str, fine: bool) -> None:
    stake = OMS.main_wager.model_copy(update={"max": dollars(ante), "step": dollars("0.01")})
    sheet = OMS.model_copy(update={"ante": stake, "single_bet_max": None})
    assert max(3 * stake.max, 401) > RULES.bets.chance.bet_max  # A circle may hold three of them.
    assert (departures(sheet, RULES) == ()) == fine


def test_oms_10_sheet_above_the_limit_is_refused_or_derived(evening: Evening) -> None:
    command = do.AdmitTable("stud-2", kept_sheet(CMS))
    refusal = evening.no(command)
    assert "the limit of $4 a bet" in refusal.message
    assert refusal.clause == "OMS-10"
    evening.must(command._replace(derived=True))
    table, made = evening.state.tables["stud-2"], derive(CMS, RULES)
    assert isinstance(made, Derived)
    assert (table.base, table.sheet["hash"]) == (digest(CMS), digest(made.sheet))
    assert {"ante.max", "single_bet_max"} & {one["field"] for one in table.differences}


def test_oms_17_chips_are_redeemed_at_face_value_until_the_event_closes(evening: Evening) -> None:
    evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": 500})  # Won chips are worth what bought ones are.
    evening.must(do.BringFloat(dollars("10")))
    evening.redeem("ann", "24")
    evening.later(hours=6)  # Past midnight the gaming date goes on.
    evening.redeem("ann", "0.99")
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
    assert (RULES.refunds.chance.value, RULES.refunds.chance.clause) == (False, "OMS-17")
    number = evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": -1})
    refusal = evening.no(do.Undo(number, "ann changed her mind"))  # What was played is not undone.
    assert (refusal.code, refusal.clause) == (Code.NOT_COVERED, "OMS-17")


def test_oms_18_chips_stay_the_houses_and_pay_for_nothing(evening: Evening) -> None:
    number = evening.sell("ann", "20")
    slip = evening.state.slip(number)
    assert slip is not None
    text = receipt_text(evening.state, slip)
    assert "property of Oceanfront Gaming, Inc. and are no means of payment (OMS-18)" in text
    evening.redeem("ann", "5")
    kinds = {
        (one.debit.kind, one.credit.kind)
        for entry in evening.ledger.entries("night/gala")
        for one in entry.transfers
        if one.debit.unit == "event-chip:gala"
    }
    assert kinds == {("issued", "wallet"), ("wallet", "issued")}  # The cage, and nobody else.


@pytest.mark.parametrize(("redeemed", "expired"), [("19.99", 1), ("20", 0)])
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
    for told in (statement_text(found), statement_html(found)):
        assert "Closing statement" in told
        assert "Proceeds for Seacoast Shelter" in told
        assert "NH-2026-117" in told
        assert DAY in told


def test_oms_20_regulator_and_governing_rule_are_posted(evening: Evening) -> None:
    notice = RULES.notice
    assert notice.clause == "OMS-20"
    posted = " ".join(notice_lines(notice))
    assert "New Hampshire Racing and Charitable Gaming Commission" in posted
    assert "21 S. Fruit St., Ste 16, Concord, NH 03301-2428" in posted
    assert "RSA 287-D, Part 1209" in posted
    assert posted in " ".join(statement_text(evening.statement()).split("\n"))
