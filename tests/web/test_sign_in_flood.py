"""Whoever signs in again and again has a minute's worth of it, and keeps no table waiting."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.web.conftest import PASSWORD, WIDE, Running, client_of, token_of

from pitbook.table.live.live_tables import LiveTables
from pitbook.web.people.people import People
from pitbook.web.people.sign_ins import COOKIE
from pitbook.web.running.app import create_app
from pitbook.web.running.server import Server
from pitbook.web.running.settings import Settings

CROWD = 40  # More than there are threads for everything else.


def limited(house: LiveTables, people: People, settings: Settings, **limits: Any) -> FastAPI:
    tight = WIDE.model_copy(update=limits)
    return create_app(house, people, settings.model_copy(update={"limits": tight}))


async def sign_in(client: httpx.AsyncClient, name: str = "ann") -> int:
    given = {"name": name, "password": PASSWORD}
    return (await client.post("/api/sign-in", json=given)).status_code


@pytest.mark.parametrize("browsers", [1, 2, 4])
def test_a_member_signs_in_so_many_times_a_minute_in_however_many_browsers(
    run: Running, house: LiveTables, people: People, settings: Settings, browsers: int
) -> None:
    app = limited(house, people, settings, sign_ins_per_minute=6)
    hand = [0.0]
    app.state.server.limiter.sign_ins._clock = lambda: hand[0]

    async def ask() -> None:
        clients = [client_of(app, f"10.0.0.{number}") for number in range(browsers)]
        for one in clients:
            assert await sign_in(one) == 200
        found = Counter([await sign_in(clients[n % browsers]) for n in range(20)])
        assert found == {200: 6, 429: 14}
        hand[0] += 10
        assert [await sign_in(clients[0]) for _ in range(2)] == [200, 429]
        for one in clients:
            await one.aclose()

    run(ask())


def test_known_devices_of_one_address_have_many_times_as_much_together(
    run: Running, house: LiveTables, people: People, settings: Settings
) -> None:
    app = limited(house, people, settings, sign_ins_per_minute=4, address_times=1.5)
    app.state.server.doorway.crowds._clock = lambda: 0.0

    async def ask() -> None:
        async with client_of(app) as browser:
            for name in ("ann", "dee", "sue"):
                assert await sign_in(browser, name) == 200
            found = [await sign_in(browser, name) for name in ("ann", "dee", "sue") for _ in "123"]
            assert found == [200] * 6 + [429] * 3
        async with client_of(app, "10.0.0.2") as elsewhere:
            assert await sign_in(elsewhere) == 200

    run(ask())


class Held:
    """Whatever hashes stands still until it is let go on."""

    def __init__(self, people: People, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gone_on = threading.Event()
        for name in ("_verified", "password_set"):
            monkeypatch.setattr(people, name, self._late(getattr(people, name)))

    def _late(self, real: Any) -> Any:
        def late(*given: Any) -> Any:
            self.gone_on.wait(200)
            return real(*given)

        return late


async def unhindered(app: FastAPI, server: Server, asked: list[Awaitable[Any]], held: Held) -> None:
    """While all of it hashes, others are answered."""
    jobs = [asyncio.ensure_future(one) for one in asked]
    await asyncio.sleep(0.1)
    try:
        await asyncio.wait_for(asyncio.to_thread(int), 60)
        async with client_of(app, "10.0.0.9") as other:
            other.cookies.set(COOKIE, token_of(server, "dealer"))
            answer = await asyncio.wait_for(other.get("/api/rounds"), 60)
            assert answer.status_code == 200
    finally:
        held.gone_on.set()
        await asyncio.gather(*jobs)


@pytest.mark.long
@pytest.mark.parametrize("what", ["sign in", "own password", "link", "invitation"])
def test_a_crowd_that_hashes_keeps_nobody_else_waiting(
    run: Running,
    app: FastAPI,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    held = Held(server.people, monkeypatch)
    link = server.resets.make("ann", actor="sue").token
    invitation = server.people.invite("player", actor="sue")

    async def one(number: int) -> Any:
        async with client_of(app, f"10.1.0.{number}") as client:
            if what == "sign in":
                return await sign_in(client)
            if what == "own password":
                name = ("ann", "sue", "abe", "olga", "ben")[number % 5]
                role = server.people.register.people[name].person
                client.cookies.set(COOKIE, server.sessions.issue(role))
                given = {"old": PASSWORD, "new": "quite another one"}
                return await client.post("/api/me/password", json=given)
            if what == "link":
                given = {"password": "quite another one"}
                return await client.post(f"/api/resets/{link}", json=given)
            given = {"name": f"new {'abcdefgh'[number % 8]}", "password": PASSWORD}
            return await client.post(f"/api/invitations/{invitation}", json=given)

    async def ask() -> None:
        await unhindered(app, server, [one(number) for number in range(CROWD)], held)

    run(ask())


def test_looking_at_links_spends_nobody_s_sign_ins(
    run: Running, house: LiveTables, people: People, settings: Settings
) -> None:
    app = limited(house, people, settings, sign_ins_per_minute=6, address_times=2)
    app.state.server.doorway.lookers._clock = lambda: 0.0

    async def ask() -> None:
        stranger, newcomer = client_of(app, "10.0.0.9"), client_of(app, "10.0.0.9")
        looked = [(await stranger.get("/api/invitations/x")).status_code for _ in range(20)]
        assert Counter(looked) == {404: 12, 429: 8}
        assert await sign_in(newcomer) == 200

    run(ask())
