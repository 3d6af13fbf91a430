"""The writer thread: group commit, and an answer for every append."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError
from tests.house.ledger.kit import (
    ANN,
    CASH,
    NOTED,
    ManualClock,
    answer,
    answers,
    append,
    buy_in,
    count_endings,
    failing,
    noted_fact,
    refusal_of,
    rows,
    tamper,
    writer_held,
)

from pitbook.errors import InDoubt, LedgerError, NotNow
from pitbook.house.ledger import writer
from pitbook.house.ledger.append_batch import Append, Receipt, write_batch
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.database import for_writing
from pitbook.house.ledger.ledger import Ledger

IN_DOUBT = "The change may or may not be recorded. Send it again with the same request id."


@pytest.mark.long
def test_waiting_appends_share_commits(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    with count_endings(ledger.engine, "commit") as commits:
        with writer_held(ledger):
            waiting = [ledger.submit(append("table-1", epoch)) for _ in range(600)]
        assert [future.result().seq for future in waiting] == list(range(2, 602))
    assert 3 <= len(commits) <= 4  # Of at most 256 each, and the first may have gone ahead alone.


def test_batch_size_is_limited(sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "BATCH_MAX", 3)
    sizes = batches(monkeypatch)
    with writer_held(sqlite_ledger):
        first = sqlite_ledger.submit(append("table-1", None))
        sizes.started.wait(60)
        waiting = [first, *(sqlite_ledger.submit(append("table-1", 1)) for _ in range(7))]
    assert [future.result().seq for future in waiting] == list(range(1, 9))
    assert sizes.seen == [1, 3, 3, 1]


class Batches:
    """The number of appends in each transaction."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.started = threading.Event()


def batches(monkeypatch: pytest.MonkeyPatch) -> Batches:
    batch_log = Batches()
    inner = writer.Writer._transaction

    def transaction(self: writer.Writer, appends: Sequence[Append]) -> Any:
        batch_log.seen.append(len(appends))
        batch_log.started.set()
        return inner(self, appends)

    monkeypatch.setattr(writer.Writer, "_transaction", transaction)
    return batch_log


@pytest.mark.long
def test_each_thread_gets_its_own_receipt(ledger: Ledger) -> None:
    epochs = {f"table-{n}": ledger.claim(f"table-{n}") for n in range(4)}

    def send(number: int) -> Receipt:
        stream = f"table-{number % 4}"
        fact, transfers = noted_fact(number), [buy_in(ANN, number)]
        return ledger.append(stream, epochs[stream], [fact], transfers, request=str(number))

    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(send, range(1, 101)))
    for number, receipt in enumerate(receipts, start=1):
        entry = ledger.entry_of_request(str(number))
        assert entry is not None
        assert (entry.stream, entry.seq, entry.hash) == (*receipt[:2], receipt.hash)
        assert entry.facts == [noted_fact(number)]
    assert ledger.balances() == {CASH: 5050, ANN: 5050}
    assert verify(ledger).findings == ()


