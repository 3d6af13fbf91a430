"""A house with a floor for bots: a real server, people with chips, tables, one of them full."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.command_line import Answer, Ask
from tests.house.web.served import Served, served
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
    """A house with people and tables, and its supervisor."""

    def __init__(self, house: Served) -> None:
        self.address = house.address
        self.sue = house.client()
        self.post(house.link(), name="sue", password=PASSWORD)

    def post(self, path: str, **body: Any) -> Any:
        return self.sue.post(path, json=body).raise_for_status().json()

    def add(self, name: str, chips: str | None = None) -> None:
        self.post("/api/people", name=name, role="player", password=PASSWORD)
        if chips is not None:
            self.post("/api/cage/buy-in", player=name, amount=chips, request=f"chips of {name}")

    def look(self, table: str) -> Json:
        return dict(self.sue.get(f"/api/tables/{table}").raise_for_status().json())

    def wallet(self, player: str) -> tuple[str, str]:
        told = self.sue.get(f"/api/cage/{player}").json()
        return told["balance"], told["held"]

    def tables(self) -> float:
        """All tables of the house, practice ones too."""
        lines = self.sue.get("/metrics").text.splitlines()
        return float(next(one for one in lines if one.startswith("pitbook_tables ")).split()[1])


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A house for all bots, with a sheet of its own beside the bundled ones."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "sheets").mkdir()
    own = path_of(CMS).read_text(encoding="utf-8").replace(CMS, OWN)
    (folder / "sheets" / "own.toml").write_text(own, encoding="utf-8")
    with served(folder / "house", PITBOOK_SHEETS=str(folder / "sheets"), **FAST) as house:
        made = Floor(house)
        for name, chips in PLAYERS.items():
            made.add(name, chips)
        made.post("/api/tables", name="stud-1", sheet=CMS)
        made.post("/api/tables", name="stud-2", sheet=CMS)
        made.post("/api/tables", name="full", sheet=CMS)
        for number, name in enumerate(FULL, start=1):
            made.add(name)
            with house.client() as client:
                client.post("/api/sign-in", json={"name": name, "password": PASSWORD})
                sit = {"request": "sit", "command": {"do": "sit", "seat": number}}
                client.post("/api/tables/full/commands", json=sit).raise_for_status()
        yield made
        made.sue.close()
        assert house.stop() == 0


@pytest.fixture
def play(ask: Ask, floor: Floor, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """`pitbook bot` in this process, at that house."""
    monkeypatch.setenv("PITBOOK_PASSWORD", PASSWORD)

    def run(*arguments: str) -> Answer:
        return ask("bot", "--server", floor.address, *arguments)

    return run


def in_play(floor: Floor, table: str) -> Callable[[], bool]:
    return lambda: floor.look(table)["phase"] == "play"


def cents(text: str) -> int:
    return int(text.replace(".", ""))
