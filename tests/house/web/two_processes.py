"""Two processes of one house on PostgreSQL, in one test, each with its own data folder."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.house.web.stay_awake import never_silent

from pitbook import load
from pitbook.house.ledger.data_folder import KEYS_FILE, Folder
from pitbook.house.ledger.locks import Locks
from pitbook.house.table.actor import Accepted
from pitbook.house.table.commands import (
    By,
    Command,
    Envelope,
    Sit,
)
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import leases
from pitbook.house.web.leases import SharedHouse
from pitbook.money import Cents

SHEET = load("catfish-bend/mississippi-stud")


ANN, SUE = By("ann", "player"), By("sue", "supervisor")


Play = Callable[[SharedHouse, SharedHouse], Awaitable[None]]


def run_two_houses(tmp_path: Path, url: str, scene: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a scene with two houses on one ledger, with separate folders and the same keys."""
    monkeypatch.setattr(leases, "LOOK_SECONDS", 3_600)  # Scenes take tables explicitly.
    first_path, second_path = tmp_path / "one", tmp_path / "two"
    with Folder.make(first_path, url):
        second_path.mkdir(mode=0o700)
        shutil.copy(first_path / KEYS_FILE, second_path / KEYS_FILE)

    async def run_scene() -> None:
        with (
            Folder.make(first_path, url) as first_folder,
            Folder.make(second_path, url) as second_folder,
        ):
            first, second = SharedHouse(first_folder), SharedHouse(second_folder)
            try:
                await scene(first, second)
            finally:
                await first.close()
                await second.close()

    with never_silent():
        asyncio.run(run_scene())
    with Folder.open(first_path, url) as folder:
        assert folder.verify().findings == ()


async def send_command(house: LiveTables, table: str, by: By, command: Command) -> None:
    answer = await house.tables[table].send(Envelope(by, command))
    assert isinstance(answer, Accepted), answer


async def leave_table(house: SharedHouse) -> None:
    """Leave a table that no process holds."""
    await house.open()
    await furnish(house)
    await house.close()


async def furnish(house: SharedHouse) -> None:
    await house.cage.buy_in("ann", Cents(10_000), actor="sue")
    await house.open_table("stud", "house", unit="usd", sheet=SHEET, actor="sue")
    await send_command(house, "stud", ANN, Sit(1))


def kill_connection(locks: Locks, by: SharedHouse) -> None:
    """Drop a connection, as an administrator or a network would."""
    assert locks._connection is not None
    pid = locks._connection.execute(text("SELECT pg_backend_pid()")).scalar()
    with by.ledger.engine.begin() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})
