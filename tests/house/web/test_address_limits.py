"""Many clients behind one address, and one that acts like many: none takes all places."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.attacked_server import STUD, open_target
from tests.house.web.conftest import LoopRunner, client_of
from tests.house.web.live_server import socket
from tests.house.web.test_routes_tables import ANTE, guest_of
from websockets.exceptions import InvalidStatus

from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import practice
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.errors import Problem
from pitbook.house.web.jobs import WAITING_MAX, JobQueue
from pitbook.house.web.rate_limits import CURRENT_CLIENT, Client, TokenBuckets
from pitbook.house.web.server import Server
from pitbook.house.web.services import Services


async def open_practice_table(client: httpx.AsyncClient) -> int:
    """The status when a new guest opens a practice table."""
    client.cookies.clear()
    return (await client.post("/api/practice", json={"sheet": STUD})).status_code


@pytest.mark.long
def test_new_guests_of_an_address_share_a_budget(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    server.limiter.guests = TokenBuckets(0.01, 2)

    async def ask() -> None:
        async with client_of(app) as client, client_of(app, "10.0.0.9") as elsewhere:
            assert [await open_practice_table(client) for _ in range(3)] == [201, 201, 429]
            assert await open_practice_table(elsewhere) == 201

    run(ask())


@pytest.mark.long
def test_new_guest_is_served_despite_repeated_requests(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    """Six clients that retried immediately once took nearly every turn."""
    server.limiter.guests = TokenBuckets(20, 1)

    async def ask() -> None:
        async def again_and_again() -> None:
            async with client_of(app) as stranger:
                while True:
                    await open_practice_table(stranger)

        crowd = [asyncio.create_task(again_and_again()) for _ in range(6)]
        async with client_of(app) as honest:
            assert [await open_practice_table(honest) for _ in range(3)] == [201] * 3
        for task in crowd:
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    run(ask())


@pytest.mark.long
def test_idle_practice_table_makes_room_for_the_next_guest(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    services: Services = app.state.services
    now = [0.0]
    services.practice._clock, services.practice._swept_at = (lambda: now[0]), 0.0
    server.limiter.guest_tables.per_key_max = 2

    async def ask() -> None:
        async with client_of(app) as client:
            guest = await guest_of(client)
            await guest.accept(ANTE)
            assert [await open_practice_table(client) for _ in range(2)] == [201, 429]
            now[0] += practice.UNUSED_SECONDS
            assert await open_practice_table(client) == 201, "nobody has played at the second one"
            assert guest.table in server.house.tables
            now[0] += practice.SWEEP_SECONDS
            assert await open_practice_table(client) == 201
            assert guest.table in server.house.tables, "it was looked at for the first time"
            now[0] += practice.SPARE_SECONDS
            assert await open_practice_table(client) == 201
            assert guest.table not in server.house.tables, "the oldest goes first"
            assert len(server.house.tables) == 2

    run(ask())


@pytest.mark.long
def test_watched_practice_table_is_kept(
    run: LoopRunner, house: LiveTables, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "UNUSED_SECONDS", 0.05)

    async def ask() -> None:
        async with (
            open_target(house, people, practice_tables_per_address=1) as target,
            target.client() as other,
        ):
            cookie, table = await target.guest()
            async with socket(
                target.address, cookie.removeprefix(f"{SESSION_COOKIE}="), table
            ) as connection:
                await connection.until("view")
                await asyncio.sleep(0.1)
                assert await open_practice_table(other) == 429
            async with asyncio.timeout(20):
                while await open_practice_table(other) != 201:
                    await asyncio.sleep(0.05)

    run(ask())


@pytest.mark.long
def test_refused_guest_spends_no_budget(run: LoopRunner, app: FastAPI, server: Server) -> None:
    """One stranger that kept asking once kept out every new guest of the address."""
    server.limiter.guests = TokenBuckets(0.01, 3)
    server.limiter.guest_tables.per_key_max = 2

    async def ask() -> None:
        async with client_of(app) as client:
            assert [await open_practice_table(client) for _ in range(6)] == [
                201,
                201,
                429,
                429,
                429,
                429,
            ]
            server.limiter.guest_tables.per_key_max = 9
            assert [await open_practice_table(client) for _ in range(2)] == [201, 429]

    run(ask())


@pytest.mark.long
def test_one_guest_does_not_open_all_tables_of_an_address(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with (
            open_target(house, people, practice_tables_per_person=2) as target,
            target.client() as guest,
        ):
            answers = [await guest.post("/api/practice", json={"sheet": STUD}) for _ in range(3)]
            assert [answer.status_code for answer in answers] == [201, 201, 429]
            assert answers[-1].json()["error"].startswith("You already have 2 practice tables")

    run(ask())


def test_one_person_has_only_so_many_sockets(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with open_target(house, people, sockets_per_person=1) as target:
            cookie, table = await target.guest()
            token = cookie.removeprefix(f"{SESSION_COOKIE}=")
            async with socket(target.address, token, table) as connection:
                await connection.until("view")
                with pytest.raises(InvalidStatus) as refused:
                    async with socket(target.address, token, table):
                        pass
                assert refused.value.response.status_code == 429
            other = (await target.guest())[0].removeprefix(f"{SESSION_COOKIE}=")
            assert other != token
            async with socket(target.address, token, table) as connection:
                await connection.until("view")

    run(ask())


def test_jobs_run_in_turn_by_person() -> None:
    async def ask() -> list[str]:
        sums, order = JobQueue(), []

        async def work(who: Client, name: str) -> None:
            CURRENT_CLIENT.set(who)
            await sums.compute(name, lambda: order.append(name))

        flooder, ann = Client("l1", "a", "guest-1"), Client("l2", "a", "ann", member=True)
        tasks = [
            asyncio.create_task(work(flooder, f"flood {number}")) for number in range(WAITING_MAX)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="The server is busy with other calculations"):
            await work(flooder, "one more")
        await asyncio.create_task(work(ann, "ann's"))
        await asyncio.gather(*tasks)
        sums.close()
        return order

    order = asyncio.run(ask())
    assert order.index("ann's") <= 2
    assert len(order) == WAITING_MAX + 1
