"""Group commit: whoever wants to write waits for one commit that carries them all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from queue import SimpleQueue

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from pitbook.errors import InDoubt, LedgerError
from pitbook.ledger.batch import Append, Receipt, write
from pitbook.ledger.clock import CLOCK, Clock, changed
from pitbook.ledger.database import cause, writing
from pitbook.ledger.intake import checked

BATCH_MAX = 256
TRIES = 5
_AGAIN = ("40001", "40P01")  # PostgreSQL: serialization failure, deadlock.

_Waiting = tuple[Append, "Future[Receipt]"]


class Writer:
    """The one thread of a process that writes to the book."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime], last: str | None) -> None:
        self._engine = writing(engine)
        self._clock = Clock(clock, time.monotonic, last)
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="pitbook-ledger", daemon=True)
        self._thread.start()

    def submit(self, append: Append) -> Future[Receipt]:
        """Queue an append; its receipt comes when it is durable."""
        answer: Future[Receipt] = Future()
        append = checked(append)
        with self._lock:
            if self._closed:
                raise LedgerError("the book is closed")
            self._queue.put((append, answer))
        return answer

    def close(self) -> None:
        """Write what is queued, then stop."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            batch, ends = self._drained(first)
            _answer(batch, self._written([append for append, _ in batch]))
            if ends:
                return

    def _drained(self, first: _Waiting) -> tuple[list[_Waiting], bool]:
        batch = [first]
        while len(batch) < BATCH_MAX and not self._queue.empty():
            following = self._queue.get()
            if following is None:
                return batch, True
            batch.append(following)
        return batch, False

    def _written(self, appends: Sequence[Append]) -> Sequence[Receipt | LedgerError]:
        try:
            return self._committed(appends)
        except LedgerError as error:
            return [error] * len(appends)
        except Exception as bug:  # noqa: BLE001  Whoever waits must hear of it, and others go on.
            return [LedgerError(f"nothing was written: {bug!r}")] * len(appends)

    def _committed(self, appends: Sequence[Append]) -> Sequence[Receipt | LedgerError]:
        for left in reversed(range(TRIES)):
            try:
                return self._transaction(appends)
            except SQLAlchemyError as error:
                if not (left and _worth_another_try(error)):
                    raise InDoubt(
                        f"the database failed ({cause(error)}); it is not known whether this was "
                        "written: send it again with the same request id"
                    ) from error
        raise AssertionError

    def _transaction(self, appends: Sequence[Append]) -> Sequence[Receipt | LedgerError]:
        now, jump = self._clock.read()
        noted = [Append(CLOCK, None, (changed(now, jump),))] if jump else []
        with self._engine.begin() as connection:
            answers = write(connection, [*noted, *appends], now)
        self._clock.noted()
        return answers[len(noted) :]


def _worth_another_try(error: SQLAlchemyError) -> bool:
    """Whether the transaction was surely rolled back, by another process's row or lock."""
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return isinstance(error, IntegrityError) or (isinstance(error, DBAPIError) and state in _AGAIN)


def _answer(batch: Sequence[_Waiting], answers: Sequence[Receipt | LedgerError]) -> None:
    for (_, waiting), answer in zip(batch, answers, strict=True):
        if not waiting.set_running_or_notify_cancel():
            continue  # Nobody waits any more; what was written stays written.
        if isinstance(answer, LedgerError):
            waiting.set_exception(answer)
        else:
            waiting.set_result(answer)


def utc_now() -> datetime:
    """The time of day, for the record; order comes from sequence numbers."""
    return datetime.now(UTC)
