"""A real server for bots: people with chips, and tables, one of them full."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.command_line import Answer, Ask
from tests.house.web.server_process import ServerProcess, run_server
from tests.sheets.samples import CMS, path_of

Json = dict[str, Any]
PASSWORD = "one two three four"
PLAYERS = {"ann": "5000", "bob": "4", "cyd": "300", "dan": "1000", "eva": "1000"}
FULL = [f"guest {number}" for number in range(1, 7)]
FAST = {
    "PITBOOK_LIMITS_SIGN_INS_PER_MINUTE": "6000",
    "PITBOOK_LIMITS_COMMANDS_PER_SECOND": "10000",
    "PITBOOK_LIMITS_COMMANDS_BURST": "10000",
    "PITBOOK_LIMITS_REQUESTS_PER_SECOND": "10000",
    "PITBOOK_LIMITS_REQUESTS_BURST": "10000",
}
OWN = "three-rivers/stud"  # Rules that only the server has.


class Floor:
    """A server with people and tables, and its supervisor."""

    def __init__(self, house: ServerProcess) -> None:
        self.address = house.address
        self.sue = house.client()
        self.post(house.link(), name="sue", password=PASSWORD)

    def post(self, path: str, **body: Any) -> Any:
        return self.sue.post(path, json=body).raise_for_status().json()

    def add(self, name: str, chips: str | None = None) -> None:
        self.post("/api/people", name=name, role="player", password=PASSWORD)
        if chips is not None:
            self.post("/api/cage/buy-in", player=name, amount=chips, request=f"chips of {name}")

    def view_of(self, table: str) -> Json:
        return dict(self.sue.get(f"/api/tables/{table}").raise_for_status().json())

    def wallet(self, player: str) -> tuple[str, str]:
        wallet_document = self.sue.get(f"/api/cage/{player}").json()
        return wallet_document["balance"], wallet_document["held"]

    def tables(self) -> float:
        """The number of open tables, including practice."""
        lines = self.sue.get("/metrics").text.splitlines()
        return float(
            next(
                metrics_line for metrics_line in lines if metrics_line.startswith("pitbook_tables ")
            ).split()[1]
        )


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A server for all bots, with its own sheet beside the bundled ones."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "sheets").mkdir()
    own_sheet = path_of(CMS).read_text(encoding="utf-8").replace(CMS, OWN)
    (folder / "sheets" / "own.toml").write_text(own_sheet, encoding="utf-8")
    with run_server(folder / "house", PITBOOK_SHEETS=str(folder / "sheets"), **FAST) as house:
        bots_floor = Floor(house)
        for name, chips in PLAYERS.items():
            bots_floor.add(name, chips)
        bots_floor.post("/api/tables", name="stud-1", sheet=CMS)
        bots_floor.post("/api/tables", name="stud-2", sheet=CMS)
        bots_floor.post("/api/tables", name="full", sheet=CMS)
        for number, name in enumerate(FULL, start=1):
            bots_floor.add(name)
            with house.client() as client:
                client.post("/api/sign-in", json={"name": name, "password": PASSWORD})
                sit = {"request": "sit", "command": {"do": "sit", "seat": number}}
                client.post("/api/tables/full/commands", json=sit).raise_for_status()
        yield bots_floor
        bots_floor.sue.close()
        assert house.stop() == 0


@pytest.fixture
def play(ask: Ask, floor: Floor, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """`pitbook bot` in this process, at that server."""
    monkeypatch.setenv("PITBOOK_PASSWORD", PASSWORD)

    def run(*arguments: str) -> Answer:
        return ask("bot", "--server", floor.address, *arguments)

    return run


def in_play(floor: Floor, table: str) -> Callable[[], bool]:
    return lambda: floor.view_of(table)["phase"] == "play"


def cents(text: str) -> int:
    return int(text.replace(".", ""))
