"""Heartbeats in both directions: silence is noticed before a clock acts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from tests.house.web.conftest import PASSWORD, LoopRunner
from tests.house.web.live_server import SHEETS, Json, Socket, serving, socket
from websockets.exceptions import ConnectionClosed

from pitbook import load
from pitbook.house.people.account_register import Person
from pitbook.house.table import actor
from pitbook.house.table import actor as called
from pitbook.house.table import socket as outbox
from pitbook.house.table import socket as route
from pitbook.house.table import watchers as subscribers
from pitbook.house.table.table_session import render_view, resolve_seat
from pitbook.house.table.watchers import Watcher
from pitbook.house.web.server import Server
from pitbook.money import Cents

SHOWN_SECONDS = 5.0  # By then, silence is shown.


async def open_table_for(server: Server, *players: str, **clocks: int | None) -> dict[str, str]:
    """A house table "t" with money and a token for each player."""
    for name in players:
        if name not in server.people.register.people:
            server.people.add(name, "player", PASSWORD, actor="test")
        await server.house.cage.buy_in(name, Cents(100_000), actor="test")
    clock_settings: Json = {"betting": None, "decision": None, **clocks}
    sheet = load(SHEETS[0])
    rules: Json = {"unit": "usd", "sheet": sheet, "clocks": clock_settings, "coach": False}
    await server.house.open_table("t", "house", actor="sue", **rules)
    return {name: server.sessions.issue(Person(name, "player")) for name in players}


async def sits_and_bets(socket: Socket, seat: int) -> None:
    assert "accepted" in await socket.do(do="sit", seat=seat)
    assert "accepted" in await socket.do(do="put-wager", seat=seat, wager="ante", amount="10")


class PongingSocket:
    """A socket that answers pings until told to stop; it keeps reading."""

    def __init__(self, seat: Socket) -> None:
        self.seat, self.pings, self.answers = seat, 0, True
        self._task = asyncio.create_task(self._listen())
        self.closed: asyncio.Future[tuple[int, str]]
        self.closed = asyncio.get_running_loop().create_future()

    async def _listen(self) -> None:
        try:
            while True:
                frame = await self.seat.next()
                if "ping" in frame:
                    self.pings += 1
                    if self.answers:
                        await self.seat.send({"pong": frame["ping"]})
        except ConnectionClosed as end:
            close_reason = (0, "") if end.rcvd is None else (end.rcvd.code, end.rcvd.reason)
            self.closed.set_result(close_reason)

    async def until(self, done: Callable[[], bool]) -> None:
        while not done():
            await asyncio.sleep(0.005)

    def end(self) -> None:
        self._task.cancel()


@pytest.fixture
def fast_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same heartbeat, many times faster; tests set the silence limit themselves."""
    for module, name, seconds in (
        (route, "PING_SECONDS", 0.05),
        (route, "LOST_SECONDS", 60),
        (called, "WAIT_SECONDS", 60),
        (subscribers, "AWAY_SECONDS", 0.1),
        (actor, "AWAY_SECONDS", 0.1),
    ):
        monkeypatch.setattr(module, name, seconds)


def test_ping_interval_notices_a_silent_connection_in_time() -> None:
    """One ping may be late by its interval, and silence is still known within 5 s."""
    assert 2 * route.PING_SECONDS <= route.LOST_SECONDS <= SHOWN_SECONDS
    assert called.WAIT_SECONDS >= route.LOST_SECONDS, "before a clock speaks"


