"""The house statement gives every dollar to its owner, and agrees with each event's statement."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.house.nights.kit import Evening, make_command
from tests.house.nights.tournament.step_lines import schedule

from pitbook.house.inspect.house_statement import (
    EventMoneyView,
    HouseStatement,
    HouseStatementView,
    house_statement,
    house_statement_page,
    house_statement_text,
)
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.nights import commands as do
from pitbook.house.nights.night_cache import charity_names
from pitbook.house.nights.statement import statement
from pitbook.house.nights.store import Accepted, Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table.live_tables import LiveTables
from pitbook.money import dollars

T = "gala.t1"
ENTRANTS = ("ann", "bob", "cho")
OWNERS = ("house", "wallets", "chips", "charity", "prizes", "unclaimed", "others")
BUY_IN = {"costs": "100", "fee": "80", "chips": "1000"}
RE_BUY = {"costs": "30", "fee": "15", "chips": "1000", "until_level": 2}


def statement_at(evening: Evening, at: str = "now") -> HouseStatement:
    ledger = evening.ledger
    return house_statement(ledger, charity_of=charity_names(ledger), at=at)


def house_of(evening: Evening) -> HouseStatementView:
    """The house statement; asserts that it agrees with itself and with every event's."""
    house = statement_at(evening)
    assert house.agrees, house.money
    for event, share in house.money.events.items():
        night = Night(evening.ledger, event)
        closing = statement(night, at="now")
        assert (share.charity, closing.findings) == (closing.totals.proceeds, ())
    return house.document()


def owners(house: HouseStatementView) -> dict[str, str]:
    """Each owner's amount, without owners that have nothing."""
    return {name: house[name] for name in OWNERS if house[name] != "0.00"}  # type: ignore[literal-required]


def event_of(house: HouseStatementView, event: str = "gala") -> EventMoneyView:
    (match,) = (share for share in house["events"] if share["event"] == event)
    return match


def fund(evening: Evening) -> None:
    """$19,130 of house money and $100 of Zoe's in the vault, and a $500 float at the event."""

    async def add_funds() -> None:
        house = LiveTables(evening.folder)
        await house.open()
        await house.cage.fund(dollars("19130"), actor="sue")
        await house.cage.buy_in("zoe", dollars("100"), actor="sue")
        await house.close()

    asyncio.run(add_funds())
    evening.must(do.BringFloat(dollars("500")))


def play_table(evening: Evening) -> None:
    """Ann loses $27 of $50, cashes $15, and goes home with $8."""
    evening.sell("ann", "50")
    evening.admit()
    evening.round("stud-1", {"ann": -2_700})
    evening.redeem("ann", "15")
    evening.retire("stud-1")


def start_tournament(evening: Evening, *, fees: str = "270.00") -> None:
    """Three entries and two re-buys: $270 of fees and $90 of prizes."""
    evening.must(floor.SetUp(T, schedule(buy_in=BUY_IN, re_buy=RE_BUY)), by="kim")
    evening.must(floor.Announce(T, "bea"))
    for player in ENTRANTS:
        evening.must(floor.Enter(T, player))
    evening.must(floor.DrawSeats(T))
    evening.must(floor.Start(T))
    for player in ENTRANTS[:2]:
        evening.must(floor.ReBuy(T, player))
    assert evening.holds(evening.state.accounts.charity_share(T)) == fees


def finish_tournament(evening: Evening) -> None:
    for player in ("cho", "bob"):
        if evening.state.tournaments[T].status != "finished":
            evening.must(floor.Eliminate(T, (player,)))
    if evening.state.tournaments[T].status != "finished":
        evening.must(floor.Finish(T))


def pay_prizes(evening: Evening) -> None:
    for player, entrant in evening.state.tournaments[T].players.items():
        if entrant.owed:
            evening.must(floor.PayOut(T, player))


def test_fees_expired_chips_and_table_results_belong_to_the_charity(evening: Evening) -> None:
    fund(evening)
    play_table(evening)
    start_tournament(evening)
    playing = house_of(evening)
    assert owners(playing) == {
        "house": "19630.00",
        "wallets": "100.00",
        "chips": "8.00",
        "charity": "297.00",
        "prizes": "90.00",
    }
    assert (playing["lies"], playing["nights"]) == ("20125.00", "895.00")
    finish_tournament(evening)
    assert owners(house_of(evening)) == owners(playing)  # Prizes are held until they are paid.
    pay_prizes(evening)
    evening.must(do.Close())
    closed = house_of(evening)
    assert owners(closed) == {"house": "19130.00", "wallets": "100.00", "charity": "305.00"}
    assert event_of(closed) == {
        "event": "gala",
        "charity_name": "Seacoast Shelter",
        "cash": "305.00",
        "float": "0.00",
        "chips": "0.00",
        "charity": "305.00",
        "prizes": "0.00",
        "unclaimed": "0.00",
    }


