"""A register with two people, on a manual clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.house.web.conftest import PASSWORD, WEAK, fast_folder

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.people.account_register import STREAM
from pitbook.house.people.accounts import People
from pitbook.shoe.crypto import Vault

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture(name="folder")
def data_folder_fixture(tmp_path: Path) -> Iterator[Folder]:
    with fast_folder(tmp_path) as data_folder:
        yield data_folder


@pytest.fixture(name="clock")
def manual_clock() -> Clock:
    return Clock()


Open = Callable[[], People]


@pytest.fixture(name="open_people")
def people_opener(folder: Folder, clock: Clock) -> Open:
    """Another process on the same ledger."""
    vault = Vault(folder.keys.sealing)
    return lambda: People(folder.ledger, vault, WEAK, clock=clock)


@pytest.fixture(name="people")
def two_people(open_people: Open) -> People:
    accounts = open_people()
    accounts.add("ann", "player", PASSWORD, actor="sue")
    accounts.add("sue", "supervisor", PASSWORD + "!", actor="desk")
    return accounts


def facts(ledger: Ledger) -> list[dict[str, Any]]:
    all_facts = (fact for entry in ledger.entries(STREAM) for fact in entry.facts)
    return [fact for fact in all_facts if fact["fact"] != "claimed"]


def kinds(ledger: Ledger, after: int = 0) -> list[str]:
    return [fact["fact"] for fact in facts(ledger)][after:]
