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
from pitbook.house.ledger.batch import KEPT, Append, Receipt
from pitbook.house.ledger.chain import Entry, Fact, digest, parse_content
from pitbook.house.ledger.database import cause, check_version, connect, failures, prepare
from pitbook.house.ledger.queries import Snapshot, open_snapshot
from pitbook.house.ledger.sql import balance_asked
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.ledger.writer import Awaited, Trouble, Writer, utc_now
from pitbook.money import Cents
from pitbook.text import say

# Balances; those that this process wrote are cached.


KNOWN_MAX = 20_000


class Balances:
    """Asked of the book on a line of their own, which is opened anew when it broke; or known."""

    def __init__(self, engine: Engine) -> None:
        self._known: dict[Account, int] = {}
        self._engine, self._failures = engine, failures(engine)
        self._question = balance_asked(engine.dialect.name)
        self._lock = threading.Lock()
        self._line: Any = None

    def of(self, account: Account) -> Cents:
        """The balance of an account; raises NotNow when the book cannot be read."""
        with self._lock:
            try:
                try:
                    return self._asked(account)
                except self._failures:
                    self._hang_up()
                    return self._asked(account)
            except self._failures as error:
                self._hang_up()
                raise NotNow(say("ledger.book.unreadable", why=cause(error))) from error

    def learn(self, holds: Mapping[Account, int]) -> None:
        """In the writer's thread: what accounts hold after a commit."""
        if len(self._known) > KNOWN_MAX:
            self._known.clear()
        self._known.update(holds)

    def at_least(self, account: Account, amount: int) -> bool:
        """Whether an account holds so much; a no is never from memory."""
        known = self._known.get(account)
        return (known is not None and known >= amount) or self.of(account) >= amount

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            self._hang_up()

    def _asked(self, account: Account) -> Cents:
        if self._line is None:
            self._line = self._opened()
        row = self._line.execute(self._question, account).fetchone()
        return Cents(row[0] if row else 0)

    def _opened(self) -> Any:
        pooled = self._engine.raw_connection()
        line = pooled.driver_connection
        pooled.detach()  # Not one of the pool's: it is neither reset nor handed to others.
        if self._engine.dialect.name == "postgresql":
            line.autocommit = True  # type: ignore[union-attr]
        return line

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with suppress(*self._failures):
                line.close()


PAGE = 5_000
NOTES = register("book", moves_no_money, module=__name__)  # Notes about the ledger itself.
WRITTEN_AGAIN = "written-again"
ROOM = 16_384  # As long as the longest entries: what fits into the last page proves nothing.
_S, _E, _A = schema.stream.c, schema.entry.c, schema.account.c
_ENTRY = (
    *(_S.name, _E.seq, _E.at, _E.epoch, _E.actor, _E.request, _E.body),
    *(_E.content, _E.previous, _E.hash),
)


# Made once: what is asked for every command should not be put together every time.
_ENTRIES: Select[Any] = select(*_ENTRY).join(schema.stream, _S.id == _E.stream)
_PAGE = (
    _ENTRIES.where(_S.name == bindparam("stream"), _E.seq > bindparam("after"))
    .order_by(_E.seq)
    .limit(PAGE)
)
_ANSWERED = _ENTRIES.where(_E.request == bindparam("request"))
_STREAM = select(schema.stream).where(_S.name == bindparam("stream"))
_KEPT = (
    select(schema.snapshot.c.seq, schema.snapshot.c.state, _E.content)
    .join(schema.stream, _S.id == schema.snapshot.c.stream)
    .join(schema.entry, (_E.stream == _S.id) & (_E.seq == schema.snapshot.c.seq))
    .where(_S.name == bindparam("stream"))
)


class Stream(NamedTuple):
    """A table, a cage or a night: its latest epoch and the head of its chain."""

    name: str
    epoch: int
    seq: int
    head: str
    prunable: bool


