"""A register with two people, on a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.house.web.conftest import PASSWORD, WEAK, fast_folder

from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.journal import Ledger
from pitbook.house.people.accounts import People
from pitbook.house.people.register import STREAM
from pitbook.shoe.vault import Vault

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture(name="folder")
def book_folder(tmp_path: Path) -> Iterator[Folder]:
    with fast_folder(tmp_path) as opened:
        yield opened


@pytest.fixture(name="clock")
def hand_moved() -> Clock:
    return Clock()


Open = Callable[[], People]


@pytest.fixture(name="open_people")
def opens_people(folder: Folder, clock: Clock) -> Open:
    """Another process that reads the same book."""
    vault = Vault(folder.keys.sealing)
    return lambda: People(folder.ledger, vault, WEAK, clock=clock)


@pytest.fixture(name="people")
def two_people(open_people: Open) -> People:
    made = open_people()
    made.add("ann", "player", PASSWORD, actor="sue")
    made.add("sue", "supervisor", PASSWORD + "!", actor="desk")
    return made


def facts(ledger: Ledger) -> list[dict[str, Any]]:
    told = (fact for entry in ledger.entries(STREAM) for fact in entry.facts)
    return [fact for fact in told if fact["fact"] != "claimed"]


def kinds(ledger: Ledger, after: int = 0) -> list[str]:
    return [fact["fact"] for fact in facts(ledger)][after:]
