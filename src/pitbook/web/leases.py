"""Who holds which table: one process a folder on SQLite, a lock for each table on PostgreSQL.

A lock says who may try; the epoch in the book says who may write. A process that lost its locks
without noticing is fenced off by the next claim, so no lock has to be trusted.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, Engine, text

from pitbook.errors import LedgerError
from pitbook.ledger.database import cause, failures
from pitbook.ledger.folder import Folder
from pitbook.table import cage
from pitbook.table.actor import Table
from pitbook.table.house import PRACTICE, TABLE, House
from pitbook.table.state import Kind
from pitbook.web.logs import note

__all__ = ["FolderLock", "Locks", "SharedHouse"]

LOCK = "serve.lock"
LOOK_SECONDS = 1.0
# A machine that vanished without a word is noticed after some eleven seconds.
_ALIVE = (
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
)
_TAKE = text(
    "SELECT key FROM unnest(CAST(:keys AS bigint[])) AS key WHERE pg_try_advisory_lock(key)"
)
_RELEASE_ALL = text("SELECT pg_advisory_unlock_all()")
_RELEASE = text("SELECT pg_advisory_unlock(:key)")


class FolderLock:
    """A data folder for one server at a time; the lock goes with the process, however that ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK
        self._file: IO[str] | None = None

    def __enter__(self) -> FolderLock:
        """Take the folder; raises LedgerError when another server has it."""
        file = self._path.open("a+", encoding="utf-8")
        try:
            _lock(file)
        except OSError:
            file.seek(0)
            holder = file.read(20).strip() or "unknown"
            file.close()
            raise LedgerError(
                f"{self._path.parent}: a server (process {holder}) runs on this folder already; "
                "stop it first, or keep the book on PostgreSQL to run several"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        self._file = file
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


def _lock(file: IO[str]) -> None:
    if os.name == "nt":
        import msvcrt  # noqa: PLC0415

        lock: Any = msvcrt
        file.seek(1_000)  # Far behind the text, which others may read.
        lock.locking(file.fileno(), lock.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Locks:
    """PostgreSQL's advisory locks, one for each stream, all on a connection of their own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._failures = failures(engine)
        self._connection: Connection | None = None
        self._mutex = threading.Lock()
        self.held: set[str] = set()

    def take(self, streams: Iterable[str]) -> list[str]:
        """Those that were free and are ours now; raises LedgerError when all of ours are lost."""
        wanted = {key_of(one): one for one in streams if one not in self.held}
        with self._mutex:
            try:
                rows = self._connected().execute(_TAKE, {"keys": list(wanted)}).all()
            except self._failures as error:
                self._drop()
                raise LedgerError(f"the locks are lost: {cause(error)}") from error
            got = [wanted[row.key] for row in rows]
            self.held.update(got)
        return got

    def release(self, stream: str) -> None:
        """Let others have it."""
        with self._mutex:
            if stream in self.held and self._connection is not None:
                self.held.discard(stream)
                with suppress(*self._failures):  # Lost with all others: the next look tells.
                    self._connection.execute(_RELEASE, {"key": key_of(stream)})

    def close(self) -> None:
        """Let go of all, at once: a closed connection is noticed a moment later."""
        with self._mutex:
            if self._connection is not None:
                with suppress(*self._failures):
                    self._connection.execute(_RELEASE_ALL)
            self._drop()

    def _connected(self) -> Connection:
        if self._connection is None:
            made = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            made.detach()  # Not one of the pool's: nobody else may end this session.
            self._connection = made
            made.exec_driver_sql(_ALIVE)
        return self._connection

    def _drop(self) -> None:
        self.held = set()
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self._failures):
                connection.close()


def key_of(stream: str) -> int:
    """The number under which PostgreSQL knows a stream's lock."""
    digest = hashlib.sha256(f"pitbook lease {stream}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


class SharedHouse(House):
    """A house of several processes: each has the tables whose locks it holds."""

    def __init__(self, folder: Folder) -> None:
        super().__init__(folder)
        self.locks = Locks(folder.ledger.engine)
        self._watching: asyncio.Task[None] | None = None
        self._over: set[str] = set()

    async def open(self) -> None:
        """Take what is free, and go on looking for what becomes free."""
        await self.look()
        self._watching = asyncio.create_task(self._watch())
        self._signing = asyncio.create_task(self._sign_now_and_then())

    async def open_table(self, name: str, kind: Kind, *, actor: str = "", **rules: Any) -> Table:
        """Set up a new table, which this process holds."""
        stream = f"{PRACTICE if kind == 'practice' else TABLE}{name}"
        if name not in self.tables and not await asyncio.to_thread(self.locks.take, [stream]):
            raise LedgerError(f'there is a table "{name}" already; give the new one another name')
        try:
            return await super().open_table(name, kind, actor=actor, **rules)
        except BaseException:
            if name not in self.tables:
                self.locks.release(stream)
            raise

    async def forget(self, name: str) -> None:
        """Stop a table that is retired."""
        stream = self.tables[name].stream
        await super().forget(name)
        self.locks.release(stream)

    async def close(self) -> None:
        """Stop every table, sign the heads, and let others have them."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await super().close()
        self.locks.close()

    async def look(self) -> None:
        """Take over what nobody holds; when our own locks are lost, let go of everything."""
        wanted = await asyncio.to_thread(self._wanted)
        try:
            free = await asyncio.to_thread(self.locks.take, wanted)
        except LedgerError as lost:
            note(logging.ERROR, "locks lost", reason=str(lost), tables=len(self.tables))
            await self._let_go()
            return
        await asyncio.gather(*(self._take_over(stream) for stream in free))

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
        except LedgerError as failed:  # The next look tries again.
            note(logging.ERROR, "not taken over", stream=name, reason=str(failed))
            self.locks.release(name)

    async def _take_table(self, name: str) -> None:
        stream = self.ledger.stream(name)
        if stream is None or self._is_retired(stream):
            self._over.add(name)
            self.locks.release(name)
            return
        await self._load(stream)
        note(logging.INFO, "table taken", stream=name)

    async def _let_go(self) -> None:
        tables, self.tables = self.tables, {}
        await asyncio.gather(*(table.close() for table in tables.values()))

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except LedgerError as failed:
                note(logging.ERROR, "cannot look for tables", reason=str(failed))

    def _sign(self) -> None:
        if cage.STREAM in self.locks.held:  # One signs for all: the file has one chain.
            super()._sign()
