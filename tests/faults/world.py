"""The simulated world of a run: processes that die and a shared ledger with unreliable commits."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from pitbook.errors import InDoubt, LedgerError
from pitbook.house.ledger.accounts import Account, balance_changes
from pitbook.house.ledger.append_batch import Append, Receipt, write_batch
from pitbook.house.ledger.database import for_writing
from pitbook.house.ledger.hash_chain import parse_transfers
from pitbook.house.ledger.ledger import Ledger

DOUBT_SHARE = 0.01
START_TIME = datetime(2026, 1, 1, tzinfo=UTC)


class Process:
    """A process that may die: after that, nothing it awaits returns."""

    def __init__(self) -> None:
        self.dead = self.discarded = False
        self._hanging: list[asyncio.Future[None]] = []

    async def crash_point(self) -> None:
        """A point where a crash can happen."""
        await asyncio.sleep(0)
        if self.discarded:
            raise asyncio.CancelledError
        if self.dead:
            self._hanging.append(asyncio.get_running_loop().create_future())
            await self._hanging[-1]

    def discard(self) -> None:
        """Release what hangs, long after it could matter."""
        self.dead = self.discarded = True
        for grave in self._hanging:
            grave.cancel()


class Disk:
    """The ledger that the simulated processes share, with commits in the loop's own time."""

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
        return START_TIME + timedelta(seconds=asyncio.get_running_loop().time())

    async def write(self, process: Process, append: Append) -> Receipt:
        """Write an append of a process, which may die before, while and after it is written."""
        await process.crash_point()
        doubt = self.chance.random()
        if doubt < DOUBT_SHARE:
            raise InDoubt("the line died on the way there")
        answer: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, answer))
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_later(self.chance.random() / 100, self._flush)
        try:
            if doubt > 1 - DOUBT_SHARE:  # It will be written, but the caller does not learn of it.
                raise InDoubt("the line died on the way back")
            return await asyncio.shield(answer)
        finally:
            await process.crash_point()

    def _flush(self) -> None:
        batch, self._waiting, self._flushing = self._waiting, [], False
        at = self.now().isoformat(timespec="microseconds")
        try:
            with for_writing(self.ledger.engine).begin() as connection:
                replies = write_batch(connection, [append for append, _ in batch], at)
            self._check_balances(receipt for receipt in replies if isinstance(receipt, Receipt))
        except Exception as error:  # noqa: BLE001  The loop would only log it and continue.
            self.failed.set_exception(error)
            return
        for (_, answer), reply in zip(batch, replies, strict=True):
            if isinstance(reply, LedgerError):
                answer.set_exception(reply)
                answer.exception()
            else:
                answer.set_result(reply)

    def _check_balances(self, receipts: Iterable[Receipt]) -> None:
        """After every event, check that each unit balances and that balances equal the folded
        journal.
        """
        for receipt in receipts:
            if receipt.again:
                continue
            self.entries += 1
            for transfer in parse_transfers(self._content(receipt)):
                for account, change in balance_changes(transfer):
                    self.fold[account] += change
        balances = self._balances()
        assert {account: cents for account, cents in balances.items() if cents} == {
            account: cents for account, cents in self.fold.items() if cents
        }
        sides: dict[str, int] = defaultdict(int)
        for account, cents in balances.items():
            sides[account.unit] += cents if account.normal == "debit" else -cents
            assert cents >= 0 or account.kind == "house", account
        assert not any(sides.values()), sides

    # These run after every commit, so they use the driver directly.

    def _content(self, receipt: Receipt) -> str:
        stream = "SELECT id FROM stream WHERE name = ?"
        query = f"SELECT content FROM entry WHERE stream = ({stream}) AND seq = ?"
        ((content,),) = self._reader.execute(query, (receipt.stream, receipt.seq)).fetchall()
        return str(content)

    def _balances(self) -> dict[Account, int]:
        rows = self._reader.execute("SELECT unit, kind, name, balance FROM account").fetchall()
        return {Account(unit, kind, name): balance for unit, kind, name, balance in rows}
