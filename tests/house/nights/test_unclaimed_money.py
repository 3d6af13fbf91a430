"""Unclaimed money is owed by name after closing and paid later, once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.kit import Evening
from tests.house.nights.tournament.step_lines import schedule

from pitbook.house.ledger.accounts import move
from pitbook.house.nights import commands as do
from pitbook.house.nights.facts import dump
from pitbook.house.nights.statement import receipt_text, statement_page, statement_text
from pitbook.house.nights.tournament import commands as floor
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Refusal

T, T2 = "gala.t1", "gala.t2"


def void_tournament(evening: Evening, name: str, *players: str) -> None:
    """Interrupt a tournament so that everybody is refunded $50."""
    evening.must(floor.SetUp(name, schedule()))
    for player in players:
        evening.must(floor.Enter(name, player))
    evening.must(floor.Interrupt(name, "fire alarm"))


def finish_tournament(evening: Evening, name: str, *players: str) -> None:
    """Finish a tournament won by the first player; $10 of each $50 is the charity's."""
    evening.must(floor.SetUp(name, schedule()))
    for player in players:
        evening.must(floor.Enter(name, player))
    for command in (floor.Announce(name), floor.DrawSeats(name), floor.Start(name)):
        evening.must(command)
    evening.must(floor.Eliminate(name, players[1:]))
    evening.must(floor.Finish(name))


def unclaimed_amount(evening: Evening, player: str) -> str:
    return evening.holds(evening.state.accounts.unclaimed(player))


def test_prizes_and_returns_become_a_liability_by_name(evening: Evening) -> None:
    finish_tournament(evening, T, "ann", "bob")
    void_tournament(evening, T2, "ann", "cal", "dee")
    evening.must(floor.PayOut(T2, "cal"))
    evening.must(do.Close())
    assert [unclaimed_amount(evening, name) for name in ("ann", "bob", "cal", "dee")] == [
        "130.00",
        "0.00",
        "0.00",
        "50.00",
    ]
    closing = evening.statement()
    assert (closing.findings, closing.totals.proceeds) == ((), 2_000)
    assert evening.holds(evening.state.accounts.cash) == "200.00"
    text = statement_text(closing)
    for line in (
        "Unclaimed, by player",
        "  ann, prize from gala.t1                                          80.00",
        "  ann, refund from gala.t2                                         50.00",
        "  dee, refund from gala.t2                                         50.00",
        "Still unclaimed                                                   180.00",
    ):
        assert line in text
    assert "ann, prize from gala.t1" in statement_page(closing)
    assert "still owed" not in text
    document = closing.document()
    assert document["unclaimed"][0] == {
        "tournament": T,
        "player": "ann",
        "amount": "80.00",
        "what": "prize",
        "receipt": None,
    }
    assert (document["still_unclaimed"], document["proceeds"]) == ("180.00", "20.00")


def test_unclaimed_money_is_paid_once_with_a_receipt(evening: Evening) -> None:
    void_tournament(evening, T, "ann", "bob")
    refusal = evening.no(do.PayUnclaimed("ann"))
    assert "Its tournaments pay out until it closes" in refusal.message
    evening.must(do.Close())
    assert "Unclaimed prizes can still be paid" in evening.no(floor.PayOut(T, "ann")).message
    assert evening.no(do.PayUnclaimed("cho")).message == "gala owes cho nothing."
    evening.later(days=40)
    first = evening.must(do.PayUnclaimed("ann"), request="r1")
    assert evening.must(do.PayUnclaimed("ann"), request="r1") == first
    refusal_again = evening.no(do.PayUnclaimed("ann"))
    assert refusal_again.message == "ann was already paid (receipt gala-000001)."
    slip = evening.state.slips[-1]
    assert (slip.what, slip.amount, slip.number) == ("unclaimed", 5_000, 1)
    assert "Unclaimed money paid, ann: $50" in receipt_text(evening.state, slip)
    closing = evening.statement()
    assert closing.findings == ()
    assert "  paid to ann, receipt gala-000001" in statement_text(closing)
    assert [unclaimed["receipt"] for unclaimed in closing.document()["unclaimed"]] == [
        "gala-000001",
        None,
    ]
    assert evening.no(do.Undo(1, "he came back")).clause == "OMS-17"
    evening.must(do.PayUnclaimed("bob"))
    assert evening.holds(evening.state.accounts.cash) == "0.00"
    assert evening.another().state == evening.state