class Ledger:
    """A book that is open."""

    def __init__(
        self, engine: Engine, *, clock: Callable[[], datetime] = utc_now, writes: bool = True
    ) -> None:
        self.engine = engine
        try:
            (prepare if writes else check_version)(engine)
            self._balances = Balances(engine)
            self._writer = Writer(engine, clock, self._latest(), self._balances.learn)
            self._awaited = Awaited(self._writer.send)
        except BaseException:
            engine.dispose()
            raise

    @classmethod
    def open(cls, url: str, *, clock: Callable[[], datetime] = utc_now) -> Ledger:
        """The book at a URL, made if there is none."""
        return cls(connect(url), clock=clock)

    @classmethod
    def read_only(cls, url: str) -> Ledger:
        """The book at a URL, which is never written to: neither it nor anything beside it."""
        return cls(connect(url, read_only=True), writes=False)

    @property
    def entries_written(self) -> int:
        """How many entries this process has written."""
        return self._writer.written

    def claim(self, stream: str, *, actor: str = "", prunable: bool = False) -> int:
        """Take a stream over; whoever held it before can write nothing more to it."""
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
        """Write to a stream that only the book itself writes to."""
        return self._writer.note(append)

    def submit(self, append: Append) -> Future[Receipt]:
        """The same without waiting: the receipt comes when it is durable."""
        return self._writer.submit(append)

    def submit_async(self, append: Append) -> Awaitable[Receipt]:
        """The same for those who await it."""
        return self._awaited(append)

    @property
    def trouble(self) -> Trouble:
        """What the database has done to this process's commits."""
        return self._writer.trouble

    @property
    def stuck_seconds(self) -> float:
        """How long the commit that is under way has taken so far."""
        return self._writer.busy_seconds

    def write_again(self) -> Future[Receipt]:
        """After a failure: note it, which succeeds as soon as the book can be written."""
        trouble = self.trouble
        told = {"fact": WRITTEN_AGAIN, "reason": trouble.last, "times": trouble.times}
        noted: list[Fact] = [{**told, "room": "." * ROOM}]
        return self._writer.submit(Append(NOTES, None, noted, actor="house"))

    def balance(self, account: Account) -> Cents:
        """What an account holds."""
        return self._balances.of(account)

    def holds(self, account: Account, amount: int) -> bool:
        """Whether an account holds at least so much, as far as this process has heard.

        Another process may have taken some since: the append that moves it has the last word.
        """
        return self._balances.at_least(account, amount)

    def balances(self, unit: str | None = None) -> dict[Account, Cents]:
        """What every account holds, in one unit or in all."""
        asked = select(schema.account).order_by(_A.unit, _A.kind, _A.name)
        if unit is not None:
            asked = asked.where(_A.unit == unit)
        return {
            Account(row.unit, row.kind, row.name): Cents(row.balance) for row in self._rows(asked)
        }

    def streams(self) -> list[Stream]:
        """Every stream with its head."""
        rows = self._rows(select(schema.stream).order_by(_S.name))
        return [Stream(row.name, row.epoch, row.seq, row.head, row.prunable) for row in rows]

    def stream(self, name: str) -> Stream | None:
        """One stream with its head, if it exists."""
        rows = self._rows(_STREAM, stream=name)
        return Stream._make(rows[0][1:]) if rows else None

    def entries(self, stream: str, *, after: int = 0) -> Iterator[Entry]:
        """The entries of a stream in order, from one on, read page by page."""
        while True:
            page = self._rows(_PAGE, stream=stream, after=after)
            yield from (Entry._make(row) for row in page)
            if len(page) < PAGE:
                return
            after = page[-1].seq

    def moment(self) -> AbstractContextManager[Snapshot]:
        """The whole book as it stands now, to be asked more than its streams' owners ask."""
        return open_snapshot(self.engine)

    def entry_of_request(self, request: str) -> Entry | None:
        """The entry that a request made, if it made one."""
        rows = self._rows(_ANSWERED, request=request)
        return Entry._make(rows[0]) if rows else None

    def latest_snapshot(self, stream: str) -> tuple[int, dict[str, Any]] | None:
        """The latest state that was kept, from before the entry of that number."""
        for row in self._rows(_KEPT, stream=stream):
            return row.seq, state_of(stream, row.state, row.content)
        return None

    def close(self) -> None:
        """Write what is waiting and let go of the database."""
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

    def _latest(self) -> str | None:
        """The latest time on record at the head of any stream; older entries are left alone."""
        at = select(_E.at).where(_E.stream == _S.id, _E.seq == _S.seq).scalar_subquery()
        found: str | None = self._rows(select(func.max(at)).select_from(schema.stream))[0][0]
        return found

    def _rows(self, asked: Select[Any], **given: Any) -> Sequence[Row[Any]]:
        try:
            with self.engine.connect() as connection:
                return connection.execute(asked, given).all()
        except SQLAlchemyError as error:
            raise NotNow(say("ledger.book.unreadable", why=cause(error))) from error


def state_of(stream: str, state: str, content: str) -> dict[str, Any]:
    """A kept state, if it is the one whose hash stands in the chain."""
    facts = parse_content(content)["facts"]
    hashes = [fact.get("state") for fact in facts if fact.get("fact") == KEPT]
    if digest(state) not in hashes:
        raise LedgerError(say("ledger.state-changed", stream=stream))
    loaded: dict[str, Any] = json.loads(state)
    return loaded
