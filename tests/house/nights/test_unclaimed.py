"""A night can always close: what nobody came for is owed by name, and is paid later, once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.kit import Evening
from tests.house.nights.tournament.evening import schedule

from pitbook.house.ledger.accounts import move
from pitbook.house.nights import commands as do
from pitbook.house.nights.facts import dump
from pitbook.house.nights.statement import receipt_text, statement_page, statement_text
from pitbook.house.nights.tournament import commands as floor
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Refusal

T, T2 = "gala.t1", "gala.t2"


def void(evening: Evening, name: str, *players: str) -> None:
    """A tournament that everybody has $50 back from."""
    evening.must(floor.SetUp(name, schedule()))
    for player in players:
        evening.must(floor.Enter(name, player))
    evening.must(floor.Interrupt(name, "fire alarm"))


def won(evening: Evening, name: str, *players: str) -> None:
    """A tournament that the first has won: $40 of each is prize money, $10 the charity's."""
    evening.must(floor.SetUp(name, schedule()))
    for player in players:
        evening.must(floor.Enter(name, player))
    for command in (floor.Announce(name), floor.DrawSeats(name), floor.Start(name)):
        evening.must(command)
    evening.must(floor.Eliminate(name, players[1:]))
    evening.must(floor.Finish(name))


def kept(evening: Evening, player: str) -> str:
    return evening.holds(evening.state.till.unclaimed(player))


def test_prizes_and_returns_become_a_liability_by_name(evening: Evening) -> None:
    won(evening, T, "ann", "bob")
    void(evening, T2, "ann", "cal", "dee")
    evening.must(floor.PayOut(T2, "cal"))
    evening.must(do.Close())
    assert [kept(evening, name) for name in ("ann", "bob", "cal", "dee")] == [
        "130.00",
        "0.00",
        "0.00",
        "50.00",
    ]
    told = evening.statement()
    assert (told.findings, told.found.proceeds) == ((), 2_000)
    assert evening.holds(evening.state.till.cash) == "200.00"
    text = statement_text(told)
    for line in (
        "Unclaimed, owed by name",
        "  ann, prize of gala.t1                                            80.00",
        "  ann, return of gala.t2                                           50.00",
        "  dee, return of gala.t2                                           50.00",
        "Still unclaimed                                                   180.00",
    ):
        assert line in text
    assert "ann, prize of gala.t1" in statement_page(told)
    assert "still owed" not in text
    document = told.document()
    assert document["unclaimed"][0] == {
        "tournament": T,
        "player": "ann",
        "amount": "80.00",
        "what": "prize",
        "receipt": None,
    }
    assert (document["still_unclaimed"], document["proceeds"]) == ("180.00", "20.00")


def test_it_is_paid_once_with_a_receipt(evening: Evening) -> None:
    void(evening, T, "ann", "bob")
    no = evening.no(do.PayUnclaimed("ann"))
    assert "until it closes its tournaments pay" in no.message
    evening.must(do.Close())
    assert "paid as unclaimed" in evening.no(floor.PayOut(T, "ann")).message
    assert evening.no(do.PayUnclaimed("cho")).message == "gala keeps nothing for cho"
    evening.later(days=40)
    first = evening.must(do.PayUnclaimed("ann"), request="r1")
    assert evening.must(do.PayUnclaimed("ann"), request="r1") == first
    again = evening.no(do.PayUnclaimed("ann"))
    assert again.message == "gala keeps nothing for ann; receipt gala-000001 paid it"
    slip = evening.state.slips[-1]
    assert (slip.what, slip.amount, slip.number) == ("unclaimed", 5_000, 1)
    assert "Unclaimed money paid, ann: $50" in receipt_text(evening.state, slip)
    told = evening.statement()
    assert told.findings == ()
    assert "  paid to ann, receipt gala-000001" in statement_text(told)
    assert [one["receipt"] for one in told.document()["unclaimed"]] == ["gala-000001", None]
    assert evening.no(do.Undo(1, "he came back")).clause == "OMS-17"
    evening.must(do.PayUnclaimed("bob"))
    assert evening.holds(evening.state.till.cash) == "0.00"
    assert evening.another().state == evening.state


