"""Power may fail at any disk operation; with full sync, acknowledged writes survive."""

from __future__ import annotations

import sqlite3.dbapi2
from pathlib import Path

import pytest
from tests.chaos.power_cuts import power_cuts

from pitbook.house.ledger import database


@pytest.fixture
def rollback_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine with only the older SQLite."""
    monkeypatch.setattr(database, "sqlite_module", lambda: sqlite3.dbapi2)
    monkeypatch.setattr(database, "WAL_MIN_VERSION", (99, 0, 0))


def test_power_cuts_lose_nothing(tmp_path: Path, seed: str) -> None:
    row = power_cuts(tmp_path, cuts=20, seed=seed, on="SQLite, write-ahead log")
    assert row["wrong"] == 0, row
    assert row["acknowledged"] > 200


@pytest.mark.usefixtures("rollback_journal")
def test_power_cuts_lose_nothing_with_a_rollback_journal(tmp_path: Path, seed: str) -> None:
    row = power_cuts(tmp_path, cuts=20, seed=seed, on="SQLite, rollback journal")
    assert row["wrong"] == 0, row
    assert row["acknowledged"] > 200


@pytest.mark.slow
def test_the_same_cuts_lose_receipts_without_full_sync(tmp_path: Path, seed: str) -> None:
    row = power_cuts(
        tmp_path, cuts=20, seed=seed, synchronous="NORMAL", on="SQLite, synchronous=NORMAL"
    )
    assert row["wrong"] > 0
    assert "was acknowledged as" in row["first"]
    assert row["first"].endswith("stands as None")


@pytest.mark.slow
def test_a_thousand_power_cuts(tmp_path: Path, seed: str) -> None:
    assert not power_cuts(tmp_path, cuts=1_000, seed=seed, on="SQLite, write-ahead log")["first"]


@pytest.mark.slow
@pytest.mark.usefixtures("rollback_journal")
def test_a_thousand_power_cuts_with_a_rollback_journal(tmp_path: Path, seed: str) -> None:
    assert not power_cuts(tmp_path, cuts=1_000, seed=seed, on="SQLite, rollback journal")["first"]
