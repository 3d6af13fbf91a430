"""Lines that wait for nothing but a no: they take no place from members, nor from health."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.house.web.attacked import Attacked, Ends, attacked
from tests.house.web.conftest import Running

from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table.tables import LiveTables
from pitbook.house.web import edge
from pitbook.house.web.edge import RequestGate
from pitbook.house.web.rate_limits import Budget, Client, Limiter, ReadSeconds
from pitbook.house.web.settings import RequestLimits

LINES = 8  # Of one address in these tests.
UPGRADE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="


def still() -> float:
    return 0.0


def spent(burst: float, clock: ReadSeconds = still) -> Budget:
    """A budget that is not filled again."""
    return Budget(0.01, burst, 1, clock=clock)


async def others_are_answered(it: Attacked, people: People) -> None:
    sessions = it.app.state.server.sessions
    async with it.client() as ann:
        ann.cookies.set(SESSION_COOKIE, sessions.issue(people.register.people["ann"].person))
        for _ in range(3):
            assert (await ann.get("/api/me", headers={"connection": "close"})).status_code == 200
            assert await it.health() == 200


async def hang_up(ends: list[Ends]) -> None:
    for _, writer in ends:
        writer.transport.abort()


@pytest.mark.long
@pytest.mark.parametrize("more", [(), (*UPGRADE, KEY)], ids=["requests", "sockets"])
def test_lines_that_wait_for_a_no_make_room(
    run: Running,
    house: LiveTables,
    people: People,
    monkeypatch: pytest.MonkeyPatch,
    more: tuple[str, ...],
) -> None:
    """Two thousand refusals, each held for two seconds, kept everybody of the address out."""
    monkeypatch.setattr(edge, "REFUSAL_WAIT_MAX_S", 30.0)

    async def ask() -> None:
        async with attacked(house, people, connections_per_address=LINES) as it:
            limiter = it.app.state.server.limiter
            limiter.requests.per_address, limiter.refusals = spent(4).per_address, spent(1)
            asked = it.head("/api/tables/stud-1/socket", "GET", *more)
            ends = [await it.line(asked) for _ in range(3 * LINES)]
            await asyncio.sleep(0.1)
            await others_are_answered(it, people)
            await hang_up(ends)

    run(ask())


@pytest.mark.long
def test_looks_that_are_not_paid_for_are_refused_and_keep_nobody_out(
    run: Running, house: LiveTables, people: People
) -> None:
    """Fourteen guests with two thousand lines waited on credit, twenty seconds for each look."""

    async def ask() -> None:
        async with attacked(house, people, connections_per_address=LINES) as it:
            cookie, table = await it.guest()
            it.app.state.server.limiter.guests_views = spent(2)
            asked = it.head(f"/api/tables/{table}", "GET", f"Cookie: {cookie}")
            ends = [await it.line(asked) for _ in range(3 * LINES)]
            await asyncio.sleep(0.1)
            await others_are_answered(it, people)
            async with it.client() as client:
                client.cookies.set(SESSION_COOKIE, cookie.removeprefix(f"{SESSION_COOKIE}="))
                answer = await client.get(f"/api/tables/{table}")
            assert answer.status_code == 429
            assert answer.json()["error"].startswith("too many looks at tables")
            assert int(answer.headers["retry-after"]) > 1
            await hang_up(ends)

    run(ask())


@pytest.mark.long
def test_a_look_that_is_nearly_paid_for_is_waited_for(
    run: Running, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with attacked(house, people) as it:
            cookie, table = await it.guest()
            it.app.state.server.limiter.guests_views = Budget(20, 1, 25, clock=still)
            async with it.client() as client:
                client.cookies.set(SESSION_COOKIE, cookie.removeprefix(f"{SESSION_COOKIE}="))
                codes = [(await client.get(f"/api/tables/{table}")).status_code for _ in range(3)]
            assert codes == [200] * 3

    run(ask())


@pytest.mark.long
def test_a_new_guest_is_seated_however_many_looks_the_others_take(
    run: Running, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with attacked(house, people) as it:
            it.app.state.server.limiter.guests_views = spent(1)
            for _ in range(3):
                await asyncio.wait_for(it.guest(), 10)

    run(ask())


class _Asked:
    """A request at the gate, of an app that works on it until it is told to end."""

    def __init__(self, gate_: RequestGate, person: str, status: list[int]) -> None:
        self.scope: dict[str, Any] = {
            "type": "http",
            "path": "/",
            "method": "GET",
            "client": ("10.0.0.1", 1),
            "headers": [(b"x-person", person.encode())],
        }
        self.status = status
        self.task = asyncio.create_task(gate_(self.scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status.append(message["status"])


def recognised(scope: Any) -> Any:
    name = scope["headers"][0][1].decode()
    return Client("", "10.0.0.1", name, member=not name.startswith("guest"))


@pytest.mark.parametrize(("kind", "at_work"), [(b"text/plain", 2), (b"text/event-stream", 6)])
def test_guests_at_work_leave_places_for_members(run: Running, kind: bytes, at_work: int) -> None:
    """A quarter of the lines; streams have a quota of their own."""

    async def ask() -> None:
        over, working, status = asyncio.Event(), [0], list[int]()

        async def works(_: Any, __: Any, send: Any) -> None:
            working[0] += 1
            headers = [(b"content-type", kind)]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await over.wait()

        made = RequestGate(works, Limiter(RequestLimits(connections_per_address=LINES)), recognised)
        asked = [_Asked(made, f"guest-{number}", status) for number in range(6)]
        while working[0] + status.count(429) < len(asked):
            await asyncio.sleep(0)
        assert (working[0], status.count(429)) == (at_work, 6 - at_work)
        asked += [_Asked(made, "ann", status) for _ in range(3)]
        while working[0] < at_work + 3:
            await asyncio.sleep(0)
        over.set()
        await asyncio.gather(*(one.task for one in asked))
        last = _Asked(made, "guest-1", status)
        await last.task
        assert status[-1] == 200, "the places were given back"

    run(ask())
