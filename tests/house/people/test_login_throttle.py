"""A stranger cannot shut a person out, and finds no password by guessing, from wherever it is."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import BASE, PASSWORD, WIDE, Running, client_of, people_of
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pitbook.house.people import sign_in as module
from pitbook.house.people.accounts import People
from pitbook.house.people.register import STREAM
from pitbook.house.people.sign_in import Throttle, retry_delay
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server
from pitbook.house.web.settings import Settings, SignInRules

ANN = {"name": "ann", "password": PASSWORD}
GUESSES = 1_000


async def signs_in(client: httpx.AsyncClient, name: str, password: str) -> int:
    return (
        await client.post("/api/sign-in", json={"name": name, "password": password})
    ).status_code


async def guesses(app: FastAPI, count: int, name: str = "ann") -> set[int]:
    """Wrong passwords for a name, each from an address of its own."""
    statuses = set()
    for number in range(count):
        async with client_of(app, f"10.1.{number // 250}.{number % 250}") as stranger:
            statuses.add(await signs_in(stranger, name, f"guess {number}"))
    return statuses


def rows(server: Server) -> int:
    return sum(1 for _ in server.house.ledger.entries(STREAM))


@pytest.mark.slow
def test_a_thousand_guesses_do_not_keep_the_known_device_out(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def ask() -> None:
        async with client_of(app, "10.0.0.1") as known, client_of(app, "10.0.0.2") as new:
            assert await signs_in(known, "ann", PASSWORD) == 200
            before = rows(server)
            assert await guesses(app, GUESSES) == {401}
            assert rows(server) - before < 20, "who has to wait leaves no row"
            assert await signs_in(new, "ann", PASSWORD) == 401, "a new device waits with strangers"
            assert await signs_in(known, "ANN", PASSWORD) == 200
            server.people.unlock("ann", actor="sue")
            assert await signs_in(new, "ann", PASSWORD) == 200

    run(ask())


def test_the_new_device_gets_in_when_the_wait_is_over(
    run: Running, house: LiveTables, settings: Settings, people: People
) -> None:
    now = [people.now()]
    people.now = lambda: now[0]
    app = create_app(house, people, settings)

    async def ask() -> None:
        await guesses(app, 50)
        until = people.register.people["ann"].locked
        assert until is not None
        now[0] = now[0].fromisoformat(until)
        async with client_of(app, "10.0.0.2") as new:
            assert await signs_in(new, "ann", PASSWORD) == 200

    run(ask())


@asynccontextmanager
async def known_to(app: FastAPI, address: str) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(app, address) as client:
        assert await signs_in(client, "ann", PASSWORD) == 200
        yield client


def limited(house: LiveTables, people: People, settings: Settings, **limits: Any) -> FastAPI:
    tight = WIDE.model_copy(update=limits)
    return create_app(house, people, settings.model_copy(update={"limits": tight}))


@pytest.mark.long
def test_guesses_from_the_same_address_do_not_keep_the_known_device_out(
    run: Running, house: LiveTables, people: People, settings: Settings
) -> None:
    app = limited(house, people, settings, sign_ins_per_minute=30)
    login_throttle = app.state.server.login_throttle
    for fills in (app.state.server.limiter.sign_ins, login_throttle.addresses):
        fills._clock = lambda: 0.0

    async def ask() -> None:
        async with known_to(app, "10.0.0.1") as known, client_of(app, "10.0.0.1") as stranger:
            found = [await signs_in(stranger, f"nobody{n}", "a guess") for n in range(60)]
            assert set(found) == {401, 429}
            assert await signs_in(stranger, "ann", PASSWORD) == 429
            assert await signs_in(known, "ann", PASSWORD) == 200

    run(ask())


@pytest.mark.long
def test_an_address_that_fails_and_fails_waits_longer_each_time(
    run: Running, app: FastAPI, server: Server
) -> None:
    hand = [0.0]
    server.login_throttle.addresses._clock = lambda: hand[0]

    async def ask() -> None:
        async with client_of(app, "10.0.0.9") as stranger:
            for number in range(30):
                assert await signs_in(stranger, f"nobody{number}", "a guess") == 401
            waits = []
            for number in range(6):
                given = {"name": f"other{number}", "password": "a guess"}
                answer = await stranger.post("/api/sign-in", json=given)
                assert answer.status_code == 429
                waits.append(int(answer.headers["retry-after"]))
                hand[0] += waits[-1]
                assert await signs_in(stranger, "nobody", "a guess") == 401
            assert waits == [5, 10, 20, 40, 40, 60]
        async with client_of(app, "10.0.0.10") as other:
            assert await signs_in(other, "ann", PASSWORD) == 200

    run(ask())


async def fail_at(known: httpx.AsyncClient, server: Server, hand: list[float]) -> str:
    """One more wrong password of a known device, as soon as it may try."""
    for device in server.login_throttle.known_devices._failures:
        hand[0] += server.login_throttle.known_devices.seconds_left(device)
    assert await signs_in(known, "ann", "wrong one") == 401
    return next(iter(server.login_throttle.known_devices._failures))


def test_a_known_device_waits_only_for_itself_and_not_for_long(
    run: Running, app: FastAPI, server: Server
) -> None:
    hand = [0.0]
    for throttle in (
        server.login_throttle.known_devices,
        server.login_throttle.persons,
        server.login_throttle.devices_by_address,
    ):
        throttle._clock = lambda: hand[0]

    async def ask() -> None:
        async with known_to(app, "10.0.0.1") as known:
            (device,) = [await fail_at(known, server, hand) for _ in range(12)][-1:]
            answer = await known.post("/api/sign-in", json=ANN)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
            hand[0] += server.login_throttle.known_devices.seconds_left(device)
            assert await signs_in(known, "ann", PASSWORD) == 200
        async with client_of(app, "10.0.0.2") as new:
            assert await signs_in(new, "ann", PASSWORD) == 200, "nobody else had to wait for it"

    run(ask())


def test_a_device_cookie_is_one_person_s_signed_and_over_some_day(
    run: Running, app: FastAPI, server: Server, settings: Settings
) -> None:
    async def ask() -> None:
        async with known_to(app, "10.0.0.1") as known:
            (name,) = [one for one in known.cookies if one.startswith("pitbook_device_")]
            token = known.cookies[name]
            devices = server.login_throttle.devices
            assert devices.find({name: token}, "Ann") is not None
            assert devices.find({name: token}, "sue") is None, "another's name"
            forged = token[:-1] + ("A" if token[-1] != "A" else "B")
            assert devices.find({name: forged}, "ann") is None
            devices._clock = lambda: server.people.now().replace(year=2036)
            assert devices.find({name: token}, "ann") is None, "too old"
            line = next(
                one
                for one in (await known.post("/api/sign-in", json=ANN)).headers.get_list(
                    "set-cookie"
                )
                if one.startswith("pitbook_device_")
            )
            assert {"HttpOnly", "Path=/api/sign-in", "SameSite=strict"} <= set(line.split("; "))
            assert "ann" not in line

    run(ask())


def test_a_second_server_of_the_house_knows_the_device_and_the_failures(
    run: Running, app: FastAPI, house: LiveTables, settings: Settings
) -> None:
    second = create_app(house, people_of(house, settings), settings)

    async def ask() -> None:
        async with known_to(app, "10.0.0.1") as known, client_of(second, "10.0.0.1") as there:
            await guesses(app, 5)
            there.cookies.update(known.cookies)
            async with client_of(second, "10.0.0.3") as new:
                assert await signs_in(new, "ann", PASSWORD) == 401
            assert await signs_in(there, "ann", PASSWORD) == 200

    run(ask())


@pytest.mark.long
@pytest.mark.parametrize("trusted", [True, False])
def test_addresses_behind_a_proxy_are_told_apart_and_forged_ones_are_not(
    run: Running, app: FastAPI, server: Server, trusted: bool
) -> None:
    """As `serve` sets it up: the proxy's own word counts, what a stranger writes before it not."""
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


