"""A ledger for stream tests, and both ways to write to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.ledger.streams.kit import STREAM, Way

from pitbook.house.ledger import stream_kinds
from pitbook.house.ledger.journal import Ledger


@pytest.fixture(autouse=True)
def register_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register these tests' stream as its module would."""
    monkeypatch.setitem(stream_kinds._AUDITS, STREAM, stream_kinds.moves_no_money)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'book.db'}"


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    with Ledger.open(url) as ledger:
        yield ledger


@pytest.fixture(params=["blocks", "awaits"])
def way(request: pytest.FixtureRequest) -> Way:
    chosen_way: Way = request.param
    return chosen_way
