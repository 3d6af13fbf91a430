"""Start a house with full tables, and its server as a separate process."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks._processor import cpu_seconds

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.account_register import Person, Role
from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE, Sessions
from pitbook.house.settings import Settings, SignInRules
from pitbook.house.table import commands
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.live_tables import LiveTables
from pitbook.money import Cents
from pitbook.sheets.library import Library
from pitbook.shoe.crypto import Vault

SHEET = "catfish-bend/mississippi-stud"
FUNDS = Cents(10_000_000_000)
PURSE = Cents(10_000_000)
CLOCKS = {"betting": 3, "decision": 60}
FAST_SIGN_IN = SignInRules(
    argon2_time_cost=1, argon2_memory_kib=8
)  # Nobody signs in with a password here, so weak hashing only saves time.
WIDE_LIMITS = {
    "PITBOOK_LIMITS_SOCKETS_PER_ADDRESS": "5000",
    "PITBOOK_LIMITS_SOCKETS_PER_PERSON": "5000",
    "PITBOOK_LIMITS_CONNECTIONS_PER_ADDRESS": "5000",
    "PITBOOK_LIMITS_REQUESTS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_REQUESTS_BURST": "100000",
    "PITBOOK_LIMITS_COMMANDS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_COMMANDS_BURST": "100000",
    "PITBOOK_LOG_LEVEL": "warning",
}


class Seats(NamedTuple):
    """The players of each table, and their session tokens."""

    tables: dict[str, list[str]]
    tokens: dict[str, str]
    cookie: str = SESSION_COOKIE


async def create_house(folder: Path, *, tables: int, seats: int) -> Seats:
    """Open tables in a new folder, with a player in every seat."""
    names = {
        f"stud-{table:03d}": [f"p{table:03d}-{seat}" for seat in range(1, seats + 1)]
        for table in range(1, tables + 1)
    }
    with Folder.make(folder) as data_folder:
        house = LiveTables(data_folder)
        await house.open()
        await house.cage.fund(FUNDS, actor="sue")
        await asyncio.gather(
            *(_seat_players(house, table, players) for table, players in names.items())
        )
        await house.close()
        tokens = _tokens(data_folder, [player for players in names.values() for player in players])
    return Seats(names, tokens)


async def _seat_players(house: LiveTables, table: str, players: list[str]) -> None:
    table_actor = await house.open_table(
        table,
        "house",
        actor="sue",
        unit="usd",
        sheet=Library().load(SHEET, utc_now().date()),
        clocks=CLOCKS,
    )
    for number, player in enumerate(players, 1):
        await house.cage.buy_in(player, PURSE, actor="sue")
        await table_actor.send(Envelope(By(player, "player"), commands.Sit(number)))


def _tokens(folder: Folder, players: list[str]) -> dict[str, str]:
    settings = Settings(data=folder.path, sign_in=FAST_SIGN_IN)
    people = People(folder.ledger, Vault(folder.keys.sealing), FAST_SIGN_IN)
    sessions = Sessions(folder.keys.sealing, people, settings)
    roles: dict[str, Role] = {"abe": "auditor", **dict.fromkeys(players, "player")}
    for name, role in roles.items():
        people.add(name, role, "one two three four", actor="sue")
    return {name: sessions.issue(Person(name, role)) for name, role in roles.items()}


class RunningServer:
    """A running server and its resource use."""

    def __init__(self, address: str, pid: int) -> None:
        self.address, self._pid = address, pid

    def cpu_seconds(self) -> float:
        """CPU seconds that it has used so far."""
        return cpu_seconds(self._pid)

    def mebibytes(self) -> float:
        """Its resident memory."""
        match = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self._pid}/status").read_text())
        assert match
        return int(match[1]) / 1024


@asynccontextmanager
async def run_server(
    folder: Path, limits: Mapping[str, str] = WIDE_LIMITS
) -> AsyncIterator[RunningServer]:
    """Run the folder's server on a free port, and stop it at the end."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *os.environ.get("PITBOOK_BENCH_UNDER", "").split(), "-m", "pitbook"),
        *("serve", "--port", "0", "--data", str(folder)),
        env={**os.environ, **limits},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        address = None
        while address is None:
            output = (await process.stdout.readline()).decode()
            assert output, "the server did not start"
            address = re.search(r"running at (\S+)", output)
        yield RunningServer(address[1], process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()
