"""A house for browsers: `pitbook serve` on a port that it keeps, killed and started at will."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from tests.house.web.conftest import PASSWORD
from tests.house.web.nursery import Changes, born
from tests.house.web.served import SECONDS, Served, environment
from tests.postgres import free_port

Json = dict[str, Any]
SUPERVISOR = "sue"
BUY_IN = "10000"
# A test asks more in a second than a person in an hour.
WIDE = {
    "PITBOOK_LIMITS_COMMANDS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_COMMANDS_BURST": "100000",
    "PITBOOK_LIMITS_REQUESTS_PER_SECOND": "100000",
    "PITBOOK_LIMITS_REQUESTS_BURST": "100000",
    "PITBOOK_LIMITS_SIGN_INS_PER_MINUTE": "100000",
    "PITBOOK_LIMITS_PRACTICE_TABLES_PER_ADDRESS": "10000",
    "PITBOOK_LIMITS_GUESTS_PER_MINUTE": "100000",
}
# A board looks ten times as often, so that nobody waits for its next look.
QUICK: Changes = {
    "pitbook.house.nights.routes_tournament.LOOK_SECONDS": 0.1,
    "pitbook.house.nights.registry.FRESH_SECONDS": 0.05,
}
NO_CLOCKS = {"betting": None, "decision": None, "agree": None}


class House:
    """One server, its supervisor, and the people and tables that a test asks for."""

    changes: Changes = QUICK

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._variables = WIDE | variables
        self._numbers = count(1)
        self.served = self._started()
        self.supervisor = self._first_supervisor()

    def start(self) -> None:
        """The same house at the same port again."""
        self.served = self._started()

    def kill(self) -> None:
        """No goodbye: kill -9."""
        self.served.process.kill()
        self.served.ended()

    def close(self) -> None:
        self.supervisor.close()
        if self.served.process.poll() is None:
            self.kill()

    def player(self, name: str, role: str = "player") -> str:
        """Somebody new with PASSWORD, players with chips; names are never used twice."""
        unique = f"{name}{next(self._numbers)}"
        self._post("/api/people", name=unique, role=role, password=PASSWORD)
        if role == "player":
            request = f"buy-in-{unique}"
            self._post("/api/cage/buy-in", player=unique, amount=BUY_IN, request=request)
        return unique

    def table(self, sheet: str, **rules: Any) -> str:
        """A new table of the house, without clocks unless some are given."""
        name = f"table-{next(self._numbers)}"
        self._post("/api/tables", **{"name": name, "sheet": sheet, "clocks": NO_CLOCKS, **rules})
        return name

    def command(self, table: str, **given: Any) -> None:
        """What the supervisor does at a table."""
        request = f"sue-{next(self._numbers)}"
        self._post(f"/api/tables/{table}/commands", request=request, command=given)

    def get(self, path: str) -> Json:
        """What the supervisor reads."""
        answer = self.supervisor.get(path)
        assert answer.is_success, answer.text
        found: Json = answer.json()
        return found

    def _post(self, path: str, **body: Any) -> None:
        answer = self.supervisor.post(path, json=body)
        assert answer.is_success, f"{path} {body}: {answer.text}"

    def _first_supervisor(self) -> httpx.Client:
        link = self.served.link()
        # A line that lay idle is closed by the server, perhaps this very moment: each is fresh.
        fresh = httpx.Limits(max_keepalive_connections=0)
        client = httpx.Client(base_url=self.address, timeout=SECONDS, limits=fresh)
        answer = client.post(link, json={"name": SUPERVISOR, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        return client

    def _started(self) -> Served:
        process = born(
            ["serve", "--port", str(self.port), "--data", str(self.folder)],
            self.folder.parent,
            environment(**self._variables),
            self.changes,
        )
        with ExitStack() as unless_it_opens:
            unless_it_opens.callback(process.wait, SECONDS)
            unless_it_opens.callback(process.kill)
            served = Served(process)
            unless_it_opens.pop_all()
        return served
