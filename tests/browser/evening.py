"""A night in the house that browsers visit, brought to some point over its API."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from typing import Any

from tests.browser.house import House, Json

from pitbook.nights.samples import samples

NUMBERS = count(1)
PLAYERS = ("Ann Archer", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jo")


class Evening:
    """One night, run by the supervisor; its name is never used twice."""

    def __init__(self, house: House) -> None:
        self.house, self.event = house, f"gala-{next(NUMBERS)}"
        self.path = f"/api/nights/{self.event}"
        today = datetime.now(UTC).date().isoformat()
        given = {"charity": "Seacoast Shelter", "licence": "NH-2026-117", "zone": "UTC"}
        self.post("/api/nights", event=self.event, gaming_date=today, **given)
        self.post(f"{self.path}/open")
        self.post(f"{self.path}/cage/float", amount="200")

    def post(self, path: str, **body: Any) -> Json:
        given = {"request": f"evening-{next(NUMBERS)}", **body}
        answer = self.house.supervisor.post(path, json=given)
        assert answer.is_success, f"{path} {body}: {answer.text}"
        found: Json = answer.json()
        return found

    def get(self, path: str = "") -> Json:
        return self.house.get(f"{self.path}{path}")

    def do(self, do: str, **fields: Any) -> Json:
        """Something done on the floor of the tournament."""
        return self.post(f"{self.path}/tournaments/t1/commands", command={"do": do, **fields})

    def entered(self, *players: str, schedule: str = "multi-table") -> Evening:
        """A tournament with these players in it."""
        self.post(f"{self.path}/tournaments", tournament="t1", toml=samples()[schedule])
        for player in players:
            self.do("enter", player=player)
        return self

    def playing(self, *players: str, schedule: str = "multi-table") -> Evening:
        """The same, the cards in the air and the clock running."""
        self.entered(*players, schedule=schedule)
        for do in ("announce", "draw-seats", "start", "start-clock"):
            self.do(do)
        return self

    @property
    def tournament(self) -> Json:
        return self.get("/tournaments/t1")

    @property
    def clock(self) -> Json:
        return self.get("/tournaments/t1/clock")
