"""Database failures are reported, and so is recovery."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from tests.house.ledger.kit import ManualClock, answer, append, failing

from pitbook.house.ledger import writer
from pitbook.house.ledger.ledger import PADDING, Ledger
from pitbook.house.ledger.writer import WriteTrouble

FULL = "database or disk is full"


def full() -> OperationalError:
    return OperationalError("", {}, Exception(FULL))


@pytest.mark.parametrize(
    ("error", "message"), [(full, FULL), (lambda: RuntimeError("oops"), "RuntimeError('oops')")]
)
def test_failures_are_counted_until_a_commit_succeeds(
    sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch, error: Any, message: str
) -> None:
    assert sqlite_ledger.commit_failure == WriteTrouble(times=0, last="", reason=None)
    monkeypatch.setattr(writer, "write_batch", failing(2, error)[1])
    answer(sqlite_ledger.submit(append("table-1", None)))
    assert sqlite_ledger.commit_failure == WriteTrouble(times=1, last=message, reason=message)
    answer(sqlite_ledger.submit(append("table-1", None)))
    assert sqlite_ledger.commit_failure == WriteTrouble(times=2, last=message, reason=message)
    assert sqlite_ledger.claim("table-1") == 1
    assert sqlite_ledger.commit_failure == WriteTrouble(times=2, last=message, reason=None)


def test_recovered_ledger_records_the_failure(
    sqlite_ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "write_batch", failing(2, full)[1])
    for _ in range(2):
        answer(sqlite_ledger.submit(append("table-1", None)))
    assert sqlite_ledger.probe().result().epoch == 1
    (entry,) = sqlite_ledger.entries("book")
    assert entry.actor == "house"
    _, note = entry.facts  # The first takes the stream over.
    assert note == {"fact": "written-again", "reason": FULL, "times": 2, "room": "." * PADDING}


def test_running_commit_is_timed(
    sqlite_ledger: Ledger, manual_clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "time", manual_clock)
    durations: list[float] = []

    def slow() -> Exception:
        manual_clock.wait(7.5)
        durations.append(sqlite_ledger.stuck_seconds)
        return full()

    monkeypatch.setattr(writer, "write_batch", failing(1, slow)[1])
    assert sqlite_ledger.stuck_seconds == 0
    answer(sqlite_ledger.submit(append("table-1", None)))
    assert durations == [7.5]
    assert sqlite_ledger.stuck_seconds == 0