def test_an_unknown_name_and_a_wrong_password_take_the_same_time(
    run: Running, house: LiveTables, people: People, settings: Settings
) -> None:
    """Both to the same beat, however long the work took."""
    slow = SignInRules(
        argon2_time_cost=1, argon2_memory_kib=8, failure_delay_seconds=0.03, failures_max=1
    )
    app = create_app(house, people, settings.model_copy(update={"sign_in": slow}))

    async def ask() -> None:
        async with client_of(app) as client:
            for name in ("ann", "ann", "nobody"):
                began = time.monotonic()
                await signs_in(client, name, "wrong one")
                assert time.monotonic() - began >= 0.029

    run(ask())


@pytest.mark.long
def test_a_million_names_take_no_memory(run: Running, app: FastAPI, server: Server) -> None:
    """Names of nobody are kept nowhere; addresses up to a number, the longest quiet going first."""
    throttle = Throttle(free=1, delay_max_s=60, clock=lambda: 0.0)
    for number in range(3 * module.KEYS_MAX):
        throttle.add_failure(f"10.{number}")
    assert len(throttle._failures) == module.KEYS_MAX
    assert throttle.seconds_left(f"10.{3 * module.KEYS_MAX - 1}") == 5

    async def ask() -> None:
        before = rows(server)
        async with client_of(app, "10.0.0.1") as client:
            for number in range(20):
                await signs_in(client, f"nobody{number}", "a guess")
        assert rows(server) == before
        assert list(server.login_throttle.addresses._failures) == ["10.0.0.1"]

    run(ask())


def test_the_wait_doubles_to_its_end_and_is_forgotten_in_the_end() -> None:
    assert [retry_delay(n, free=1, delay_max_s=900) for n in (0, 1, 2, 9, 10**9)] == [
        0,
        5,
        10,
        900,
        900,
    ]
    hand = [0.0]
    throttle = Throttle(free=1, delay_max_s=60, clock=lambda: hand[0])
    throttle.add_failure("a")
    assert throttle.seconds_left("a") == 5
    throttle.forgive("a")
    assert throttle.seconds_left("a") == 0
    throttle.add_failure("a")
    hand[0] += module.FORGIVE_EVERY_S
    throttle.add_failure("a")
    assert throttle.seconds_left("a") == 5, "as for the first time"


def test_a_hall_where_somebody_always_mistypes_does_not_stand_still() -> None:
    hand = [0.0]
    throttle = Throttle(free=30, delay_max_s=60, clock=lambda: hand[0])
    for _ in range(200):
        throttle.add_failure("the hall")
        hand[0] += module.FORGIVE_EVERY_S
        assert throttle.seconds_left("the hall") == 0
