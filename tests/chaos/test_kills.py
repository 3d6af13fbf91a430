"""A process killed at any moment loses nothing that it had acknowledged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.chaos.forked_writers import Nursery
from tests.chaos.kills import kill_under_load, postgres_place, sqlite_in
from tests.chaos.workload import LedgerClient, Rounds

from pitbook.house.ledger.ledger import Ledger

TABLES, LIVE = "tests.chaos.live_tables:Tables", "SQLite, live tables"


def test_kill_9_under_load_on_sqlite(nursery: Nursery, tmp_path: Path, seed: str) -> None:
    row = kill_under_load(nursery, sqlite_in(tmp_path), on="SQLite", kills=10, seed=seed)
    assert row["wrong"] == 0, row
    assert row["acknowledged"] > 100


@pytest.mark.slow
def test_kill_9_under_load_on_postgresql(nursery: Nursery, seed: str) -> None:
    row = kill_under_load(nursery, postgres_place, on="PostgreSQL", kills=10, seed=seed)
    assert row["wrong"] == 0, row
    assert row["acknowledged"] > 100


def test_kill_9_of_live_tables(nursery: Nursery, tmp_path: Path, seed: str) -> None:
    place = sqlite_in(tmp_path)
    row = kill_under_load(nursery, place, on=LIVE, kills=10, seed=seed, workload=TABLES)
    assert row["wrong"] == 0, row
    assert row["acknowledged"] > 100


@pytest.mark.slow
def test_a_thousand_kills_of_live_tables(nursery: Nursery, tmp_path: Path, seed: str) -> None:
    place = sqlite_in(tmp_path)
    assert not kill_under_load(nursery, place, on=LIVE, kills=1_000, seed=seed, workload=TABLES)[
        "first"
    ]


@pytest.mark.slow
def test_a_thousand_kills_on_sqlite(nursery: Nursery, tmp_path: Path, seed: str) -> None:
    assert not kill_under_load(nursery, sqlite_in(tmp_path), on="SQLite", kills=1_000, seed=seed)[
        "first"
    ]


@pytest.mark.slow
def test_a_thousand_kills_on_postgresql(nursery: Nursery, seed: str) -> None:
    assert not kill_under_load(nursery, postgres_place, on="PostgreSQL", kills=1_000, seed=seed)[
        "first"
    ]


class Hasty(Rounds):
    """A workload whose client acknowledges before it has a receipt."""

    def start(self, url: str) -> LedgerClient:
        return HastyClient(self, Ledger.open(url))

    def wrong(self, url: str, acknowledged: Mapping[int, str]) -> list[str]:
        with Ledger.open(url) as ledger:
            missing = [
                number for number in acknowledged if not ledger.entry_of_request(self.id_of(number))
            ]
        return [f"request {number} was promised and is not there" for number in missing]


class HastyClient(LedgerClient):
    def send(self, number: int) -> str:
        if number == 0:
            return super().send(number)
        self.ledger.submit(self.append(number))
        return "on its way"


@pytest.mark.slow
def test_a_client_that_acknowledges_too_early_is_caught(
    nursery: Nursery, tmp_path: Path, seed: str
) -> None:
    place, workload = sqlite_in(tmp_path), f"{__name__}:Hasty"
    on = "SQLite, a client that does not wait"
    row = kill_under_load(
        nursery, place, on=on, kills=10, seed=seed, workload=workload, control=True
    )
    assert row["wrong"] > 0
    assert row["first"].endswith("was promised and is not there")
