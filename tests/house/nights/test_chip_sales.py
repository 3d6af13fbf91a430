"""Chips at the counter: sold in denominations, redeemed at face value, voided on record."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.kit import Evening, rules_until_midnight

from pitbook.house.nights import commands as do
from pitbook.house.nights.statement import receipt, receipt_text
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Code


def test_sale_and_redemption_are_booked_in_both_units(evening: Evening) -> None:
    night_accounts = evening.state.accounts
    evening.sell("ann", "20")
    evening.redeem("ann", "5")
    cash_and_chip_accounts = (
        night_accounts.cash,
        night_accounts.sales,
        night_accounts.issued,
        night_accounts.wallet("ann"),
    )
    assert [evening.holds(account) for account in cash_and_chip_accounts] == ["15.00"] * 4
    assert night_accounts.unit == "event-chip:gala"


@pytest.mark.parametrize("amount", ["1", "4", "7", "1000"])
def test_amounts_payable_in_chips_are_sold(evening: Evening, amount: str) -> None:
    evening.sell("ann", amount)
    assert dollars(evening.chips("ann")) == dollars(amount)


@pytest.mark.parametrize("amount", ["0.99", "3.99", "4.01"])
def test_amounts_not_payable_in_chips_are_refused(evening: Evening, amount: str) -> None:
    refusal = evening.no(do.Sell("ann", dollars(amount)))
    assert (refusal.code, refusal.clause) == (Code.NOT_A_STEP, "OMS-18")
    assert "in $1, $2, $3, $4 chips" in refusal.message


@pytest.mark.parametrize("command", [do.Sell, do.Redeem])
def test_a_slip_has_an_amount_and_a_name(evening: Evening, command: type) -> None:
    assert evening.no(command("ann", Cents(0))).code is Code.BELOW_MINIMUM
    assert evening.no(command("ann", dollars("1000000.01"))).code is Code.ABOVE_MAXIMUM
    for name in ("", " ann", "an\nn"):
        assert evening.no(command(name, Cents(100))).code is Code.FORBIDDEN


@pytest.mark.parametrize(("amount", "fine"), [("19", True), ("20", True), ("21", False)])
def test_no_more_is_redeemed_than_a_player_holds(evening: Evening, amount: str, fine: bool) -> None:
    evening.sell("ann", "20")
    evening.sell("bob", "20")
    if fine:
        evening.redeem("ann", amount)
    else:
        refusal = evening.no(do.Redeem("ann", dollars(amount)))
        assert (refusal.code, refusal.clause) == (Code.NOT_COVERED, "OMS-17")
        assert "ann has $20" in refusal.message


@pytest.mark.parametrize("amount", ["0.50", "19.99"])
def test_redemptions_must_be_payable_in_house_chips(evening: Evening, amount: str) -> None:
    evening.sell("ann", "20")
    refusal = evening.no(do.Redeem("ann", dollars(amount)))
    assert (refusal.code, refusal.clause) == (Code.NOT_A_STEP, "OMS-18")
    assert "in $1, $2, $3, $4 chips" in refusal.message


def test_winnings_beyond_all_sales_are_redeemed_out_of_the_float(evening: Evening) -> None:
    evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": 3_000})
    assert "Add to the bank first" in evening.no(do.Redeem("ann", dollars("50"))).message
    evening.must(do.BringFloat(dollars("100")))
    evening.redeem("ann", "50")
    accounts = evening.state.accounts
    assert evening.holds(accounts.cash) == "70.00"
    assert evening.holds(accounts.losses) == "-30.00"
    assert evening.holds(accounts.sales) == evening.holds(accounts.issued) == "0.00"
    assert evening.statement().totals.proceeds == -3_000
    assert evening.statement().findings == ()


def test_receipts_are_numbered_and_say_what_chips_are(evening: Evening) -> None:
    number = evening.sell("ann", "20")
    slip = evening.state.slip(number)
    assert slip is not None
    text = receipt_text(evening.state, slip)
    assert "Receipt gala-000001" in text
    assert "Chips sold, ann: $20" in text
    assert "2026-11-21 20:00 EST" in text
    assert "Valid on 2026-11-21 until the event closes" in text
    slip_view = receipt(evening.state, slip)
    assert (slip_view["receipt"], slip_view["amount"], slip_view["by"]) == (
        "gala-000001",
        "20.00",
        "kim",
    )
    assert evening.state.slip(2) is None
    assert evening.state.slip(0) is None


@pytest.mark.parametrize("what", ["float", "sold", "redeemed"])
def test_each_slip_is_undone_by_a_reversal_that_stays_on_record(
    evening: Evening, what: str
) -> None:
    evening.must(do.BringFloat(dollars("50")))
    evening.sell("ann", "20")
    before = evening.ledger.balances()
    commands: dict[str, do.Command] = {
        "float": do.BringFloat(dollars("10")),
        "sold": do.Sell("ann", dollars("10")),
        "redeemed": do.Redeem("ann", dollars("10")),
    }
    number = evening.must(commands[what]).slip
    assert evening.ledger.balances() != before
    evening.must(do.Undo(number, "typed wrongly"))
    assert evening.ledger.balances() == before
    slip = evening.state.slip(number)
    assert slip is not None
    assert (slip.what, slip.undone) == (what, "typed wrongly")
    stored_names = [
        fact["fact"] for entry in evening.ledger.entries("night/gala") for fact in entry.facts
    ]
    assert stored_names[-2:] == ["slip", "slip-undone"]
    assert "is already void" in evening.no(do.Undo(number, "again")).message
    assert evening.statement().findings == ()


def test_undo_needs_the_slip_a_reason_and_the_chips(evening: Evening) -> None:
    number = evening.sell("ann", "20")
    assert "has no slip 7" in evening.no(do.Undo(7, "why")).message
    assert evening.no(do.Undo(number, " ")).code is Code.UNKNOWN_REASON
    evening.redeem("ann", "1")
    assert "ann has $19" in evening.no(do.Undo(number, "why")).message


def test_float_in_use_is_not_taken_back(evening: Evening) -> None:
    number = evening.must(do.BringFloat(dollars("30"))).slip
    evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": 3_000})
    evening.redeem("ann", "50")
    assert "is in use" in evening.no(do.Undo(number, "why")).message


def test_sale_is_undone_even_when_others_have_redeemed_more_than_was_sold(
    evening: Evening,
) -> None:
    evening.must(do.BringFloat(dollars("100")))
    first = evening.sell("ann", "20")
    evening.sell("bob", "20")
    evening.admit()
    evening.round("stud-1", {"bob": 3_000})
    evening.redeem("bob", "50")
    evening.must(do.Undo(first, "wrong name"))
    assert evening.chips("ann") == "0.00"
    assert evening.statement().findings == ()
    assert evening.statement().totals.proceeds == -3_000


def test_cage_closes_at_midnight_if_the_day_ends_then(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "house", rules=rules_until_midnight())
    evening.sell("ann", "20")
    evening.later(hours=3, minutes=59)
    evening.redeem("ann", "5")
    evening.later(minutes=1)
    refusal = evening.no(do.Redeem("ann", dollars("5")))
    assert (refusal.code, refusal.clause) == (Code.OVER, "OMS-17")
    assert "ended at 2026-11-22 00:00 EST" in refusal.message
    evening.must(do.Close())
    evening.close()


def test_day_may_run_past_midnight_until_the_event_ends(evening: Evening) -> None:
    evening.sell("ann", "20")
    evening.later(hours=6)
    evening.redeem("ann", "20")
