"""Live tables under faults: players act from several threads, and what they were told must hold."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any, TypeVar

from tests.faults.people import player_command
from tests.shoe.seeded_vault import SeededVault

from pitbook import load
from pitbook.hands.ranking import kind_table
from pitbook.house.cage.cage import Cage
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.ledger.writer import utc_now
from pitbook.house.table import commands
from pitbook.house.table.actor import Accepted, LiveTable
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.facts import FACTS
from pitbook.house.table.transfers import table_accounts
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet

SHEETS = {
    "one": "catfish-bend/mississippi-stud",
    "two": "oceanfront/mississippi-stud",
    "three": "catfish-bend/matchem-hi-lo",
}
PLAYERS = ("ann", "bob", "cho")
FUND = Cents(10_000_000)
WAIT_SECONDS = 30.0  # Other players may have to act first, and their commits may be slow.
PAUSE_SECONDS = 0.005

Result = TypeVar("Result")


@dataclass(frozen=True)
class Tables:
    """Three tables of three games, with three players each."""

    seed: str = "52"

    def start(self, url: str) -> TablesClient:
        """The tables of the ledger at that URL, resumed."""
        return TablesClient(self, Ledger.open(url))

    def wrong(self, url: str, acknowledged: Mapping[int, str]) -> list[str]:
        """What is wrong with the ledger at that URL and with its tables."""
        with Ledger.open(url) as ledger:
            receipts = {number: receipt_of(ledger, self.id_of(number)) for number in acknowledged}
            lost = [
                f"request {number} was acknowledged as {receipt} and is {receipts[number]}"
                for number, receipt in acknowledged.items()
                if receipts[number] != receipt
            ]
            return [
                *(f"verify: {finding}" for finding in verify(ledger, replay_of=audit_of).findings),
                *lost,
                *held_money_errors(ledger),
            ]

    def id_of(self, number: int) -> str:
        """The request's id, with the name of its sender."""
        return f"{PLAYERS[number % len(PLAYERS)]}/{self.seed}-{number}"


class TablesClient:
    """An event loop with tables in a thread; other threads send requests."""

    def __init__(self, tables: Tables, ledger: Ledger) -> None:
        self.tables, self.ledger = tables, ledger
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._open = self._run(self._open_tables())

    def send(self, number: int) -> str:
        """The receipt of a request, which is a random possible command at a table."""
        if number == 0:
            return self._run(self._fund_players())
        return self._run(self._send(number))

    def close(self) -> None:
        """Stop the tables."""
        for table in self._open.values():
            self._run(table.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self.ledger.close()

    def _run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def _open_tables(self) -> dict[str, LiveTable]:
        return {name: await self._table(name) for name in SHEETS}

    async def _table(self, name: str) -> LiveTable:
        def wallet(player: str) -> Cents:
            return self.ledger.balance(table_accounts(table.state).wallet(player))

        env = LiveEnv(SeededVault(), wallet=wallet, now=utc_now)
        table = LiveTable(self.ledger, f"table/{name}", env)
        new = self.ledger.stream(table.stream) is None
        await table.open(opening(name, env) if new else ())
        return table

    async def _fund_players(self) -> str:
        self.cage = Cage(self.ledger)  # Opened once: only the latest cage may write.
        await self.cage.open()
        for player in PLAYERS[1:]:
            await self.cage.buy_in(
                player, FUND, actor="cage", request=f"{self.tables.seed}-{player}"
            )
        paid = await self.cage.buy_in("ann", FUND, actor="ann", request=f"{self.tables.seed}-0")
        return f"{paid.stream} {paid.seq} {paid.hash}"

    async def _send(self, number: int) -> str:
        request = self.tables.id_of(number)
        player, _, own_id = request.partition("/")
        rng = random.Random(f"{request} {random.random()}")
        entry = self.ledger.entry_of_request(request)
        if entry is not None and entry.body is not None:  # Repeat it unchanged.
            stream, _, command = json.loads(entry.body)
            table = self._open[stream.partition("/")[2]]
            return (
                await self._submit(
                    table, Envelope(By(player, "player"), commands.decode(command), own_id)
                )
                or ""
            )
        deadline = monotonic() + WAIT_SECONDS
        while monotonic() < deadline:
            table = self._open[rng.choice(list(SHEETS))]
            command = choose_command(rng, table, player)
            receipt = await self._submit(table, Envelope(By(player, "player"), command, own_id))
            if receipt is not None:
                return receipt
            await asyncio.sleep(PAUSE_SECONDS)  # Let the other senders' commands finish.
        states = {
            name: (table.state.seats, table.state.awaiting, table.state.round)
            for name, table in self._open.items()
        }
        raise AssertionError(f"{player} can do nothing anywhere: {states}")

    async def _submit(self, table: LiveTable, envelope: Envelope) -> str | None:
        answer = await table.send(envelope)
        if isinstance(answer, Refusal):
            return None
        assert isinstance(answer, Accepted)
        return f"{table.stream} {answer.seq} {answer.hash}"


@cache
def _sheet(name: str) -> Sheet:
    return load(SHEETS[name])


def warm() -> None:
    """Compute shared results once, before processes are forked."""
    for name in SHEETS:
        _sheet(name)
    kind_table(5, False, "high-or-low")


def opening(name: str, env: LiveEnv) -> list[Fact]:
    """The first facts of a table without clocks."""
    clocks = {"betting": None, "decision": None}
    sheet = _sheet(name)
    return opening_facts(table=name, kind="house", unit="usd", env=env, sheet=sheet, clocks=clocks)


def choose_command(rng: random.Random, table: LiveTable, player: str) -> Command:
    """A sensible command, or a seat's own seed, which can nearly always be added."""
    own_seats = [seat for seat, owner in table.state.seats.items() if owner == player]
    if own_seats and rng.random() < 0.2:
        return commands.CloseBetting()
    return player_command(rng, table.state, player) or commands.SeatSeed(
        own_seats[0] if own_seats else 1, f"{rng.random()}"
    )


def receipt_of(ledger: Ledger, request: str) -> str:
    """A request's place in the journal, as its receipt states it."""
    entry = ledger.entry_of_request(request)
    return f"{entry.stream} {entry.seq} {entry.hash}" if entry else "not there"


def held_money_errors(ledger: Ledger) -> list[str]:
    """Seats whose held money differs from their stakes on the layout."""
    wrong = []
    for name in SHEETS:
        state = replay(
            fact for entry in ledger.entries(f"table/{name}") for fact in FACTS.load_entry(entry)
        )
        live_seats = state.round.seats if state.has_live_wagers and state.round is not None else ()
        stakes = {seat.number: sum(amount for _, amount in seat.stakes) for seat in live_seats}
        for seat in range(1, 7):
            held = ledger.balance(Account("usd", "held", f"{name}/{seat}"))
            if held != stakes.get(seat, 0):
                wrong.append(f"{name}/{seat} holds {held}, but {stakes.get(seat, 0)} lies there")
    return wrong