def test_a_cent_too_much_for_somebody_is_found(evening: Evening) -> None:
    void(evening, T, "ann", "bob")
    evening.must(do.Close())
    till = evening.state.till
    stolen = [move(till.unclaimed("bob"), till.unclaimed("ann"), 1, "a slip of the pen")]
    evening.ledger.append("x", evening.ledger.claim("x"), [], stolen)
    found = {one.what: one.off for one in evening.statement().findings}
    assert found == {"unclaimed by ann": 1, "unclaimed by bob": -1}


def test_the_float_does_not_take_what_is_owed(evening: Evening) -> None:
    """The tables lost $30 of a $40 float: $10 goes back, and $100 stays for two players."""
    evening.must(do.BringFloat(dollars("40")))
    evening.sell("cho", "20")
    evening.admit()
    evening.round("stud-1", {"cho": 3_000})
    evening.redeem("cho", "50")
    void(evening, T, "ann", "bob")
    evening.must(do.Close())
    assert evening.state.float_returned == dollars("10")
    assert evening.holds(evening.state.till.cash) == "100.00"
    assert evening.statement().findings == ()
    for player in ("ann", "bob"):
        evening.must(do.PayUnclaimed(player))


def test_a_drawer_that_is_short_is_filled_for_whoever_comes(evening: Evening) -> None:
    """The charity's $10 went to chips before the void tournament gave it back to ann."""
    evening.must(floor.SetUp(T, schedule()))
    evening.must(floor.Enter(T, "ann"))
    evening.admit()
    evening.sell("cho", "1")
    evening.round("stud-1", {"cho": 1_000})
    evening.redeem("cho", "11")
    evening.must(floor.Interrupt(T, "fire alarm"))
    evening.must(do.Close())
    assert evening.no(do.PayUnclaimed("ann")).message.endswith("bring a float first")
    evening.must(do.BringFloat(dollars("10")))
    evening.must(do.PayUnclaimed("ann"))
    assert evening.statement().findings == ()
    assert evening.statement().found.proceeds == -1_000


@pytest.mark.parametrize("players", [(), ("ann",), ("ann", "bob")])
def test_a_tournament_that_never_started_is_ended_at_any_hour(
    evening: Evening, players: tuple[str, ...]
) -> None:
    evening.must(floor.SetUp(T, schedule()))
    for player in players:
        evening.must(floor.Enter(T, player))
    evening.later(days=3)
    if players:
        refusal = evening.no(do.Close())
        assert "refund its players, or interrupt it" in refusal.message
        evening.must(floor.Interrupt(T, "nobody came"))
    evening.must(do.Close())
    assert sum(one.amount for one in evening.state.unclaimed) == 5_000 * len(players)
    assert evening.statement().findings == ()


def test_closing_facts_of_nights_without_any_are_as_they_were(evening: Evening) -> None:
    evening.sell("ann", "4")
    (fact,) = evening.must(do.Close()).facts
    assert set(dump(fact)) == {"fact", "at", "expired", "float_returned"}
    assert isinstance(evening.ask(do.BringFloat(Cents(100))), Refusal)


def test_a_rehearsal_pays_in_play_money(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    assert evening.state.till.unclaimed("ann").unit == "usd"
    assert evening.state._replace(rehearsal=True).till.unclaimed("ann").unit == "rehearsal"
    evening.close()


def test_a_float_of_a_closed_night_is_what_the_drawer_lacks_and_no_more(evening: Evening) -> None:
    won(evening, T, "ann", "bob")
    evening.must(do.Close())
    refused = evening.ask(do.BringFloat(dollars("5000")))
    assert isinstance(refused, Refusal)
    assert "the drawer holds all that gala keeps for others" in refused.message
    evening.must(do.PayUnclaimed("ann"))
    assert isinstance(evening.ask(do.BringFloat(dollars("1"))), Refusal)
