"""No guest can stop the house: what a flood makes the house do is counted, and others are answered.

The whole flood, with times and memory, is `python -m benchmarks.flood`.
"""

from __future__ import annotations

import asyncio
import time

import pytest
from benchmarks.flood import KINDS
from tests.house.web.attacked import Attacked, Ends, attacked, frame
from tests.house.web.conftest import Running
from tests.house.web.live import socket
from websockets.frames import Opcode

from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import socket as seat
from pitbook.house.table.session import TableSession, render_view
from pitbook.house.table.tables import LiveTables
from pitbook.house.table.view_types import View
from pitbook.house.web.rate_limits import (
    FRAMES_PER_COMMAND,
    FRAMES_PER_TURN,
    GUEST_VIEW_SHARE,
    Client,
    Limiter,
    TokenBuckets,
)
from pitbook.house.web.settings import RequestLimits

ANTE = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}
FRAMES = 500


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """For whom views were built over sockets."""
    found: list[str] = []

    def counted(place: TableSession) -> View:
        found.append(place.viewer.name)
        return render_view(place)

    monkeypatch.setattr(seat, "render_view", counted)
    return found


@pytest.mark.long
def test_a_flood_of_every_kind_stops_nobody(
    run: Running, house: LiveTables, people: People, built: list[str]
) -> None:
    async def flood() -> None:
        async with attacked(house, people) as it:
            cookie, table = await it.guest()
            flooders = [await it.guest() for _ in range(2)]
            honest = cookie.removeprefix(f"{SESSION_COOKIE}=")
            async with socket(it.address, honest, table) as line:
                await line.until("view")
                before, begun = len(built), time.monotonic()
                ends = [await flooded(it, who, kind) for who in flooders for kind in KINDS]
                slow = [await it.line(b"GET / HTTP/1.1\r\nX-Slow: ") for _ in range(50)]
                assert await it.health() == 200
                assert "accepted" in await line.do(**ANTE)
                assert "accepted" in await line.do(do="close-betting")
                assert (await line.look())["phase"] == "play"
                assert await it.health() == 200
            views, spent = len(built) - before, time.monotonic() - begun
            for _, writer in (*ends, *slow):
                writer.transport.abort()
        # Each socket a first view, and then one for however many frames asked for it.
        late = 2 * GUEST_VIEW_SHARE * RequestLimits().commands_per_second * spent
        assert views <= len(ends) + 2 * RequestLimits().commands_burst + 5 + late

    run(flood())


async def flooded(it: Attacked, who: tuple[str, str], kind: str) -> Ends:
    ends = await it.socket(*who)
    ends[1].write(b"".join(KINDS[kind](FRAMES if "largest" not in kind else 20)))
    return ends


@pytest.mark.long
def test_frames_are_read_as_fast_as_anybody_may_send_and_no_faster(
    run: Running, house: LiveTables, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2,000 frames of one guest (38 kB) asked for a view each, and froze every table for 20 s."""
    monkeypatch.setattr(seat, "FLOOD_SECONDS", 0.2)

    async def flood() -> tuple[int, float]:
        async with attacked(house, people) as it:
            reader, writer = await it.socket(*await it.guest())
            begun = time.monotonic()
            writer.write(frame({"ping": 1}) * 2_000)
            closing = b"too many frames for too long"
            said = await asyncio.wait_for(reader.readuntil(closing), 60)
            spent = time.monotonic() - begun
            writer.transport.abort()
            return said.count(b'"pong"'), spent

    limits, (pongs, spent) = RequestLimits(), run(flood())
    burst = FRAMES_PER_COMMAND * limits.commands_burst
    late = FRAMES_PER_COMMAND * limits.commands_per_second * spent
    assert burst <= pongs <= burst + late + 3


def test_views_are_built_once_for_all_who_asked_and_not_for_a_slow_socket(
    run: Running, house: LiveTables, people: People, built: list[str]
) -> None:
    async def flood() -> None:
        async with attacked(house, people) as it:
            reader, writer = await it.socket(*await it.guest())
            writer.write(frame({"view": True}) * 80 + frame({"ping": 7}))
            await reader.readuntil(b'{"pong":7}')
            assert 2 <= len(built) <= 2 + 80 / FRAMES_PER_TURN, "eighty were asked for"
            writer.transport.abort()

    run(flood())


@pytest.mark.long
def test_signs_of_life_of_the_socket_itself_have_a_budget_too(
    run: Running, house: LiveTables, people: People
) -> None:
    async def flood() -> None:
        async with attacked(house, people) as it:
            reader, writer = await it.socket(*await it.guest())
            writer.write(frame(b"", Opcode.PING) * 40_000)  # 240 kB in one piece.
            answered = b""
            while len(answered) < 100_000 and await it.health() == 200:
                try:
                    answered += await asyncio.wait_for(reader.read(2**16), 0.2)
                except TimeoutError:
                    break
            assert answered.count(b"\x8a\x00") < 2_000, "of 40,000 pings"
            writer.transport.abort()

    run(flood())


def test_a_hall_of_two_hundred_phones_has_budgets_enough() -> None:
    """At default settings: every phone opens the page and a table, looks at it and plays."""
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
def test_a_hall_of_two_hundred_phones_plays_on(
    run: Running, house: LiveTables, people: People
) -> None:
    """Each a guest of its own with a table and a socket, all at once, at default settings."""

    async def phone(it: Attacked) -> None:
        cookie, table = await it.guest()
        async with socket(it.address, cookie.removeprefix(f"{SESSION_COOKIE}="), table) as line:
            await line.until("view")
            assert "accepted" in await line.do(**ANTE)
            assert (await line.look())["wallet"] == "990.00"

    async def hall() -> None:
        async with attacked(house, people) as it:
            await asyncio.gather(*(phone(it) for _ in range(200)))

    run(hall())


def test_a_guest_over_budget_is_refused_and_members_of_the_address_are_not(
    run: Running, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with attacked(house, people, requests_per_second=0.1, requests_burst=3) as it:
            sessions = it.app.state.server.sessions
            member = sessions.issue(people.register.people["ann"].person)
            async with it.client() as guest, it.client() as ann:
                guest.cookies.set(SESSION_COOKIE, sessions.guest()[1])
                ann.cookies.set(SESSION_COOKIE, member)
                codes = [(await guest.get("/api/me")).status_code for _ in range(5)]
                assert codes == [200, 200, 200, 429, 429]
                assert (await ann.get("/api/me")).status_code == 200

    run(ask())


def test_a_flood_of_health_is_answered_too(run: Running, house: LiveTables, people: People) -> None:
    async def ask() -> None:
        async with attacked(house, people) as it, it.client() as client:
            limiter = it.app.state.server.limiter
            limiter.health = limiter.health_of_one = TokenBuckets(100, 2)
            answers = [await client.get("/api/health") for _ in range(6)]
            assert [one.status_code for one in answers] == [200] * 6
            assert {one.text for one in answers} == {'{"status":"up"}'}

    run(ask())
