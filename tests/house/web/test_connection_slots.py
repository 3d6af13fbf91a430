"""Connections that wait for a refusal take no place from members or from health checks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.house.web.attacked_server import Ends, TargetServer, open_target
from tests.house.web.conftest import LoopRunner

from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.settings import RequestLimits, Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import edge as edge_module
from pitbook.house.web.edge import Edge
from pitbook.house.web.rate_limits import Budget, Client, Limiter, ReadSeconds

LINES = 8  # Of one address in these tests.
UPGRADE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="


def still() -> float:
    return 0.0


def unfilled_budget(burst: float, clock: ReadSeconds = still) -> Budget:
    """A budget that is never refilled."""
    return Budget(0.01, burst, 1, clock=clock)


async def others_are_answered(target: TargetServer, people: People) -> None:
    sessions = target.app.state.server.sessions
    async with target.client() as ann:
        ann.cookies.set(SESSION_COOKIE, sessions.issue(people.register.people["ann"].person))
        for _ in range(3):
            assert (await ann.get("/api/me", headers={"connection": "close"})).status_code == 200
            assert await target.health() == 200


async def hang_up(ends: list[Ends]) -> None:
    for _, writer in ends:
        writer.transport.abort()


@pytest.mark.long
@pytest.mark.parametrize("more", [(), (*UPGRADE, KEY)], ids=["requests", "sockets"])
def test_connections_waiting_for_a_refusal_make_room(
    run: LoopRunner,
    house: LiveTables,
    people: People,
    monkeypatch: pytest.MonkeyPatch,
    more: tuple[str, ...],
) -> None:
    """Two thousand refusals, held for two seconds each, once kept everyone of the address out."""
    monkeypatch.setattr(edge_module, "REFUSAL_WAIT_MAX_S", 30.0)

    async def ask() -> None:
        async with open_target(house, people, connections_per_address=LINES) as target:
            limiter = target.app.state.server.limiter
            limiter.requests.per_address, limiter.refusals = (
                unfilled_budget(4).per_address,
                unfilled_budget(1),
            )
            request = target.head("/api/tables/stud-1/socket", "GET", *more)
            ends = [await target.line(request) for _ in range(3 * LINES)]
            await asyncio.sleep(0.1)
            await others_are_answered(target, people)
            await hang_up(ends)

    run(ask())


@pytest.mark.long
def test_views_over_budget_are_refused_and_others_are_answered(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    """Fourteen guests with two thousand connections once waited twenty seconds for each view."""

    async def ask() -> None:
        async with open_target(house, people, connections_per_address=LINES) as target:
            cookie, table = await target.guest()
            target.app.state.server.limiter.guests_views = unfilled_budget(2)
            request = target.head(f"/api/tables/{table}", "GET", f"Cookie: {cookie}")
            ends = [await target.line(request) for _ in range(3 * LINES)]
            await asyncio.sleep(0.1)
            await others_are_answered(target, people)
            async with target.client() as client:
                client.cookies.set(SESSION_COOKIE, cookie.removeprefix(f"{SESSION_COOKIE}="))
                answer = await client.get(f"/api/tables/{table}")
            assert answer.status_code == 429
            assert answer.json()["error"].startswith("Too many table views requested")
            assert int(answer.headers["retry-after"]) > 1
            await hang_up(ends)

    run(ask())


@pytest.mark.long
def test_view_nearly_within_budget_waits(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with open_target(house, people) as target:
            cookie, table = await target.guest()
            target.app.state.server.limiter.guests_views = Budget(20, 1, 25, clock=still)
            async with target.client() as client:
                client.cookies.set(SESSION_COOKIE, cookie.removeprefix(f"{SESSION_COOKIE}="))
                codes = [(await client.get(f"/api/tables/{table}")).status_code for _ in range(3)]
            assert codes == [200] * 3

    run(ask())


@pytest.mark.long
def test_new_guest_is_seated_despite_views_of_others(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with open_target(house, people) as target:
            target.app.state.server.limiter.guests_views = unfilled_budget(1)
            for _ in range(3):
                await asyncio.wait_for(target.guest(), 10)

    run(ask())


class _EdgeRequest:
    """A request at the edge, whose app works until told to stop."""

    def __init__(self, edge: Edge, person: str, status: list[int]) -> None:
        self.scope: dict[str, Any] = {
            "type": "http",
            "path": "/",
            "method": "GET",
            "client": ("10.0.0.1", 1),
            "headers": [(b"x-person", person.encode())],
        }
        self.status = status
        self.task = asyncio.create_task(edge(self.scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status.append(message["status"])


OPEN_TO_ALL_HOSTS = Settings(data=Path(), host="0.0.0.0")


def identify(scope: Any) -> Any:
    name = scope["headers"][0][1].decode()
    return Client("", "10.0.0.1", name, member=not name.startswith("guest"))


@pytest.mark.parametrize(("kind", "at_work"), [(b"text/plain", 2), (b"text/event-stream", 6)])
def test_guests_requests_leave_slots_for_members(
    run: LoopRunner, kind: bytes, at_work: int
) -> None:
    """Guests get a quarter of the slots; streams have their own quota."""

    async def ask() -> None:
        over, working, status = asyncio.Event(), [0], list[int]()

        async def app(_: Any, __: Any, send: Any) -> None:
            working[0] += 1
            headers = [(b"content-type", kind)]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await over.wait()

        limiter = Limiter(RequestLimits(connections_per_address=LINES))
        edge = Edge(app, OPEN_TO_ALL_HOSTS, limiter, identify=identify)
        requests = [_EdgeRequest(edge, f"guest-{number}", status) for number in range(6)]
        while working[0] + status.count(429) < len(requests):
            await asyncio.sleep(0)
        assert (working[0], status.count(429)) == (at_work, 6 - at_work)
        requests += [_EdgeRequest(edge, "ann", status) for _ in range(3)]
        while working[0] < at_work + 3:
            await asyncio.sleep(0)
        over.set()
        await asyncio.gather(*(request.task for request in requests))
        last = _EdgeRequest(edge, "guest-1", status)
        await last.task
        assert status[-1] == 200, "the places were given back"

    run(ask())
