"""The ledger: append to its streams, and read entries, states and balances."""

from __future__ import annotations

import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from types import TracebackType
from typing import Any, NamedTuple

from sqlalchemy import Engine, Row, Select, bindparam, func, select
from sqlalchemy.exc import SQLAlchemyError

from pitbook.errors import LedgerError, NotNow
from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.append_batch import SNAPSHOT_STORED, Append, Receipt
from pitbook.house.ledger.database import check_version, connect, error_text, failures, prepare
from pitbook.house.ledger.hash_chain import Entry, Fact, parse_content, sha256
from pitbook.house.ledger.queries import Snapshot, open_snapshot
from pitbook.house.ledger.sql import balance_query
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.ledger.writer import AsyncAppends, Writer, WriteTrouble, utc_now
from pitbook.money import Cents
from pitbook.text import say

# Balances; those that this process wrote are cached.


CACHED_MAX = 20_000


class Balances:
    """Account balances, cached or read on a connection of their own that reconnects after a
    failure.
    """

    def __init__(self, engine: Engine) -> None:
        self._cache: dict[Account, int] = {}
        self._engine, self._failures = engine, failures(engine)
        self._sql = balance_query(engine.dialect.name)
        self._lock = threading.Lock()
        self._connection: Any = None

    def of(self, account: Account) -> Cents:
        """The balance of an account; raises NotNow if the ledger cannot be read."""
        with self._lock:
            try:
                try:
                    return self._query(account)
                except self._failures:
                    self._disconnect()
                    return self._query(account)
            except self._failures as error:
                self._disconnect()
                raise NotNow(say("ledger.book.unreadable", why=error_text(error))) from error

    def update(self, balances: Mapping[Account, int]) -> None:
        """Store balances after a commit; called in the writer's thread."""
        if len(self._cache) > CACHED_MAX:
            self._cache.clear()
        self._cache.update(balances)

    def at_least(self, account: Account, amount: int) -> bool:
        """Whether an account has at least this much; if the cached balance is too low, ask the
        database.
        """
        cached = self._cache.get(account)
        return (cached is not None and cached >= amount) or self.of(account) >= amount

    def close(self) -> None:
        with self._lock:
            self._disconnect()

    def _query(self, account: Account) -> Cents:
        if self._connection is None:
            self._connection = self._connect()
        row = self._connection.execute(self._sql, account).fetchone()
        return Cents(row[0] if row else 0)

    def _connect(self) -> Any:
        pooled = self._engine.raw_connection()
        connection = pooled.driver_connection
        pooled.detach()  # Detached, so the pool neither resets it nor reuses it.
        if self._engine.dialect.name == "postgresql":
            connection.autocommit = True  # type: ignore[union-attr]
        return connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self._failures):
                connection.close()


PAGE = 5_000
LEDGER_NOTES = register("book", moves_no_money, module=__name__)  # Notes about the ledger itself.
WRITTEN_AGAIN = "written-again"
PADDING = 16_384  # As long as the longest entries: a page that fits short ones proves nothing.
_S, _E, _A = schema.stream.c, schema.entry.c, schema.account.c
_ENTRY = (
    *(_S.name, _E.seq, _E.at, _E.epoch, _E.actor, _E.request, _E.body),
    *(_E.content, _E.previous, _E.hash),
)


# Built once: putting a query together for every command is slow.
_ENTRIES: Select[Any] = select(*_ENTRY).join(schema.stream, _S.id == _E.stream)
_PAGE = (
    _ENTRIES.where(_S.name == bindparam("stream"), _E.seq > bindparam("after"))
    .order_by(_E.seq)
    .limit(PAGE)
)
_BY_REQUEST = _ENTRIES.where(_E.request == bindparam("request"))
_STREAM = select(schema.stream).where(_S.name == bindparam("stream"))
_SNAPSHOT = (
    select(schema.snapshot.c.seq, schema.snapshot.c.state, _E.content)
    .join(schema.stream, _S.id == schema.snapshot.c.stream)
    .join(schema.entry, (_E.stream == _S.id) & (_E.seq == schema.snapshot.c.seq))
    .where(_S.name == bindparam("stream"))
)

LAST_CHARACTER = "\U0010ffff"  # No name has it; the first names after a prefix end before it.


class Stream(NamedTuple):
    """A stream's name, latest epoch, and the head of its chain."""

    name: str
    epoch: int
    seq: int
    head: str
    prunable: bool


