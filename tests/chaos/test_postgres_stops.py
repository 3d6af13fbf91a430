"""The database server may vanish under the ledger: callers get an error, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.chaos.broken_connection import broken_connections
from tests.chaos.postgres_stops import hard_stops
from tests.postgres import Server, binaries


@pytest.fixture(scope="module")
def killable() -> Iterator[Server]:
    """A server that waits for its disk, as in production."""
    server = Server(binaries()[0])
    server.start()
    yield server
    server.close()


def test_postgresql_stopped_hard_under_load(killable: Server, seed: str) -> None:
    row = hard_stops(killable, stops=3, seed=seed)
    assert row["wrong"] == 0, row
    assert row["acknowledged"] > 20


@pytest.fixture
def forgetful(killable: Server) -> Iterator[Server]:
    """A server that acknowledges before it writes."""
    killable.stop()
    killable.options = ("synchronous_commit=off", "wal_writer_delay=10s")
    killable.start()
    yield killable
    killable.stop()
    killable.options = ()
    killable.start()


@pytest.mark.slow
def test_stops_lose_receipts_without_synchronous_commit(forgetful: Server, seed: str) -> None:
    on = "PostgreSQL, synchronous_commit=off"
    row = hard_stops(forgetful, stops=2, seed=seed, on=on, control=True)
    assert row["wrong"] > 0


@pytest.mark.slow
def test_two_hundred_hard_stops(killable: Server, seed: str) -> None:
    assert not hard_stops(killable, stops=200, seed=seed)["first"]


def test_connection_to_postgresql_breaks_under_load(seed: str) -> None:
    row = broken_connections(cuts=20, seed=seed)
    assert row["wrong"] == 0, row
    assert row["acknowledged"] > 20


@pytest.mark.slow
def test_a_thousand_broken_connections(seed: str) -> None:
    assert not broken_connections(cuts=1_000, seed=seed)["first"]
