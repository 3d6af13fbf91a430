"""Tables, ledger and clients in one process, with a network that loses and a machine that dies."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from pitbook.errors import InDoubt, LedgerError
from pitbook.house.ledger.accounts import Account, changes
from pitbook.house.ledger.batch import Append, Receipt, write_batch
from pitbook.house.ledger.chain import parse_transfers
from pitbook.house.ledger.database import writing
from pitbook.house.ledger.journal import Ledger

DOUBT = 0.01
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


class Process:
    """A process that may die: from then on nothing it awaits ever comes back."""

    def __init__(self) -> None:
        self.dead = self.buried = False
        self._graves: list[asyncio.Future[None]] = []

    async def point(self) -> None:
        """Somewhere that a crash can happen."""
        await asyncio.sleep(0)
        if self.buried:
            raise asyncio.CancelledError
        if self.dead:
            self._graves.append(asyncio.get_running_loop().create_future())
            await self._graves[-1]

    def bury(self) -> None:
        """Let go of what hangs, long after anybody could notice."""
        self.dead = self.buried = True
        for grave in self._graves:
            grave.cancel()


class Disk:
    """The book as the simulated processes share it: real tables, commits in the loop's own time."""

    def __init__(self, ledger: Ledger, chance: random.Random) -> None:
        self.ledger, self.chance = ledger, chance
        self.fold: dict[Account, int] = defaultdict(int)
        self.entries = 0
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting: list[tuple[Append, asyncio.Future[Receipt]]] = []
        self._flushing = False
        self._reader: Any = ledger.engine.raw_connection().driver_connection

    def now(self) -> datetime:
        """The simulated time of day."""
        return BEGIN + timedelta(seconds=asyncio.get_running_loop().time())

    async def write(self, process: Process, append: Append) -> Receipt:
        """An append from a process, which may die before, while and after it is written."""
        await process.point()
        doubt = self.chance.random()
        if doubt < DOUBT:
            raise InDoubt("the line died on the way there")
        answer: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, answer))
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_later(self.chance.random() / 100, self._flush)
        try:
            if doubt > 1 - DOUBT:  # It will be written, and nobody hears of it.
                raise InDoubt("the line died on the way back")
            return await asyncio.shield(answer)
        finally:
            await process.point()

    def _flush(self) -> None:
        batch, self._waiting, self._flushing = self._waiting, [], False
        at = self.now().isoformat(timespec="microseconds")
        try:
            with writing(self.ledger.engine).begin() as connection:
                said = write_batch(connection, [append for append, _ in batch], at)
            self._balanced(receipt for receipt in said if isinstance(receipt, Receipt))
        except Exception as found:  # noqa: BLE001  A loop would only log it, and go on.
            self.failed.set_exception(found)
            return
        for (_, answer), one in zip(batch, said, strict=True):
            if isinstance(one, LedgerError):
                answer.set_exception(one)
                answer.exception()
            else:
                answer.set_result(one)

    def _balanced(self, receipts: Iterable[Receipt]) -> None:
        """After every event: each unit balances, and balances are the fold of the journal."""
        for receipt in receipts:
            if receipt.again:
                continue
            self.entries += 1
            for transfer in parse_transfers(self._content(receipt)):
                for account, change in changes(transfer):
                    self.fold[account] += change
        held = self._balances()
        assert {one: cents for one, cents in held.items() if cents} == {
            one: cents for one, cents in self.fold.items() if cents
        }
        sides: dict[str, int] = defaultdict(int)
        for account, cents in held.items():
            sides[account.unit] += cents if account.normal == "debit" else -cents
            assert cents >= 0 or account.kind == "house", account
        assert not any(sides.values()), sides

    # Asked after every commit, so asked of the driver itself.

    def _content(self, receipt: Receipt) -> str:
        stream = "SELECT id FROM stream WHERE name = ?"
        asked = f"SELECT content FROM entry WHERE stream = ({stream}) AND seq = ?"
        ((content,),) = self._reader.execute(asked, (receipt.stream, receipt.seq)).fetchall()
        return str(content)

    def _balances(self) -> dict[Account, int]:
        rows = self._reader.execute("SELECT unit, kind, name, balance FROM account").fetchall()
        return {Account(unit, kind, name): balance for unit, kind, name, balance in rows}