def test_prizes_left_at_closing_are_unclaimed_until_they_are_paid(evening: Evening) -> None:
    fund(evening)
    start_tournament(evening)
    finish_tournament(evening)
    evening.must(do.Close())
    at_closing = {
        "house": "19130.00",
        "wallets": "100.00",
        "charity": "270.00",
        "unclaimed": "90.00",
    }
    assert owners(house_of(evening)) == at_closing
    evening.must(do.PayUnclaimed("ann"))
    assert owners(house_of(evening)) == {
        name: at_closing[name] for name in ("house", "wallets", "charity")
    }


def test_charity_gets_nothing_from_a_void_tournament(evening: Evening) -> None:
    fund(evening)
    start_tournament(evening)
    evening.must(floor.Interrupt(T, "power failure"))
    assert evening.state.tournaments[T].status == "void"
    before = {"house": "19630.00", "wallets": "100.00"}
    assert owners(house_of(evening)) == {**before, "prizes": "360.00"}
    pay_prizes(evening)
    assert owners(house_of(evening)) == before


def test_refunded_entry_takes_its_fee_back_from_the_charity(evening: Evening) -> None:
    evening.must(floor.SetUp(T, schedule(buy_in=BUY_IN)))
    evening.must(floor.Enter(T, "ann"))
    assert owners(house_of(evening)) == {"charity": "80.00", "prizes": "20.00"}
    evening.must(floor.Refund(T, "ann"))
    house = house_of(evening)
    assert (owners(house), house["events"]) == ({}, [])


def test_cancelled_event_holds_nothing(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "house", opened=False)
    evening.must(do.Close())
    house = house_of(evening)
    assert (owners(house), house["events"]) == ({}, [])
    evening.close()


def test_table_losses_reduce_the_charitys_share_and_not_the_houses(evening: Evening) -> None:
    evening.must(do.BringFloat(dollars("100")))
    evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": 5_000})
    in_hand = {"house": "100.00", "chips": "70.00", "charity": "-50.00"}
    assert owners(house_of(evening)) == in_hand
    evening.redeem("ann", "70")
    assert owners(house_of(evening)) == {"house": "100.00", "charity": "-50.00"}


def test_two_events_on_one_day_have_separate_accounts(evening: Evening) -> None:
    second_night = Night(evening.ledger, "gala-2", clock=lambda: evening.now)
    make_event = make_command(event="gala-2", charity="Food Bank")
    for command in (
        make_event,
        do.Open(),
        do.BringFloat(dollars("50")),
        do.Sell("bob", dollars("20")),
    ):
        assert isinstance(second_night.give(command, actor="kim"), Accepted)
    play_table(evening)
    house = house_of(evening)
    assert owners(house) == {"house": "50.00", "chips": "28.00", "charity": "27.00"}
    assert event_of(house)["charity"] == "27.00"
    second = event_of(house, "gala-2")
    assert (second["charity_name"], second["chips"], second["charity"]) == (
        *("Food Bank", "20.00", "0.00"),
    )


def test_play_money_of_a_rehearsal_is_on_no_house_statement(evening: Evening) -> None:
    rehearsal = Night(evening.ledger, "dry-run", clock=lambda: evening.now)
    make_event = make_command(event="dry-run", rehearsal=True)
    for command in (
        make_event,
        do.Open(),
        do.BringFloat(dollars("50")),
        do.Sell("ann", dollars("20")),
    ):
        assert isinstance(rehearsal.give(command, actor="kim"), Accepted)
    house = house_of(evening)
    assert (house["lies"], house["events"]) == ("0.00", [])
    assert statement(rehearsal, at="now").findings == ()


def test_house_table_money_stays_with_the_house_during_an_event(evening: Evening) -> None:
    fund(evening)
    rack, wallet = Account("usd", "rack", "stud-9"), Account("usd", "wallet", "zoe")
    layout = Account("usd", "held", "stud-9/1")
    transfers = [
        move(Account("usd", "house"), rack, 50_000, "fill"),
        move(wallet, layout, 1_000, "put"),
    ]
    evening.ledger.append("table/stud-9", evening.ledger.claim("table/stud-9"), [], transfers)
    play_table(evening)
    house = house_of(evening)
    amounts = {name: house[name] for name in ("house", "racks", "wallets", "layouts", "charity")}
    assert amounts == {
        "house": "19130.00",
        "racks": "500.00",
        "wallets": "90.00",
        "layouts": "10.00",
        "charity": "27.00",
    }
    assert {"what": "rack", "name": "stud-9", "amount": "500.00"} in house["each"]


