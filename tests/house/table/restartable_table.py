"""One table on a real ledger, whose process can be killed; its clock is the event loop's."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from tests.faults.loop import SeededLoop
from tests.shoe.seeded_vault import SeededVault

from pitbook import load
from pitbook.house.cage.cage import Cage
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import Submit
from pitbook.house.table.actor import Accepted, Answer, LiveTable
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.state import TableKind, TableState
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PLAYERS = ("ann", "bob", "cho")
BUY_IN = Cents(1_000_000)
ROLES = {"dee": "dealer", "sue": "supervisor", "clock": "clock"}

Result = TypeVar("Result")


def now() -> datetime:
    """The loop's time as a datetime."""
    return BEGIN + timedelta(seconds=asyncio.get_running_loop().time())


def by(name: str) -> By:
    """Dee deals, Sue supervises, all others play."""
    return By(name, ROLES.get(name, "player"))  # type: ignore[arg-type]


class Floor:
    """A table with its ledger and its players' wallets."""

    def __init__(
        self, folder: Path, sheet: str, kind: TableKind = "house", **clocks: int | None
    ) -> None:
        self.ledger = Ledger(connect(f"sqlite:///{folder / 'book.db'}", synchronous="OFF"))
        self.sheet, self.kind, self.clocks = load(sheet), kind, clocks
        self.env = LiveEnv(
            SeededVault(),
            wallet=lambda player: self.ledger.balance(Account("usd", "wallet", player)),
            now=now,
            kind="seeded",
            seed="on record",
        )
        self.cage = Cage(self.ledger, write=self.write)
        self.table = LiveTable(self.ledger, "table/t", self.env, self.write)

    async def open(self) -> None:
        await self.cage.open()
        for player in PLAYERS:
            await self.cage.buy_in(player, BUY_IN, actor="cage")
        facts = opening_facts(
            table="t",
            kind=self.kind,
            unit="usd",
            sheet=self.sheet,
            env=self.env,
            clocks=self.clocks or None,
        )
        await self.table.open(facts)

    async def write(self, append: Append) -> Receipt:
        """Write to the ledger without advancing simulated time."""
        await asyncio.sleep(0)
        return self.ledger.submit(append).result()

    def write_by(self, write: Submit) -> None:
        """Replace the table's way of writing."""
        shell = self.table._writer
        shell._adapter = shell._adapter._replace(write=write)

    async def lose_process(self) -> None:
        """Replace the process without closing the old one."""
        old, self.table = self.table, LiveTable(self.ledger, "table/t", self.env, self.write)
        await self.table.open()
        await old.close()

    async def ask(self, name: str, command: Command, request: str | None = None) -> Answer:
        return await self.table.send(Envelope(by(name), command, request))

    async def send(self, name: str, command: Command, request: str | None = None) -> Accepted:
        answer = await self.ask(name, command, request)
        assert not isinstance(answer, Refusal), (command, answer)
        return answer

    async def close(self) -> None:
        await self.table.close()
        self.ledger.close()

    @property
    def state(self) -> TableState:
        return self.table.state

    def wallets(self) -> dict[str, int]:
        return {name: self.env.wallet(name) for name in PLAYERS}


def run(
    folder: Path,
    sheet: str,
    play: Callable[[Floor], Awaitable[Result]],
    kind: TableKind = "house",
    **clocks: int | None,
) -> Result:
    """Open a table, play, close it; time passes only where everybody waits."""

    async def all_of_it() -> Result:
        floor = Floor(folder, sheet, kind, **clocks)
        try:
            await floor.open()
            return await play(floor)
        finally:
            await floor.close()

    loop = SeededLoop(random.Random(1))
    try:
        asyncio.set_event_loop(loop)
        return loop.run_until_complete(all_of_it())
    finally:
        asyncio.set_event_loop(None)
        loop.close()
