"""Two processes of one house on PostgreSQL, in one test: each with a folder of its own."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.house.web.awake import awake

from pitbook import load
from pitbook.house.ledger.folder import KEYS, Folder
from pitbook.house.ledger.locks import Locks
from pitbook.house.table.actor import Accepted
from pitbook.house.table.commands import (
    By,
    Command,
    Envelope,
    Sit,
)
from pitbook.house.table.tables import LiveTables
from pitbook.house.web import leases
from pitbook.house.web.leases import SharedHouse
from pitbook.money import Cents

SHEET = load("catfish-bend/mississippi-stud")


ANN, SUE = By("ann", "player"), By("sue", "supervisor")


Play = Callable[[SharedHouse, SharedHouse], Awaitable[None]]


def play(tmp_path: Path, url: str, scene: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two houses over one book, each with a folder of its own and the same keys."""
    monkeypatch.setattr(leases, "LOOK_SECONDS", 3_600)  # A scene looks when it wants to.
    one, two = tmp_path / "one", tmp_path / "two"
    with Folder.make(one, url):
        two.mkdir(mode=0o700)
        shutil.copy(one / KEYS, two / KEYS)

    async def all_of_it() -> None:
        with Folder.make(one, url) as first_folder, Folder.make(two, url) as second_folder:
            first, second = SharedHouse(first_folder), SharedHouse(second_folder)
            try:
                await scene(first, second)
            finally:
                await first.close()
                await second.close()

    with awake():
        asyncio.run(all_of_it())
    with Folder.open(one, url) as folder:
        assert folder.verify().findings == ()


async def do(house: LiveTables, table: str, by: By, command: Command) -> None:
    answer = await house.tables[table].send(Envelope(by, command))
    assert isinstance(answer, Accepted), answer


async def left_behind(house: SharedHouse) -> None:
    """A table that nobody holds any more."""
    await house.open()
    await furnish(house)
    await house.close()


async def furnish(house: SharedHouse) -> None:
    await house.cage.buy_in("ann", Cents(10_000), actor="sue")
    await house.open_table("stud", "house", unit="usd", sheet=SHEET, actor="sue")
    await do(house, "stud", ANN, Sit(1))


def cut(locks: Locks, by: SharedHouse) -> None:
    """What an administrator or a network does to a connection."""
    assert locks._connection is not None
    pid = locks._connection.execute(text("SELECT pg_backend_pid()")).scalar()
    with by.ledger.engine.begin() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})
