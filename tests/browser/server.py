"""A house for browsers: `pitbook serve` on a fixed port, killed and restarted at will."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from tests.house.web.conftest import PASSWORD
from tests.house.web.preloaded_processes import Changes, spawn
from tests.house.web.server_process import SECONDS, ServerProcess, environment
from tests.postgres import free_port

Json = dict[str, Any]
SUPERVISOR = "sue"
BUY_IN = "10000"
# A test sends more requests in a second than a person in an hour.
UNLIMITED = {
    "PITBOOK_LIMITS_COMMANDS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_COMMANDS_BURST": "100000",
    "PITBOOK_LIMITS_REQUESTS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_REQUESTS_BURST": "100000",
    "PITBOOK_LIMITS_SIGN_INS_PER_MINUTE": "100000",
    "PITBOOK_LIMITS_PRACTICE_TABLES_PER_ADDRESS": "10000",
    "PITBOOK_LIMITS_GUESTS_PER_MINUTE": "100000",
}
# Poll ten times as often, so that tests wait less.
FAST_POLLING: Changes = {
    "pitbook.house.nights.routes_tournament.POLL_SECONDS": 0.1,
    "pitbook.house.nights.registry.FRESH_SECONDS": 0.05,
}
NO_CLOCKS = {"betting": None, "decision": None, "agree": None}


class House:
    """A server, its supervisor, and the people and tables that a test needs."""

    changes: Changes = FAST_POLLING

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._variables = UNLIMITED | variables
        self._numbers = count(1)
        self.served = self._start_server()
        self.supervisor = self._first_supervisor()

    def start(self) -> None:
        """Start the house again on the same port."""
        self.served = self._start_server()

    def kill(self) -> None:
        """Kill the server with SIGKILL."""
        self.served.process.kill()
        self.served.wait_for_end()

    def close(self) -> None:
        self.supervisor.close()
        if self.served.process.poll() is None:
            self.kill()

    def player(self, name: str, role: str = "player") -> str:
        """Create a person with PASSWORD and a unique name; players get chips."""
        unique = f"{name}{next(self._numbers)}"
        self._post("/api/people", name=unique, role=role, password=PASSWORD)
        if role == "player":
            request = f"buy-in-{unique}"
            self._post("/api/cage/buy-in", player=unique, amount=BUY_IN, request=request)
        return unique

    def table(self, sheet: str, **rules: Any) -> str:
        """Open a house table, without clocks unless given."""
        name = f"table-{next(self._numbers)}"
        self._post("/api/tables", **{"name": name, "sheet": sheet, "clocks": NO_CLOCKS, **rules})
        return name

    def command(self, table: str, **given: Any) -> None:
        """Send a supervisor's command at a table."""
        request = f"sue-{next(self._numbers)}"
        self._post(f"/api/tables/{table}/commands", request=request, command=given)

    def get(self, path: str) -> Json:
        """Get a path as the supervisor."""
        answer = self.supervisor.get(path)
        assert answer.is_success, answer.text
        reply: Json = answer.json()
        return reply

    def _post(self, path: str, **body: Any) -> None:
        answer = self.supervisor.post(path, json=body)
        assert answer.is_success, f"{path} {body}: {answer.text}"

    def _first_supervisor(self) -> httpx.Client:
        link = self.served.link()
        # The server closes idle connections, so every request uses a new one.
        fresh = httpx.Limits(max_keepalive_connections=0)
        client = httpx.Client(base_url=self.address, timeout=SECONDS, limits=fresh)
        answer = client.post(link, json={"name": SUPERVISOR, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        return client

    def _start_server(self) -> ServerProcess:
        process = spawn(
            ["serve", "--port", str(self.port), "--data", str(self.folder)],
            self.folder.parent,
            environment(**self._variables),
            self.changes,
        )
        with ExitStack() as unless_it_opens:
            unless_it_opens.callback(process.wait, SECONDS)
            unless_it_opens.callback(process.kill)
            served = ServerProcess(process)
            unless_it_opens.pop_all()
        return served
