"""A book for the tests of streams, and both ways to write to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.streams.kit import Way

from pitbook.ledger.book import Ledger


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
