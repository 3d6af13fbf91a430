"""All live tables of a server, over one ledger."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Container, Iterable
from datetime import datetime
from typing import Any
from weakref import WeakValueDictionary

from pitbook.errors import LedgerError
from pitbook.house.cage.cage import Cage
from pitbook.house.ledger.append_batch import prune
from pitbook.house.ledger.data_folder import SIGN_ENTRIES, SIGN_SECONDS, Folder, log_failure
from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger, Stream
from pitbook.house.ledger.queries import ALL_TIME, Snapshot, Span, Streams, fact_patterns
from pitbook.house.ledger.streams import StreamReader
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.roster_store import get_persons
from pitbook.house.table.actor import SNAPSHOTS, LiveTable
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.facts import FACTS, Interrupted, Retired, Settled, TableOpened
from pitbook.house.table.state import TableKind, TableState
from pitbook.house.table.stream_names import PRACTICE, TABLE
from pitbook.house.table.transfers import table_accounts
from pitbook.money import Cents
from pitbook.shoe.crypto import Vault
from pitbook.text import say

SIGN_CHECK_SECONDS = 1.0  # How often the number of new entries is checked.


class LiveTables:
    """The tables and the cage of one data folder."""

    def __init__(self, folder: Folder, *, clock: Callable[[], datetime] = utc_now) -> None:
        self.folder, self.ledger = folder, folder.ledger
        self.persons = get_persons(folder.ledger)
        self.cage = Cage(folder.ledger, persons=self.persons, clock=clock)
        self.tables: dict[str, LiveTable] = {}
        # Changes to a tournament's tables take several steps, one at a time.
        self.tournament_locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._openings: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._vault = Vault(folder.keys.sealing)
        self._clock = clock
        self._signing: asyncio.Task[None] | None = None
        self._entries_signed, self._signed_at = 0, time.monotonic()
        self.superseded = False
        # Another thread may still be signing when the server closes.
        self._sign_lock = threading.Lock()

    async def open(self) -> None:
        """Load all tables and start signing periodically."""
        await asyncio.to_thread(self.persons.catch_up)  # Reads names from an old ledger.
        await asyncio.to_thread(self.folder.anchor_now)  # New entries will follow.
        await self.load_tables()
        await asyncio.to_thread(self._sign_old_entries)
        self._signing = asyncio.create_task(self._sign_periodically())

    async def load_tables(self) -> None:
        """Open the cage and every active table."""
        await self.cage.open()
        streams = [*self.ledger.streams(TABLE), *self.ledger.streams(PRACTICE)]
        active = [stream for stream in streams if not self.is_retired(stream)]
        await asyncio.gather(*(self.load(stream) for stream in active))

    def is_superseded(self) -> bool:
        """Whether another process has taken over this house, so this one must not write."""
        self.superseded = self.superseded or self.cage.is_superseded()
        return self.superseded

    def get(self, name: str) -> LiveTable | None:
        """A table of this process, or None."""
        return self.tables.get(name)

    async def load(self, stream: Stream) -> LiveTable:
        """Load a table and take it over from any earlier holder."""
        table = self._table(stream.name)
        await table.open(prunable=stream.prunable)
        self.tables[table.state.table] = table
        return table

    async def unload(self, name: str) -> None:
        """Stop a table without closing it, so that another process can load it."""
        await self.tables.pop(name).close()

    def is_retired(self, stream: Stream) -> bool:
        """Whether a table was closed permanently."""
        last = self.ledger.entries(stream.name, after=stream.seq - 1)
        return any(FACTS.load_kind(entry, Retired) for entry in last)

    async def open_table(
        self, name: str, kind: TableKind, *, actor: str = "", **rules: Any
    ) -> LiveTable:
        """Set up a new table; `rules` go to `decide.opening_facts`.

        The same request by the same person returns the same table, because the first answer may
        be lost.
        """
        stream = f"{PRACTICE if kind == 'practice' else TABLE}{name}"
        # A double click opens one table.
        async with self._openings.setdefault(stream, asyncio.Lock()):
            return await self._set_up(stream, name, kind, actor, rules)

    async def _set_up(
        self, stream: str, name: str, kind: TableKind, actor: str, rules: dict[str, Any]
    ) -> LiveTable:
        table = self._table(stream)
        facts = opening_facts(table=name, kind=kind, env=table.env, **rules)
        if (existing := self.ledger.stream(stream)) is not None:
            return await self._reopen(name, existing, actor, facts[0])
        await table.open(facts, actor=actor, prunable=kind == "practice")
        self.tables[name] = table
        return table

    async def forget(self, name: str) -> None:
        """Unload a retired table; a practice table's stream is deleted."""
        table = self.tables[name]
        if not table.state.retired:
            raise LedgerError(say("table.live.not-retired", table=name))
        await self.unload(name)
        if table.stream.startswith(PRACTICE):
            await asyncio.to_thread(self.prune, table.stream)

    def prune(self, stream: str) -> None:
        """Delete the stream of a finished practice table."""
        prune(self.ledger, stream, at=self._clock().isoformat())

    async def close(self) -> None:
        """Stop all tables and sign the heads."""
        if self._signing is not None:
            self._signing.cancel()
            await asyncio.gather(self._signing, return_exceptions=True)
        await asyncio.gather(*(table.close() for table in self.tables.values()))
        self.sign(closed=True)

    def sign(self, *, closed: bool = False) -> None:
        """Sign the heads if there are new entries; with `closed`, the anchor records it."""
        closed = closed and not self.folder.shared
        if self.is_superseded():
            return  # Two signing processes would create two chains of checkpoints.
        with self._sign_lock:
            self._entries_signed, self._signed_at = self.ledger.entries_written, time.monotonic()
            if self.folder.has_unsigned:
                self.folder.sign(closed=closed)
            elif closed:
                self.folder.anchor_now(closed=True)

    def _sign_old_entries(self) -> None:
        """Sign entries of an earlier run, which may have been killed before signing."""
        try:
            if self.folder.has_old_unsigned:
                self.sign()
        except (LedgerError, OSError) as error:
            log_failure("checkpoint_sign_failed", error)

    async def _reopen(self, name: str, existing: Stream, actor: str, opening: Fact) -> LiveTable:
        first = next(self.ledger.entries(existing.name))
        is_same = first.actor == actor and opening in FACTS.load_kind(first, TableOpened)
        if not is_same or self.is_retired(existing):
            raise LedgerError(say("table.live.name-taken", table=name))
        return self.tables.get(name) or await self.load(existing)

    def _table(self, stream: str) -> LiveTable:
        def wallet(player: str) -> Cents:
            return self.ledger.balance(table_accounts(table.state).wallet(player))

        def can_pay(player: str, amount: int) -> bool:
            return self.ledger.holds(table_accounts(table.state).wallet(player), amount)

        def access_list() -> AccessList:
            return self.persons.access_list(self._clock())

        def is_away(player: str) -> bool:
            return table.subscribers.is_away(player)

        env = LiveEnv(
            self._vault,
            wallet=wallet,
            now=self._clock,
            has=can_pay,
            access_list=access_list,
            away=is_away,
        )
        table = LiveTable(self.ledger, stream, env)
        return table

    async def _sign_periodically(self) -> None:
        while True:
            await asyncio.sleep(min(SIGN_CHECK_SECONDS, SIGN_SECONDS))
            written = self.ledger.entries_written - self._entries_signed
            if written < SIGN_ENTRIES and time.monotonic() - self._signed_at < SIGN_SECONDS:
                continue
            try:
                await asyncio.to_thread(self.sign)
            except (LedgerError, OSError) as error:  # Retried next time, or on closing.
                log_failure("checkpoint_sign_failed", error)


