"""Fixtures of the fuzzers: a house that writes nothing by itself."""

from __future__ import annotations

import pytest
from tests.chaos.conftest import seed  # noqa: F401  As the fault tests have it.

from pitbook.house.table import live_tables


@pytest.fixture(autouse=True)
def _no_signing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house signs checkpoints every minute or after many entries, which could happen during a
    request.
    """
    monkeypatch.setattr(live_tables, "SIGN_SECONDS", 86_400.0)
    monkeypatch.setattr(live_tables, "SIGN_ENTRIES", 10**9)
