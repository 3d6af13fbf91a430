"""A charity night in the browsers' house, brought to a given state over its API."""

from __future__ import annotations

from itertools import count
from typing import Any

import httpx
from tests.browser.server import House, Json
from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.web.conftest import PASSWORD
from tests.house.web.server_process import SECONDS

from pitbook.house.nights.schedule_files import samples

NUMBERS = count(1)
PLAYERS = ("Ann Archer", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jo")

# One round may decide: no stack exceeds the maximum ante.
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
    """A night run by the supervisor; its name is unique."""

    def __init__(self, house: House, *, opened: bool = True, **changed: Any) -> None:
        self.house, self.event = house, f"gala-{next(NUMBERS)}"
        self.path = f"/api/nights/{self.event}"
        site = noon_date_and_zone()
        self.today = site["gaming_date"]
        details = {"charity": "Seacoast Shelter", "licence": "NH-2026-117", **site}
        event_id = {"event": self.event}
        self.post("/api/nights", **{**event_id, **details, **changed})
        if not opened:
            return
        self.post(f"{self.path}/open")
        self.post(f"{self.path}/cage/float", amount="200")

    def post(self, path: str, **body: Any) -> Json:
        payload = {"request": f"evening-{next(NUMBERS)}", **body}
        answer = self.house.supervisor.post(path, json=payload)
        assert answer.is_success, f"{path} {body}: {answer.text}"
        reply: Json = answer.json()
        return reply

    def get(self, path: str = "") -> Json:
        return self.house.get(f"{self.path}{path}")

    def do(self, do: str, **fields: Any) -> Json:
        """Send a command of the tournament's floor."""
        return self.post(f"{self.path}/tournaments/t1/commands", command={"do": do, **fields})

    def with_entries(self, *players: str, schedule: str = "multi-table") -> Evening:
        """Set up a tournament with these entries."""
        self.post(f"{self.path}/tournaments", tournament="t1", toml=samples()[schedule])
        for player in players:
            self.do("enter", player=player)
        return self

    def with_short_tournament(self, *players: str) -> Evening:
        """Set up a tournament that one round decides, with these entries."""
        self.post(f"{self.path}/tournaments", tournament="t1", schedule=SHORT)
        for player in players:
            self.do("enter", player=player)
        return self

    def with_live_tables(self, *players: str) -> Evening:
        """The same, live tables."""
        self.with_short_tournament(*players)
        for do in ("announce", "draw-seats", "start"):
            self.do(do)
        self.post(f"{self.path}/tournaments/t1/tables")
        return self

    def ticket(self, player: str) -> str:
        """The link of a player's code."""
        path = f"{self.path}/tournaments/t1/ticket"
        reply: Json = self.house.supervisor.get(path, params={"player": player}).json()
        return str(reply["link"])

    def bet(self, *players: str, amount: str = STACK) -> None:
        """Place these players' bets at table 1; without chips for a street they fold (GEN-10)."""
        seats = {seat["player"]: seat["seat"] for seat in self.seats()}
        for player in players:
            self._send_as_player(
                player, do="put-wager", seat=seats[player], wager="ante", amount=amount
            )
        self.house.command(f"{self.event}.t1-1", do="close-betting")

    def seats(self) -> list[Json]:
        """The seats at table 1."""
        seats: list[Json] = self.tournament["tables"][0]["seats"]
        return seats

    def _send_as_player(self, player: str, **command: Any) -> None:
        """Send a player's command at table 1, signed in as that player."""
        payload = {"request": f"{player}-{next(NUMBERS)}", "command": command}
        with httpx.Client(base_url=self.house.address, timeout=SECONDS) as client:
            client.post("/api/sign-in", json={"name": player, "password": PASSWORD})
            answer = client.post(f"/api/tables/{self.event}.t1-1/commands", json=payload)
        assert answer.is_success, f"{player} {command}: {answer.text}"

    def with_clock_running(self, *players: str, schedule: str = "multi-table") -> Evening:
        """A tournament with these entries, seated, with the clock running."""
        self.with_entries(*players, schedule=schedule)
        for do in ("announce", "draw-seats", "start", "start-clock"):
            self.do(do)
        return self

    @property
    def tournament(self) -> Json:
        return self.get("/tournaments/t1")

    @property
    def clock(self) -> Json:
        return self.get("/tournaments/t1/clock")
