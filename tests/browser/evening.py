"""A night in the house that browsers visit, brought to some point over its API."""

from __future__ import annotations

from itertools import count
from typing import Any

import httpx
from tests.browser.house import House, Json
from tests.house.web.conftest import PASSWORD
from tests.house.web.served import SECONDS
from tests.noon import noon

from pitbook.house.nights.schedule_files import samples

NUMBERS = count(1)
PLAYERS = ("Ann Archer", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jo")

# One round may decide: a player's chips are no more than the largest ante.
STACK, LEAST = "100", "20"
SHORT: Json = {
    "title": "All or nothing",
    "kind": "multi-table",
    "sheet": "oceanfront/mississippi-stud",
    "seats": 6,
    "buy_in": {"costs": "40", "fee": "10", "chips": STACK},
    "levels": [{"minutes": 20, "limits": {"ante": {"min": LEAST, "max": STACK}}}],
    "prizes": [{"entrants": 2, "shares": [100]}],
}


class Evening:
    """One night, run by the supervisor; its name is never used twice."""

    def __init__(self, house: House, *, opened: bool = True, **changed: Any) -> None:
        self.house, self.event = house, f"gala-{next(NUMBERS)}"
        self.path = f"/api/nights/{self.event}"
        where = noon()
        self.today = where["gaming_date"]
        given = {"charity": "Seacoast Shelter", "licence": "NH-2026-117", **where}
        named = {"event": self.event}
        self.post("/api/nights", **{**named, **given, **changed})
        if not opened:
            return
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

    def short(self, *players: str) -> Evening:
        """A tournament that one round decides, with these players in it."""
        self.post(f"{self.path}/tournaments", tournament="t1", schedule=SHORT)
        for player in players:
            self.do("enter", player=player)
        return self

    def dealt(self, *players: str) -> Evening:
        """The same, dealt at live tables."""
        self.short(*players)
        for do in ("announce", "draw-seats", "start"):
            self.do(do)
        self.post(f"{self.path}/tournaments/t1/tables")
        return self

    def ticket(self, player: str) -> str:
        """The link of a player's code."""
        asked = f"{self.path}/tournaments/t1/ticket"
        found: Json = self.house.supervisor.get(asked, params={"player": player}).json()
        return str(found["link"])

    def bet(self, *players: str, amount: str = STACK) -> None:
        """These players bet at table 1; whoever has nothing left for a street folds (GEN-10)."""
        seats = {one["player"]: one["seat"] for one in self.seats()}
        for player in players:
            self._said(player, do="put-wager", seat=seats[player], wager="ante", amount=amount)
        self.house.command(f"{self.event}.t1-1", do="close-betting")

    def seats(self) -> list[Json]:
        """Who sits where at table 1."""
        found: list[Json] = self.tournament["tables"][0]["seats"]
        return found

    def _said(self, player: str, **command: Any) -> None:
        """A player who has an account speaks at table 1."""
        asked = {"request": f"{player}-{next(NUMBERS)}", "command": command}
        with httpx.Client(base_url=self.house.address, timeout=SECONDS) as client:
            client.post("/api/sign-in", json={"name": player, "password": PASSWORD})
            answer = client.post(f"/api/tables/{self.event}.t1-1/commands", json=asked)
        assert answer.is_success, f"{player} {command}: {answer.text}"

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
