"""Two processes of one house on PostgreSQL: a night that both serve, for tests that stop one."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.house.nights.kit import EVENT, OMS, making
from tests.house.nights.tournament.evening import schedule
from tests.house.web.awake import awake
from tests.noon import noon

from pitbook.house.ledger.folder import KEYS, Folder
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.nights import commands as do
from pitbook.house.nights.decide import Command
from pitbook.house.nights.store import Accepted, Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.table.state import dump_sheet
from pitbook.house.web.leases import SharedHouse
from pitbook.money import dollars

PRIZES = [{"entrants": 2, "shares": [100]}, {"entrants": 4, "shares": [50, 30, 20]}]


class Side:
    """One of the processes: its house and its own reading of the night."""

    def __init__(self, folder: Folder) -> None:
        self.house = SharedHouse(folder)
        self.night = Night(folder.ledger, EVENT)

    def tables(self, tournament: str) -> TournamentTables:
        return TournamentTables(self.house, self.night, tournament, "olga")

    def must(self, *many: Command) -> None:
        for command in many:
            answer = self.night.give(command, actor="olga")
            assert isinstance(answer, Accepted), f"{command}: {answer}"


Scene = Callable[[Side, Side], Awaitable[None]]


def two_folders(path: Path, url: str) -> tuple[Path, Path]:
    """A folder for each process, with the same keys."""
    one, two = path / "one", path / "two"
    Folder.make(one, url).close()
    two.mkdir(mode=0o700)
    shutil.copy(one / KEYS, two / KEYS)
    return one, two


def played(path: Path, url: str, scene: Scene) -> None:
    """A scene between two processes; whatever it left, the book is sound."""
    one, two = two_folders(path, url)

    async def all_of_it() -> None:
        with Folder.open(one, url) as first_folder, Folder.open(two, url) as second_folder:
            first, second = Side(first_folder), Side(second_folder)
            try:
                await scene(first, second)
            finally:
                await first.house.close()
                await second.house.close()

    with awake():
        asyncio.run(all_of_it())
    with Folder.open(one, url) as folder:
        assert folder.verify(following=audit_of).findings == ()


def opened(side: Side) -> None:
    """The night of today, with chips sold to ann."""
    side.must(making(**noon()), do.Open())
    side.must(do.BringFloat(dollars("500")), do.Sell("ann", dollars("20")))


def started(side: Side, name: str, kind: str, players: tuple[str, ...]) -> None:
    """A tournament whose players have seats and whose clock runs."""
    side.must(floor.SetUp(name, schedule(kind=kind, prizes=PRIZES)), floor.Announce(name))
    side.must(*(floor.Enter(name, player) for player in players))
    side.must(floor.DrawSeats(name), floor.Start(name), floor.StartClock(name))


def admitted(table: str) -> do.AdmitTable:
    """A table of chance within the limits."""
    return do.AdmitTable(table, dump_sheet(OMS))
