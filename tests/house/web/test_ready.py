"""Readiness fails while the disk is full or the ledger fails, and recovers."""

from __future__ import annotations

import io
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import Connection, event
from tests.house.web.conftest import LoopRunner
from tests.house.web.server_process import run_server_with

from pitbook.errors import InDoubt
from pitbook.house.ledger.append_batch import Append
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.database import sqlite_module
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.web import journal_health as module
from pitbook.house.web.server import Server

NOTED = [{"fact": "noted", "text": "x" * 20_000}]  # More than the pages left.
FULL = "database or disk is full"


@contextmanager
def without_pages(ledger: Ledger) -> Iterator[None]:
    """SQLite may not grow: the same as a full disk."""

    def limit(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1").fetchall()

    event.listen(ledger.engine, "begin", limit, insert=True)
    yield
    event.remove(ledger.engine, "begin", limit)
    ledger.engine.dispose()  # Connections in the pool keep the limit.


@contextmanager
def without_commits(ledger: Ledger) -> Iterator[None]:
    """A database on which every commit fails."""

    def fail(_: Connection) -> None:
        raise sqlite_module().OperationalError("disk I/O error")

    event.listen(ledger.engine, "commit", fail)
    yield
    event.remove(ledger.engine, "commit", fail)


FAILING: list[tuple[Callable[[Ledger], Any], str]] = [
    (without_pages, FULL),
    (without_commits, "disk I/O error"),
]


@pytest.fixture
def no_retry_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry the ledger at every check."""
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.0)


@pytest.mark.long
@pytest.mark.usefixtures("no_retry_delay")
@pytest.mark.parametrize("case", FAILING, ids=["no room", "no commit"])
def test_failing_ledger_is_not_ready_until_it_can_write(
    run: LoopRunner,
    client: httpx.AsyncClient,
    server: Server,
    lines: io.StringIO,
    case: tuple[Callable[[Ledger], Any], str],
) -> None:
    failing, message = case
    ledger = server.house.ledger
    with failing(ledger):
        with pytest.raises(InDoubt, match=message):
            ledger.submit(Append("x", None, NOTED)).result()
        for _ in range(2):  # However often it is asked.
            answer = run(client.get("/api/ready"))
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert answer.json()["error"].startswith(f"The ledger cannot be written: {message}")
        assert run(client.get("/api/health")).status_code == 200
    assert run(client.get("/api/ready")).status_code == 200
    red, green = [
        record for record in log_records(lines) if record["event"] in ("not_ready", "ready_again")
    ]
    assert (red["level"], green["level"]) == ("error", "warning")
    assert message in red["reason"]
    # The ledger records once what it could not take.
    noted = [fact for entry in ledger.entries("book") for fact in entry.facts]
    assert [fact["reason"] for fact in noted if fact["fact"] == "written-again"] == [message]
    assert audit_of("book") is not None
    assert verify(ledger).findings == ()


def log_records(lines: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_brief_failure_is_logged(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, lines: io.StringIO
) -> None:
    ledger = server.house.ledger
    with without_commits(ledger), pytest.raises(InDoubt):
        ledger.submit(Append("x", None, NOTED)).result()
    ledger.submit(Append("x", None, NOTED)).result()
    assert run(client.get("/api/ready")).status_code == 200
    (record,) = [
        record for record in log_records(lines) if record["event"] == "ledger_write_failed"
    ]
    assert (record["level"], record["reason"]) == ("error", "disk I/O error")


class Usage(NamedTuple):
    """The result of `shutil.disk_usage`."""

    total: int
    used: int
    free: int


def test_full_disk_is_not_ready(
    run: LoopRunner, client: httpx.AsyncClient, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    least = module.FREE_BYTES_MIN
    for free, status in ((least, 200), (least - 1, 503), (0, 503), (least, 200)):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, f=free: Usage(10**9, 10**9 - f, f))
        answer = run(client.get("/api/ready"))
        assert answer.status_code == status, free
    red, green = [
        record for record in log_records(lines) if record["event"] in ("not_ready", "ready_again")
    ]
    assert red["reason"] == "The disk of the data folder is full (255 KiB left). Free up space."
    assert green["event"] == "ready_again"


def test_stuck_writer_is_not_ready(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ledger, "stuck_seconds", 31.4)
    answer = run(client.get("/api/ready"))
    message = "The ledger has not accepted an entry for 31 seconds."
    assert (answer.status_code, answer.json()["error"]) == (503, message)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are Linux's")
def test_server_with_a_file_size_limit_recovers(tmp_path: Path) -> None:
    """A real process whose files may not grow, and then may again."""
    import resource

    # Otherwise modules compiled meanwhile would be truncated and could not be loaded again.
    changes = {"sys.dont_write_bytecode": True}
    with run_server_with(changes, tmp_path / "house") as house, house.client() as client:
        pid, wish = house.process.pid, {"sheet": "catfish-bend/mississippi-stud"}
        assert client.get("/api/ready").status_code == 200
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (4_096, resource.RLIM_INFINITY))
        refused = client.post("/api/practice", json=wish)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        red = client.get("/api/ready")
        assert red.status_code == 503
        assert red.json()["error"].startswith("The ledger cannot be written")
        assert client.get("/api/health").status_code == 200
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        while client.get("/api/ready").status_code != 200:
            time.sleep(0.05)  # Faster polling would hit the rate limit.
        assert client.post("/api/practice", json=wish).status_code == 201
        assert house.stop() == 0  # Its whole log is read.
    records = [json.loads(line) for line in house.log if line.startswith("{")]
    assert {"not_ready", "ready_again"} <= {record["event"] for record in records}
