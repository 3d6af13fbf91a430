"""Empty ledgers on both databases, created once and copied."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.ledger.counter_stream import STREAM, Way
from tests.house.ledger.kit import ManualClock
from tests.postgres import fresh_database, fresh_ledger

from pitbook.house.ledger import stream_kinds
from pitbook.house.ledger.ledger import Ledger


@pytest.fixture(scope="session")
def empty_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with empty tables."""
    file = tmp_path_factory.mktemp("empty") / "book.db"
    Ledger.open(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def sqlite_url(empty_book: Path, tmp_path: Path) -> str:
    """An empty ledger in a SQLite file."""
    return f"sqlite:///{shutil.copy(empty_book, tmp_path / 'book.db')}"


@pytest.fixture
def postgres() -> Iterator[str]:
    """An empty PostgreSQL database."""
    with fresh_database() as url:
        yield url


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """An empty ledger on PostgreSQL."""
    with fresh_ledger() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def ledger_url(request: pytest.FixtureRequest) -> str:
    """An empty ledger, once on each database."""
    kinds = {"sqlite": "sqlite_url", "postgresql": "postgres_url"}
    url: str = request.getfixturevalue(kinds[request.param])
    return url


@pytest.fixture
def manual_clock() -> ManualClock:
    """The clock of `ledger`."""
    return ManualClock()


@pytest.fixture
def ledger(
    ledger_url: str, manual_clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Ledger]:
    """An open ledger on each database; its clock moves only by `manual_clock`."""
    monkeypatch.setattr("pitbook.house.ledger.writer.time", manual_clock)
    with Ledger.open(ledger_url, clock=manual_clock) as opened:
        yield opened


@pytest.fixture
def sqlite_ledger(sqlite_url: str) -> Iterator[Ledger]:
    """An open ledger on SQLite."""
    with Ledger.open(sqlite_url) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _register_counter_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the counter stream as its module would."""
    monkeypatch.setitem(stream_kinds._AUDITS, STREAM, stream_kinds.moves_no_money)


@pytest.fixture(params=["blocks", "awaits"])
def way(request: pytest.FixtureRequest) -> Way:
    chosen_way: Way = request.param
    return chosen_way