@pytest.mark.long
def test_append_cancelled_early_is_not_written(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    with writer_held(ledger):
        ahead = ledger.submit(append("table-1", epoch, facts=[noted_fact(1)]))
        while not ahead.running():
            pass
        cancelled = [ledger.submit(append("table-1", epoch)) for _ in range(3)]
        after = ledger.submit(append("table-1", epoch, facts=[noted_fact(2)]))
        assert [future.cancel() for future in cancelled] == [True, True, True]
        assert not ahead.cancel()  # It is already being written.
    assert [ahead.result().seq, after.result().seq] == [2, 3]
    assert [entry.facts for entry in ledger.entries("table-1", after=1)] == [
        [noted_fact(1)],
        [noted_fact(2)],
    ]


def test_batch_of_cancelled_appends_opens_no_transaction(
    sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    epoch = sqlite_ledger.claim("table-1")
    sizes = batches(monkeypatch)
    with writer_held(sqlite_ledger):
        ahead = sqlite_ledger.submit(append("table-1", epoch))
        sizes.started.wait(60)
        for _ in range(3):
            sqlite_ledger.submit(append("table-1", epoch)).cancel()
    ahead.result()
    sqlite_ledger.close()
    assert sizes.seen == [1]


@pytest.mark.long
def test_close_writes_queued_appends(ledger_url: str) -> None:
    ledger = Ledger.open(ledger_url)
    epoch = ledger.claim("table-1")
    with writer_held(ledger):
        waiting = [ledger.submit(append("table-1", epoch)) for _ in range(300)]
        closing = threading.Thread(target=ledger.close)
        closing.start()
        while not refused_as_closed(ledger):
            pass
    closing.join()
    assert [future.result(timeout=0).seq for future in waiting] == list(range(2, 302))


def refused_as_closed(ledger: Ledger) -> bool:
    try:
        ledger.submit(append("table-1", None)).cancel()
    except LedgerError as error:
        return str(error) == "The ledger is closed."
    return False


def test_closing_ends_the_writer_thread(sqlite_ledger: Ledger) -> None:
    thread = sqlite_ledger._writer._thread  # Another test may have left a book open.
    assert (thread.name, thread.daemon) == ("pitbook-ledger", True)
    sqlite_ledger.close()
    sqlite_ledger.close()
    assert not thread.is_alive()


@pytest.mark.long
def test_missing_database_is_reported(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    tamper(ledger, "ALTER TABLE posting RENAME TO elsewhere")
    retried = append("table-1", epoch, transfers=[buy_in(ANN, 5)], request="r")
    failed = answer(ledger.submit(retried))
    assert type(failed) is InDoubt
    assert str(failed).startswith("Database error (")
    assert "posting" in str(failed)
    assert str(failed).endswith(f"). {IN_DOUBT}")
    tamper(ledger, "ALTER TABLE elsewhere RENAME TO posting")
    again = answer(ledger.submit(retried))
    assert isinstance(again, Receipt)
    assert (again.seq, again.again) == (2, False)


def test_failed_batch_is_reported_to_all_callers(sqlite_ledger: Ledger) -> None:
    epoch = sqlite_ledger.claim("table-1")
    with writer_held(sqlite_ledger):
        ahead = sqlite_ledger.submit(append("table-1", epoch))
        while not ahead.running():
            pass
        waiting = [sqlite_ledger.submit(append("table-1", epoch)) for _ in range(3)]
        ahead.add_done_callback(
            lambda _: tamper(sqlite_ledger, "ALTER TABLE entry RENAME TO elsewhere")
        )
    assert [type(answer) for answer in answers([ahead, *waiting])] == [Receipt, *[InDoubt] * 3]


def test_unreadable_ledger_is_reported(ledger: Ledger) -> None:
    tamper(ledger, "ALTER TABLE account RENAME TO elsewhere")
    kind, message = refusal_of(ledger.balance, ANN)
    assert kind is NotNow
    assert message.startswith("The ledger cannot be read")
    assert "account" in message
    assert "\n" not in message


class Said(Exception):
    """An error from the driver."""

    def __init__(self, sqlstate: str | None) -> None:
        super().__init__("the server\n said no")
        self.sqlstate = sqlstate


@pytest.mark.parametrize("state", ["23505", "40001", "40P01"])
def test_transaction_rolled_back_by_another_process_is_retried(
    sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    calls, written = failing(4, lambda: OperationalError("", {}, Said(state)))
    monkeypatch.setattr(writer, "write_batch", written)
    assert sqlite_ledger.claim("table-1") == 1
    assert calls == [1] * 5
    assert sqlite_ledger.streams()[0].seq == 1


def test_driver_serialization_failure_is_retried(
    sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver: Any = sqlite_ledger.engine.dialect.loaded_dbapi
    driver_error = type("Said", (driver.OperationalError,), {"sqlstate": "40P01"})
    calls, written = failing(1, driver_error)
    monkeypatch.setattr(writer, "write_batch", written)
    assert sqlite_ledger.claim("table-1") == 1
    assert calls == [1, 1]


def test_retries_are_limited(sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, written = failing(5, lambda: OperationalError("", {}, Said("40001")))
    monkeypatch.setattr(writer, "write_batch", written)
    failed = answer(sqlite_ledger.submit(append("table-1", None)))
    assert type(failed) is InDoubt
    assert str(failed) == f"Database error (the server said no). {IN_DOUBT}"
    assert calls == [1] * 5


@pytest.mark.parametrize("state", [None, "57P01"])
def test_other_failures_are_not_retried(
    sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch, state: str | None
) -> None:
    calls, written = failing(1, lambda: OperationalError("", {}, Said(state)))
    monkeypatch.setattr(writer, "write_batch", written)
    assert type(answer(sqlite_ledger.submit(append("table-1", None)))) is InDoubt
    assert calls == [1]
    assert sqlite_ledger.claim("table-1") == 1


def test_driver_error_is_a_failure(sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    driver: Any = sqlite_ledger.engine.dialect.loaded_dbapi
    calls, written = failing(1, lambda: driver.OperationalError("disk I/O error"))
    monkeypatch.setattr(writer, "write_batch", written)
    failed = answer(sqlite_ledger.submit(append("table-1", None)))
    assert type(failed) is InDoubt
    assert str(failed) == f"Database error (disk I/O error). {IN_DOUBT}"
    assert calls == [1]


def test_writer_reports_a_bug_and_continues(
    sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, written = failing(1, lambda: RuntimeError("oops"))
    monkeypatch.setattr(writer, "write_batch", written)
    failed = answer(sqlite_ledger.submit(append("table-1", None)))
    assert type(failed) is InDoubt
    assert str(failed) == f"Internal error (RuntimeError('oops')). {IN_DOUBT}"
    assert sqlite_ledger.claim("table-1") == 1


def test_connection_is_replaced_after_a_failure(
    sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite_ledger.claim("table-1")
    _, written = failing(1, lambda: RuntimeError("oops"))
    monkeypatch.setattr(writer, "write_batch", written)
    with count_endings(sqlite_ledger.engine, "rollback") as rollbacks:
        answer(sqlite_ledger.submit(append("table-1", 1)))
    assert rollbacks
    assert held_by(sqlite_ledger) is None
    sqlite_ledger.append("table-1", 1, [NOTED])
    held = held_by(sqlite_ledger)
    assert held is not None
    sqlite_ledger.append("table-1", 1, [NOTED])
    assert held_by(sqlite_ledger) is held


def held_by(ledger: Ledger) -> Connection | None:
    return ledger._writer._connection._connection


@pytest.mark.long
def test_idle_connection_is_checked_before_use(ledger: Ledger, manual_clock: ManualClock) -> None:
    epoch = ledger.claim("table-1")
    line = ledger._writer._connection
    first = line._connection
    manual_clock.wait(1.0)
    ledger.append("table-1", epoch, [NOTED])
    assert line._connection is first
    manual_clock.wait(1.001)
    ledger.append("table-1", epoch, [NOTED])
    assert line._connection is not first
    assert first is not None
    assert first.closed


def test_writer_reconnects_after_a_postgresql_restart(
    postgres_url: str, manual_clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitbook.house.ledger.writer.time", manual_clock)
    with (
        Ledger.open(postgres_url, clock=manual_clock) as ledger,
        Ledger.open(postgres_url) as other,
    ):
        epoch = ledger.claim("table-1")
        hang_up_on_all_but(other)
        manual_clock.wait(5)
        assert ledger.append("table-1", epoch, [NOTED]).seq == 2


def hang_up_on_all_but(ledger: Ledger) -> None:
    with ledger.engine.connect() as connection:
        ended = connection.execute(
            text(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
        assert ended.scalar_one() >= 1


class TestTwoLedgers:
    @pytest.mark.long
    def test_request_has_one_effect(self, ledger_url: str) -> None:
        with Ledger.open(ledger_url) as left_ledger, Ledger.open(ledger_url) as two:
            epochs = [left_ledger.claim("table-1"), two.claim("table-2")]

            def send(number: int) -> Receipt:
                ledger, stream = ((left_ledger, "table-1"), (two, "table-2"))[number % 2]
                request: dict[str, Any] = {"request": f"r{number // 2}", "body": "five"}
                money = [buy_in(ANN, 5)]
                return ledger.append(stream, epochs[number % 2], [NOTED], money, **request)

            with ThreadPoolExecutor(8) as pool:
                receipts = list(pool.map(send, range(80)))
            for first, second in zip(receipts[::2], receipts[1::2], strict=True):
                assert first._replace(again=False) == second._replace(again=False)
                assert {first.again, second.again} == {True, False}
            assert left_ledger.balance(ANN) == 200
            assert verify(two).findings == ()

    @pytest.mark.long
    def test_concurrent_appends_never_overdraw(self, ledger_url: str) -> None:
        with Ledger.open(ledger_url) as left_ledger, Ledger.open(ledger_url) as two:
            epochs = [left_ledger.claim("table-1"), two.claim("table-2")]
            left_ledger.append("table-1", epochs[0], [NOTED], [buy_in(ANN, 100)])

            def spend(number: int) -> bool:
                ledger, stream = ((left_ledger, "table-1"), (two, "table-2"))[number % 2]
                taken = [buy_in(ANN, 1)._replace(debit=ANN, credit=CASH)] * 7
                append = Append(stream, epochs[number % 2], [NOTED], taken)
                return isinstance(answer(ledger.submit(append)), Receipt)

            with ThreadPoolExecutor(8) as pool:
                taken = list(pool.map(spend, range(40)))
            assert taken.count(True) == 14
            assert left_ledger.balances() == {CASH: 2, ANN: 2}
            assert verify(left_ledger).findings == ()

    def test_superseded_process_gets_an_error(self, ledger_url: str) -> None:
        with Ledger.open(ledger_url) as left_ledger, Ledger.open(ledger_url) as two:
            epoch = left_ledger.claim("table-1")
            assert two.claim("table-1") == 2
            message = refusal_of(left_ledger.append, "table-1", epoch, [NOTED])[1]
            assert message.startswith('Another server has taken over "table-1" (epoch 2, not 1)')


@pytest.mark.long
def test_write_joins_the_callers_transaction(ledger: Ledger) -> None:
    with for_writing(ledger.engine).connect() as connection:
        answers = write_batch(connection, [append("table-1", None), append("table-1", 7)], "now")
        connection.rollback()
    assert [type(answer).__name__ for answer in answers] == ["Receipt", "Superseded"]
    assert ledger.streams() == []
    assert rows(ledger, "SELECT count(*) FROM entry") == [(0,)]
