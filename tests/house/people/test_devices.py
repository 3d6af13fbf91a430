"""Known devices: what ends sign-ins makes strangers of them, and many of them help no guesser."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import PASSWORD, Running, SignedIn, client_of, people_of

from pitbook.house.people import sessions as module
from pitbook.house.people.accounts import People
from pitbook.house.people.register import STREAM
from pitbook.house.people.sessions import DEVICE_COOKIE_PREFIX
from pitbook.house.people.sign_in import Throttle
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.rate_limits import TokenBuckets
from pitbook.house.web.server import Server
from pitbook.house.web.settings import Settings

NEW = "her new secret 77"
ANN = {"name": "ann", "password": PASSWORD}


@pytest.fixture(autouse=True)
def no_time_goes_by(server: Server, people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has to wait still waits at the end of the test, however slow the machine is."""
    now, at = people.now(), time.monotonic()
    monkeypatch.setattr(people, "now", lambda: now)
    for one in vars(server.login_throttle).values():
        if isinstance(one, Throttle | TokenBuckets):
            monkeypatch.setattr(one, "_clock", lambda: at)


async def sign_in(client: httpx.AsyncClient, name: str, password: str) -> int:
    given = {"name": name, "password": password}
    return (await client.post("/api/sign-in", json=given)).status_code


def jar(client: httpx.AsyncClient) -> dict[str, str]:
    """The device cookies of a browser."""
    return {
        name: client.cookies[name]
        for name in client.cookies
        if name.startswith(DEVICE_COOKIE_PREFIX)
    }


def with_jar(app: FastAPI, cookies: dict[str, str], address: str = "10.6.6.6") -> httpx.AsyncClient:
    made = client_of(app, address)
    for name, value in cookies.items():
        made.cookies.set(name, value)
    return made


def failures(people: People) -> list[dict[str, Any]]:
    told = (fact for entry in people._ledger.entries(STREAM) for fact in entry.facts)
    return [fact for fact in told if fact["fact"] == "sign-in-failed"]


async def minted(app: FastAPI, count: int, name: str = "ann") -> list[dict[str, str]]:
    """As many browsers in which somebody has signed in."""
    jars = []
    for _ in range(count):
        async with client_of(app, "10.6.6.6") as browser:
            assert await sign_in(browser, name, PASSWORD) == 200
            jars.append(jar(browser))
    return jars


@pytest.mark.parametrize("change", ["password", "reset", "disabled", "role", "nothing"])
def test_what_ends_sign_ins_makes_a_stranger_of_every_device(
    run: Running, app: FastAPI, people: People, server: Server, change: str
) -> None:
    async def ask() -> None:
        (old,) = await minted(app, 1)
        if change == "password":
            people.set_password("ann", NEW, actor="sue")
        elif change == "reset":
            server.resets.use(server.resets.make("ann", actor="sue").token, NEW)
        elif change == "role":
            people.set_role("ann", "dealer", actor="sue")
        elif change == "disabled":
            people.disable("ann", actor="sue")
            people.enable("ann", actor="sue")
        async with with_jar(app, old) as browser:
            assert await sign_in(browser, "ann", "a guess") == 401
        assert failures(people)[-1].get("known") is (True if change == "nothing" else None)

    run(ask())


def test_the_browser_that_changes_the_password_is_known_by_a_new_cookie(
    run: Running, app: FastAPI, people: People, signed_in: SignedIn
) -> None:
    async def ask() -> None:
        ann, (other,) = signed_in("player"), await minted(app, 1)
        changed = await ann.post("/api/me/password", json={"old": PASSWORD, "new": NEW})
        assert changed.status_code == 200
        for number in range(5):
            people.sign_in("ann", f"a stranger's guess {number}")
        async with with_jar(app, other) as elsewhere:
            assert await sign_in(elsewhere, "ann", NEW) == 401, "it waits with the strangers"
        assert await sign_in(ann, "ann", NEW) == 200

    run(ask())


