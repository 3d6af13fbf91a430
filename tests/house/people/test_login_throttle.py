"""A stranger cannot lock a person out, and cannot find a password by guessing."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import BASE, PASSWORD, WIDE, LoopRunner, client_of, people_of
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pitbook.house.people import login_throttle as module
from pitbook.house.people.account_register import STREAM
from pitbook.house.people.accounts import People
from pitbook.house.people.login_throttle import Throttle
from pitbook.house.people.sign_in import retry_delay
from pitbook.house.settings import Settings, SignInRules
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server

ANN = {"name": "ann", "password": PASSWORD}
GUESSES = 1_000


async def sign_in_status(client: httpx.AsyncClient, name: str, password: str) -> int:
    return (
        await client.post("/api/sign-in", json={"name": name, "password": password})
    ).status_code


async def guess_passwords(app: FastAPI, count: int, name: str = "ann") -> set[int]:
    """Wrong passwords for a name, each from another address."""
    statuses = set()
    for number in range(count):
        async with client_of(app, f"10.1.{number // 250}.{number % 250}") as stranger:
            statuses.add(await sign_in_status(stranger, name, f"guess {number}"))
    return statuses


def count_entries(server: Server) -> int:
    return sum(1 for _ in server.house.ledger.entries(STREAM))


@pytest.mark.slow
def test_thousand_guesses_do_not_delay_a_known_device(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def ask() -> None:
        async with client_of(app, "10.0.0.1") as known_browser, client_of(app, "10.0.0.2") as new:
            assert await sign_in_status(known_browser, "ann", PASSWORD) == 200
            before = count_entries(server)
            assert await guess_passwords(app, GUESSES) == {401}
            assert count_entries(server) - before < 20, "who has to wait leaves no row"
            assert await sign_in_status(new, "ann", PASSWORD) == 401, (
                "a new device waits with strangers"
            )
            assert await sign_in_status(known_browser, "ANN", PASSWORD) == 200
            server.people.unlock("ann", actor="sue")
            assert await sign_in_status(new, "ann", PASSWORD) == 200

    run(ask())


def test_new_device_signs_in_after_the_delay(
    run: LoopRunner, house: LiveTables, settings: Settings, people: People
) -> None:
    now = [people.now()]
    people.now = lambda: now[0]
    app = create_app(house, people, settings)

    async def ask() -> None:
        await guess_passwords(app, 50)
        until = people.register.people["ann"].locked
        assert until is not None
        now[0] = now[0].fromisoformat(until)
        async with client_of(app, "10.0.0.2") as new:
            assert await sign_in_status(new, "ann", PASSWORD) == 200

    run(ask())


@asynccontextmanager
async def known_browser_at(app: FastAPI, address: str) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app, address) as client:
        assert await sign_in_status(client, "ann", PASSWORD) == 200
        yield client


def app_with_limits(
    house: LiveTables, people: People, settings: Settings, **limits: Any
) -> FastAPI:
    tight = WIDE.model_copy(update=limits)
    return create_app(house, people, settings.model_copy(update={"limits": tight}))


@pytest.mark.long
def test_guesses_from_the_same_address_do_not_delay_a_known_device(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    app = app_with_limits(house, people, settings, sign_ins_per_minute=30)
    login_throttle = app.state.server.login_throttle
    for fills in (app.state.server.limiter.sign_ins, login_throttle.addresses):
        fills._clock = lambda: 0.0

    async def ask() -> None:
        async with (
            known_browser_at(app, "10.0.0.1") as known_browser,
            client_of(app, "10.0.0.1") as stranger,
        ):
            statuses = [await sign_in_status(stranger, f"nobody{n}", "a guess") for n in range(60)]
            assert set(statuses) == {401, 429}
            assert await sign_in_status(stranger, "ann", PASSWORD) == 429
            assert await sign_in_status(known_browser, "ann", PASSWORD) == 200

    run(ask())


@pytest.mark.long
def test_address_with_many_failures_is_delayed_ever_longer(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    time_ = [0.0]
    server.login_throttle.addresses._clock = lambda: time_[0]

    async def ask() -> None:
        async with client_of(app, "10.0.0.9") as stranger:
            for number in range(30):
                assert await sign_in_status(stranger, f"nobody{number}", "a guess") == 401
            waits = []
            for number in range(6):
                given = {"name": f"other{number}", "password": "a guess"}
                answer = await stranger.post("/api/sign-in", json=given)
                assert answer.status_code == 429
                waits.append(int(answer.headers["retry-after"]))
                time_[0] += waits[-1]
                assert await sign_in_status(stranger, "nobody", "a guess") == 401
            assert waits == [5, 10, 20, 40, 40, 60]
        async with client_of(app, "10.0.0.10") as other:
            assert await sign_in_status(other, "ann", PASSWORD) == 200

    run(ask())


async def fail_on_known_device(
    known_browser: httpx.AsyncClient, server: Server, time_: list[float]
) -> str:
    """One more wrong password on a known device, as soon as it may try."""
    for device in server.login_throttle.known_devices._failures:
        time_[0] += server.login_throttle.known_devices.seconds_left(device)
    assert await sign_in_status(known_browser, "ann", "wrong one") == 401
    return next(iter(server.login_throttle.known_devices._failures))


def test_known_device_is_delayed_alone_and_briefly(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    time_ = [0.0]
    for throttle in (
        server.login_throttle.known_devices,
        server.login_throttle.persons,
        server.login_throttle.devices_by_address,
    ):
        throttle._clock = lambda: time_[0]

    async def ask() -> None:
        async with known_browser_at(app, "10.0.0.1") as known_browser:
            (device,) = [
                await fail_on_known_device(known_browser, server, time_) for _ in range(12)
            ][-1:]
            answer = await known_browser.post("/api/sign-in", json=ANN)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
            time_[0] += server.login_throttle.known_devices.seconds_left(device)
            assert await sign_in_status(known_browser, "ann", PASSWORD) == 200
        async with client_of(app, "10.0.0.2") as new:
            assert await sign_in_status(new, "ann", PASSWORD) == 200, (
                "nobody else had to wait for it"
            )

    run(ask())


def test_device_cookie_is_personal_signed_and_expires(
    run: LoopRunner, app: FastAPI, server: Server, settings: Settings
) -> None:
    async def ask() -> None:
        async with known_browser_at(app, "10.0.0.1") as known_browser:
            (name,) = [
                cookie_name
                for cookie_name in known_browser.cookies
                if cookie_name.startswith("pitbook_device_")
            ]
            token = known_browser.cookies[name]
            devices = server.login_throttle.devices
            assert devices.find({name: token}, "Ann") is not None
            assert devices.find({name: token}, "sue") is None, "another's name"
            forged = token[:-1] + ("A" if token[-1] != "A" else "B")
            assert devices.find({name: forged}, "ann") is None
            devices._clock = lambda: server.people.now().replace(year=2036)
            assert devices.find({name: token}, "ann") is None, "too old"
            cookie_line = next(
                cookie_line
                for cookie_line in (
                    await known_browser.post("/api/sign-in", json=ANN)
                ).headers.get_list("set-cookie")
                if cookie_line.startswith("pitbook_device_")
            )
            assert {"HttpOnly", "Path=/api/sign-in", "SameSite=strict"} <= set(
                cookie_line.split("; ")
            )
            assert "ann" not in cookie_line

    run(ask())


def test_second_server_knows_devices_and_failures(
    run: LoopRunner, app: FastAPI, house: LiveTables, settings: Settings
) -> None:
    second = create_app(house, people_of(house, settings), settings)

    async def ask() -> None:
        async with (
            known_browser_at(app, "10.0.0.1") as known_browser,
            client_of(second, "10.0.0.1") as there,
        ):
            await guess_passwords(app, 5)
            there.cookies.update(known_browser.cookies)
            async with client_of(second, "10.0.0.3") as new:
                assert await sign_in_status(new, "ann", PASSWORD) == 401
            assert await sign_in_status(there, "ann", PASSWORD) == 200

    run(ask())


@pytest.mark.long
@pytest.mark.parametrize("trusted", [True, False])
def test_only_a_trusted_proxy_separates_addresses(
    run: LoopRunner, app: FastAPI, server: Server, trusted: bool
) -> None:
    """As `serve` sets it up: only what the trusted proxy adds counts."""
    anything: Any = app
    behind: Any = ProxyHeadersMiddleware(anything, trusted_hosts=["10.9.9.9"])

    async def ask() -> int:
        peer = "10.9.9.9" if trusted else "10.0.0.66"
        transport = httpx.ASGITransport(behind, client=(peer, 50_000))
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            status = 0
            for number in range(35):
                headers = {"x-forwarded-for": f"10.3.0.{number}, 10.2.0.7"}
                given = {"name": f"nobody{number}", "password": "a guess"}
                answer = await client.post("/api/sign-in", json=given, headers=headers)
                status = answer.status_code
        return status

    assert run(ask()) == 429, "thirty failures of one address, whatever it says of itself"
    failed = list(server.login_throttle.addresses._failures)
    assert failed == (["10.2.0.7"] if trusted else ["10.0.0.66"])


def test_unknown_name_and_wrong_password_take_equally_long(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings
) -> None:
    """Both responses take a full beat, however long the work took."""
    slow = SignInRules(
        argon2_time_cost=1, argon2_memory_kib=8, failure_delay_seconds=0.03, failures_max=1
    )
    app = create_app(house, people, settings.model_copy(update={"sign_in": slow}))

    async def ask() -> None:
        async with client_of(app) as client:
            for name in ("ann", "ann", "nobody"):
                began = time.monotonic()
                await sign_in_status(client, name, "wrong one")
                assert time.monotonic() - began >= 0.029

    run(ask())


@pytest.mark.long
def test_throttle_memory_is_bounded(run: LoopRunner, app: FastAPI, server: Server) -> None:
    """Unknown names are not stored; addresses up to a limit, the longest idle dropped first."""
    throttle = Throttle(free=1, delay_max_s=60, clock=lambda: 0.0)
    for number in range(3 * module.KEYS_MAX):
        throttle.add_failure(f"10.{number}")
    assert len(throttle._failures) == module.KEYS_MAX
    assert throttle.seconds_left(f"10.{3 * module.KEYS_MAX - 1}") == 5

    async def ask() -> None:
        before = count_entries(server)
        async with client_of(app, "10.0.0.1") as client:
            for number in range(20):
                await sign_in_status(client, f"nobody{number}", "a guess")
        assert count_entries(server) == before
        assert list(server.login_throttle.addresses._failures) == ["10.0.0.1"]

    run(ask())


def test_delay_doubles_to_its_maximum_and_is_forgiven() -> None:
    assert [retry_delay(n, free=1, delay_max_s=900) for n in (0, 1, 2, 9, 10**9)] == [
        0,
        5,
        10,
        900,
        900,
    ]
    time_ = [0.0]
    throttle = Throttle(free=1, delay_max_s=60, clock=lambda: time_[0])
    throttle.add_failure("a")
    assert throttle.seconds_left("a") == 5
    throttle.forgive("a")
    assert throttle.seconds_left("a") == 0
    throttle.add_failure("a")
    time_[0] += module.FORGIVE_EVERY_S
    throttle.add_failure("a")
    assert throttle.seconds_left("a") == 5, "as for the first time"


def test_steady_mistakes_of_a_hall_are_forgiven() -> None:
    time_ = [0.0]
    throttle = Throttle(free=30, delay_max_s=60, clock=lambda: time_[0])
    for _ in range(200):
        throttle.add_failure("the hall")
        time_[0] += module.FORGIVE_EVERY_S
        assert throttle.seconds_left("the hall") == 0
