"""The PostgreSQL server of the tests is real: it keeps commits, and it ends with the run."""

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
    URL_VARIABLE,
    Server,
    binaries,
    bundled_binaries,
    children,
    database_of,
    fresh_database,
    fresh_ledger,
    is_alive,
    with_database,
)

ROOT = Path(__file__).parent.parent.parent
START_SERVER = """
from tests.postgres import server
started = server()
print(started.process.pid, started.folder, flush=True)
input()
"""


def test_each_test_has_its_own_database(postgres: str) -> None:
    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE TABLE only_mine (id int)")


def test_a_database_is_empty_at_first(postgres: str) -> None:
    assert tables(postgres) == []


@pytest.fixture(scope="module")
def bundled_server() -> Iterator[Server]:
    new_server = Server(bundled_binaries()[0])
    new_server.start()
    yield new_server
    new_server.close()
    assert not new_server.folder.exists()


def test_bundled_server_is_used_if_none_is_installed(bundled_server: Server) -> None:
    assert binaries()[-1] == bundled_server.binaries
    with database_of(bundled_server.url()) as url:
        assert tables(url) == []


def test_configured_server_is_used(bundled_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, bundled_server.url())
    with fresh_database() as url:
        assert tables(url) == []
        assert url.startswith(bundled_server.url("pitbook_"))


def test_ledger_is_created_on_bundled_and_configured_servers(
    bundled_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fresh_ledger() as url, fresh_ledger() as other:
        table_names = tables(url)
        assert {"entry", "posting", "stream"} <= set(table_names)
        assert tables(other) == table_names
    monkeypatch.setenv(URL_VARIABLE, bundled_server.url())
    with fresh_ledger() as url:
        assert url.startswith(bundled_server.url("pitbook_"))
        assert tables(url) == table_names


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


def test_commits_survive_a_hard_stop(bundled_server: Server) -> None:
    with database_of(bundled_server.url()) as url:
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE kept (id int)")
        assert bundled_server.process is not None
        pids = [bundled_server.process.pid, *children(bundled_server.process.pid)]
        bundled_server.kill()
        assert len(pids) > 3
        assert [pid for pid in pids if is_alive(pid)] == []
        bundled_server.start()
        assert tables(url) == ["kept"]
    assert "was not properly shut down" in bundled_server.log()


def test_orderly_stop_needs_no_recovery(bundled_server: Server) -> None:
    before = bundled_server.log().count("was not properly shut down")
    bundled_server.stop()
    bundled_server.start()
    assert bundled_server.log().count("was not properly shut down") == before


def test_the_server_ends_even_with_a_run_that_is_killed() -> None:
    environment = {name: value for name, value in os.environ.items() if name != URL_VARIABLE}
    run = subprocess.Popen(
        [sys.executable, "-c", START_SERVER],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdout is not None
    pid, folder = run.stdout.readline().split()
    assert is_alive(int(pid))
    run.send_signal(signal.SIGKILL)
    run.communicate()
    wait_until_gone(int(pid), Path(folder))


def wait_until_gone(pid: int, folder: Path) -> None:
    while is_alive(pid) or folder.exists():  # The test's own time limit ends this.
        Event().wait(0.01)


def tables(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        )
        return sorted(str(row[0]) for row in rows)
