"""The writer thread: checks appends and commits those that wait together."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine

from pitbook.errors import InDoubt, LedgerError
from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.ledger.batch import (
    ANCHORS,
    CHECKPOINTED,
    KEPT,
    PRUNED,
    TAKEN_OVER,
    Append,
    Receipt,
    write_batch,
)
from pitbook.house.ledger.chain import Canonical, canonical
from pitbook.house.ledger.clock import CHANGED, CLOCK, Clock, changed
from pitbook.house.ledger.database import cause, failures, writing
from pitbook.house.ledger.sql import open_pipeline
from pitbook.text import say

# Validation, in the caller's thread.


TEXT_MAX = 1_000
OWN = frozenset({CLOCK, PRUNED, ANCHORS})  # Streams that only the book itself writes to.
RESERVED = frozenset(
    {TAKEN_OVER, KEPT, PRUNED, CHANGED, CHECKPOINTED}
)  # Only the book itself says these.


def checked_append(append: Append) -> Append:
    """The append, if the book can keep it as it is; raises LedgerError else."""
    if not append.stream:
        raise LedgerError(say("ledger.intake.no-name"))
    if append.stream in OWN:
        raise LedgerError(say("ledger.intake.books-own", stream=append.stream))
    if append.epoch is not None and type(append.epoch) is not int:
        raise LedgerError(say("ledger.intake.no-epoch", epoch=repr(append.epoch)))
    _text("stream", append.stream)
    _text("actor", append.actor)
    _text("request", append.request, optional=True)
    _text("body", append.body, optional=True)
    return Append(
        append.stream,
        append.epoch,
        _facts(_listed(append.facts)),
        [_transfer(one) for one in _listed(append.transfers)],
        append.actor,
        append.request,
        append.body,
        None if append.keep is None else _copied(append.keep),
        append.prunable,
    )


def _text(what: str, value: Any, *, optional: bool = False) -> None:
    if value is None and optional:
        return
    if not isinstance(value, str):
        raise LedgerError(say("ledger.intake.no-text", what=what, value=repr(value)))
    if "\0" in value or not _encodes(value):
        raise LedgerError(say("ledger.intake.odd-character", what=what))
    if len(value) > TEXT_MAX and what != "body":
        raise LedgerError(say("ledger.intake.too-long", what=what, text_max=TEXT_MAX))


def _facts(many: list[Any]) -> list[Canonical]:
    """All of them in one text, as the journal has them one behind the other."""
    for fact in many:
        is_one = type(fact) is dict or isinstance(fact, Mapping)
        name = fact.get("fact") if is_one else None
        if not isinstance(name, str):
            raise LedgerError(say("ledger.intake.no-fact"))
        if name in RESERVED:
            raise LedgerError(say("ledger.intake.books-own-fact", name=name))
    return [Canonical(_copied(many)[1:-1])] if many else []


def _copied(document: Any) -> Canonical:
    """What will be written, whatever the caller does with the document meanwhile."""
    try:
        written = canonical(document)
    except RecursionError:
        raise LedgerError(say("ledger.intake.too-deep")) from None
    if not _encodes(written):
        raise LedgerError(say("ledger.intake.odd-in-fact"))
    return Canonical(written)


def _transfer(one: Any) -> Transfer:
    try:
        debit, credit, amount, why = one
        _text("why", why)
        return move(_account(debit), _account(credit), amount, why)
    except (TypeError, ValueError):
        raise LedgerError(say("ledger.intake.no-transfer", one=repr(one))) from None


def _account(one: Any) -> Account:
    return one if type(one) is Account else Account(*one)


def _listed(many: Any) -> list[Any]:
    if not isinstance(many, list | tuple):
        raise LedgerError(say("ledger.intake.no-list", many=repr(many)))
    return list(many)


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# Group commit.


BATCH_MAX = 256
TRIES = 5
IDLE_SECONDS = 1.0  # A connection that rested longer is asked first whether it lives.
_AGAIN = ("23505", "40001", "40P01")  # PostgreSQL: unique key, serialization failure, deadlock.

ReceiptOrError = Receipt | LedgerError


class _Waiting(NamedTuple):
    """An append, whether it is still wanted when its turn comes, and where its answer goes."""

    append: Append
    begin: Callable[[], bool]
    give: Callable[[ReceiptOrError], None]


class Trouble(NamedTuple):
    """How often the database failed, why at last, and why it still does: None, it does not."""

    times: int = 0
    last: str = ""
    reason: str | None = None


class Writer:
    """The one thread of a process that writes to the book."""

    def __init__(
        self,
        engine: Engine,
        clock: Callable[[], datetime],
        last: str | None,
        learn: Callable[[Mapping[Account, int]], None],
    ) -> None:
        self._learn = learn  # What accounts hold, once it is durable and before it is told.
        self._line = _Line(writing(engine))
        self._clock = Clock(clock, time.monotonic, last)
        self._queue: SimpleQueue[Sequence[_Waiting] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self.written = 0  # Entries of this process.
        self._since: float | None = None  # When the commit that is under way was begun.
        self.trouble = Trouble()
        self._thread = threading.Thread(target=self._run, name="pitbook-ledger", daemon=True)
        self._thread.start()

    def note(self, append: Append) -> Receipt:
        """Write what only the book itself says; durable when this returns."""
        return self._submitted(append).result()

    def submit(self, append: Append) -> Future[Receipt]:
        """Queue an append; its receipt comes when it is durable."""
        return self._submitted(checked_append(append))

    def _submitted(self, append: Append) -> Future[Receipt]:
        answer: Future[Receipt] = Future()
        begin = answer.set_running_or_notify_cancel
        self._put([_Waiting(append, begin, partial(_set, answer))])
        return answer

    def send(self, appends: Sequence[tuple[Append, Callable[[ReceiptOrError], None]]]) -> None:
        """Queue appends that were checked; what came of each is given, in the writer's thread."""
        self._put([_Waiting(append, _wanted, give) for append, give in appends])

    def _put(self, waiting: Sequence[_Waiting]) -> None:
        with self._lock:
            if self._closed:
                raise LedgerError(say("ledger.book.closed"))
            self._queue.put(waiting)

    @property
    def busy_seconds(self) -> float:
        """How long the commit that is under way has taken so far."""
        since = self._since
        return 0.0 if since is None else time.monotonic() - since

    def close(self) -> None:
        """Write what is queued, then stop."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        ends = False
        while not ends and (first := self._queue.get()) is not None:
            batch, ends = self._drained(first)
            if batch:
                answers = self._written([one.append for one in batch])
                for waiting, answer in zip(batch, answers, strict=True):
                    waiting.give(answer)
        self._line.hang_up()

    def _drained(self, first: Sequence[_Waiting]) -> tuple[list[_Waiting], bool]:
        """What is queued and was not cancelled, and whether it is the last."""
        queued, more = [*first], True
        while more and len(queued) < BATCH_MAX and not self._queue.empty():
            come = self._queue.get()
            more = come is not None
            queued += come or ()
        return [one for one in queued if one.begin()], not more

    def _written(self, appends: Sequence[Append]) -> Sequence[ReceiptOrError]:
        self._since = time.monotonic()
        try:
            answers = self._committed(appends)
            self.trouble = self.trouble._replace(reason=None)
            return answers
        except LedgerError as error:
            return [error] * len(appends)
        except Exception as bug:  # noqa: BLE001  Whoever waits must hear of it, and others go on.
            self.trouble = Trouble(self.trouble.times + 1, repr(bug), repr(bug))
            return [InDoubt(say("ledger.our-mistake", bug=repr(bug)))] * len(appends)
        finally:
            self._since = None

    def _committed(self, appends: Sequence[Append]) -> Sequence[ReceiptOrError]:
        left = TRIES
        while True:
            left -= 1
            try:
                return self._transaction(appends)
            except self._line.failures as error:
                if not (left and _worth_another_try(error)):
                    self.trouble = Trouble(self.trouble.times + 1, cause(error), cause(error))
                    raise InDoubt(say("ledger.failed", cause=cause(error))) from error

    def _transaction(self, appends: Sequence[Append]) -> Sequence[ReceiptOrError]:
        now, jump = self._clock.read()
        noted = [Append(CLOCK, None, (changed(now, jump),))] if jump else []
        holds: dict[Account, int] = {}
        with self._line.transaction() as connection:
            answers = write_batch(connection, [*noted, *appends], now, holds=holds)
        self._clock.noted()
        self._learn(holds)
        self.written += sum(isinstance(one, Receipt) and not one.again for one in answers)
        return answers[len(noted) :]


class _Line:
    """The writer's own connection: kept while there is work, dropped when anything fails."""

    def __init__(self, engine: Engine) -> None:
        self.failures = failures(engine)
        self._engine = engine
        self._connection: Connection | None = None
        self._used = 0.0

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction, committed at the end unless something fails."""
        connection = self._answering()
        try:
            with open_pipeline(connection), connection.begin():
                yield connection
        except BaseException:
            connection.invalidate()
            self.hang_up()
            raise
        self._used = time.monotonic()

    def hang_up(self) -> None:
        """Give the connection back."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _answering(self) -> Connection:
        if time.monotonic() - self._used > IDLE_SECONDS:
            self.hang_up()
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection


