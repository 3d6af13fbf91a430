"""All live tables of a house over one ledger."""

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
from pitbook.house.ledger.batch import prune
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Fact
from pitbook.house.ledger.folder import SIGN_ENTRIES, SIGN_SECONDS, Folder, log_failure
from pitbook.house.ledger.journal import Ledger, Stream
from pitbook.house.ledger.queries import ALWAYS, Snapshot, Span, Streams, kinds
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.roster import AccessList, get_persons
from pitbook.house.table.actor import SNAPSHOTS, LiveTable
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.env import LiveEnv
from pitbook.house.table.facts import FACTS, Interrupted, Retired, Settled, TableOpened
from pitbook.house.table.payouts import table_accounts
from pitbook.house.table.state import TableKind, TableState, replay
from pitbook.house.table.streams import PRACTICE, TABLE
from pitbook.money import Cents
from pitbook.shoe.vault import Vault
from pitbook.text import say

LOOK_SECONDS = 1.0  # How often it is looked whether so many entries have come.


class LiveTables:
    """The tables and the cage of one data folder."""

    def __init__(self, folder: Folder, *, clock: Callable[[], datetime] = utc_now) -> None:
        self.folder, self.ledger = folder, folder.ledger
        self.persons = get_persons(folder.ledger)
        self.cage = Cage(folder.ledger, persons=self.persons, clock=clock)
        self.tables: dict[str, LiveTable] = {}
        # What is done to the tables of a tournament takes several steps: one after the other.
        self.turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._openings: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._vault = Vault(folder.keys.sealing)
        self._clock = clock
        self._signing: asyncio.Task[None] | None = None
        self._counted, self._signed_at = 0, time.monotonic()
        self.was_superseded = False
        self._turn = threading.Lock()  # Whoever closes the house may find a thread still signing.

    async def open(self) -> None:
        """Take up what was left, and sign the heads now and then."""
        await asyncio.to_thread(self.persons.catch_up)  # An old book is read through for names.
        await asyncio.to_thread(self.folder.anchor_now)  # From here on something is to come.
        await self.take_up()
        await asyncio.to_thread(self._sign_what_was_left)
        self._signing = asyncio.create_task(self._sign_now_and_then())

    async def take_up(self) -> None:
        """Open the cage, and every table as it was left."""
        await self.cage.open()
        names = [one for one in self.ledger.streams() if one.name.startswith((TABLE, PRACTICE))]
        left = [one for one in names if not self.is_retired(one)]
        await asyncio.gather(*(self.load(one) for one in left))

    def is_superseded(self) -> bool:
        """Whether another process has taken over this house, so this one must not write."""
        self.was_superseded = self.was_superseded or self.cage.is_superseded()
        return self.was_superseded

    def held(self, name: str) -> LiveTable | None:
        """A table that this process speaks for."""
        return self.tables.get(name)

    async def load(self, stream: Stream) -> LiveTable:
        """A table as it was left; whoever held it before can write nothing more to it."""
        table = self._table(stream.name)
        await table.open(prunable=stream.prunable)
        self.tables[table.state.table] = table
        return table

    async def unload(self, name: str) -> None:
        """Stop a table as it stands; another process may take it up."""
        await self.tables.pop(name).close()

    def is_retired(self, stream: Stream) -> bool:
        """Whether a table was closed for good."""
        last = self.ledger.entries(stream.name, after=stream.seq - 1)
        return any(FACTS.load_kind(entry, Retired) for entry in last)

    async def open_table(
        self, name: str, kind: TableKind, *, actor: str = "", **rules: Any
    ) -> LiveTable:
        """Set up a new table; `rules` are those of `decide.opened`.

        Asked for again by the same person with the same rules it is the same table: the first
        answer may have been lost.
        """
        stream = f"{PRACTICE if kind == 'practice' else TABLE}{name}"
        async with self._openings.setdefault(stream, asyncio.Lock()):  # Pressed twice, it is once.
            return await self._set_up(stream, name, kind, actor, rules)

    async def _set_up(
        self, stream: str, name: str, kind: TableKind, actor: str, rules: dict[str, Any]
    ) -> LiveTable:
        table = self._table(stream)
        facts = opening_facts(table=name, kind=kind, env=table.env, **rules)
        if (found := self.ledger.stream(stream)) is not None:
            return await self._opened_before(name, found, actor, facts[0])
        await table.open(facts, actor=actor, prunable=kind == "practice")
        self.tables[name] = table
        return table

    async def forget(self, name: str) -> None:
        """Stop a table that is retired; practice leaves nothing behind."""
        table = self.tables[name]
        if not table.state.retired:
            raise LedgerError(say("table.live.not-retired", table=name))
        await self.unload(name)
        if table.stream.startswith(PRACTICE):
            await asyncio.to_thread(self.prune, table.stream)

    def prune(self, stream: str) -> None:
        """Delete the record of practice that is over."""
        prune(self.ledger, stream, at=self._clock().isoformat())

    async def close(self) -> None:
        """Stop every table as it stands, and sign the heads."""
        if self._signing is not None:
            self._signing.cancel()
            await asyncio.gather(self._signing, return_exceptions=True)
        await asyncio.gather(*(table.close() for table in self.tables.values()))
        self.sign(closed=True)

    def sign(self, *, closed: bool = False) -> None:
        """Sign the heads of all streams, if there is anything new; closed, the anchor is told."""
        closed = closed and not self.folder.shared
        if self.is_superseded():
            return  # If two processes signed, there would be two chains of checkpoints.
        with self._turn:
            self._counted, self._signed_at = self.ledger.entries_written, time.monotonic()
            if self.folder.has_news:
                self.folder.sign(closed=closed)
            elif closed:
                self.folder.anchor_now(closed=True)

    def _sign_what_was_left(self) -> None:
        """A house that is often killed may never have come to sign."""
        try:
            if self.folder.was_left:
                self.sign()
        except (LedgerError, OSError) as failed:
            log_failure("checkpoint_sign_failed", failed)

    async def _opened_before(
        self, name: str, found: Stream, actor: str, opening: Fact
    ) -> LiveTable:
        first = next(self.ledger.entries(found.name))
        same = first.actor == actor and opening in FACTS.load_kind(first, TableOpened)
        if not same or self.is_retired(found):
            raise LedgerError(say("table.live.name-taken", table=name))
        return self.tables.get(name) or await self.load(found)

    def _table(self, stream: str) -> LiveTable:
        def wallet(player: str) -> Cents:
            return self.ledger.balance(table_accounts(table.state).wallet(player))

        def has(player: str, amount: int) -> bool:
            return self.ledger.holds(table_accounts(table.state).wallet(player), amount)

        def door() -> AccessList:
            return self.persons.access_list(self._clock())

        def away(player: str) -> bool:
            return table.subscribers.away(player)

        env = LiveEnv(self._vault, wallet=wallet, now=self._clock, has=has, door=door, away=away)
        table = LiveTable(self.ledger, stream, env)
        return table

    async def _sign_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(min(LOOK_SECONDS, SIGN_SECONDS))
            written = self.ledger.entries_written - self._counted
            if written < SIGN_ENTRIES and time.monotonic() - self._signed_at < SIGN_SECONDS:
                continue
            try:
                await asyncio.to_thread(self.sign)
            except (LedgerError, OSError) as failed:  # The next time, or at the latest at the end.
                log_failure("checkpoint_sign_failed", failed)


_TABLES = Streams(beginning=(TABLE,))


def read_table(ledger: Ledger, stream: str) -> TableState:
    """A table as it stands on record."""
    return StreamReader(ledger, stream, TableState(), _read, SNAPSHOTS).catch_up()


def _read(state: TableState, entries: Iterable[Entry]) -> TableState:
    return replay((fact for entry in entries for fact in FACTS.load_entry(entry)), state)


def interrupted_tables(ledger: Ledger, held: Container[str]) -> list[TableState]:
    """Tables beside those held here whose players are asked whether to finish a hand."""
    with ledger.moment() as book:
        others = [one for one in book.spans(ALWAYS, _TABLES) if one.stream not in held]
        stopped = [one.stream for one in others if _is_interrupted(book, one)]
    states = [read_table(ledger, stream) for stream in stopped]
    return [one for one in states if one.awaiting is not None]


def _is_interrupted(book: Snapshot, span: Span) -> bool:
    """Whether play was interrupted since the last hand that was settled."""
    last = next(book.newest(span, kinds(*FACTS.names(Settled, Retired, Interrupted)), 1), None)
    return last is not None and bool(FACTS.load_kind(last, Interrupted))
