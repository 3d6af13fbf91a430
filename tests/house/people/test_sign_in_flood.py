"""Floods of sign-ins: correct passwords succeed, wrong ones are delayed, tables do not wait."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import PASSWORD, WIDE, LoopRunner, client_of, token_of

from pitbook.house.people.account_register import PersonAdded
from pitbook.house.people.accounts import People
from pitbook.house.people.login_throttle import HASHING_THREADS, HashQueue
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.settings import RequestLimits, Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.rate_limits import CURRENT_CLIENT, Client
from pitbook.house.web.server import Server

LETTERS = "abcdefghijklmnopqrst"
CROWD = 40  # More than the threads for everything else.


def app_with_limits(
    house: LiveTables, people: People, settings: Settings, **limits: Any
) -> FastAPI:
    tight = WIDE.model_copy(update=limits)
    return create_app(house, people, settings.model_copy(update={"limits": tight}))


async def sign_in(client: httpx.AsyncClient, name: str = "ann") -> int:
    given = {"name": name, "password": PASSWORD}
    return (await client.post("/api/sign-in", json=given)).status_code


@pytest.mark.parametrize("browsers", [1, 2, 4])
def test_sign_ins_per_minute_are_limited_across_browsers(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings, browsers: int
) -> None:
    app = app_with_limits(house, people, settings, sign_ins_per_minute=6)
    time_ = [0.0]
    app.state.server.limiter.sign_ins._clock = lambda: time_[0]

    async def ask() -> None:
        clients = [client_of(app, f"10.0.0.{number}") for number in range(browsers)]
        for client in clients:
            assert await sign_in(client) == 200
        answers = Counter([await sign_in(clients[n % browsers]) for n in range(20)])
        assert answers == {200: 6, 429: 14}
        time_[0] += 10
        assert [await sign_in(clients[0]) for _ in range(2)] == [200, 429]
        for client in clients:
            await client.aclose()

    run(ask())


async def sign_in_status(app: FastAPI, name: str, password: str, address: str = "10.0.0.1") -> int:
    """The status of a sign-in with a fresh browser."""
    async with client_of(app, address) as browser:
        credentials = {"name": name, "password": password}
        return (await browser.post("/api/sign-in", json=credentials)).status_code


def shipped_limits(house: LiveTables, people: People, settings: Settings) -> FastAPI:
    return create_app(house, people, settings.model_copy(update={"limits": RequestLimits()}))


@pytest.mark.long
def test_two_hundred_correct_passwords_from_one_address_all_sign_in(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    names = [f"player {first}{second}" for first in "abcdefghij" for second in LETTERS]
    passwords = [people.password_event(name, PASSWORD) for name in names]
    people.write(lambda _: [*(PersonAdded(name, "player") for name in names), *passwords], actor="")
    app = shipped_limits(house, people, settings)

    async def ask() -> None:
        answers = await asyncio.gather(*[sign_in_status(app, name, PASSWORD) for name in names])
        assert Counter(answers) == {200: len(names)}

    assert len(names) == 200
    run(ask())


def test_burst_of_wrong_passwords_for_many_names_stops_at_thirty(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    app = shipped_limits(house, people, settings)
    app.state.server.login_throttle.addresses._clock = lambda: 0.0

    async def ask() -> None:
        answers = Counter(
            await asyncio.gather(
                *[sign_in_status(app, f"nobody {n}", "a guess") for n in range(150)]
            )
        )
        assert answers[401] + answers[429] == 150
        assert 30 <= answers[401] < 30 + HASHING_THREADS, (
            "few are in flight when the address is delayed"
        )
        assert await sign_in_status(app, "ann", PASSWORD) == 429
        assert await sign_in_status(app, "ann", PASSWORD, "10.0.0.2") == 200

    run(ask())


def test_having_an_account_does_not_allow_more_guesses_at_other_names(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    app = shipped_limits(house, people, settings)
    app.state.server.login_throttle.addresses._clock = lambda: 0.0

    async def ask() -> None:
        for number in range(30):
            assert await sign_in_status(app, f"nobody {number}", "a guess") == 401
            if number < 25:
                assert await sign_in_status(app, "ann", PASSWORD) == 200
        assert await sign_in_status(app, "nobody", "a guess") == 429

    run(ask())


def test_stolen_password_cannot_use_up_the_owners_sign_ins(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    app = app_with_limits(house, people, settings, sign_ins_per_minute=3)
    app.state.server.limiter.sign_ins._clock = lambda: 0.0

    async def ask() -> None:
        async with client_of(app) as own_browser:
            assert await sign_in(own_browser) == 200
            thief = [await sign_in_status(app, "ann", PASSWORD) for _ in range(5)]
            assert thief == [200] * 3 + [429] * 2
            assert await sign_in(own_browser) == 200
        assert await sign_in_status(app, "sue", PASSWORD) == 200, "a name does not spend another's"
        assert await sign_in_status(app, "ann", PASSWORD, "10.0.0.2") == 200

    run(ask())


def test_hashing_serves_addresses_in_turn(run: LoopRunner) -> None:
    async def ask() -> None:
        queue, served = HashQueue(threads=1), []

        async def hash_for(address: str) -> None:
            CURRENT_CLIENT.set(Client("", address))
            async with queue.turn():
                served.append(address)
                await asyncio.sleep(0)

        crowd = [asyncio.create_task(hash_for("crowd")) for _ in range(50)]
        await asyncio.sleep(0)
        waiting = asyncio.create_task(hash_for("other"))
        crowd[10].cancel()
        await asyncio.gather(*crowd, waiting, return_exceptions=True)
        assert served.index("other") <= 3
        assert Counter(served) == {"crowd": 49, "other": 1}
        await asyncio.wait_for(hash_for("later"), 5)

    run(ask())


class PausedHashing:
    """Hashing waits until `resumed` is set."""

    def __init__(self, people: People, monkeypatch: pytest.MonkeyPatch) -> None:
        self.resumed = threading.Event()
        for name in ("_matching_seal", "password_event"):
            monkeypatch.setattr(people, name, self._delay(getattr(people, name)))

    def _delay(self, real: Any) -> Any:
        def wait_and_call(*given: Any) -> Any:
            self.resumed.wait(200)
            return real(*given)

        return wait_and_call


async def assert_others_are_answered(
    app: FastAPI, server: Server, requests: list[Awaitable[Any]], paused: PausedHashing
) -> None:
    """While all requests hash, others are answered."""
    jobs = [asyncio.ensure_future(request) for request in requests]
    await asyncio.sleep(0.1)
    try:
        await asyncio.wait_for(asyncio.to_thread(int), 60)
        async with client_of(app, "10.0.0.9") as other:
            other.cookies.set(SESSION_COOKIE, token_of(server, "dealer"))
            answer = await asyncio.wait_for(other.get("/api/rounds"), 60)
            assert answer.status_code == 200
    finally:
        paused.resumed.set()
        await asyncio.gather(*jobs)


@pytest.mark.long
@pytest.mark.parametrize("what", ["sign in", "own password", "link", "invitation"])
def test_hashing_crowd_does_not_delay_other_requests(
    run: LoopRunner,
    app: FastAPI,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    paused = PausedHashing(server.people, monkeypatch)
    link = server.resets.make("ann", actor="sue").token
    invitation = server.people.invite("player", actor="sue")

    async def post_number(number: int) -> Any:
        async with client_of(app, f"10.1.0.{number}") as client:
            if what == "sign in":
                return await sign_in(client)
            if what == "own password":
                name = ("ann", "sue", "abe", "olga", "ben")[number % 5]
                role = server.people.register.people[name].person
                client.cookies.set(SESSION_COOKIE, server.sessions.issue(role))
                given = {"old": PASSWORD, "new": "quite another one"}
                return await client.post("/api/me/password", json=given)
            if what == "link":
                given = {"password": "quite another one"}
                return await client.post(f"/api/resets/{link}", json=given)
            given = {"name": f"new {'abcdefgh'[number % 8]}", "password": PASSWORD}
            return await client.post(f"/api/invitations/{invitation}", json=given)

    async def ask() -> None:
        await assert_others_are_answered(
            app, server, [post_number(number) for number in range(CROWD)], paused
        )

    run(ask())


def test_opening_links_spends_no_sign_ins(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    app = app_with_limits(house, people, settings, sign_ins_per_minute=6, address_multiplier=2)
    app.state.server.login_throttle.link_views._clock = lambda: 0.0

    async def ask() -> None:
        stranger, newcomer = client_of(app, "10.0.0.9"), client_of(app, "10.0.0.9")
        statuses = [(await stranger.get("/api/invitations/x")).status_code for _ in range(20)]
        assert Counter(statuses) == {404: 12, 429: 8}
        assert await sign_in(newcomer) == 200

    run(ask())
