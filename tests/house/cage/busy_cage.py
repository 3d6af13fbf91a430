"""Cashiers, supervisors and an organiser at once, over lines that lose, repeat and delay."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import httpx

from pitbook.house.people.register import Role
from pitbook.house.web.access import ROUTE_ROLES

TABLE, EVENT, UNAVAILABLE = "stud-1", "gala", 503
PLAYERS = ("ann", "dee")
LAST = {"count": 0}  # The receipt of the box's last count, as everybody has heard.
Ask = tuple[str, str, dict[str, Any]]  # The route's name, its path, and what is sent.


class Actor:
    """Somebody with a role who does one thing after the other, and hears no answer at times."""

    def __init__(self, name: str, role: Role, client: httpx.AsyncClient, seed: int) -> None:
        self.name, self.role, self._client = name, role, client
        self.luck, self._numbers = Random(f"{seed} {name}"), count(1)
        self.answers: Counter[int] = Counter()
        self.wrong: list[str] = []
        self.acts = 0
        self.unheard = 0  # Requests that a server did not live to answer.

    async def act_until(self, enough: Callable[[], bool], acts_min: int) -> None:
        for done in count():
            if done >= acts_min and enough():
                return
            asks = list(self._asks())
            own = [one for one in asks if self.role in ROUTE_ROLES[one[0]]]
            await self._act(*self.luck.choice(own if self.luck.random() < 0.85 else asks))

    async def _act(self, route: str, path: str, body: dict[str, Any]) -> None:
        body = {**body, "request": f"{self.name}-{next(self._numbers)}"}
        heard = [await self._sent(path, body)]
        while heard[-1] is None or self.luck.random() < 0.15:  # No answer, or sent twice.
            heard.append(await self._sent(path, body))
        self.acts += 1
        statuses = [one.status_code for one in heard if one is not None]
        self.answers.update(statuses)
        self._judge(route, path, heard)

    async def _sent(self, path: str, body: dict[str, Any]) -> httpx.Response | None:
        """The answer, unless the line is cut on the way."""
        asked = asyncio.create_task(self._posted(path, body))
        if self.luck.random() < 0.15:
            await asyncio.sleep(self.luck.choice([0, 0, 0.001, 0.005, 0.02]))
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
            return None
        if self.luck.random() < 0.1:
            await asyncio.sleep(self.luck.random() / 100)
        return await asked

    async def _posted(self, path: str, body: dict[str, Any]) -> httpx.Response | None:
        """None where the server is gone, or about to go."""
        try:
            answer = await self._client.post(f"/api/{path}", json=body)
        except httpx.TransportError:
            self.unheard += 1
            await asyncio.sleep(0.1)
            return None
        self.unheard += answer.status_code == UNAVAILABLE
        return None if answer.status_code == UNAVAILABLE else answer

    def _judge(self, route: str, path: str, heard: list[httpx.Response | None]) -> None:
        told = [one for one in heard if one is not None]
        for one in told:
            if one.status_code >= 500:
                self.wrong.append(f"{self.name} {path}: {one.status_code} {one.text}")
            if (self.role not in ROUTE_ROLES[route]) != (one.status_code == 403) and one.is_success:
                self.wrong.append(f"{self.name} may not {route}")
        for one in told if route == "count_box" else ():
            if one.is_success:
                LAST["count"] = one.json()["receipt"]
        taken = {one.json().get("seq") for one in told if one.is_success}
        if len(taken) > 1:
            self.wrong.append(f"{self.name} {path}: done twice, {taken}")

    def _asks(self) -> Iterator[Ask]:
        money = {"amount": str(self.luck.choice([1, 5, 20, 99, 100, 101, 250]))}
        paid = {"player": self.luck.choice(PLAYERS), **money}
        why, number = {"why": "as the script says"}, self.luck.randint(1, 200)
        counted = {"counted": str(self.luck.choice([0, 100, 500]))}
        other = self.luck.choice(["cal1", "cal2", "cal3", "sue", "sam"])
        for _ in range(4):
            yield "buy_in", "cage/buy-in", paid
            yield "cash_out", "cage/cash-out", paid
        yield "open_drawer", "counter/drawer", counted
        yield "open_drawer", "counter/drawer", counted
        yield "close_drawer", f"counter/drawers/{self.name}/close", counted
        yield "close_drawer", f"counter/drawers/{other}/close", counted
        to = {"to": self.luck.choice(["drawer", "vault"])}
        yield "drawer_money", f"counter/drawers/{other}/money", money | to
        yield "undo_receipt", f"counter/receipts/{number}/undo", why
        yield "undo_receipt", f"counter/receipts/{number}/undo", why
        yield "approve_undo", f"counter/receipts/{number}/approve", {}
        yield "decline_undo", f"counter/receipts/{number}/decline", why
        last = {"last": self.luck.choice([LAST["count"], LAST["count"], 0, number])}
        yield "count_box", f"counter/boxes/{TABLE}/count", counted | last
        yield "fund", "cage/fund", money
        yield "withdraw", "cage/withdraw", money
        yield from self._at_the_table(money)
        yield "night_sell", f"nights/{EVENT}/cage/sell", {"player": "ann", **money}
        yield "night_redeem", f"nights/{EVENT}/cage/redeem", {"player": "ann", **money}
        yield "night_float", f"nights/{EVENT}/cage/float", money

    def _at_the_table(self, money: dict[str, str]) -> Iterator[Ask]:
        number, why = self.luck.randint(1, 40), "as the script says"
        for given in (
            {"do": "ask-fill", "why": why, **money},
            {"do": "ask-credit", "why": why, **money},
            {"do": "grant-rack", "number": number},
            {"do": "grant-rack", "number": number + 1},
            {"do": "refuse-rack", "number": number, "why": why},
            {"do": "buy-in", "seat": 1, **money},
            {"do": "colour-up", "seat": 1, **money},
            {"do": "sign-on"},
            {"do": "sign-off"},
        ):
            yield "command", f"tables/{TABLE}/commands", {"command": given}