@pytest.mark.long
def test_silent_socket_is_closed_and_shown_as_away(
    run: LoopRunner, app: FastAPI, server: Server, fast_pings: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        tokens = await open_table_for(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as seat:
            await seat.do(do="sit", seat=1)
            assert away_seats_shown(server) == []
            ann = PongingSocket(seat)
            await ann.until(lambda: ann.pings >= 3 and has_ponged(server, "ann"))
            assert not ann.closed.done()
            ann.answers = False
            monkeypatch.setattr(route, "LOST_SECONDS", 0.3)
            assert await asyncio.wait_for(ann.closed, 60) == route.LOST
            assert away_seats_shown(server) == [1]
            ann.end()

    run(play())


def has_ponged(server: Server, player: str) -> bool:
    """Whether the server has received a pong."""
    return any(watcher.answers_pings for watcher in watchers_of(server, player))


def watchers_of(server: Server, player: str) -> list[Watcher]:
    """The server's watchers for a player at the table."""
    watchers = server.house.tables["t"].subscribers._watchers
    return [watcher for watcher in watchers if watcher.viewer.name == player]


def away_seats_shown(server: Server) -> list[int]:
    """The seats without a connection, as shown to everyone."""
    away_seats: list[int] = render_view(resolve_seat(server, "t", Person("sue", "supervisor")))[
        "presence"
    ]["away"]
    return away_seats


@pytest.mark.long
def test_client_that_never_pongs_is_not_lost(
    run: LoopRunner, app: FastAPI, server: Server, fast_pings: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "LOST_SECONDS", 0.3)

    async def play() -> None:
        tokens = await open_table_for(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as seat:
            ann = PongingSocket(seat)
            ann.answers = False
            await ann.until(lambda: ann.pings >= 8 or ann.closed.done())
            assert not ann.closed.done()
            ann.end()

    run(play())


@pytest.mark.long
def test_busy_connection_is_not_pinged(
    run: LoopRunner, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No pings are needed while other frames are sent both ways."""
    monkeypatch.setattr(route, "PING_SECONDS", 0.2)

    async def play() -> None:
        tokens, send_times = await open_table_for(server, "ann"), [time.monotonic()]
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            while len(send_times) < 2 or send_times[-1] < send_times[1] + 0.6:
                before = len(ann.frames)
                await ann.look()
                send_times.append(time.monotonic())
                called = any("ping" in frame for frame in ann.frames[before:])
                assert not called or send_times[-1] - send_times[-3:][0] >= 0.2, "nobody was late"

    run(play())


@pytest.fixture
def process_pause(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds in which neither side gets a turn."""
    seconds = [0.0]
    hand = SimpleNamespace(monotonic=lambda: time.monotonic() + seconds[0])
    for module in (route, outbox):
        monkeypatch.setattr(module, "time", hand)
    return seconds


@pytest.mark.long
@pytest.mark.usefixtures("fast_pings")
@pytest.mark.parametrize("answering", [True, False])
def test_delayed_server_reads_frames_before_judging_silence(
    run: LoopRunner, app: FastAPI, server: Server, process_pause: list[float], answering: bool
) -> None:
    """No player is disconnected, and silence does not answer the ping before a clock acts."""

    async def play() -> None:
        tokens = await open_table_for(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as seat:
            ann = PongingSocket(seat)
            await ann.until(lambda: has_ponged(server, "ann"))
            ann.answers, before = answering, ann.pings
            await ann.until(lambda: ann.pings >= before + 2)  # Earlier frames are read.
            process_pause[0], before = 2.0 * route.LOST_SECONDS, ann.pings
            since = time.monotonic() + process_pause[0]
            await ann.until(lambda: ann.pings >= before + 3 or ann.closed.done())
            assert not ann.closed.done()
            watched = server.house.tables["t"].subscribers
            assert watched.has_silent({"ann"}, since) is not answering
            ann.end()

    run(play())


@asynccontextmanager
async def two_players_deciding(app: FastAPI, server: Server) -> AsyncIterator[PongingSocket]:
    """Bob is ready; once ann is, both have a second to decide, with sockets that answer pings."""
    tokens = await open_table_for(server, "ann", "bob", decision=1)
    async with (
        serving(app) as base,
        socket(base, tokens["bob"], "t") as bob,
        socket(base, tokens["ann"], "t") as seat,
    ):
        await sits_and_bets(bob, 2)
        await sits_and_bets(seat, 1)
        ann = PongingSocket(seat)
        await ann.until(lambda: has_ponged(server, "ann"))
        await bob.do(do="ready", seat=2)
        other = PongingSocket(bob)
        yield ann
        ann.end()
        other.end()


async def deal_and_wait(server: Server, ann: PongingSocket) -> list[str]:
    """Ann is ready, the last to be waited for; returns the recorded plays."""
    await ann.seat.send({"request": "r", "command": {"do": "ready", "seat": 1}})
    await ann.until(lambda: bool(recorded_plays(server)))
    return recorded_plays(server)


def recorded_plays(server: Server) -> list[str]:
    """The recorded plays of ann, or of a clock for her."""
    facts = (fact for entry in server.house.ledger.entries("table/t") for fact in entry.facts)
    acted = [fact["action"] for fact in facts if fact["fact"] == "acted"]
    return [
        action["do"]
        for action in acted
        if action["do"] in ("decide", "absent") and action["seat"] == 1
    ]


@pytest.mark.long
def test_clock_waits_until_silence_of_a_connection_is_known(
    run: LoopRunner, app: FastAPI, server: Server, fast_pings: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection dies as the clock starts; after its second, the clock waits until that is
    known.
    """

    async def play() -> None:
        async with two_players_deciding(app, server) as ann:
            ann.answers, since = False, time.monotonic()
            monkeypatch.setattr(route, "LOST_SECONDS", 2.0)
            assert await deal_and_wait(server, ann) == ["absent"]
            assert time.monotonic() - since >= 2.0, "not when the second was over"

    run(play())


@pytest.mark.long
def test_clock_acts_at_once_for_a_connected_player(
    run: LoopRunner, app: FastAPI, server: Server, fast_pings: None
) -> None:
    """It would wait a minute for a silent connection, more than a slow machine takes."""

    async def play() -> None:
        async with two_players_deciding(app, server) as ann:
            since = time.monotonic()
            assert await deal_and_wait(server, ann) == ["absent"]
            assert time.monotonic() - since < 30
            assert not ann.closed.done()

    run(play())


@pytest.mark.long
def test_ready_does_not_wait_for_a_disconnected_player(
    run: LoopRunner, app: FastAPI, server: Server, fast_pings: None
) -> None:
    async def play() -> None:
        tokens = await open_table_for(server, "ann", "bob")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await sits_and_bets(ann, 1)
            async with socket(base, tokens["bob"], "t") as bob:
                await sits_and_bets(bob, 2)
                assert "accepted" in await ann.do(do="ready", seat=1)
                await bob.look()
                assert (await ann.look())["phase"] == "wagers"
            while (await ann.look())["phase"] == "wagers":
                await asyncio.sleep(0.02)

    run(asyncio.wait_for(play(), 60))