def test_statement_on_paper_names_every_owner_in_both_languages(evening: Evening) -> None:
    fund(evening)
    play_table(evening)
    start_tournament(evening)
    house = house_statement(
        evening.ledger, charity_of=charity_names(evening.ledger), at="2026-11-21T20:00:00+00:00"
    )
    lines = {" ".join(line.split()) for line in house_statement_text(house).splitlines()}
    assert {
        *("House 19630.00", "Players' balances 100.00", "Event cage: gala 895.00"),
        "Held for charity: Seacoast Shelter (gala) 297.00",
        *("Chips held by players: gala 8.00", "Prizes held: gala 90.00", "Total 20125.00"),
        "Both sides balance to the cent, for the house and for every event.",
    } <= lines
    assert "Held for charity: Seacoast Shelter (gala)" in house_statement_page(house)
    spanish = house_statement_text(house, "es")
    assert "Retenido para la entidad benéfica: Seacoast Shelter (gala)" in spanish
    assert "Premios retenidos: gala" in spanish


CHARITY, HOUSE = Account("usd", "house", T), Account("usd", "house")
MOVES = {
    "fees to the house": (CHARITY, HOUSE),
    "chip sales to the house": (Account("usd", "sales", "gala"), HOUSE),
    "prizes to the house": (Account("usd", "prizes", T), HOUSE),
    "an event's cash to the vault": (Account("usd", "cash"), Account("usd", "cash", "gala")),
    "house money to the charity": (HOUSE, CHARITY),
    "prizes to the charity": (Account("usd", "prizes", T), CHARITY),
    "a player's balance to the charity": (Account("usd", "wallet", "zoe"), CHARITY),
}


@pytest.mark.parametrize("debit_credit", MOVES.values(), ids=MOVES)
@pytest.mark.parametrize("stream", ["night/gala", "cage"])
def test_money_on_the_account_of_another_owner_is_an_audit_finding(
    evening: Evening, stream: str, debit_credit: tuple[Account, Account]
) -> None:
    fund(evening)
    evening.sell("dan", "20")
    start_tournament(evening)
    assert verify(evening.ledger, replay_of=audit_of).findings == ()
    transfers = [move(*debit_credit, 900, "moved by hand")]
    evening.ledger.append(stream, evening.ledger.claim(stream), [], transfers)
    findings = [str(finding) for finding in verify(evening.ledger, replay_of=audit_of).findings]
    night_findings = [
        finding
        for finding in findings
        if finding.startswith("night/gala: ") and "and the balances show" in finding
    ]
    assert night_findings, findings
    if not {CHARITY, Account("usd", "prizes", T)} >= set(debit_credit):
        assert not house_statement(
            evening.ledger, charity_of=charity_names(evening.ledger), at="now"
        ).agrees


def test_audit_compares_the_charity_with_what_its_tables_won(tmp_path: Path) -> None:
    """A table result without a chip transfer differs from the charity's account."""
    evening = Evening(tmp_path / "house")
    evening.sell("ann", "20")
    evening.admit()
    report = {"result": "settled", "seats": [], "house_net": "5.00"}
    fact = {"fact": "settled", "round": "stud-1-000001", "report": report}
    evening.ledger.append("table/stud-1", evening.ledger.claim("table/stud-1"), [fact], [])
    findings = [str(finding) for finding in verify(evening.ledger, replay_of=audit_of).findings]
    assert any(
        "Net proceeds for the charity: the records show 5.00 and the balances show 0.00 " in finding
        for finding in findings
    ), findings
    evening.close()


def test_money_on_an_unused_account_is_shown_and_unbalances_the_statement(evening: Evening) -> None:
    strange = move(Account("usd", "issued"), Account("usd", "wallet", "ann"), 500, "by hand")
    evening.ledger.append("cage", evening.ledger.claim("cage"), [], [strange])
    house = statement_at(evening)
    assert (house.agrees, house.money.others) == (False, -500)
    assert "Unidentified accounts" in house_statement_text(house)


def test_night_that_was_claimed_but_never_created_is_not_a_finding(evening: Evening) -> None:
    fund(evening)
    evening.ledger.claim("night/ghost")
    assert verify(evening.ledger, replay_of=audit_of).findings == ()
    assert [share["event"] for share in house_of(evening)["events"]] == ["gala"]
