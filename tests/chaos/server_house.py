"""`pitbook serve` in one or two processes that can be killed, restarted or paused."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
from tests.chaos.forked_server import ForkedCommand
from tests.chaos.live_tables import SHEETS
from tests.house.web.conftest import PASSWORD
from tests.house.web.server_process import WEAK as WEAK_SIGN_IN
from tests.house.web.server_process import ServerProcess, environment
from tests.postgres import free_port

from pitbook import load
from pitbook.house.ledger.data_folder import KEYS_FILE, Folder
from pitbook.house.people.accounts import People
from pitbook.house.settings import SignInRules
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.leases import SILENT_SECONDS
from pitbook.money import Cents
from pitbook.shoe.crypto import Vault

DEALER, PLAYERS = "dee", ("ann", "bob", "cho")
FUND = Cents(10_000_000)
NO_CLOCKS = {"betting": None, "decision": None}
SECONDS = 180
WIDE_LIMITS = {
    "PITBOOK_LIMITS_COMMANDS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_COMMANDS_BURST": "100000",
    "PITBOOK_LIMITS_REQUESTS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_REQUESTS_BURST": "100000",
}
# The command line, with a different timeout for a silent process.
SERVE = "import pitbook.house.web.leases as leases; leases.SILENT_SECONDS = {}; "
SERVE += "from pitbook.cli.app import main; main()"


class ServedHouse:
    """The processes of one house; of two on PostgreSQL, the first holds the tables at first."""

    def __init__(
        self, folder: Path, url: str | None = None, *, silent: float = SILENT_SECONDS
    ) -> None:
        self.url, self.silent = url, silent
        self.folders = [folder / name for name in (("one",) if url is None else ("one", "two"))]
        self.ports = [free_port() for _ in self.folders]
        self.running: dict[int, ServerProcess] = {}
        self.logs: list[list[str]] = []
        self._stack = ExitStack()
        furnish(self.folders[0], url)
        for other in self.folders[1:]:
            other.mkdir(mode=0o700)
            shutil.copy(self.folders[0] / KEYS_FILE, other / KEYS_FILE)

    @property
    def addresses(self) -> list[str]:
        return [f"http://127.0.0.1:{port}" for port in self.ports]

    def __enter__(self) -> ServedHouse:
        with self._stack:
            for number in range(len(self.folders)):
                self.start(number)
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def start(self, number: int) -> None:
        """Start a process, or restart it at its port."""
        database_options = ["--db", self.url] if self.url else []
        folder, port = self.folders[number], str(self.ports[number])
        words = ["serve", "--port", port, "--data", str(folder), *database_options]
        process = self._process(words, folder.parent)
        self._stack.callback(process.wait, SECONDS)
        self._stack.callback(process.kill)
        self.running[number] = ServerProcess(process)
        self.logs.append(self.running[number].log)

    def _process(self, words: list[str], cwd: Path) -> Any:
        """The first process on SQLite is started as users do; all others are forked."""
        env = environment(**WIDE_LIMITS)
        if self.url is not None or self.logs:
            return ForkedCommand(words, cwd, env, self.silent)
        serve = [sys.executable, "-c", SERVE.format(self.silent)]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [*serve, *words], cwd=cwd, env=env, stdout=pipe, stderr=pipe, text=True
        )

    def end(self, number: int, signal_number: signal.Signals = signal.SIGKILL) -> float:
        """End a process and return the time."""
        at = monotonic()
        code = self.running.pop(number).stop(signal_number)
        assert code == (-signal_number if signal_number == signal.SIGKILL else 0)
        return at

    def stop(self) -> None:
        """Shut down all processes in an orderly way."""
        for process in self.running.values():
            assert process.stop() == 0, "".join(process.log)

    def errors(self) -> list[str]:
        """Everything that a process logged as an error."""
        return [line for log in self.logs for line in log if '"level": "error"' in line]

    async def holds_all(self, number: int) -> None:
        """Wait until a process holds every table."""
        # One client for all requests, without certificates, because those load slowly.
        address = self.addresses[number]
        client = httpx.AsyncClient(base_url=address, timeout=SECONDS, verify=False)
        async with asyncio.timeout(SECONDS), client:
            while await _held_tables(client) < len(SHEETS):
                await asyncio.sleep(0.05)

    def open_folder(self) -> Folder:
        """The data folder, for inspection."""
        return Folder.open(self.folders[0], self.url)


async def _held_tables(client: httpx.AsyncClient) -> int:
    """The number of tables that a process holds."""
    count: int = (await client.get("/api/ready")).raise_for_status().json()["tables"]
    return count


def furnish(path: Path, url: str | None) -> None:
    """Three tables of three games without clocks, and three players with money."""

    async def furnish_folder() -> None:
        with Folder.make(path, url) as folder:
            house = LiveTables(folder)
            await house.open()
            people = People(folder.ledger, Vault(folder.keys.sealing), _fast_sign_in())
            people.add("sue", "supervisor", PASSWORD, actor="test")
            people.add(DEALER, "dealer", PASSWORD, actor="test")
            for name in PLAYERS:
                people.add(name, "player", PASSWORD, actor="test")
                await house.cage.buy_in(name, FUND, actor="sue", request=f"first {name}")
            for name, sheet in SHEETS.items():
                await house.open_table(
                    name, "house", actor="sue", unit="usd", sheet=load(sheet), clocks=NO_CLOCKS
                )
            await house.close()

    asyncio.run(furnish_folder())


def _fast_sign_in() -> SignInRules:
    return SignInRules(
        argon2_time_cost=int(WEAK_SIGN_IN["PITBOOK_SIGN_IN_ARGON2_TIME_COST"]),
        argon2_memory_kib=int(WEAK_SIGN_IN["PITBOOK_SIGN_IN_ARGON2_MEMORY_KIB"]),
    )
