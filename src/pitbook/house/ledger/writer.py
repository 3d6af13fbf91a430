"""Group commit: whoever wants to write waits for one commit that carries them all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from queue import SimpleQueue
from typing import NamedTuple

from sqlalchemy import Connection, Engine

from pitbook.errors import InDoubt, LedgerError
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.batch import Append, Receipt, write
from pitbook.house.ledger.clock import CLOCK, Clock, changed
from pitbook.house.ledger.database import cause, failures, writing
from pitbook.house.ledger.intake import checked
from pitbook.house.ledger.statements import open_pipeline
from pitbook.text import say

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
        return self._submitted(checked(append))

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
            answers = write(connection, [*noted, *appends], now, holds=holds)
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
