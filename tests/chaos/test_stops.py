"""The database server may vanish under the book: callers hear of it, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.chaos.stops import hard_stops
from tests.chaos.wire import broken_lines
from tests.postgres import Server, binaries


@pytest.fixture(scope="module")
def killable() -> Iterator[Server]:
    """A server that waits for its disk, as in earnest."""
    made = Server(binaries()[0])
    made.start()
    yield made
    made.close()


def test_postgresql_stopped_hard_under_load(killable: Server, seed: str) -> None:
    found = hard_stops(killable, stops=3, seed=seed)
    assert found["wrong"] == 0, found
    assert found["acknowledged"] > 20


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
def test_the_same_stops_lose_receipts_on_a_server_that_does_not_wait_for_its_log(
    forgetful: Server, seed: str
) -> None:
    on = "PostgreSQL, synchronous_commit=off"
    found = hard_stops(forgetful, stops=2, seed=seed, on=on, control=True)
    assert found["wrong"] > 0


@pytest.mark.slow
def test_two_hundred_hard_stops(killable: Server, seed: str) -> None:
    assert not hard_stops(killable, stops=200, seed=seed)["first"]


def test_the_line_to_postgresql_breaks_under_load(seed: str) -> None:
    found = broken_lines(cuts=20, seed=seed)
    assert found["wrong"] == 0, found
    assert found["acknowledged"] > 20


@pytest.mark.slow
def test_a_thousand_broken_lines(seed: str) -> None:
    assert not broken_lines(cuts=1_000, seed=seed)["first"]