_TABLES = Streams(prefixes=(TABLE,))


def read_table(ledger: Ledger, stream: str) -> TableState:
    """A table's recorded state."""
    return StreamReader(ledger, stream, TableState(), _read, SNAPSHOTS).catch_up()


def _read(state: TableState, entries: Iterable[Entry]) -> TableState:
    return replay((fact for entry in entries for fact in FACTS.load_entry(entry)), state)


def interrupted_tables(ledger: Ledger, held_streams: Container[str]) -> list[TableState]:
    """States of tables outside this process whose players are asked whether to finish a hand."""
    with ledger.snapshot() as snapshot:
        spans = [
            span for span in snapshot.spans(ALL_TIME, _TABLES) if span.stream not in held_streams
        ]
        interrupted = [span.stream for span in spans if _is_interrupted(snapshot, span)]
    states = [read_table(ledger, stream) for stream in interrupted]
    return [state for state in states if state.awaiting is not None]


def _is_interrupted(snapshot: Snapshot, span: Span) -> bool:
    """Whether play was interrupted since the last settled hand."""
    last_entry = next(
        snapshot.last_entries(span, fact_patterns(*FACTS.names(Settled, Retired, Interrupted)), 1),
        None,
    )
    return last_entry is not None and bool(FACTS.load_kind(last_entry, Interrupted))
