"""Helpers for ledger tests: accounts, a manual clock, and raw database access."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from sqlalchemy import Engine, event, text

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.ledger.append_batch import Append, Receipt, write_batch
from pitbook.house.ledger.database import connect, for_writing
from pitbook.house.ledger.ledger import Ledger

CASH = Account("usd", "cash")
HOUSE = Account("usd", "house")
ANN = Account("usd", "wallet", "ann")
BOB = Account("usd", "wallet", "bob")
HELD = Account("usd", "held", "table-1:ann")
RACK = Account("usd", "rack", "table-1")
ISSUED = Account("play", "issued")
GUEST = Account("play", "wallet", "guest")

NOTED = {"fact": "noted"}
DAWN = datetime(2026, 1, 1, tzinfo=UTC)
AT = "2026-01-01T00:00:00.000000+00:00"


class ManualClock:
    """A wall clock and a monotonic clock that a test sets; also replaces the `time` module."""

    def __init__(self) -> None:
        self.now, self.steady = DAWN, 1000.0

    def __call__(self) -> datetime:
        return self.now

    def monotonic(self) -> float:
        return self.steady

    def turn(self, seconds: float) -> None:
        """Set the wall clock."""
        self.now += timedelta(seconds=seconds)

    def wait(self, seconds: float) -> None:
        """Let time pass on both clocks."""
        self.turn(seconds)
        self.steady += seconds


def buy_in(account: Account, cents: int) -> Transfer:
    return move(CASH, account, cents, "buy-in")


def noted_fact(number: int) -> dict[str, Any]:
    return {"fact": "noted", "number": number}


def refusal_of(call: Any, *arguments: Any, **options: Any) -> tuple[type[LedgerError], str]:
    """The type and message of the error that a call raises."""
    try:
        call(*arguments, **options)
    except LedgerError as error:
        return type(error), str(error)
    raise AssertionError("it was not refused")


def case_ids() -> Iterator[str]:
    """Parametrize ids for cases whose texts are unsuitable as ids."""
    return map(str, count(1))


def answers(futures: Sequence[Future[Receipt]]) -> list[Receipt | LedgerError]:
    return [answer(future) for future in futures]


def answer(future: Future[Receipt]) -> Receipt | LedgerError:
    try:
        return future.result(timeout=60)
    except LedgerError as error:
        return error


def rows(ledger: Ledger, statement: str) -> list[tuple[Any, ...]]:
    with ledger.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


def tamper(ledger: Ledger, *statements: str) -> None:
    """Change the database directly, without triggers and foreign keys."""
    with without_guards(ledger.engine) as run:
        for statement in statements:
            run(statement)


@contextmanager
def without_guards(engine: Engine) -> Iterator[Any]:
    with engine.connect() as connection:
        raw = connection.connection.dbapi_connection
        assert raw is not None
        cursor = raw.cursor()
        guards: list[Any] = []
        if engine.dialect.name == "sqlite":
            cursor.execute("PRAGMA foreign_keys = OFF")
            cursor.execute("PRAGMA ignore_check_constraints = ON")
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            guards += cursor.fetchall()
            for trigger, _ in guards:
                cursor.execute(f"DROP TRIGGER {trigger}")
        else:
            cursor.execute("SET session_replication_role = replica")
        yield cursor.execute
        with suppress(engine.dialect.loaded_dbapi.OperationalError):  # Its table is gone.
            for _, guard in guards:  # Nobody would leave so plain a trace.
                cursor.execute(guard)
        raw.commit()
        connection.invalidate()  # Its settings must not be reused.


@contextmanager
def count_endings(engine: Engine, name: str) -> Iterator[list[str]]:
    """Record each "commit" and "rollback" of an engine."""
    endings: list[str] = []

    def record(*_: Any) -> None:
        endings.append(name)

    event.listen(engine, name, record)
    yield endings
    event.remove(engine, name, record)


@contextmanager
def writer_held(ledger: Ledger) -> Iterator[None]:
    """Hold the write lock, as another writer would."""
    other = connect(str(ledger.engine.url.render_as_string(hide_password=False)))
    with for_writing(other).begin() as connection:
        if other.dialect.name == "postgresql":
            connection.execute(text("LOCK TABLE stream IN ACCESS EXCLUSIVE MODE"))
        yield
    other.dispose()


def fill(ledger: Ledger, stream: str = "table-1") -> int:
    """Write a few entries to a stream; returns its epoch."""
    epoch = ledger.claim(stream, actor="dealer")
    ledger.append(stream, epoch, [{"fact": "opened"}], [buy_in(ANN, 50_000)], actor="cashier")
    ledger.append(stream, epoch, [NOTED], [move(HOUSE, RACK, 100_000, "fill")])
    ledger.append(
        stream,
        epoch,
        [{"fact": "wagered"}, {"fact": "settled", "won": True}],
        [
            move(ANN, HELD, 1_000, "wager"),
            move(HELD, ANN, 1_000, "returned"),
            move(RACK, ANN, 3_000, "win"),
        ],
        actor="ann",
        request="ann/1",
        body="wager 10",
        keep={"before": 3},
    )
    return epoch


def append(stream: str, epoch: int | None, **options: Any) -> Append:
    return Append(stream, epoch, **{"facts": [NOTED], **options})


def failing(times: int, error: Callable[[], Exception]) -> tuple[list[int], Any]:
    """A `write_batch` that fails a number of times before it works."""
    calls: list[int] = []

    def write_or_fail(connection: Any, appends: Sequence[Append], at: str, **options: Any) -> Any:
        calls.append(len(appends))
        if len(calls) <= times:
            raise error()
        return write_batch(connection, appends, at, **options)

    return calls, write_or_fail
