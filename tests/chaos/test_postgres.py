"""The server under the tests is real: it keeps what it committed, and it ends with the run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import psycopg
import pytest
from tests.postgres import (
    GIVEN,
    Server,
    alive,
    binaries,
    bundled,
    children,
    database_of,
    fresh_book,
    fresh_database,
    with_database,
)

ROOT = Path(__file__).parent.parent.parent
STARTS_ONE = """
from tests.postgres import server
started = server()
print(started.process.pid, started.folder, flush=True)
input()
"""


def test_each_test_has_a_database_of_its_own(postgres: str) -> None:
    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE TABLE only_mine (id int)")


def test_a_database_is_empty_at_first(postgres: str) -> None:
    assert tables(postgres) == []


@pytest.fixture(scope="module")
def bundled_server() -> Iterator[Server]:
    made = Server(bundled()[0])
    made.start()
    yield made
    made.close()
    assert not made.folder.exists()


def test_the_bundled_server_serves_where_none_is_installed(bundled_server: Server) -> None:
    assert binaries()[-1] == bundled_server.binaries
    with database_of(bundled_server.url()) as url:
        assert tables(url) == []


def test_a_server_that_is_given_is_used(
    bundled_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(GIVEN, bundled_server.url())
    with fresh_database() as url:
        assert tables(url) == []
        assert url.startswith(bundled_server.url("pitbook_"))


def test_a_book_is_made_on_our_own_server_and_on_one_that_is_given(
    bundled_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fresh_book() as url, fresh_book() as other:
        made = tables(url)
        assert {"entry", "posting", "stream"} <= set(made)
        assert tables(other) == made
    monkeypatch.setenv(GIVEN, bundled_server.url())
    with fresh_book() as url:
        assert url.startswith(bundled_server.url("pitbook_"))
        assert tables(url) == made


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("postgresql://ann@host:5432/main", "postgresql://ann@host:5432/fresh"),
        ("postgresql://host", "postgresql://host/fresh"),
        ("postgresql://host?sslmode=require", "postgresql://host/fresh?sslmode=require"),
        ("postgresql:///main?host=/run/pg", "postgresql:///fresh?host=/run/pg"),
    ],
)
def test_any_form_of_url_leads_to_a_fresh_database(url: str, other: str) -> None:
    assert with_database(url, "fresh") == other


def test_what_was_committed_outlives_a_hard_stop(bundled_server: Server) -> None:
    with database_of(bundled_server.url()) as url:
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE kept (id int)")
        assert bundled_server.process is not None
        family = [bundled_server.process.pid, *children(bundled_server.process.pid)]
        bundled_server.kill()
        assert len(family) > 3
        assert [pid for pid in family if alive(pid)] == []
        bundled_server.start()
        assert tables(url) == ["kept"]
    assert "was not properly shut down" in bundled_server.log()


def test_a_stop_in_good_order_needs_no_recovery(bundled_server: Server) -> None:
    before = bundled_server.log().count("was not properly shut down")
    bundled_server.stop()
    bundled_server.start()
    assert bundled_server.log().count("was not properly shut down") == before


def test_the_server_ends_even_with_a_run_that_is_killed() -> None:
    environment = {name: value for name, value in os.environ.items() if name != GIVEN}
    run = subprocess.Popen(
        [sys.executable, "-c", STARTS_ONE],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdout is not None
    pid, folder = run.stdout.readline().split()
    assert alive(int(pid))
    run.send_signal(signal.SIGKILL)
    run.communicate()
    wait_until_gone(int(pid), Path(folder))


def wait_until_gone(pid: int, folder: Path) -> None:
    while alive(pid) or folder.exists():  # The test's own time limit ends this.
        Event().wait(0.01)


def tables(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        )
        return sorted(str(row[0]) for row in found)
