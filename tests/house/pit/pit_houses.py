"""A house on each kind of database, for what the pit asks of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.house.web.awake import awake
from tests.house.web.conftest import Running, opened
from tests.house.web.live import SHEETS, Json

from pitbook.house.ledger.folder import Folder
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.leases import SharedHouse

STUD, OTHER = SHEETS[:2]


OPEN: Json = {"name": "stud-9", "sheet": STUD}


@asynccontextmanager
async def on_a_server(path: Path, url: str) -> AsyncIterator[LiveTables]:
    """A house whose book lies on PostgreSQL, as `pitbook serve` opens it."""
    with awake(), Folder.make(path, url) as folder:
        house = SharedHouse(folder)
        await house.open()
        try:
            yield house
        finally:
            await house.close()


@pytest.fixture(name="house", params=["sqlite", "postgresql"])
def on_either(request: pytest.FixtureRequest, run: Running, tmp_path: Path) -> Iterator[LiveTables]:
    """The house of every test here, once on each kind of database."""
    if request.param == "sqlite":
        context = opened(tmp_path)
    else:
        context = on_a_server(tmp_path, request.getfixturevalue("postgres"))
    made = run(context.__aenter__())
    yield made
    run(context.__aexit__(None, None, None))