def test_one_cent_overpayment_is_found(evening: Evening) -> None:
    void_tournament(evening, T, "ann", "bob")
    evening.must(do.Close())
    accounts = evening.state.accounts
    transfers = [move(accounts.unclaimed("bob"), accounts.unclaimed("ann"), 1, "a slip of the pen")]
    evening.ledger.append("x", evening.ledger.claim("x"), [], transfers)
    differences = {check.what: check.discrepancy for check in evening.statement().findings}
    assert differences == {"Unclaimed by ann": 1, "Unclaimed by bob": -1}


def test_returned_float_leaves_unclaimed_money_in_the_drawer(evening: Evening) -> None:
    """Tables lost $30 of a $40 float: $10 is returned and $100 stays for two players."""
    evening.must(do.BringFloat(dollars("40")))
    evening.sell("cho", "20")
    evening.admit()
    evening.round("stud-1", {"cho": 3_000})
    evening.redeem("cho", "50")
    void_tournament(evening, T, "ann", "bob")
    evening.must(do.Close())
    assert evening.state.float_returned == dollars("10")
    assert evening.holds(evening.state.accounts.cash) == "100.00"
    assert evening.statement().findings == ()
    for player in ("ann", "bob"):
        evening.must(do.PayUnclaimed(player))


def test_float_can_cover_unclaimed_money_after_closing(evening: Evening) -> None:
    """The charity's $10 paid for chips before the void tournament refunded ann."""
    evening.must(floor.SetUp(T, schedule()))
    evening.must(floor.Enter(T, "ann"))
    evening.admit()
    evening.sell("cho", "1")
    evening.round("stud-1", {"cho": 1_000})
    evening.redeem("cho", "11")
    evening.must(floor.Interrupt(T, "fire alarm"))
    evening.must(do.Close())
    assert evening.no(do.PayUnclaimed("ann")).message.endswith("Add an opening bank first.")
    evening.must(do.BringFloat(dollars("10")))
    evening.must(do.PayUnclaimed("ann"))
    assert evening.statement().findings == ()
    assert evening.statement().totals.proceeds == -1_000


@pytest.mark.parametrize("players", [(), ("ann",), ("ann", "bob")])
def test_unstarted_tournament_can_end_at_any_hour(
    evening: Evening, players: tuple[str, ...]
) -> None:
    evening.must(floor.SetUp(T, schedule()))
    for player in players:
        evening.must(floor.Enter(T, player))
    evening.later(days=3)
    if players:
        refusal = evening.no(do.Close())
        assert "Refund the players, or end it early to refund everyone" in refusal.message
        evening.must(floor.Interrupt(T, "nobody came"))
    evening.must(do.Close())
    assert sum(unclaimed.amount for unclaimed in evening.state.unclaimed) == 5_000 * len(players)
    assert evening.statement().findings == ()


def test_closing_without_unclaimed_money_has_no_unclaimed_field(evening: Evening) -> None:
    evening.sell("ann", "4")
    (fact,) = evening.must(do.Close()).facts
    assert set(dump(fact)) == {"fact", "at", "expired", "float_returned"}
    assert isinstance(evening.ask(do.BringFloat(Cents(100))), Refusal)


def test_a_rehearsal_pays_in_play_money(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    assert evening.state.accounts.unclaimed("ann").unit == "usd"
    assert evening.state._replace(rehearsal=True).accounts.unclaimed("ann").unit == "rehearsal"
    evening.close()


def test_float_after_closing_cannot_exceed_the_missing_cash(evening: Evening) -> None:
    finish_tournament(evening, T, "ann", "bob")
    evening.must(do.Close())
    refusal = evening.ask(do.BringFloat(dollars("5000")))
    assert isinstance(refusal, Refusal)
    assert "The drawer covers everything owed to others" in refusal.message
    evening.must(do.PayUnclaimed("ann"))
    assert isinstance(evening.ask(do.BringFloat(dollars("1"))), Refusal)
