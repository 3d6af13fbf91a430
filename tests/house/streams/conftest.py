"""A book for the tests of streams, and both ways to write to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.streams.kit import STREAM, Way

from pitbook.house.ledger import kinds
from pitbook.house.ledger.book import Ledger


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register these tests' stream as its module would."""
    monkeypatch.setitem(kinds._AUDITS, STREAM, kinds.moves_no_money)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'book.db'}"


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    with Ledger.open(url) as ledger:
        yield ledger


@pytest.fixture(params=["blocks", "awaits"])
def way(request: pytest.FixtureRequest) -> Way:
    found: Way = request.param
    return found
