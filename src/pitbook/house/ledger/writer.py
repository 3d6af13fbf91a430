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
from pitbook.house.ledger.append_batch import (
    ANCHORS,
    CHECKPOINTED,
    CLAIMED,
    PRUNED,
    SNAPSHOT_STORED,
    Append,
    Receipt,
    write_batch,
)
from pitbook.house.ledger.database import error_text, failures, for_writing
from pitbook.house.ledger.hash_chain import Canonical, canonical
from pitbook.house.ledger.recorded_time import CHANGED, CLOCK, Clock, clock_change
from pitbook.house.ledger.sql import open_pipeline
from pitbook.text import say

# Validation, in the caller's thread.


TEXT_MAX = 1_000
# Streams that only the ledger itself writes to.
LEDGER_STREAMS = frozenset({CLOCK, PRUNED, ANCHORS})
# Facts that only the ledger itself writes.
RESERVED = frozenset({CLAIMED, SNAPSHOT_STORED, PRUNED, CHANGED, CHECKPOINTED})


def check_append(append: Append) -> Append:
    """The append if it is valid; raises LedgerError otherwise."""
    if not append.stream:
        raise LedgerError(say("ledger.intake.no-name"))
    if append.stream in LEDGER_STREAMS:
        raise LedgerError(say("ledger.intake.books-own", stream=append.stream))
    if append.epoch is not None and type(append.epoch) is not int:
        raise LedgerError(say("ledger.intake.no-epoch", epoch=repr(append.epoch)))
    _check_text("stream", append.stream)
    _check_text("actor", append.actor)
    _check_text("request", append.request, optional=True)
    _check_text("body", append.body, optional=True)
    return Append(
        append.stream,
        append.epoch,
        _canonical_facts(_check_list(append.facts)),
        [_check_transfer(transfer) for transfer in _check_list(append.transfers)],
        append.actor,
        append.request,
        append.body,
        None if append.keep is None else _canonical_copy(append.keep),
        append.prunable,
    )


def _check_text(field: str, value: Any, *, optional: bool = False) -> None:
    if value is None and optional:
        return
    if not isinstance(value, str):
        raise LedgerError(say("ledger.intake.no-text", what=field, value=repr(value)))
    if "\0" in value or not _is_utf8(value):
        raise LedgerError(say("ledger.intake.odd-character", what=field))
    if len(value) > TEXT_MAX and field != "body":
        raise LedgerError(say("ledger.intake.too-long", what=field, text_max=TEXT_MAX))


def _canonical_facts(facts: list[Any]) -> list[Canonical]:
    """The facts as one canonical text, in the journal's form."""
    for fact in facts:
        is_object = type(fact) is dict or isinstance(fact, Mapping)
        name = fact.get("fact") if is_object else None
        if not isinstance(name, str):
            raise LedgerError(say("ledger.intake.no-fact"))
        if name in RESERVED:
            raise LedgerError(say("ledger.intake.books-own-fact", name=name))
    return [Canonical(_canonical_copy(facts)[1:-1])] if facts else []


def _canonical_copy(document: Any) -> Canonical:
    """The document as text, so that later changes by the caller have no effect."""
    try:
        text = canonical(document)
    except RecursionError:
        raise LedgerError(say("ledger.intake.too-deep")) from None
    if not _is_utf8(text):
        raise LedgerError(say("ledger.intake.odd-in-fact"))
    return Canonical(text)


def _check_transfer(transfer: Any) -> Transfer:
    try:
        debit, credit, amount, why = transfer
        _check_text("why", why)
        return move(_to_account(debit), _to_account(credit), amount, why)
    except (TypeError, ValueError):
        raise LedgerError(say("ledger.intake.no-transfer", one=repr(transfer))) from None


def _to_account(account: Any) -> Account:
    return account if type(account) is Account else Account(*account)


def _check_list(items: Any) -> list[Any]:
    if not isinstance(items, list | tuple):
        raise LedgerError(say("ledger.intake.no-list", many=repr(items)))
    return list(items)


def _is_utf8(text: str) -> bool:
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
IDLE_SECONDS = 1.0  # A connection idle for longer is replaced.
_RETRYABLE = ("23505", "40001", "40P01")  # PostgreSQL: unique key, serialization failure, deadlock.

ReceiptOrError = Receipt | LedgerError


