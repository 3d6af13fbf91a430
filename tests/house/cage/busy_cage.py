"""Cashiers, supervisors and an organizer at once, over connections that lose, repeat and delay."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import httpx

from pitbook.house.people.account_register import Role
from pitbook.house.web.access import ROUTE_ROLES

TABLE, EVENT, UNAVAILABLE = "stud-1", "gala", 503
PLAYERS = ("ann", "dee")
LAST = {"count": 0}  # The receipt of the box's last count, as known to all.
Ask = tuple[str, str, dict[str, Any]]  # The route's name, its path, and the body.


class CageActor:
    """A person with a role who acts again and again, and misses some answers."""

    def __init__(self, name: str, role: Role, client: httpx.AsyncClient, seed: int) -> None:
        self.name, self.role, self._client = name, role, client
        self.rng, self._numbers = Random(f"{seed} {name}"), count(1)
        self.answers: Counter[int] = Counter()
        self.wrong: list[str] = []
        self.acts = 0
        self.unheard = 0  # Requests that a server died before answering.

    async def act_until(self, enough: Callable[[], bool], acts_min: int) -> None:
        for acts_done in count():
            if acts_done >= acts_min and enough():
                return
            asks = list(self._requests())
            allowed = [request for request in asks if self.role in ROUTE_ROLES[request[0]]]
            await self._act(*self.rng.choice(allowed if self.rng.random() < 0.85 else asks))

    async def _act(self, route: str, path: str, body: dict[str, Any]) -> None:
        body = {**body, "request": f"{self.name}-{next(self._numbers)}"}
        heard = [await self._post_or_cancel(path, body)]
        while heard[-1] is None or self.rng.random() < 0.15:  # Lost answer, or sent twice.
            heard.append(await self._post_or_cancel(path, body))
        self.acts += 1
        statuses = [answer.status_code for answer in heard if answer is not None]
        self.answers.update(statuses)
        self._judge(route, path, heard)

    async def _post_or_cancel(self, path: str, body: dict[str, Any]) -> httpx.Response | None:
        """The answer, unless the request is canceled on the way."""
        post_task = asyncio.create_task(self._post(path, body))
        if self.rng.random() < 0.15:
            await asyncio.sleep(self.rng.choice([0, 0, 0.001, 0.005, 0.02]))
            post_task.cancel()
            await asyncio.gather(post_task, return_exceptions=True)
            return None
        if self.rng.random() < 0.1:
            await asyncio.sleep(self.rng.random() / 100)
        return await post_task

    async def _post(self, path: str, body: dict[str, Any]) -> httpx.Response | None:
        """None if the server is gone or closing."""
        try:
            answer = await self._client.post(f"/api/{path}", json=body)
        except httpx.TransportError:
            self.unheard += 1
            await asyncio.sleep(0.1)
            return None
        self.unheard += answer.status_code == UNAVAILABLE
        return None if answer.status_code == UNAVAILABLE else answer

    def _judge(self, route: str, path: str, heard: list[httpx.Response | None]) -> None:
        answers = [answer for answer in heard if answer is not None]
        for answer in answers:
            if answer.status_code >= 500:
                self.wrong.append(f"{self.name} {path}: {answer.status_code} {answer.text}")
            if (self.role not in ROUTE_ROLES[route]) != (
                answer.status_code == 403
            ) and answer.is_success:
                self.wrong.append(f"{self.name} may not {route}")
        for answer in answers if route == "count_box" else ():
            if answer.is_success:
                LAST["count"] = answer.json()["receipt"]
        entry_numbers = {answer.json().get("seq") for answer in answers if answer.is_success}
        if len(entry_numbers) > 1:
            self.wrong.append(f"{self.name} {path}: done twice, {entry_numbers}")

    def _requests(self) -> Iterator[Ask]:
        money = {"amount": str(self.rng.choice([1, 5, 20, 99, 100, 101, 250]))}
        paid = {"player": self.rng.choice(PLAYERS), **money}
        why, number = {"why": "as the script says"}, self.rng.randint(1, 200)
        counted = {"counted": str(self.rng.choice([0, 100, 500]))}
        other = self.rng.choice(["cal1", "cal2", "cal3", "sue", "sam"])
        for _ in range(4):
            yield "buy_in", "cage/buy-in", paid
            yield "cash_out", "cage/cash-out", paid
        yield "open_drawer", "counter/drawer", counted
        yield "open_drawer", "counter/drawer", counted
        yield "close_drawer", f"counter/drawers/{self.name}/close", counted
        yield "close_drawer", f"counter/drawers/{other}/close", counted
        to = {"to": self.rng.choice(["drawer", "vault"])}
        yield "drawer_money", f"counter/drawers/{other}/money", money | to
        yield "undo_receipt", f"counter/receipts/{number}/undo", why
        yield "undo_receipt", f"counter/receipts/{number}/undo", why
        yield "approve_undo", f"counter/receipts/{number}/approve", {}
        yield "decline_undo", f"counter/receipts/{number}/decline", why
        last = {"last": self.rng.choice([LAST["count"], LAST["count"], 0, number])}
        yield "count_box", f"counter/boxes/{TABLE}/count", counted | last
        yield "fund", "cage/fund", money
        yield "withdraw", "cage/withdraw", money
        yield from self._at_the_table(money)
        yield "night_sell", f"nights/{EVENT}/cage/sell", {"player": "ann", **money}
        yield "night_redeem", f"nights/{EVENT}/cage/redeem", {"player": "ann", **money}
        yield "night_float", f"nights/{EVENT}/cage/float", money

    def _at_the_table(self, money: dict[str, str]) -> Iterator[Ask]:
        number, why = self.rng.randint(1, 40), "as the script says"
        for command in (
            {"do": "ask-fill", "why": why, **money},
            {"do": "ask-credit", "why": why, **money},
            {"do": "grant-rack", "number": number},
            {"do": "grant-rack", "number": number + 1},
            {"do": "refuse-rack", "number": number, "why": why},
            {"do": "buy-in", "seat": 1, **money},
            {"do": "color-up", "seat": 1, **money},
            {"do": "sign-on"},
            {"do": "sign-off"},
        ):
            yield "command", f"tables/{TABLE}/commands", {"command": command}
