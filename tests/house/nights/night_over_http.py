"""One night asked over HTTP, for the tests of its routes."""

from __future__ import annotations

from itertools import count
from typing import Any

import httpx
import pytest
from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.web.conftest import LoopRunner, SignedIn

from pitbook.house.people.account_register import Role

Json = dict[str, Any]
EVENT, T1 = "gala", "/tournaments/t1"
SCHEDULE = """
title = "Hourly stud"
kind = "hourly"
sheet = "oceanfront/mississippi-stud"
seats = 2
enter_until_level = 1
[buy_in]
costs = "60"
fee = "15"
chips = "1000"
[re_buy]
costs = "40"
chips = "1000"
player_max = 9
until_level = 1
[[levels]]
minutes = 20
limits = { ante = { min = "25", max = "100" } }
break_after = 5
[[levels]]
minutes = 20
limits = { ante = { min = "50", max = "200" } }
[[prizes]]
entrants = 2
shares = [100]
[[prizes]]
entrants = 4
shares = [70, 30]
"""


class Evening:
    """A night over HTTP; every request has its own id."""

    def __init__(self, run: LoopRunner, signed_in: SignedIn) -> None:
        self.run, self._signed_in = run, signed_in
        self._clients: dict[Role, httpx.AsyncClient] = {}
        self._numbers = count(1)

    def client(self, role: Role) -> httpx.AsyncClient:
        if role not in self._clients:
            self._clients[role] = self._signed_in(role)
        return self._clients[role]

    def ask(self, path: str, role: Role = "organiser", **body: Any) -> httpx.Response:
        payload = {"request": f"r{next(self._numbers)}", **body}
        return self.run(self.client(role).post(f"/api/nights{path}", json=payload))

    def must(self, path: str, role: Role = "organiser", **body: Any) -> Json:
        answer = self.ask(path, role, **body)
        assert answer.is_success, answer.text
        document: Json = answer.json()
        return document

    def no(self, path: str, role: Role = "organiser", **body: Any) -> Json:
        answer = self.ask(path, role, **body)
        assert answer.status_code == 409, answer.text
        refusal: Json = answer.json()["refused"]
        return refusal

    def get(self, path: str, role: Role = "organiser") -> Json:
        answer = self.run(self.client(role).get(f"/api/nights{path}"))
        assert answer.is_success, answer.text
        document: Json = answer.json()
        return document

    def page(self, path: str, role: Role = "organiser") -> httpx.Response:
        answer = self.run(self.client(role).get(f"/api/nights{path}"))
        assert answer.is_success, answer.text
        return answer

    def make(self, **changed: Any) -> Json:
        fields = {
            "event": EVENT,
            "charity": "Seacoast Shelter",
            "licence": "NH-2026-117",
            **noon_date_and_zone(),
        }
        return self.must("", **fields | changed)

    def open_night(self) -> Evening:
        self.make()
        self.must(f"/{EVENT}/open")
        return self

    def do(self, do: str, **fields: Any) -> Json:
        return self.must(f"/{EVENT}{T1}/commands", command={"do": do, **fields})

    def refusal_of(self, do: str, **fields: Any) -> Json:
        return self.no(f"/{EVENT}{T1}/commands", command={"do": do, **fields})

    def set_up(self, *players: str) -> Json:
        self.must(f"/{EVENT}/tournaments", tournament="t1", toml=SCHEDULE)
        for player in players:
            self.do("enter", player=player)
        return self.get(f"/{EVENT}{T1}")

    def start(self, *players: str) -> Json:
        self.set_up(*players)
        self.do("announce")
        self.do("draw-seats")
        return self.do("start")


@pytest.fixture(name="evening")
def one_evening(run: LoopRunner, signed_in: SignedIn) -> Evening:
    return Evening(run, signed_in)
