"""A request takes effect once, however often and by however many connections it comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.chaos.kills import postgres_place, sqlite_in
from tests.chaos.races import overdraft_races
from tests.chaos.repeats import repeated_requests


def test_repeats_on_sqlite(tmp_path: Path, seed: str) -> None:
    row = repeated_requests(sqlite_in(tmp_path), on="SQLite", requests=1_000, seed=seed)
    assert row["wrong"] == 0, row


def test_repeats_on_postgresql(seed: str) -> None:
    row = repeated_requests(postgres_place, on="PostgreSQL", requests=1_000, seed=seed)
    assert row["wrong"] == 0, row


def test_overdraft_race_on_sqlite(tmp_path: Path, seed: str) -> None:
    row = overdraft_races(sqlite_in(tmp_path), on="SQLite", spends=400, seed=seed)
    assert row["wrong"] == 0, row
    assert 0 < row["acknowledged"] < 400


def test_overdraft_race_on_postgresql(seed: str) -> None:
    row = overdraft_races(postgres_place, on="PostgreSQL", spends=400, seed=seed)
    assert row["wrong"] == 0, row
    assert 0 < row["acknowledged"] < 400


@pytest.mark.slow
def test_a_hundred_thousand_repeats_on_sqlite(tmp_path: Path, seed: str) -> None:
    place = sqlite_in(tmp_path)
    assert not repeated_requests(place, on="SQLite", requests=100_000, seed=seed)["first"]


@pytest.mark.slow
def test_a_hundred_thousand_repeats_on_postgresql(seed: str) -> None:
    place = postgres_place
    assert not repeated_requests(place, on="PostgreSQL", requests=100_000, seed=seed)["first"]


@pytest.mark.slow
def test_many_overdraft_races_on_sqlite(tmp_path: Path, seed: str) -> None:
    place = sqlite_in(tmp_path)
    assert not overdraft_races(place, on="SQLite", spends=20_000, seed=seed)["first"]


@pytest.mark.slow
def test_many_overdraft_races_on_postgresql(seed: str) -> None:
    assert not overdraft_races(postgres_place, on="PostgreSQL", spends=20_000, seed=seed)["first"]