def _wanted() -> bool:
    return True


def _worth_another_try(error: Exception) -> bool:
    """Whether the transaction was surely rolled back, for another process's row or lock."""
    return getattr(getattr(error, "orig", error), "sqlstate", None) in _AGAIN


def _set(waiting: Future[Receipt], answer: ReceiptOrError) -> None:
    if isinstance(answer, LedgerError):
        waiting.set_exception(answer)
    else:
        waiting.set_result(answer)


def utc_now() -> datetime:
    """The time of day, for the record; order comes from sequence numbers."""
    return datetime.now(UTC)


# Awaiting appends on an event loop: one hand-over per loop iteration in each direction.


Give = Callable[[ReceiptOrError], None]
Send = Callable[[Sequence[tuple[Append, Give]]], None]
Waiting = asyncio.Future[Receipt]


class Awaited:
    """`await awaited(append)`: the receipt, once it is durable."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._boxes: WeakKeyDictionary[asyncio.AbstractEventLoop, _Box] = WeakKeyDictionary()
        self._loop: asyncio.AbstractEventLoop | None = None  # The last one, and its box.
        self._box = _Box(send)

    async def __call__(self, append: Append) -> Receipt:
        """Submit it, and wait."""
        loop = asyncio.get_running_loop()
        box = self._box if self._loop is loop else self._box_of(loop)
        waiting: Waiting = loop.create_future()
        box.post(loop, checked_append(append), waiting)
        return await waiting

    def _box_of(self, loop: asyncio.AbstractEventLoop) -> _Box:
        self._loop, self._box = loop, self._boxes.setdefault(loop, _Box(self._send))
        return self._box


class _Box:
    """What one loop wants written at this turn, and what has come for it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._posted: list[tuple[Append, Waiting]] = []
        self._come: deque[tuple[Waiting, ReceiptOrError]] = deque()
        self._woken = False

    def post(self, loop: asyncio.AbstractEventLoop, append: Append, waiting: Waiting) -> None:
        """Leave an append here; the writer is woken once for all tables that act at this turn."""
        self._posted.append((append, waiting))
        if len(self._posted) == 1:
            loop.call_soon(self._hand_over, loop)

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        posted, self._posted = self._posted, []
        try:
            self._send([(append, partial(self.put, loop, waiting)) for append, waiting in posted])
        except LedgerError as closed:
            for _, waiting in posted:
                _give(waiting, closed)

    def put(
        self, loop: asyncio.AbstractEventLoop, waiting: Waiting, answer: ReceiptOrError
    ) -> None:
        """In the writer's thread: leave it here, and wake the loop if nobody has."""
        self._come.append((waiting, answer))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # The loop has ended: nobody waits any more.
                loop.call_soon_threadsafe(self._hand_out)

    def _hand_out(self) -> None:
        self._woken = False  # First: whatever comes from here on wakes the loop again.
        while self._come:
            _give(*self._come.popleft())


def _give(waiting: Waiting, answer: ReceiptOrError) -> None:
    if waiting.done():
        return
    if isinstance(answer, LedgerError):
        waiting.set_exception(answer)
    else:
        waiting.set_result(answer)
