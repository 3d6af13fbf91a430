"""Known devices: account changes make them unknown, and many of them do not help a guesser."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import PASSWORD, LoopRunner, SignedIn, client_of, people_of

from pitbook.house.people import sessions as module
from pitbook.house.people.account_register import STREAM
from pitbook.house.people.accounts import People
from pitbook.house.people.login_throttle import Throttle
from pitbook.house.people.sessions import DEVICE_COOKIE_PREFIX
from pitbook.house.settings import Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.rate_limits import TokenBuckets
from pitbook.house.web.server import Server

NEW = "her new secret 77"
ANN = {"name": "ann", "password": PASSWORD}


@pytest.fixture(autouse=True)
def frozen_clocks(server: Server, people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """Delays last until the end of the test, however slow the machine is."""
    now, at = people.now(), time.monotonic()
    monkeypatch.setattr(people, "now", lambda: now)
    for throttle in vars(server.login_throttle).values():
        if isinstance(throttle, Throttle | TokenBuckets):
            monkeypatch.setattr(throttle, "_clock", lambda: at)


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


def client_with_cookies(
    app: FastAPI, cookies: dict[str, str], address: str = "10.6.6.6"
) -> httpx.AsyncClient:
    client = client_of(app, address)
    for name, value in cookies.items():
        client.cookies.set(name, value)
    return client


def failures(people: People) -> list[dict[str, Any]]:
    all_facts = (fact for entry in people._ledger.entries(STREAM) for fact in entry.facts)
    return [fact for fact in all_facts if fact["fact"] == "sign-in-failed"]


async def sign_in_browsers(app: FastAPI, count: int, name: str = "ann") -> list[dict[str, str]]:
    """That many browsers in which a person has signed in."""
    jars = []
    for _ in range(count):
        async with client_of(app, "10.6.6.6") as browser:
            assert await sign_in(browser, name, PASSWORD) == 200
            jars.append(jar(browser))
    return jars


@pytest.mark.parametrize("change", ["password", "reset", "disabled", "role", "nothing"])
def test_account_changes_make_devices_unknown(
    run: LoopRunner, app: FastAPI, people: People, server: Server, change: str
) -> None:
    async def ask() -> None:
        (old,) = await sign_in_browsers(app, 1)
        if change == "password":
            people.set_password("ann", NEW, actor="sue")
        elif change == "reset":
            server.resets.use(server.resets.make("ann", actor="sue").token, NEW)
        elif change == "role":
            people.set_role("ann", "dealer", actor="sue")
        elif change == "disabled":
            people.disable("ann", actor="sue")
            people.enable("ann", actor="sue")
        async with client_with_cookies(app, old) as browser:
            assert await sign_in(browser, "ann", "a guess") == 401
        assert failures(people)[-1].get("known") is (True if change == "nothing" else None)

    run(ask())


def test_browser_that_changes_the_password_stays_known(
    run: LoopRunner, app: FastAPI, people: People, signed_in: SignedIn
) -> None:
    async def ask() -> None:
        ann, (other,) = signed_in("player"), await sign_in_browsers(app, 1)
        changed = await ann.post("/api/me/password", json={"old": PASSWORD, "new": NEW})
        assert changed.status_code == 200
        for number in range(5):
            people.sign_in("ann", f"a stranger's guess {number}")
        async with client_with_cookies(app, other) as elsewhere:
            assert await sign_in(elsewhere, "ann", NEW) == 401, "it waits with the strangers"
        assert await sign_in(ann, "ann", NEW) == 200

    run(ask())


@pytest.mark.long
def test_browser_that_signs_in_again_is_the_same_device(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    def nonce(client: httpx.AsyncClient) -> str:
        device = server.login_throttle.devices.find(jar(client), "ann")
        assert device is not None
        return device.nonce

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
def test_guesses_over_many_known_devices_are_limited_per_person(
    run: LoopRunner, app: FastAPI, people: People, addresses: int
) -> None:
    async def ask() -> None:
        jars = await sign_in_browsers(app, 30)
        statuses: Counter[int] = Counter()
        for number, device_jar in enumerate(jars):
            async with client_with_cookies(
                app, device_jar, f"10.6.6.{number % addresses}"
            ) as browser:
                statuses.update([await sign_in(browser, "ann", f"guess {n}") for n in range(3)])
        failure_facts = failures(people)
        assert sum(1 for fact in failure_facts if "known" in fact) == 10
        assert len(failure_facts) == 13, "past that they are strangers, who wait after three"
        assert people.is_locked(people.register.people["ann"])
        assert statuses[200] == 0

    run(ask())


@pytest.mark.long
def test_guesses_over_many_known_devices_are_limited_per_address(
    run: LoopRunner, app: FastAPI, people: People
) -> None:
    names = [f"mal{number}" for number in "abcdefghijklmnopqr"]
    for name in names:
        people.add(name, "player", PASSWORD, actor="sue")

    async def ask() -> None:
        jars = [(name, (await sign_in_browsers(app, 1, name))[0]) for name in names]
        for name, device_jar in jars:
            async with client_with_cookies(app, device_jar) as browser:
                assert [await sign_in(browser, name, "a guess") for _ in range(2)] == [401, 401]
        failures_by_known = Counter(bool(fact.get("known")) for fact in failures(people))
        assert failures_by_known == {True: 33, False: 3}, "thirty, and then the first of each"

    run(ask())


@pytest.mark.long
def test_failures_of_others_do_not_lock_a_known_device_out(
    run: LoopRunner, app: FastAPI, people: People
) -> None:
    """Others in the same hall fail often, and strangers try the name."""
    names = [f"mal{number}" for number in "abcdefghijklmnopqr"]
    for name in names:
        people.add(name, "player", PASSWORD, actor="sue")

    async def ask() -> None:
        (own_jar,) = await sign_in_browsers(app, 1)
        jars = [(name, (await sign_in_browsers(app, 1, name))[0]) for name in names]
        for name, device_jar in jars:
            async with client_with_cookies(app, device_jar) as browser:
                for _ in range(3):
                    await sign_in(browser, name, "a guess")
                    await sign_in(browser, "ann", "a guess")
        assert people.is_locked(people.register.people["ann"])
        async with client_with_cookies(app, own_jar) as ann:
            assert await sign_in(ann, "ann", PASSWORD) == 200

    run(ask())


def test_second_server_accepts_a_newer_device_cookie(
    run: LoopRunner, app: FastAPI, house: LiveTables, settings: Settings, people: People
) -> None:
    second_people = people_of(house, settings)
    second = create_app(house, second_people, settings)

    async def ask() -> None:
        people.set_password("ann", NEW, actor="sue")
        async with client_of(app) as browser:
            assert await sign_in(browser, "ann", NEW) == 200
            there = client_with_cookies(second, jar(browser))
        async with there:
            assert second_people.register.seq < people.register.seq
            assert await sign_in(there, "ann", "a guess") == 401
        assert failures(people)[-1] == {"fact": "sign-in-failed", "name": "ann", "known": True}

    run(ask())


def test_old_device_cookie_is_unknown(server: Server) -> None:
    """It does not depend on the current password."""
    devices = server.login_throttle.devices
    who = module._name_digest("ann")
    old: Any = (who, "00" * 8, "2999-01-01T00:00:00.000000+00:00")
    assert (
        devices.find({DEVICE_COOKIE_PREFIX + who[:16]: devices._tokens.token(old)}, "ann") is None
    )
