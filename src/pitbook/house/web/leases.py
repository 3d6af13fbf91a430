"""Table leases: one process per folder on SQLite, one lock per table on PostgreSQL.

A lock says who may try; the epoch in the ledger says who may write. A process that lost its locks
without noticing is fenced off by the next claim, so no lock has to be trusted.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import re
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from pitbook.errors import LedgerError, PitbookError, Superseded
from pitbook.house.cage import cage
from pitbook.house.cage.cage import Cage
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.ledger import Stream
from pitbook.house.ledger.locks import Locks
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.state import TableKind
from pitbook.house.table.stream_names import PRACTICE, TABLE
from pitbook.house.web.errors import Elsewhere
from pitbook.house.web.logs import log_event
from pitbook.text import say

LOOK_SECONDS = 1.0
SILENT_SECONDS = 10.0  # A process silent for this long has lost its tables.
_TOURNAMENT = re.compile(rf"({re.escape(TABLE)}[^/]+\.[^/]+)-[0-9]+")  # No other name has a dot.


class HeldElsewhere(Elsewhere, Superseded):
    """A table that another process holds; answered with 421."""


def lock_key(stream: str) -> int:
    """The number under which PostgreSQL knows a stream's lock.

    The tables of one tournament share one, so that one process has them all: players change
    between them, and they are stopped together.

    >>> lock_key("table/gala.t1-1") == lock_key("table/gala.t1-2") != lock_key("table/gala.t2-1")
    True
    """
    shared = _TOURNAMENT.fullmatch(stream)
    name = shared[1] if shared else stream
    digest = hashlib.sha256(f"pitbook lease {name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


class SharedHouse(LiveTables):
    """The tables of one process among several. All processes serve the cage.

    Each process has the tables whose locks it holds. A request for another table is answered
    with 421, and the client (see `pitbook.house.client`) asks the next address. The lock of the
    cage says which process signs checkpoints.
    """

    def __init__(self, folder: Folder) -> None:
        super().__init__(folder)
        self.cage = Cage(folder.ledger, shared=True, persons=self.persons)
        self.locks = Locks(folder.ledger, lock_key, lambda: SILENT_SECONDS)
        self._watching: asyncio.Task[None] | None = None
        self._leaving = asyncio.Event()
        self._finished: set[str] = set()
        self._loading: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._confirmed_at = -math.inf

    async def open(self) -> None:
        """Take free tables, and keep looking for more."""
        await super().open()
        self._watching = asyncio.create_task(self._watch())

    async def load_tables(self) -> None:
        """Take tables that no process holds."""
        await self.take_free_tables()

    def get(self, name: str) -> LiveTable | None:
        """A table of this process, unless its locks were last confirmed too long ago."""
        return super().get(name) if _clock() - self._confirmed_at < SILENT_SECONDS else None

    async def _set_up(
        self, stream: str, name: str, kind: TableKind, actor: str, rules: dict[str, Any]
    ) -> LiveTable:
        if name not in self.tables and not await self._try_lock(stream):
            raise LedgerError(say("table.live.name-taken", table=name))
        try:
            return await super()._set_up(stream, name, kind, actor, rules)
        except BaseException:
            if name not in self.tables:
                self.locks.release(stream)
            raise

    async def load(self, stream: Stream) -> LiveTable:
        """Load a table as it was left; raises HeldElsewhere if another process has it."""
        name = stream.name.partition("/")[2]
        async with self._loading[stream.name]:  # A concurrent caller finds the table loaded.
            if name in self.tables:
                if (held_table := self.get(name)) is None:
                    raise HeldElsewhere(name)
                return held_table
            if stream.name not in self.locks.held and not await self._try_lock(stream.name):
                raise HeldElsewhere(name)
            try:
                table = await super().load(stream)
            except BaseException:
                self.locks.release(stream.name)
                raise
        if stream.name not in self.locks.held:  # The lock was lost while loading.
            await self.unload(name)
            raise HeldElsewhere(name)
        return table

    async def _try_lock(self, stream: str) -> bool:
        """Try to take a lock; this also confirms the locks already held."""
        now = _clock()
        locks_taken = await asyncio.to_thread(self.locks.take, [stream])
        if not self._tables_without_lock():
            self._confirmed_at = max(self._confirmed_at, now)
        return bool(locks_taken)

    def _tables_without_lock(self) -> list[str]:
        """Tables whose locks were lost."""
        return [name for name, table in self.tables.items() if table.stream not in self.locks.held]

    async def forget(self, name: str) -> None:
        """Stop a retired table and release its lock."""
        stream = self.tables[name].stream
        await super().forget(name)
        self.locks.release(stream)

    async def close(self) -> None:
        """Stop every table, sign the heads, and release all locks."""
        self._leaving.set()
        if self._watching is not None:
            await self._watching  # Not cancelled: its threads release what they hold.
        try:
            await super().close()
        finally:
            self.locks.close()

    def sign(self, *, closed: bool = False) -> None:
        """Sign checkpoints if this process holds the cage's lock: the file has one chain."""
        if cage.STREAM in self.locks.held:
            super().sign(closed=closed)

    async def take_free_tables(self) -> None:
        """Take over free tables. If the locks are lost, unload every table."""
        free = await self._take_locks(await asyncio.to_thread(self._wanted_streams))
        taking = asyncio.gather(*(self._take_over(stream) for stream in free or ()))
        # Loading many tables is slow; keep confirming the locks.
        while free is not None and not taking.done():
            await asyncio.wait((taking,), timeout=LOOK_SECONDS)
            free = await self._take_locks(()) if not taking.done() else free
        if free is not None:
            await taking
            await asyncio.gather(*(self.unload(name) for name in self._tables_without_lock()))
            return
        taking.cancel()
        await asyncio.gather(taking, return_exceptions=True)
        await asyncio.gather(*(self.unload(name) for name in list(self.tables)))

    async def _take_locks(self, stream_names: Iterable[str]) -> list[str] | None:
        """The locks newly taken, or None if all of ours are lost."""
        now = _clock()
        try:
            free = await asyncio.to_thread(self.locks.take, stream_names)
        except LedgerError as error:
            log_event(logging.ERROR, "table_locks_lost", reason=str(error), tables=len(self.tables))
            return None
        self._confirmed_at = now
        return free

    def _wanted_streams(self) -> list[str]:
        tables = [*self.ledger.streams(TABLE), *self.ledger.streams(PRACTICE)]
        names = (stream.name for stream in tables)
        return [cage.STREAM, *(name for name in names if name not in self._finished)]

    async def _take_over(self, name: str) -> None:
        try:
            if name == cage.STREAM:
                await self.cage.open()
            else:
                await self._take_table(name)
        except PitbookError as error:  # The next look tries again.
            log_event(logging.ERROR, "takeover_failed", stream=name, reason=str(error))
            self.locks.release(name)

    async def _take_table(self, name: str) -> None:
        stream = self.ledger.stream(name)
        if stream is None or self.is_retired(stream):
            self._finished.add(name)
            self.locks.release(name)
            return
        await self.load(stream)
        log_event(logging.INFO, "table_taken_over", stream=name)

    async def _watch(self) -> None:
        while not self._leaving.is_set():
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._leaving.wait()
            except TimeoutError:
                await self._look_safely()

    async def _look_safely(self) -> None:
        try:
            await self.take_free_tables()
        except PitbookError as error:
            log_event(logging.ERROR, "table_scan_failed", reason=str(error))
        except Exception as bug:  # noqa: BLE001  A process that stops looking loses every table.
            log_event(logging.ERROR, "internal_error", reason=repr(bug))


def _clock() -> float:
    """Monotonic seconds, including time asleep if the system can tell."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)
