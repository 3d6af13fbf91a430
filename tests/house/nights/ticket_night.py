"""A night with two tournaments at live tables, and phones that open tickets."""

from __future__ import annotations

from itertools import count
from typing import Any

import httpx
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, SCHEDULE, Evening, Json
from tests.house.web.conftest import client_of


class Hall:
    """Tournaments of one night at live tables, with a phone for each ticket."""

    def __init__(self, evening: Evening, app: FastAPI) -> None:
        self.evening, self.app, self._numbers = evening, app, count(1)

    def tell(self, short_name: str, do: str, *, event: str = EVENT, **fields: Any) -> Json:
        path = f"/{event}/tournaments/{short_name}/commands"
        return self.evening.must(path, command={"do": do, **fields})

    def lay_out(self, short_name: str, *players: str, event: str = EVENT) -> None:
        """Set up a tournament and seat everybody at its tables."""
        self.evening.must(f"/{event}/tournaments", tournament=short_name, toml=SCHEDULE)
        for player in players:
            self.tell(short_name, "enter", event=event, player=player)
        for do in ("announce", "draw-seats", "start"):
            self.tell(short_name, do, event=event)
        self.evening.must(f"/{event}/tournaments/{short_name}/tables")

    def another_night(self, event: str, *players: str) -> None:
        """A second night on the same date with a tournament t2."""
        self.evening.make(event=event, licence="NH-2026-118")
        self.evening.must(f"/{event}/open")
        self.lay_out("t2", *players, event=event)

    def ticket(self, short_name: str, player: str, event: str = EVENT) -> str:
        """The check-in address of a player's ticket."""
        path = f"/{event}/tournaments/{short_name}/ticket?player={player}"
        return f"/api/check-in/{self.evening.get(path)['token']}"

    def phone(self) -> httpx.AsyncClient:
        return client_of(self.app)

    def play(self, short_name: str, player: str) -> tuple[httpx.AsyncClient, Json]:
        """A phone that opened a ticket, and its seat."""
        phone = self.phone()
        answer = self.open(phone, self.ticket(short_name, player))
        assert answer.is_success, answer.text
        return phone, answer.json()

    def open(self, phone: httpx.AsyncClient, ticket: str) -> httpx.Response:
        return self.evening.run(phone.post(f"{ticket}/play", json={"request": "p"}))

    def get(self, phone: httpx.AsyncClient, path: str) -> httpx.Response:
        return self.evening.run(phone.get(path))

    def bet(self, phone: httpx.AsyncClient, table: str, seat: int) -> httpx.Response:
        wager = {"do": "put-wager", "seat": seat, "wager": "ante", "amount": "25"}
        return self.ask(phone, table, wager)

    def ask(self, phone: httpx.AsyncClient, table: str, command: Json) -> httpx.Response:
        body = {"request": f"c{next(self._numbers)}", "command": command}
        return self.evening.run(phone.post(f"/api/tables/{table}/commands", json=body))

    def begin(self, tournament: str, number: int) -> None:
        """Begin a round at a table."""
        event, _, short_name = tournament.partition(".")
        self.evening.must(f"/{event}/tournaments/{short_name}/tables/{number}/begin", "dealer")

    def seat(self, short_name: str, player: str, event: str = EVENT) -> tuple[str, int]:
        """A player's recorded table and seat."""
        players = self.evening.get(f"/{event}/tournaments/{short_name}")["players"]
        entrant = next(player_view for player_view in players if player_view["player"] == player)
        return f"{event}.{short_name}-{entrant['table']}", entrant["seat"]

    def says(self, answer: httpx.Response) -> str:
        document = answer.json()
        return str(document.get("error") or document["refused"]["message"])
