"""No guest can stop the server: the work a flood causes is counted, and others are answered.

The full flood, with times and memory, is `python -m benchmarks.flood`.
"""

from __future__ import annotations

import asyncio
import time

import pytest
from benchmarks.flood import KINDS
from tests.house.web.attacked_server import Ends, TargetServer, client_frame, open_target
from tests.house.web.conftest import LoopRunner
from tests.house.web.live_server import socket
from websockets.frames import Opcode

from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.settings import RequestLimits
from pitbook.house.table import socket as seat
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.table_session import TableSession, render_view_text
from pitbook.house.web.rate_limits import (
    FRAMES_PER_COMMAND,
    FRAMES_PER_TURN,
    GUEST_VIEW_SHARE,
    Client,
    Limiter,
    TokenBuckets,
)

ANTE = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}
FRAMES = 500


@pytest.fixture
def views_built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The viewers for whom views were built over sockets."""
    viewers: list[str] = []

    def count_view(session: TableSession, language: str) -> str:
        viewers.append(session.viewer.name)
        return render_view_text(session, language)

    monkeypatch.setattr(seat, "render_view_text", count_view)
    return viewers


@pytest.mark.long
def test_floods_of_every_kind_block_nobody(
    run: LoopRunner, house: LiveTables, people: People, views_built: list[str]
) -> None:
    async def flood() -> None:
        async with open_target(house, people) as target:
            cookie, table = await target.guest()
            flooders = [await target.guest() for _ in range(2)]
            honest = cookie.removeprefix(f"{SESSION_COOKIE}=")
            async with socket(target.address, honest, table) as connection:
                await connection.until("view")
                before, begun = len(views_built), time.monotonic()
                ends = [
                    await send_flood(target, credentials, kind)
                    for credentials in flooders
                    for kind in KINDS
                ]
                slow = [await target.line(b"GET / HTTP/1.1\r\nX-Slow: ") for _ in range(50)]
                assert await target.health() == 200
                assert "accepted" in await connection.do(**ANTE)
                assert "accepted" in await connection.do(do="close-betting")
                assert (await connection.look())["phase"] == "play"
                assert await target.health() == 200
            views, spent = len(views_built) - before, time.monotonic() - begun
            for _, writer in (*ends, *slow):
                writer.transport.abort()
        # Each socket gets a first view, and then one for all frames that asked.
        late = 2 * GUEST_VIEW_SHARE * RequestLimits().commands_per_second * spent
        assert views <= len(ends) + 2 * RequestLimits().commands_burst + 5 + late

    run(flood())


async def send_flood(target: TargetServer, credentials: tuple[str, str], kind: str) -> Ends:
    ends = await target.socket(*credentials)
    ends[1].write(b"".join(KINDS[kind](FRAMES if "largest" not in kind else 20)))
    return ends


@pytest.mark.long
def test_frames_are_read_at_the_rate_limit(
    run: LoopRunner, house: LiveTables, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2,000 frames of one guest (38 kB) once froze every table for 20 s."""
    monkeypatch.setattr(seat, "FLOOD_SECONDS", 0.2)

    async def flood() -> tuple[int, float]:
        async with open_target(house, people) as target:
            reader, writer = await target.socket(*await target.guest())
            begun = time.monotonic()
            writer.write(client_frame({"ping": 1}) * 2_000)
            closing = b"Too many frames for too long"
            response = await asyncio.wait_for(reader.readuntil(closing), 60)
            spent = time.monotonic() - begun
            writer.transport.abort()
            return response.count(b'"pong"'), spent

    limits, (pongs, spent) = RequestLimits(), run(flood())
    burst = FRAMES_PER_COMMAND * limits.commands_burst
    late = FRAMES_PER_COMMAND * limits.commands_per_second * spent
    assert burst <= pongs <= burst + late + 3


def test_views_are_built_once_for_many_requests_and_not_for_slow_sockets(
    run: LoopRunner, house: LiveTables, people: People, views_built: list[str]
) -> None:
    async def flood() -> None:
        async with open_target(house, people) as target:
            reader, writer = await target.socket(*await target.guest())
            writer.write(client_frame({"view": True}) * 80 + client_frame({"ping": 7}))
            await reader.readuntil(b'{"pong":7}')
            assert 2 <= len(views_built) <= 2 + 80 / FRAMES_PER_TURN, "eighty were asked for"
            writer.transport.abort()

    run(flood())


@pytest.mark.long
def test_control_frames_are_rate_limited(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def flood() -> None:
        async with open_target(house, people) as target:
            reader, writer = await target.socket(*await target.guest())
            writer.write(client_frame(b"", Opcode.PING) * 40_000)  # 240 kB in one piece.
            answered = b""
            while len(answered) < 100_000 and await target.health() == 200:
                try:
                    answered += await asyncio.wait_for(reader.read(2**16), 0.2)
                except TimeoutError:
                    break
            assert answered.count(b"\x8a\x00") < 2_000, "of 40,000 pings"
            writer.transport.abort()

    run(flood())


def test_budgets_suffice_for_two_hundred_phones() -> None:
    """At default settings, every phone opens the page and a table, views it and plays."""
    limiter, phones = Limiter(RequestLimits(), clock=lambda: 0.0), 200
    for number in range(phones):
        phone = Client(f"line 10.0.0.1 {number}", "10.0.0.1", f"guest-{number}")
        assert not limiter.guests.take(phone.address), number
        assert limiter.guest_tables.take(phone.group, f"table {number}"), number
        assert limiter.acquire_socket(phone, f"socket {number}") is None, number
        assert not any(limiter.requests.take(phone) for _ in range(20)), number
        assert not any(limiter.frames.spend(phone) for _ in range(10)), number
        assert not any(limiter.guests_views.spend(phone) for _ in range(3)), number
    assert limiter.limits.connections_per_address >= 7 * phones


@pytest.mark.slow
def test_two_hundred_phones_play_at_once(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    """Guests with a table and a socket each, all at once, at default settings."""

    async def phone(target: TargetServer) -> None:
        cookie, table = await target.guest()
        async with socket(
            target.address, cookie.removeprefix(f"{SESSION_COOKIE}="), table
        ) as connection:
            await connection.until("view")
            assert "accepted" in await connection.do(**ANTE)
            assert (await connection.look())["wallet"] == "990.00"

    async def hall() -> None:
        async with open_target(house, people) as target:
            await asyncio.gather(*(phone(target) for _ in range(200)))

    run(hall())


def test_a_guest_over_budget_is_refused_and_members_of_the_address_are_not(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with open_target(house, people, requests_per_second=0.1, requests_burst=3) as target:
            sessions = target.app.state.server.sessions
            member = sessions.issue(people.register.people["ann"].person)
            async with target.client() as guest, target.client() as ann:
                guest.cookies.set(SESSION_COOKIE, sessions.guest()[1])
                ann.cookies.set(SESSION_COOKIE, member)
                codes = [(await guest.get("/api/me")).status_code for _ in range(5)]
                assert codes == [200, 200, 200, 429, 429]
                assert (await ann.get("/api/me")).status_code == 200

    run(ask())


def test_a_flood_of_health_is_answered_too(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with open_target(house, people) as target, target.client() as client:
            limiter = target.app.state.server.limiter
            limiter.health = limiter.health_of_one = TokenBuckets(100, 2)
            answers = [await client.get("/api/health") for _ in range(6)]
            assert [answer.status_code for answer in answers] == [200] * 6
            assert {answer.text for answer in answers} == {'{"status":"up"}'}

    run(ask())