class _QueuedAppend(NamedTuple):
    """A queued append, whether it is still wanted at its turn, and the callback for its answer."""

    append: Append
    begin: Callable[[], bool]
    answer: Callable[[ReceiptOrError], None]


class WriteTrouble(NamedTuple):
    """The number of database failures, the last reason, and the current one if it still fails."""

    times: int = 0
    last: str = ""
    reason: str | None = None


class Writer:
    """The one thread of a process that writes to the ledger."""

    def __init__(
        self,
        engine: Engine,
        clock: Callable[[], datetime],
        last_time: str | None,
        on_balances: Callable[[Mapping[Account, int]], None],
    ) -> None:
        self._on_balances = on_balances  # Receives balances after a commit and before the receipts.
        self._connection = _WriterConnection(for_writing(engine))
        self._clock = Clock(clock, time.monotonic, last_time)
        self._queue: SimpleQueue[Sequence[_QueuedAppend] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self.written = 0  # Entries of this process.
        self._busy_since: float | None = None  # When the current commit began.
        self.trouble = WriteTrouble()
        self._thread = threading.Thread(target=self._run, name="pitbook-ledger", daemon=True)
        self._thread.start()

    def note(self, append: Append) -> Receipt:
        """Write one of the ledger's own entries; durable when this returns."""
        return self._enqueue(append).result()

    def submit(self, append: Append) -> Future[Receipt]:
        """Queue an append; its receipt comes when it is durable."""
        return self._enqueue(check_append(append))

    def _enqueue(self, append: Append) -> Future[Receipt]:
        answer: Future[Receipt] = Future()
        begin = answer.set_running_or_notify_cancel
        self._put_all([_QueuedAppend(append, begin, partial(_resolve_future, answer))])
        return answer

    def send(self, appends: Sequence[tuple[Append, Callable[[ReceiptOrError], None]]]) -> None:
        """Queue checked appends; callbacks run in the writer's thread."""
        self._put_all(
            [_QueuedAppend(append, _always_true, on_receipt) for append, on_receipt in appends]
        )

    def _put_all(self, appends: Sequence[_QueuedAppend]) -> None:
        with self._lock:
            if self._closed:
                raise LedgerError(say("ledger.book.closed"))
            self._queue.put(appends)

    @property
    def busy_seconds(self) -> float:
        """How long the current commit has taken so far."""
        since = self._busy_since
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
            batch, ends = self._drain(first)
            if batch:
                answers = self._answers([queued.append for queued in batch])
                for queued, answer in zip(batch, answers, strict=True):
                    queued.answer(answer)
        self._connection.disconnect()

    def _drain(self, first: Sequence[_QueuedAppend]) -> tuple[list[_QueuedAppend], bool]:
        """The queued appends that were not canceled, and whether the queue is closed."""
        appends, is_open = [*first], True
        while is_open and len(appends) < BATCH_MAX and not self._queue.empty():
            received = self._queue.get()
            is_open = received is not None
            appends += received or ()
        return [append for append in appends if append.begin()], not is_open

    def _answers(self, appends: Sequence[Append]) -> Sequence[ReceiptOrError]:
        self._busy_since = time.monotonic()
        try:
            answers = self._commit(appends)
            self.trouble = self.trouble._replace(reason=None)
            return answers
        except LedgerError as error:
            return [error] * len(appends)
        except Exception as bug:  # noqa: BLE001  Callers must get an answer, and the thread must go on.
            self.trouble = WriteTrouble(self.trouble.times + 1, repr(bug), repr(bug))
            return [InDoubt(say("ledger.our-mistake", bug=repr(bug)))] * len(appends)
        finally:
            self._busy_since = None

    def _commit(self, appends: Sequence[Append]) -> Sequence[ReceiptOrError]:
        tries_left = TRIES
        while True:
            tries_left -= 1
            try:
                return self._transaction(appends)
            except self._connection.failures as error:
                if not (tries_left and _is_retryable(error)):
                    self.trouble = WriteTrouble(
                        self.trouble.times + 1, error_text(error), error_text(error)
                    )
                    raise InDoubt(say("ledger.failed", cause=error_text(error))) from error

    def _transaction(self, appends: Sequence[Append]) -> Sequence[ReceiptOrError]:
        now, jump = self._clock.read()
        clock_entries = [Append(CLOCK, None, (clock_change(now, jump),))] if jump else []
        balances: dict[Account, int] = {}
        with self._connection.transaction() as connection:
            answers = write_batch(connection, [*clock_entries, *appends], now, balances=balances)
        self._clock.mark_recorded()
        self._on_balances(balances)
        self.written += sum(isinstance(answer, Receipt) and not answer.again for answer in answers)
        return answers[len(clock_entries) :]


class _WriterConnection:
    """The writer's connection: kept while there is work, dropped after any failure."""

    def __init__(self, engine: Engine) -> None:
        self.failures = failures(engine)
        self._engine = engine
        self._connection: Connection | None = None
        self._used = 0.0

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction, committed at the end unless something fails."""
        connection = self._live_connection()
        try:
            with open_pipeline(connection), connection.begin():
                yield connection
        except BaseException:
            connection.invalidate()
            self.disconnect()
            raise
        self._used = time.monotonic()

    def disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _live_connection(self) -> Connection:
        if time.monotonic() - self._used > IDLE_SECONDS:
            self.disconnect()
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection


def _always_true() -> bool:
    return True


def _is_retryable(error: Exception) -> bool:
    """Whether the database rolled back because of another process's row or lock."""
    return getattr(getattr(error, "orig", error), "sqlstate", None) in _RETRYABLE


def _resolve_future(future: Future[Receipt], answer: ReceiptOrError) -> None:
    if isinstance(answer, LedgerError):
        future.set_exception(answer)
    else:
        future.set_result(answer)


def utc_now() -> datetime:
    """The time of day, for the record; order comes from sequence numbers."""
    return datetime.now(UTC)


# Appends from an event loop: one handover per loop iteration in each direction.


OnReceipt = Callable[[ReceiptOrError], None]
Send = Callable[[Sequence[tuple[Append, OnReceipt]]], None]
ReceiptFuture = asyncio.Future[Receipt]


class AsyncAppends:
    """`await async_appends(append)` returns the receipt once it is durable."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._queues: WeakKeyDictionary[asyncio.AbstractEventLoop, _LoopQueue] = WeakKeyDictionary()
        self._loop: asyncio.AbstractEventLoop | None = None  # The last loop used, and its queue.
        self._queue = _LoopQueue(send)

    async def __call__(self, append: Append) -> Receipt:
        loop = asyncio.get_running_loop()
        queue = self._queue if self._loop is loop else self._queue_of(loop)
        future: ReceiptFuture = loop.create_future()
        queue.post(loop, check_append(append), future)
        return await future

    def _queue_of(self, loop: asyncio.AbstractEventLoop) -> _LoopQueue:
        self._loop, self._queue = loop, self._queues.setdefault(loop, _LoopQueue(self._send))
        return self._queue


class _LoopQueue:
    """One loop's appends of this iteration, and the answers for them."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._posted: list[tuple[Append, ReceiptFuture]] = []
        self._answers: deque[tuple[ReceiptFuture, ReceiptOrError]] = deque()
        self._woken = False

    def post(self, loop: asyncio.AbstractEventLoop, append: Append, future: ReceiptFuture) -> None:
        """Add an append; the writer is woken once for all appends of this iteration."""
        self._posted.append((append, future))
        if len(self._posted) == 1:
            loop.call_soon(self._send_posted, loop)

    def _send_posted(self, loop: asyncio.AbstractEventLoop) -> None:
        posted, self._posted = self._posted, []
        try:
            self._send(
                [(append, partial(self.add_answer, loop, future)) for append, future in posted]
            )
        except LedgerError as error:
            for _, future in posted:
                _resolve(future, error)

    def add_answer(
        self, loop: asyncio.AbstractEventLoop, future: ReceiptFuture, answer: ReceiptOrError
    ) -> None:
        """Store an answer and wake the loop; called in the writer's thread."""
        self._answers.append((future, answer))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # The loop has ended: no one is waiting.
                loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._woken = False  # First, so that later answers wake the loop again.
        while self._answers:
            _resolve(*self._answers.popleft())


def _resolve(future: ReceiptFuture, answer: ReceiptOrError) -> None:
    if future.done():
        return
    if isinstance(answer, LedgerError):
        future.set_exception(answer)
    else:
        future.set_result(answer)
