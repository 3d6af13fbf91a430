"""A guest who opens and practices games over HTTP, and the memory that the server then holds."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
from tests.house.web.live_server import choice, wagers
from tests.house.web.server_process import ServerProcess, run_server_from_shell

from pitbook.sheets.library import Library

__all__ = [
    "MeasuredServer",
    "Visitor",
    "bundled_sheets",
    "private_mebibytes",
    "run_cold_server",
    "run_warm_server",
]

SECONDS_MAX = 600.0  # Until an answer that the server is still computing.
ROUNDS = 2
SETTLED = 0.5  # Seconds until an idle server has released unused memory.
LOOK = 0.05
WIDE = {
    "PITBOOK_LIMITS_REQUESTS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_REQUESTS_BURST": "100000",
    "PITBOOK_LIMITS_COMMANDS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_COMMANDS_BURST": "100000",
    "PITBOOK_LOG_LEVEL": "warning",
}


class Visitor:
    """A guest of a server; calls `report_step` with the name of each finished step."""

    def __init__(
        self, http: httpx.Client, report_step: Callable[[str], None] = lambda step: None
    ) -> None:
        self.http, self._done, self._requests = http, report_step, 0

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """The answer, after retries while the server is still computing it."""
        until = time.monotonic() + SECONDS_MAX
        while True:
            answer = self.http.request(method, path, json=body)
            busy = answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
            if not busy or time.monotonic() > until:
                break
            time.sleep(float(answer.headers.get("retry-after", 1)))
        # A game without a grid or an exact bankroll says so.
        is_acceptable = answer.is_success or answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert is_acceptable, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        is_json = answer.headers["content-type"].startswith("application/json")
        return answer.json() if is_json else answer.content

    def show(self, sheet: str) -> None:
        """Open everything there is to read about a sheet."""
        listed = self.ask("GET", "/api/sheets")["sheets"]
        (sheet_row,) = (row for row in listed if row["id"] == sheet)
        ante = sheet_row["wagers"][sheet_row["main"]]["min"]
        for part in ("", "/lesson", "/decisions"):
            self.ask("GET", f"/api/sheets/{sheet}{part}")
        for paper in self.ask("GET", f"/api/papers/{sheet}")["papers"]:
            if not paper["figures"]:
                self.ask("GET", f"/api/papers/{sheet}/{paper['id']}/read")
        self._done("rules")
        for stake in ("", f"?ante={ante}"):
            self.ask("GET", f"/api/math/{sheet}{stake}")
        self._done("figures")
        self.ask("GET", f"/api/sheets/{sheet}/grid")
        self._done("strategy")
        self.ask("POST", "/api/sheets/try", {"sheet": sheet, "ante": ante})
        self._done("lab")
        visit = {"sheet": sheet, "bankroll": "1000", "hours": 2}
        self.ask("POST", "/api/sheets/session", visit)
        self._done("bankroll")

    def print_papers(self, sheet: str) -> None:
        """Open the papers that need the figures of a report, and print one."""
        self.ask("GET", f"/api/papers/{sheet}/figures?work=true")
        self._done("report figures")
        for paper in ("report", "rack-card", "strategy-card"):
            self.ask("GET", f"/api/papers/{sheet}/{paper}/read")
        self._done("papers")
        self.ask("GET", f"/api/papers/{sheet}/report/pdf")
        self._done("PDF")

    def coach(self, sheet: str) -> None:
        """Play rounds with a hint at every decision, then review them."""
        table = self.practice(sheet)
        self.play(table, ROUNDS)
        self._done("hints")
        self.ask("POST", f"/api/tables/{table}/spots", {"hard": True})
        self._done("hard spots")
        self.ask("GET", f"/api/tables/{table}/coach")
        self._done("review")

    def hints(self, sheet: str, rounds: int) -> list[float]:
        """Play rounds by the hints; returns the seconds that each hint took."""
        return self.play(self.practice(sheet), rounds)

    def play(self, table: str, rounds: int) -> list[float]:
        """Play rounds at a table by the hints; returns the seconds that each hint took."""
        waits = []
        for _ in range(rounds):
            self.deal(table)
            while choice(self.view(table), 1) is not None:
                waits.append(self.hint(table))
                self.ask("POST", f"/api/tables/{table}/autoplay", {"seat": 1})
        return waits

    def practice(self, sheet: str) -> str:
        """A practice table."""
        return str(self.ask("POST", "/api/practice", {"sheet": sheet})["table"])

    def view(self, table: str) -> Any:
        """The table as the guest sees it."""
        return self.ask("GET", f"/api/tables/{table}")

    def deal(self, table: str) -> None:
        """Bet the minimum on every wager, and deal."""
        for wager in wagers(self.view(table), 1):
            self._command(table, {"do": "put-wager", "seat": 1, **wager})
        self._command(table, {"do": "close-betting"})

    def hint(self, table: str) -> float:
        """Ask for a hint; returns the seconds it took."""
        begun = time.perf_counter()
        self.ask("POST", f"/api/tables/{table}/advice", {"seat": 1})
        return time.perf_counter() - begun

    def _command(self, table: str, command: dict[str, Any]) -> None:
        self._requests += 1
        body = {"request": f"r{self._requests}", "command": command}
        self.ask("POST", f"/api/tables/{table}/commands", body)


class MeasuredServer:
    """A server whose memory is watched."""

    def __init__(self, served: ServerProcess) -> None:
        self._served, self.peak = served, 0.0
        self._pid = served.process.pid
        self._ended = threading.Event()
        self._watching = threading.Thread(target=self._watch, daemon=True)
        self._watching.start()

    def client(self) -> httpx.Client:
        """Another guest."""
        return httpx.Client(base_url=self._served.address, timeout=SECONDS_MAX)

    def private(self) -> float:
        """The server's private memory in MiB after it has settled."""
        time.sleep(SETTLED)
        return private_mebibytes(self._pid)

    def close(self) -> None:
        """Stop watching."""
        self._ended.set()
        self._watching.join()

    def _watch(self) -> None:
        while not self._ended.wait(LOOK):
            self.peak = max(self.peak, private_mebibytes(self._pid))


@contextmanager
def run_cold_server(folder: Path) -> Iterator[MeasuredServer]:
    """A server that starts with no data, no counts and no machine code."""
    caches = dict.fromkeys(("XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), str(folder / "cache"))
    with run_server_from_shell(folder / "data", **WIDE, **caches) as served:
        measured = MeasuredServer(served)
        try:
            yield measured
        finally:
            measured.close()


@contextmanager
def run_warm_server(folder: Path) -> Iterator[MeasuredServer]:
    """A server that uses counts stored by this user's earlier processes."""
    with run_server_from_shell(folder / "data", **WIDE) as served:
        measured = MeasuredServer(served)
        try:
            yield measured
        finally:
            measured.close()


def bundled_sheets() -> list[str]:
    """The ids of all bundled sheets."""
    sheets = (entry.sheet for entry in Library().entries())
    return sorted(sheet.id for sheet in sheets if sheet is not None)


def private_mebibytes(pid: int) -> float:
    """The private memory of a process: what would be free if it ended."""
    smaps = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    kibibytes = re.findall(r"^Private_(?:Clean|Dirty):\s+(\d+) kB", smaps, re.MULTILINE)
    return sum(map(int, kibibytes)) / 1024
