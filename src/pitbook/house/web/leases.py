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
from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.journal import Stream
from pitbook.house.ledger.locks import Locks
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.state import TableKind
from pitbook.house.table.streams import PRACTICE, TABLE
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.errors import Elsewhere
from pitbook.house.web.logs import log_event
from pitbook.text import say

LOOK_SECONDS = 1.0
SILENT_SECONDS = 10.0  # A process that was not heard of for so long has lost its tables.
_TOURNAMENT = re.compile(rf"({re.escape(TABLE)}[^/]+\.[^/]+)-[0-9]+")  # No other name has a dot.


class HeldElsewhere(Elsewhere, Superseded):
    """A table that another process speaks for: answered with 421, whoever finds it out."""


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
    """A house of several processes: each has the tables whose locks it holds, all serve the cage.

    A request for a table that another one holds is answered with 421: a client knows the addresses
    of all (see `pitbook.house.client`), and asks the next. The lock of the cage says who signs.
    """

    def __init__(self, folder: Folder) -> None:
        super().__init__(folder)
        self.cage = Cage(folder.ledger, shared=True, persons=self.persons)
        self.locks = Locks(folder.ledger, lock_key, lambda: SILENT_SECONDS)
        self._watching: asyncio.Task[None] | None = None
        self._leaving = asyncio.Event()
        self._over: set[str] = set()
        self._doors: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._sure_at = -math.inf

    async def open(self) -> None:
        """Take what is free, and go on looking for what becomes free."""
        await super().open()
        self._watching = asyncio.create_task(self._watch())

    async def take_up(self) -> None:
        """Take what nobody holds."""
        await self.look()

    def held(self, name: str) -> LiveTable | None:
        """Not one of which we were sure so long ago that another may have it by now."""
        return super().held(name) if _clock() - self._sure_at < SILENT_SECONDS else None

    async def _set_up(
        self, stream: str, name: str, kind: TableKind, actor: str, rules: dict[str, Any]
    ) -> LiveTable:
        if name not in self.tables and not await self._locked(stream):
            raise LedgerError(say("table.live.name-taken", table=name))
        try:
            return await super()._set_up(stream, name, kind, actor, rules)
        except BaseException:
            if name not in self.tables:
                self.locks.release(stream)
            raise

    async def load(self, stream: Stream) -> LiveTable:
        """A table as it was left, where nobody else has it; raises HeldElsewhere."""
        name = stream.name.partition("/")[2]
        async with self._doors[stream.name]:  # Whoever comes meanwhile finds it loaded.
            if name in self.tables:
                if (known := self.held(name)) is None:
                    raise HeldElsewhere(name)
                return known
            if stream.name not in self.locks.held and not await self._locked(stream.name):
                raise HeldElsewhere(name)
            try:
                table = await super().load(stream)
            except BaseException:
                self.locks.release(stream.name)
                raise
        if stream.name not in self.locks.held:  # Lost while we were at it.
            await self.unload(name)
            raise HeldElsewhere(name)
        return table

    async def _locked(self, stream: str) -> bool:
        """Whether a lock was free and is ours now; those that we have are proven by it, too."""
        now = _clock()
        got = await asyncio.to_thread(self.locks.take, [stream])
        if not self._unlocked():
            self._sure_at = max(self._sure_at, now)
        return bool(got)

    def _unlocked(self) -> list[str]:
        """Tables whose locks were lost behind our back."""
        return [name for name, one in self.tables.items() if one.stream not in self.locks.held]

    async def forget(self, name: str) -> None:
        """Stop a table that is retired."""
        stream = self.tables[name].stream
        await super().forget(name)
        self.locks.release(stream)

    async def close(self) -> None:
        """Stop every table, sign the heads, and let others have them."""
        self._leaving.set()
        if self._watching is not None:
            await self._watching  # Not cancelled: what its threads hold is let go of by them.
        try:
            await super().close()
        finally:
            self.locks.close()

    def sign(self, *, closed: bool = False) -> None:
        """Sign for all, if this is the one that does: the file has one chain."""
        if cage.STREAM in self.locks.held:
            super().sign(closed=closed)

    async def look(self) -> None:
        """Take over what nobody holds; when our own locks are lost, let go of everything."""
        free = await self._taken(await asyncio.to_thread(self._wanted))
        taking = asyncio.gather(*(self._take_over(stream) for stream in free or ()))
        while free is not None and not taking.done():  # Many take long, and silence is the end.
            await asyncio.wait((taking,), timeout=LOOK_SECONDS)
            free = await self._taken(()) if not taking.done() else free
        if free is not None:
            await taking
            await asyncio.gather(*(self.unload(name) for name in self._unlocked()))
            return
        taking.cancel()
        await asyncio.gather(taking, return_exceptions=True)
        await asyncio.gather(*(self.unload(name) for name in list(self.tables)))

    async def _taken(self, wanted: Iterable[str]) -> list[str] | None:
        """What was free and is ours now; None when all of ours is lost."""
        now = _clock()
        try:
            free = await asyncio.to_thread(self.locks.take, wanted)
        except LedgerError as lost:
            log_event(logging.ERROR, "table_locks_lost", reason=str(lost), tables=len(self.tables))
            return None
        self._sure_at = now
        return free

    def _wanted(self) -> list[str]:
        streams = [one.name for one in self.ledger.streams()]
        tables = [one for one in streams if one.startswith((TABLE, PRACTICE))]
        return [cage.STREAM, *(one for one in tables if one not in self._over)]

    async def _take_over(self, name: str) -> None:
        try:
            if name == cage.STREAM:
                await self.cage.open()
            else:
                await self._take_table(name)
        except PitbookError as failed:  # The next look tries again.
            log_event(logging.ERROR, "takeover_failed", stream=name, reason=str(failed))
            self.locks.release(name)

    async def _take_table(self, name: str) -> None:
        stream = self.ledger.stream(name)
        if stream is None or self.is_retired(stream):
            self._over.add(name)
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
                await self._looked()

    async def _looked(self) -> None:
        try:
            await self.look()
        except PitbookError as failed:
            log_event(logging.ERROR, "table_scan_failed", reason=str(failed))
        except Exception as bug:  # noqa: BLE001  Who stops looking loses every table.
            log_event(logging.ERROR, "internal_error", reason=repr(bug))


def _clock() -> float:
    """Seconds that pass while the machine sleeps, too, where that can be told."""
    which = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if which is None else time.clock_gettime(which)
