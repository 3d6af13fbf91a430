"""Live tables of a night: rounds in event chips, interruption and closing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tests.house.nights.kit import CMS, OMS, Evening
from tests.house.nights.tournament.step_lines import schedule

from pitbook.cards import card
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.ledger import Stream
from pitbook.house.nights import commands as do
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights.state import AdmittedTable
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import Cents, dollars
from pitbook.rules.actions import BOARD
from pitbook.rules.refusals import Code, Refusal
from pitbook.sheets.model import Sheet

T = TypeVar("T")
DEALER = By("dee", "dealer")


def at(evening: Evening, work: Callable[[LiveTables], Awaitable[T]]) -> T:
    async def run() -> T:
        house = LiveTables(evening.folder)
        try:
            return await work(house)
        finally:
            await house.close()

    return asyncio.run(run())


def open_table(
    evening: Evening, name: str = "stud-1", sheet: Sheet = OMS, *, derived: bool = False
) -> AdmittedTable | Refusal:
    command = do.AdmitTable(name, dump_sheet(sheet), derived)

    async def work(house: LiveTables) -> AdmittedTable | Refusal:
        return await chance_tables.open_table(
            house, evening.night, command, kind="typed", actor="kim"
        )

    return at(evening, work)


async def send_commands(house: LiveTables, name: str, *commands: at_table.Command) -> None:
    stream = house.ledger.stream(f"table/{name}")
    assert stream is not None
    table = house.get(name) or await house.load(stream)
    for command in commands:
        answer = await table.send(Envelope(DEALER, command))
        assert not isinstance(answer, Refusal), (command, answer)


def in_hand(name: str = "stud-1") -> Callable[[LiveTables], Awaitable[None]]:
    """Ann sits, bets $4 and is dealt."""

    async def work(house: LiveTables) -> None:
        await send_commands(
            house,
            name,
            at_table.Sit(1, "ann"),
            at_table.PutWager(1, "ante", Cents(400)),
            at_table.CloseBetting(),
        )

    return work


async def fold_hand(house: LiveTables) -> None:
    """Ann looks at her cards and folds."""
    await send_commands(
        house,
        "stud-1",
        at_table.TypeCard(1, card("2c")),
        at_table.TypeCard(1, card("7d")),
        at_table.Decide(1, "fold"),
        at_table.Settle(),
    )


def test_a_round_at_a_live_table_is_in_the_statement(evening: Evening) -> None:
    assert isinstance(open_table(evening), AdmittedTable)
    evening.sell("ann", "20")

    async def work(house: LiveTables) -> None:
        await in_hand()(house)
        await fold_hand(house)

    at(evening, work)
    assert evening.chips("ann") == "16.00"
    closing = evening.statement()
    assert (closing.totals.won, closing.findings) == (400, ())
    evening.redeem("ann", "10")
    answer = at(evening, lambda house: chance_tables.close(house, evening.night, actor="kim"))
    assert not isinstance(answer, Refusal), answer
    closing = evening.statement()
    assert (closing.totals.expired, closing.totals.proceeds, closing.findings) == (600, 1_000, ())
    assert closing.document()["tables"][0]["rounds"] == 1
    assert verify(evening.ledger).findings == ()


def test_hands_settled_one_by_one_are_in_the_statement_at_once(evening: Evening) -> None:
    """A typed table books each hand, so the statement must follow in mid-round."""
    assert isinstance(open_table(evening), AdmittedTable)
    evening.sell("ann", "20")
    evening.sell("bob", "20")

    async def half(house: LiveTables) -> None:
        await send_commands(house, "stud-1", at_table.Sit(2, "bob"))
        await send_commands(house, "stud-1", at_table.PutWager(2, "ante", Cents(400)))
        await in_hand()(house)
        for board_card in ("Qs", "Jd", "2h"):
            await send_commands(house, "stud-1", at_table.Decide(1, "1x"), at_table.Decide(2, "1x"))
            await send_commands(house, "stud-1", at_table.TypeCard(BOARD, card(board_card)))
        hand = (at_table.TypeCard(2, card(hand_card)) for hand_card in ("4c", "5d"))
        await send_commands(house, "stud-1", *hand, at_table.Settle())

    at(evening, half)
    closing = evening.statement()
    assert (closing.totals.won, closing.findings) == (1_600, ())

    async def misdeal(house: LiveTables) -> None:
        # After the restart, ann must answer; bob is settled and need not.
        await send_commands(house, "stud-1", at_table.Agree(1, finish=True))
        await send_commands(house, "stud-1", at_table.Misdeal("a boxed card"))

    at(evening, misdeal)
    closing = evening.statement()
    assert (closing.totals.won, closing.findings) == (0, ())
    assert (evening.chips("ann"), evening.chips("bob")) == ("20.00", "20.00")


def test_bets_above_the_limit_are_refused_at_the_table_too(evening: Evening) -> None:
    open_table(evening, "stud-2", CMS, derived=True)
    evening.sell("ann", "20")

    async def work(house: LiveTables) -> list[object]:
        await send_commands(house, "stud-2", at_table.Sit(1, "ann"))
        table = house.tables["stud-2"]
        bets = [("ante", 101), ("ante", 200), ("ante", 100), ("three-card-bonus", 500)]
        return [
            await table.send(Envelope(DEALER, at_table.PutWager(1, wager, Cents(cents))))
            for wager, cents in bets
        ]

    answers = at(evening, work)
    assert [isinstance(answer, Refusal) for answer in answers] == [True, True, False, True]


def test_closing_does_not_interrupt_a_hand(evening: Evening) -> None:
    open_table(evening)
    evening.sell("ann", "20")
    at(evening, in_hand())
    before = _streams(evening)
    refusal = at(evening, lambda house: chance_tables.close(house, evening.night, actor="kim"))
    assert isinstance(refusal, Refusal)
    assert refusal.message.startswith("Table stud-1 has $4 in play. Finish the hand")
    assert _streams(evening) == before
    assert evening.no(do.Close()).message.startswith("Table stud-1 still has $4 on the layout")


def test_tables_stay_open_when_a_tournament_keeps_the_night_open(evening: Evening) -> None:
    open_table(evening)
    evening.must(floor.SetUp("gala.t1", schedule()))
    evening.must(floor.Enter("gala.t1", "ann"))
    before = _streams(evening)
    refusal = at(evening, lambda house: chance_tables.close(house, evening.night, actor="kim"))
    assert isinstance(refusal, Refusal)
    assert "gala.t1 is not finished. Refund the players" in refusal.message
    assert _streams(evening) == before
    evening.must(floor.Refund("gala.t1", "ann"))
    answer = at(evening, lambda house: chance_tables.close(house, evening.night, actor="kim"))
    assert not isinstance(answer, Refusal), answer
    again = at(evening, lambda house: chance_tables.close(house, evening.night, actor="kim"))
    assert isinstance(again, Refusal)
    assert again.clause == "OMS-17"


def test_oms_16_interruption_asks_at_every_table_with_a_hand(evening: Evening) -> None:
    open_table(evening)
    open_table(evening, "stud-2")
    evening.sell("ann", "20")
    at(evening, in_hand())

    async def work(house: LiveTables) -> object:
        return await chance_tables.interrupt(house, evening.night, "power failure", actor="kim")

    results = at(evening, work)
    assert isinstance(results, list)
    messages = {result.where: result.what for result in results}
    assert messages["stud-1"].startswith("ann must agree to finish the hand")
    assert messages["stud-2"] == "No hand is in play."

    async def disagree(house: LiveTables) -> None:
        await send_commands(house, "stud-1", at_table.Agree(1, finish=False))

    at(evening, disagree)
    assert evening.chips("ann") == "20.00"  # Dead: the wager is back, and that is no refund.
    closing = evening.statement()
    assert (closing.totals.won, closing.findings) == (0, ())
    assert closing.document()["tables"][0]["void_returned"] == "4.00"


def test_interruption_reaches_tournaments(evening: Evening) -> None:
    evening.must(floor.SetUp("gala.t1", schedule()))
    evening.must(floor.Announce("gala.t1", "bea"))
    for player in ("ann", "bob", "cho", "dan"):
        evening.must(floor.Enter("gala.t1", player))
    evening.must(floor.DrawSeats("gala.t1"))
    evening.must(floor.Start("gala.t1"))

    async def work(house: LiveTables) -> object:
        return await chance_tables.interrupt(
            house, evening.night, "storm", actor="kim", request="r"
        )

    results = at(evening, work)
    assert results == [chance_tables.StopResult("gala.t1", "canceled")]
    assert at(evening, work) == []  # Asked again, it is over already.
    assert evening.state.interruptions == ("storm",)


def test_admitted_table_that_was_not_opened_is_opened(evening: Evening) -> None:
    evening.admit()
    assert isinstance(open_table(evening), AdmittedTable)
    repeated = open_table(evening)
    assert isinstance(repeated, Refusal)
    assert repeated.code is Code.NOT_NOW
    other = open_table(evening, "stud-1", CMS)
    assert isinstance(other, Refusal)


def test_refused_sheet_opens_no_table(evening: Evening) -> None:
    assert isinstance(open_table(evening, "stud-9", CMS), Refusal)
    assert evening.ledger.stream("table/stud-9") is None
    assert evening.holds(evening.state.accounts.cash) == "0.00"
    assert dollars(evening.chips("ann")) == 0


def _streams(evening: Evening) -> list[Stream]:
    """All streams except the ledger's checkpoints."""
    return [stream for stream in evening.ledger.streams() if stream.name != "checkpoints"]
