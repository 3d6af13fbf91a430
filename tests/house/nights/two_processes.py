"""Two processes on PostgreSQL that serve the same night."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.nights.kit import EVENT, OMS, make_command
from tests.house.nights.tournament.step_lines import schedule
from tests.house.web.stay_awake import never_silent

from pitbook.house.ledger.data_folder import KEYS_FILE, Folder
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.nights import commands as do
from pitbook.house.nights.decide import Command
from pitbook.house.nights.store import Accepted, Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.web.leases import SharedHouse
from pitbook.money import dollars

PRIZES = [{"entrants": 2, "shares": [100]}, {"entrants": 4, "shares": [50, 30, 20]}]


class Side:
    """One of the processes: its house and its view of the night."""

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
    first_path, second_path = path / "one", path / "two"
    Folder.make(first_path, url).close()
    second_path.mkdir(mode=0o700)
    shutil.copy(first_path / KEYS_FILE, second_path / KEYS_FILE)
    return first_path, second_path


def run_scene(path: Path, url: str, scene: Scene) -> None:
    """Run a scene between two processes, then check the ledger."""
    first_path, second_path = two_folders(path, url)

    async def run_both() -> None:
        with (
            Folder.open(first_path, url) as first_folder,
            Folder.open(second_path, url) as second_folder,
        ):
            first, second = Side(first_folder), Side(second_folder)
            try:
                await scene(first, second)
            finally:
                await first.house.close()
                await second.house.close()

    with never_silent():
        asyncio.run(run_both())
    with Folder.open(first_path, url) as folder:
        assert folder.verify(replay_of=audit_of).findings == ()


def open_night(side: Side) -> None:
    """Today's night with chips sold to ann."""
    side.must(make_command(**noon_date_and_zone()), do.Open())
    side.must(do.BringFloat(dollars("500")), do.Sell("ann", dollars("20")))


def start_tournament(side: Side, name: str, kind: str, players: tuple[str, ...]) -> None:
    """A tournament with seated players and a running clock."""
    side.must(floor.SetUp(name, schedule(kind=kind, prizes=PRIZES)), floor.Announce(name))
    side.must(*(floor.Enter(name, player) for player in players))
    side.must(floor.DrawSeats(name), floor.Start(name), floor.StartClock(name))


def admit_command(table: str) -> do.AdmitTable:
    """A table of chance within the limits."""
    return do.AdmitTable(table, dump_sheet(OMS))
