"""Locks that a server keeps for whoever is connected: who holds what, among several processes.

A lock says who may try; the epoch in the book says who may write. A process that lost its locks
without noticing is fenced off by the next claim, so no lock has to be trusted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, event, text

from pitbook.errors import LedgerError
from pitbook.house.ledger.book import Ledger
from pitbook.house.ledger.database import cause, failures
from pitbook.text import say

# A machine that vanished without a word is noticed after some eleven seconds.
_ALIVE = (
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
)
# A process that hangs keeps its lines, and with them locks and rows: PostgreSQL cuts them then.
# (From version 14 on; before that only an administrator can.)
_CUT = text(
    "SELECT set_config(name, :after, false) FROM pg_settings WHERE name IN "
    "('idle_session_timeout', 'idle_in_transaction_session_timeout')"
)
_CUT_WRITER = "SET idle_in_transaction_session_timeout = '{}ms'"
_TAKE = text(
    "SELECT key FROM unnest(CAST(:keys AS bigint[])) AS key WHERE pg_try_advisory_lock(key)"
)
_RELEASE_ALL = text("SELECT pg_advisory_unlock_all()")
_RELEASE = text("SELECT pg_advisory_unlock(:key)")


class Locks:
    """PostgreSQL's advisory locks, all on a connection of their own, by the number of a stream.

    Streams of one number share a lock, so that one process has them all.
    """

    def __init__(
        self, ledger: Ledger, key_of: Callable[[str], int], silent: Callable[[], float]
    ) -> None:
        self._engine, self._key_of, self._silent = ledger.engine, key_of, silent
        self._failures = failures(ledger.engine)
        self._connection: Connection | None = None
        self._mutex = threading.Lock()
        self.held: set[str] = set()
        self._cut_when_silent()

    def _cut_when_silent(self) -> None:
        """A writer that hangs in mid-transaction must not hold a table's rows for ever."""

        @event.listens_for(self._engine, "connect")
        def _bounded(raw: Any, _: Any) -> None:
            raw.execute(_CUT_WRITER.format(f"{self._silent() * 1_000:.0f}"))
            raw.commit()

        self._engine.dispose()  # Connections that were made before know nothing of it.

    def take(self, streams: Iterable[str]) -> list[str]:
        """Those that were free and are ours now; raises LedgerError when all of ours are lost."""
        with self._mutex:  # One of ours would be given to us once more.
            wanted = [one for one in streams if one not in self.held]
            ours = {self._key_of(one) for one in self.held}
            try:
                free = self._free({self._key_of(one) for one in wanted} - ours)
            except self._failures as error:
                self._drop()
                raise LedgerError(say("ledger.locks-lost", error=cause(error))) from error
            got = [one for one in wanted if self._key_of(one) in ours | free]
            self.held.update(got)
        return got

    def _free(self, keys: set[int]) -> set[int]:
        """Those that are ours now; asked with none it is a sign of life."""
        rows = self._connected().execute(_TAKE, {"keys": sorted(keys)}).all()
        return {row.key for row in rows}

    def release(self, stream: str) -> None:
        """Let others have it."""
        with self._mutex:
            if stream in self.held and self._connection is not None:
                self.held.discard(stream)
                key = self._key_of(stream)
                if key in map(self._key_of, self.held):
                    return
                with suppress(*self._failures):  # Lost with all others: the next look tells.
                    self._connection.execute(_RELEASE, {"key": key})

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
            made.execute(_CUT, {"after": f"{self._silent() * 1_000:.0f}ms"})
        return self._connection

    def _drop(self) -> None:
        self.held = set()
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self._failures):
                connection.close()
