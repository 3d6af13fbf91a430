"""A night with two tournaments at live tables, and phones that open tickets there."""

from __future__ import annotations

from itertools import count
from typing import Any

import httpx
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, SCHEDULE, Evening, Json
from tests.house.web.conftest import client_of


class Hall:
    """Tournaments of one evening, dealt by tables, and somebody's phone for each ticket."""

    def __init__(self, evening: Evening, app: FastAPI) -> None:
        self.evening, self.app, self._numbers = evening, app, count(1)

    def tell(self, own: str, do: str, *, event: str = EVENT, **fields: Any) -> Json:
        path = f"/{event}/tournaments/{own}/commands"
        return self.evening.must(path, command={"do": do, **fields})

    def lay_out(self, own: str, *players: str, event: str = EVENT) -> None:
        """A tournament from its schedule to tables at which everybody sits."""
        self.evening.must(f"/{event}/tournaments", tournament=own, toml=SCHEDULE)
        for player in players:
            self.tell(own, "enter", event=event, player=player)
        for do in ("announce", "draw-seats", "start"):
            self.tell(own, do, event=event)
        self.evening.must(f"/{event}/tournaments/{own}/tables")

    def another_night(self, event: str, *players: str) -> None:
        """A night on the same date, with a tournament t2."""
        self.evening.make(event=event, licence="NH-2026-118")
        self.evening.must(f"/{event}/open")
        self.lay_out("t2", *players, event=event)

    def ticket(self, own: str, player: str, event: str = EVENT) -> str:
        """Where the ticket of a player leads."""
        path = f"/{event}/tournaments/{own}/ticket?player={player}"
        return f"/api/check-in/{self.evening.get(path)['token']}"

    def phone(self) -> httpx.AsyncClient:
        return client_of(self.app)

    def play(self, own: str, player: str) -> tuple[httpx.AsyncClient, Json]:
        """A phone that has opened a ticket, and the seat that it was told."""
        phone = self.phone()
        answer = self.open(phone, self.ticket(own, player))
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
        """A round is open for wagers at a table."""
        event, _, own = tournament.partition(".")
        self.evening.must(f"/{event}/tournaments/{own}/tables/{number}/begin", "dealer")

    def seat(self, own: str, player: str, event: str = EVENT) -> tuple[str, int]:
        """Where the record has somebody."""
        players = self.evening.get(f"/{event}/tournaments/{own}")["players"]
        found = next(one for one in players if one["player"] == player)
        return f"{event}.{own}-{found['table']}", found["seat"]

    def says(self, answer: httpx.Response) -> str:
        told = answer.json()
        return str(told.get("error") or told["refused"]["message"])