@pytest.mark.long
def test_a_browser_that_signs_in_again_is_the_same_device(
    run: Running, app: FastAPI, server: Server
) -> None:
    def nonce(client: httpx.AsyncClient) -> str:
        found = server.login_throttle.devices.find(jar(client), "ann")
        assert found is not None
        return found.nonce

    async def ask() -> None:
        async with client_of(app) as browser, client_of(app) as other:
            nonces = []
            for _ in range(3):
                assert await sign_in(browser, "ann", PASSWORD) == 200
                nonces.append(nonce(browser))
            assert len(set(nonces)) == 1
            assert await sign_in(other, "ann", PASSWORD) == 200
            assert nonce(other) not in nonces

    run(ask())


@pytest.mark.long
@pytest.mark.parametrize("addresses", [1, 60])
def test_many_devices_of_one_person_guess_no_faster_than_a_few(
    run: Running, app: FastAPI, people: People, addresses: int
) -> None:
    async def ask() -> None:
        jars = await minted(app, 30)
        seen: Counter[int] = Counter()
        for number, one in enumerate(jars):
            async with with_jar(app, one, f"10.6.6.{number % addresses}") as browser:
                seen.update([await sign_in(browser, "ann", f"guess {n}") for n in range(3)])
        told = failures(people)
        assert sum(1 for fact in told if "known" in fact) == 10
        assert len(told) == 13, "past that they are strangers, who wait after three"
        assert people.is_locked(people.register.people["ann"])
        assert seen[200] == 0

    run(ask())


@pytest.mark.long
def test_devices_of_many_people_at_one_address_are_strangers_past_the_cap(
    run: Running, app: FastAPI, people: People
) -> None:
    names = [f"mal{number}" for number in "abcdefghijklmnopqr"]
    for name in names:
        people.add(name, "player", PASSWORD, actor="sue")

    async def ask() -> None:
        jars = [(name, (await minted(app, 1, name))[0]) for name in names]
        for name, one in jars:
            async with with_jar(app, one) as browser:
                assert [await sign_in(browser, name, "a guess") for _ in range(2)] == [401, 401]
        told = Counter(bool(fact.get("known")) for fact in failures(people))
        assert told == {True: 33, False: 3}, "thirty, and then the first of each"

    run(ask())


@pytest.mark.long
def test_nobody_else_makes_a_stranger_of_a_device_and_locks_its_person_out(
    run: Running, app: FastAPI, people: People
) -> None:
    """Members of the same hall fail as they like, and strangers try the name."""
    names = [f"mal{number}" for number in "abcdefghijklmnopqr"]
    for name in names:
        people.add(name, "player", PASSWORD, actor="sue")

    async def ask() -> None:
        (own,) = await minted(app, 1)
        jars = [(name, (await minted(app, 1, name))[0]) for name in names]
        for name, one in jars:
            async with with_jar(app, one) as browser:
                for _ in range(3):
                    await sign_in(browser, name, "a guess")
                    await sign_in(browser, "ann", "a guess")
        assert people.is_locked(people.register.people["ann"])
        async with with_jar(app, own) as ann:
            assert await sign_in(ann, "ann", PASSWORD) == 200

    run(ask())


def test_a_second_server_that_has_not_read_of_the_change_knows_the_new_cookie(
    run: Running, app: FastAPI, house: LiveTables, settings: Settings, people: People
) -> None:
    second_people = people_of(house, settings)
    second = create_app(house, second_people, settings)

    async def ask() -> None:
        people.set_password("ann", NEW, actor="sue")
        async with client_of(app) as browser:
            assert await sign_in(browser, "ann", NEW) == 200
            there = with_jar(second, jar(browser))
        async with there:
            assert second_people.register.seq < people.register.seq
            assert await sign_in(there, "ann", "a guess") == 401
        assert failures(people)[-1] == {"fact": "sign-in-failed", "name": "ann", "known": True}

    run(ask())


def test_a_cookie_of_before_is_a_stranger_s(server: Server) -> None:
    """It says nothing of the password that it was given for."""
    devices = server.login_throttle.devices
    who = module._name_digest("ann")
    old: Any = (who, "00" * 8, "2999-01-01T00:00:00.000000+00:00")
    assert (
        devices.find({DEVICE_COOKIE_PREFIX + who[:16]: devices._tokens.token(old)}, "ann") is None
    )
