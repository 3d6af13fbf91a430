"""A house on each kind of database, for tests of the pit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.house.web.conftest import LoopRunner, open_house
from tests.house.web.live_server import SHEETS, Json
from tests.house.web.stay_awake import never_silent

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.leases import SharedHouse

STUD, OTHER = SHEETS[:2]


OPEN: Json = {"name": "stud-9", "sheet": STUD}


@asynccontextmanager
async def house_on_postgresql(path: Path, url: str) -> AsyncIterator[LiveTables]:
    """A house with its ledger on PostgreSQL, as `pitbook serve` opens it."""
    with never_silent(), Folder.make(path, url) as folder:
        house = SharedHouse(folder)
        await house.open()
        try:
            yield house
        finally:
            await house.close()


@pytest.fixture(name="house", params=["sqlite", "postgresql"])
def on_either(
    request: pytest.FixtureRequest, run: LoopRunner, tmp_path: Path
) -> Iterator[LiveTables]:
    """The house of every test here, once on each kind of database."""
    if request.param == "sqlite":
        context = open_house(tmp_path)
    else:
        context = house_on_postgresql(tmp_path, request.getfixturevalue("postgres"))
    live_tables = run(context.__aenter__())
    yield live_tables
    run(context.__aexit__(None, None, None))