class Ledger:
    """An open ledger."""

    def __init__(
        self, engine: Engine, *, clock: Callable[[], datetime] = utc_now, writes: bool = True
    ) -> None:
        self.engine = engine
        try:
            (prepare if writes else check_version)(engine)
            self._balances = Balances(engine)
            self._writer = Writer(engine, clock, self._last_time(), self._balances.update)
            self._awaited = AsyncAppends(self._writer.send)
        except BaseException:
            engine.dispose()
            raise

    @classmethod
    def open(cls, url: str, *, clock: Callable[[], datetime] = utc_now) -> Ledger:
        """Open the ledger at a URL; created if there is none."""
        return cls(connect(url), clock=clock)

    @classmethod
    def read_only(cls, url: str) -> Ledger:
        """Open the ledger at a URL without writing to it or next to it."""
        return cls(connect(url, read_only=True), writes=False)

    @property
    def entries_written(self) -> int:
        """How many entries this process has written."""
        return self._writer.written

    def claim(self, stream: str, *, actor: str = "", prunable: bool = False) -> int:
        """Take a stream over; earlier holders can no longer write to it."""
        append = Append(stream, None, actor=actor, prunable=prunable)
        return self._writer.submit(append).result().epoch

    def append(
        self,
        stream: str,
        epoch: int,
        facts: Sequence[Fact],
        transfers: Sequence[Transfer] = (),
        *,
        actor: str = "",
        request: str | None = None,
        body: str | None = None,
        keep: Fact | None = None,
    ) -> Receipt:
        """Write facts and transfers together; durable when this returns."""
        append = Append(stream, epoch, facts, transfers, actor, request, body, keep)
        return self._writer.submit(append).result()

    def note(self, append: Append) -> Receipt:
        """Write to one of the ledger's own streams."""
        return self._writer.note(append)

    def submit(self, append: Append) -> Future[Receipt]:
        """Queue an append; the receipt comes when it is durable."""
        return self._writer.submit(append)

    def submit_async(self, append: Append) -> Awaitable[Receipt]:
        """Queue an append from an event loop; the receipt comes when it is durable."""
        return self._awaited(append)

    @property
    def commit_failure(self) -> WriteTrouble:
        """How the database has failed this process's commits."""
        return self._writer.trouble

    @property
    def stuck_seconds(self) -> float:
        """How long the current commit has taken so far."""
        return self._writer.busy_seconds

    def probe(self) -> Future[Receipt]:
        """Write a test entry after a failure; succeeds as soon as the ledger can be written."""
        trouble = self.commit_failure
        fact = {"fact": WRITTEN_AGAIN, "reason": trouble.last, "times": trouble.times}
        facts: list[Fact] = [{**fact, "room": "." * PADDING}]
        return self._writer.submit(Append(LEDGER_NOTES, None, facts, actor="house"))

    def balance(self, account: Account) -> Cents:
        """The balance of an account."""
        return self._balances.of(account)

    def holds(self, account: Account, amount: int) -> bool:
        """Whether an account has at least this much, as far as this process knows.

        Another process may have taken some since: the append itself decides.
        """
        return self._balances.at_least(account, amount)

    def balances(self, unit: str | None = None) -> dict[Account, Cents]:
        """The balance of every account, in one unit or in all."""
        query = select(schema.account).order_by(_A.unit, _A.kind, _A.name)
        if unit is not None:
            query = query.where(_A.unit == unit)
        return {
            Account(row.unit, row.kind, row.name): Cents(row.balance) for row in self._rows(query)
        }

    def streams(self, prefix: str = "") -> list[Stream]:
        """The streams whose names begin with a prefix, or all, each with its head."""
        query = select(schema.stream).order_by(_S.name)
        if prefix and self.engine.dialect.name == "sqlite":  # A range, answered from the index.
            query = query.where(_S.name >= prefix, _S.name < f"{prefix}{LAST_CHARACTER}")
        elif prefix:  # Other databases may sort by language.
            query = query.where(_S.name.startswith(prefix, autoescape=True))
        rows = self._rows(query)
        return [Stream(row.name, row.epoch, row.seq, row.head, row.prunable) for row in rows]

    def stream(self, name: str) -> Stream | None:
        """One stream with its head, if it exists."""
        rows = self._rows(_STREAM, stream=name)
        return Stream._make(rows[0][1:]) if rows else None

    def entries(self, stream: str, *, after: int = 0) -> Iterator[Entry]:
        """The entries of a stream in order after a number, read page by page."""
        while True:
            page = self._rows(_PAGE, stream=stream, after=after)
            yield from (Entry._make(row) for row in page)
            if len(page) < PAGE:
                return
            after = page[-1].seq

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """A consistent snapshot of the whole ledger, for queries."""
        return open_snapshot(self.engine)

    def entry_of_request(self, request: str) -> Entry | None:
        """The entry that a request wrote, or None."""
        rows = self._rows(_BY_REQUEST, request=request)
        return Entry._make(rows[0]) if rows else None

    def latest_snapshot(self, stream: str) -> tuple[int, dict[str, Any]] | None:
        """The stored snapshot and the number of the entry it was written with."""
        for row in self._rows(_SNAPSHOT, stream=stream):
            return row.seq, verified_state(stream, row.state, row.content)
        return None

    def close(self) -> None:
        """Write what is queued and close the database."""
        self._writer.close()
        self._balances.close()
        self.engine.dispose()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _last_time(self) -> str | None:
        """The latest time at the head of any stream; older entries are not read."""
        at = select(_E.at).where(_E.stream == _S.id, _E.seq == _S.seq).scalar_subquery()
        last: str | None = self._rows(select(func.max(at)).select_from(schema.stream))[0][0]
        return last

    def _rows(self, query: Select[Any], **parameters: Any) -> Sequence[Row[Any]]:
        try:
            with self.engine.connect() as connection:
                return connection.execute(query, parameters).all()
        except SQLAlchemyError as error:
            raise NotNow(say("ledger.book.unreadable", why=error_text(error))) from error


def verified_state(stream: str, state: str, content: str) -> dict[str, Any]:
    """A stored snapshot, if its hash is in the chain; raises LedgerError otherwise."""
    facts = parse_content(content)["facts"]
    hashes = [fact.get("state") for fact in facts if fact.get("fact") == SNAPSHOT_STORED]
    if sha256(state) not in hashes:
        raise LedgerError(say("ledger.state-changed", stream=stream))
    loaded: dict[str, Any] = json.loads(state)
    return loaded
