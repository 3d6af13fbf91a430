"""All tables of a house over one book: opened as they were left, closed with signed heads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

from pitbook.errors import LedgerError
from pitbook.ledger.book import Stream
from pitbook.ledger.folder import Folder
from pitbook.ledger.prune import prune
from pitbook.ledger.writer import utc_now
from pitbook.money import Cents
from pitbook.shoe.vault import Vault
from pitbook.table.actor import Table
from pitbook.table.bank import till_of
from pitbook.table.cage import Cage
from pitbook.table.decide import opened
from pitbook.table.luck import ShoeLuck
from pitbook.table.state import Kind

SIGN_SECONDS = 60.0
TABLE, PRACTICE = "table/", "practice/"


class House:
    """The tables and the cage of one data folder."""

    def __init__(self, folder: Folder, *, clock: Callable[[], datetime] = utc_now) -> None:
        self.folder, self.ledger = folder, folder.ledger
        self.cage = Cage(folder.ledger)
        self.tables: dict[str, Table] = {}
        self._vault = Vault(folder.keys.sealing)
        self._clock = clock
        self._signing: asyncio.Task[None] | None = None
        self._signed: list[Stream] = []

    async def open(self) -> None:
        """Open the cage, and every table as it was left."""
        await self.cage.open()
        names = [one for one in self.ledger.streams() if one.name.startswith((TABLE, PRACTICE))]
        left = [one for one in names if not self._is_retired(one)]
        await asyncio.gather(*(self._load(one) for one in left))
        self._signing = asyncio.create_task(self._sign_now_and_then())

    async def open_table(self, name: str, kind: Kind, *, actor: str = "", **rules: Any) -> Table:
        """Set up a new table; `rules` are those of `decide.opened`."""
        stream = f"{PRACTICE if kind == 'practice' else TABLE}{name}"
        if self.ledger.stream(stream) is not None:
            raise LedgerError(f'there is a table "{name}" already; give the new one another name')
        table = self._table(stream)
        facts = opened(table=name, kind=kind, luck=table.luck, **rules)
        await table.open(facts, actor=actor, prunable=kind == "practice")
        self.tables[name] = table
        return table

    async def forget(self, name: str) -> None:
        """Stop a table that is retired; practice leaves nothing behind."""
        table = self.tables[name]
        if not table.state.retired:
            raise LedgerError(f'table "{name}" is not retired; its record stays')
        del self.tables[name]
        await table.close()
        if table.stream.startswith(PRACTICE):
            prune(self.ledger.engine, table.stream, at=self._clock().isoformat())

    async def close(self) -> None:
        """Stop every table as it stands, and sign the heads."""
        if self._signing is not None:
            self._signing.cancel()
            await asyncio.gather(self._signing, return_exceptions=True)
        await asyncio.gather(*(table.close() for table in self.tables.values()))
        self._sign()

    async def _load(self, stream: Stream) -> None:
        table = self._table(stream.name)
        await table.open(prunable=stream.prunable)
        self.tables[table.state.table] = table

    def _is_retired(self, stream: Stream) -> bool:
        last = self.ledger.entries(stream.name, after=stream.seq - 1)
        return any(fact["fact"] == "retired" for entry in last for fact in entry.facts)

    def _table(self, stream: str) -> Table:
        def wallet(player: str) -> Cents:
            return self.ledger.balance(till_of(table.state).wallet(player))

        table = Table(self.ledger, stream, ShoeLuck(self._vault, wallet=wallet, now=self._clock))
        return table

    async def _sign_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(SIGN_SECONDS)
            self._sign()

    def _sign(self) -> None:
        if (now := self.ledger.streams()) != self._signed:
            self.folder.sign()
            self._signed = now
