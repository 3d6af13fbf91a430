"""The database server may vanish under the book: callers hear of it, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.chaos.stops import hard_stops
from tests.chaos.wire import broken_lines
from tests.postgres import Server, binaries, server


def test_postgresql_stopped_hard_under_load(seed: str) -> None:
    found = hard_stops(server(), stops=3, seed=seed)
    assert found["wrong"] == 0, found
    assert found["acknowledged"] > 20


@pytest.fixture
def forgetful() -> Iterator[Server]:
    """A server that acknowledges before it writes."""
    made = Server(binaries()[0], ("synchronous_commit=off", "wal_writer_delay=10s"))
    made.start()
    yield made
    made.close()


def test_the_same_stops_lose_receipts_on_a_server_that_does_not_wait_for_its_log(
    forgetful: Server, seed: str
) -> None:
    on = "PostgreSQL, synchronous_commit=off"
    found = hard_stops(forgetful, stops=2, seed=seed, on=on, control=True)
    assert found["wrong"] > 0


@pytest.mark.slow
def test_two_hundred_hard_stops(seed: str) -> None:
    assert not hard_stops(server(), stops=200, seed=seed)["first"]


def test_the_line_to_postgresql_breaks_under_load(seed: str) -> None:
    found = broken_lines(cuts=20, seed=seed)
    assert found["wrong"] == 0, found
    assert found["acknowledged"] > 20


@pytest.mark.slow
def test_a_thousand_broken_lines(seed: str) -> None:
    assert not broken_lines(cuts=1_000, seed=seed)["first"]
