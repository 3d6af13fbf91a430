"""A disk that is full or a book that fails turns the house red; what is mended turns it green."""

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
from tests.house.web.conftest import Running
from tests.house.web.served import served_with

from pitbook.errors import InDoubt
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.batch import Append
from pitbook.house.ledger.database import library
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.web import journal_health as module
from pitbook.house.web.server import Server

NOTED = [{"fact": "noted", "text": "x" * 20_000}]  # More than the pages that are left free.
FULL = "database or disk is full"


@contextmanager
def without_pages(ledger: Ledger) -> Iterator[None]:
    """SQLite may take no page more than it has: what a disk without room comes to."""

    def limit(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1").fetchall()

    event.listen(ledger.engine, "begin", limit, insert=True)
    yield
    event.remove(ledger.engine, "begin", limit)
    ledger.engine.dispose()  # Connections in the pool keep the limit.


@contextmanager
def without_commits(ledger: Ledger) -> Iterator[None]:
    """A database that takes everything but the last word."""

    def fail(_: Connection) -> None:
        raise library().OperationalError("disk I/O error")

    event.listen(ledger.engine, "commit", fail)
    yield
    event.remove(ledger.engine, "commit", fail)


FAILING: list[tuple[Callable[[Ledger], Any], str]] = [
    (without_pages, FULL),
    (without_commits, "disk I/O error"),
]


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The book is tried again whenever somebody asks."""
    monkeypatch.setattr(module, "AGAIN_SECONDS", 0.0)


@pytest.mark.long
@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("case", FAILING, ids=["no room", "no commit"])
def test_a_book_that_fails_is_red_until_it_takes_an_entry_again(
    run: Running,
    client: httpx.AsyncClient,
    server: Server,
    lines: io.StringIO,
    case: tuple[Callable[[Ledger], Any], str],
) -> None:
    failing, said = case
    ledger = server.house.ledger
    with failing(ledger):
        with pytest.raises(InDoubt, match=said):
            ledger.submit(Append("x", None, NOTED)).result()
        for _ in range(2):  # However often it is asked.
            answer = run(client.get("/api/ready"))
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert answer.json()["error"].startswith(f"the book cannot be written: {said}")
        assert run(client.get("/api/health")).status_code == 200
    assert run(client.get("/api/ready")).status_code == 200
    red, green = [one for one in logged(lines) if one["event"] in ("not_ready", "ready_again")]
    assert (red["level"], green["level"]) == ("error", "warning")
    assert said in red["reason"]
    # What the book could not take is told in the book, once.
    noted = [fact for entry in ledger.entries("book") for fact in entry.facts]
    assert [one["reason"] for one in noted if one["fact"] == "written-again"] == [said]
    assert audit_of("book") is not None
    assert verify(ledger).findings == ()


def logged(lines: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_a_failure_that_is_over_before_anybody_asks_is_logged(
    run: Running, client: httpx.AsyncClient, server: Server, lines: io.StringIO
) -> None:
    ledger = server.house.ledger
    with without_commits(ledger), pytest.raises(InDoubt):
        ledger.submit(Append("x", None, NOTED)).result()
    ledger.submit(Append("x", None, NOTED)).result()
    assert run(client.get("/api/ready")).status_code == 200
    (told,) = [one for one in logged(lines) if one["event"] == "ledger_write_failed"]
    assert (told["level"], told["reason"]) == ("error", "disk I/O error")


class Usage(NamedTuple):
    """What `shutil.disk_usage` tells."""

    total: int
    used: int
    free: int


def test_a_disk_without_room_is_red_before_anything_is_lost(
    run: Running, client: httpx.AsyncClient, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    least = module.ROOM_MIN
    for free, status in ((least, 200), (least - 1, 503), (0, 503), (least, 200)):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, f=free: Usage(10**9, 10**9 - f, f))
        answer = run(client.get("/api/ready"))
        assert answer.status_code == status, free
    red, green = [one for one in logged(lines) if one["event"] in ("not_ready", "ready_again")]
    assert red["reason"] == "the disk of the data folder is full: 255 KiB are left; make room on it"
    assert green["event"] == "ready_again"


def test_a_writer_that_is_stuck_is_red(
    run: Running, client: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ledger, "stuck_seconds", 31.4)
    answer = run(client.get("/api/ready"))
    told = "the book has not taken an entry for 31 seconds"
    assert (answer.status_code, answer.json()["error"]) == (503, told)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are Linux's")
def test_a_server_whose_files_may_not_grow_is_red_and_recovers(tmp_path: Path) -> None:
    """A real process, a real book: no byte more than its files have, then as many as it likes."""
    import resource

    # Else it keeps 4 kB of each module that it compiles meanwhile, and nobody can load it again.
    kept = {"sys.dont_write_bytecode": True}
    with served_with(kept, tmp_path / "house") as house, house.client() as client:
        pid, wish = house.process.pid, {"sheet": "catfish-bend/mississippi-stud"}
        assert client.get("/api/ready").status_code == 200
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (4_096, resource.RLIM_INFINITY))
        refused = client.post("/api/practice", json=wish)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        red = client.get("/api/ready")
        assert red.status_code == 503
        assert red.json()["error"].startswith("the book cannot be written: ")
        assert client.get("/api/health").status_code == 200
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        while client.get("/api/ready").status_code != 200:
            time.sleep(0.05)  # Whoever asks as fast as it can is told to wait.
        assert client.post("/api/practice", json=wish).status_code == 201
        assert house.stop() == 0  # All that it logged is read.
    told = [json.loads(line) for line in house.log if line.startswith("{")]
    assert {"not_ready", "ready_again"} <= {one["event"] for one in told}
