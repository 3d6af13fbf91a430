"""What the fuzzers ask for: luck that can be had again, a house that writes nothing by itself."""

from __future__ import annotations

import pytest
from tests.chaos.conftest import seed  # noqa: F401  As the fault tests have it.

from pitbook.house.table import tables


@pytest.fixture(autouse=True)
def _unsigned(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house signs its book once a minute, or after many entries: in the midst of any request."""
    monkeypatch.setattr(tables, "SIGN_SECONDS", 86_400.0)
    monkeypatch.setattr(tables, "SIGN_ENTRIES", 10**9)
