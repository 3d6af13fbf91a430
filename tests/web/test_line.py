"""A heartbeat both ways: either side of a silent line knows of it before a clock speaks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from fastapi import FastAPI
from tests.web.conftest import PASSWORD, Running
from tests.web.live import SHEETS, Json, Socket, serving, socket
from websockets.exceptions import ConnectionClosed

from pitbook import load
from pitbook.money import Cents
from pitbook.table.live import actor, called
from pitbook.table.live.actor import LiveTable
from pitbook.table.seen import subscribers
from pitbook.web.people.people import Person
from pitbook.web.routes import socket as route
from pitbook.web.running.server import Server
from pitbook.web.tables.present import at, seen

SHOWN_SECONDS = 5.0  # A silent line is shown by then.


async def seated(server: Server, *players: str, **clocks: int | None) -> dict[str, str]:
    """A house table "t" with money and a token for each player."""
    for name in players:
        if name not in server.people.register.people:
            server.people.add(name, "player", PASSWORD, actor="test")
        await server.house.cage.buy_in(name, Cents(100_000), actor="test")
    given: Json = {"betting": None, "decision": None, **clocks}
    sheet = load(SHEETS[0])
    rules: Json = {"unit": "usd", "sheet": sheet, "clocks": given, "coach": False}
    await server.house.open_table("t", "house", actor="sue", **rules)
    return {name: server.sessions.issue(Person(name, "player")) for name in players}


async def sits_and_bets(one: Socket, seat: int) -> None:
    assert "accepted" in await one.do(do="sit", seat=seat)
    assert "accepted" in await one.do(do="put-wager", seat=seat, wager="ante", amount="10")


class Line:
    """A socket that answers calls, until it is told to fall silent; what it hears goes on."""

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
                        await self.seat.put({"pong": frame["ping"]})
        except ConnectionClosed as end:
            told = (0, "") if end.rcvd is None else (end.rcvd.code, end.rcvd.reason)
            self.closed.set_result(told)

    async def until(self, done: Callable[[], bool]) -> None:
        while not done():
            await asyncio.sleep(0.005)

    def end(self) -> None:
        self._task.cancel()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same line, many times faster; a busy machine may be late by a third of a second."""
    for module, name, seconds in (
        (route, "PING_SECONDS", 0.05),
        (route, "LOST_SECONDS", 0.6),
        (route, "LATE_SECONDS", 0.2),
        (called, "WAIT_SECONDS", 0.6),
        (subscribers, "AWAY_SECONDS", 0.1),
        (actor, "AWAY_SECONDS", 0.1),
    ):
        monkeypatch.setattr(module, name, seconds)


def test_a_line_is_called_often_enough_to_be_missed_in_time() -> None:
    """One call may be late by as much again, and its silence is still known within 5 s."""
    assert 2 * route.PING_SECONDS <= route.LOST_SECONDS <= SHOWN_SECONDS
    assert called.WAIT_SECONDS >= route.LOST_SECONDS, "before a clock speaks"


def test_who_answers_calls_and_then_falls_silent_is_let_go_and_shown_as_away(
    run: Running, app: FastAPI, server: Server, quick: None
) -> None:
    async def play() -> None:
        tokens = await seated(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as seat:
            await seat.do(do="sit", seat=1)
            assert away(server) == []
            ann = Line(seat)
            await ann.until(lambda: ann.pings >= 3)
            ann.answers = False
            assert await asyncio.wait_for(ann.closed, 5) == route.LOST
            assert away(server) == [1]
            ann.end()

    run(play())


def away(server: Server) -> list[int]:
    """The seats without a line, as anybody is shown them."""
    found: list[int] = seen(at(server, "t", Person("sue", "supervisor")))["presence"]["away"]
    return found


def test_a_client_that_answers_no_calls_is_not_taken_for_lost(
    run: Running, app: FastAPI, server: Server, quick: None
) -> None:
    async def play() -> None:
        tokens = await seated(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as seat:
            ann = Line(seat)
            ann.answers = False
            await ann.until(lambda: ann.pings >= 8)
            assert not ann.closed.done()
            ann.end()

    run(play())


def test_a_line_on_which_much_is_said_is_not_called(
    run: Running, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heartbeats cost nothing where anything else is said, both ways."""
    monkeypatch.setattr(route, "PING_SECONDS", 0.2)

    async def play() -> None:
        tokens = await seated(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            until = time.monotonic() + 0.6
            while time.monotonic() < until:
                await ann.look()
            assert [one for one in ann.frames if "ping" in one] == []

    run(play())


def test_a_house_that_was_held_up_hears_before_it_judges(
    run: Running, app: FastAPI, server: Server, quick: None
) -> None:
    async def play() -> None:
        tokens = await seated(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as seat:
            ann = Line(seat)
            await ann.until(lambda: ann.pings >= 2)
            time.sleep(0.9)  # Nobody's turn comes, on either side.
            before = ann.pings
            await ann.until(lambda: ann.pings >= before + 3)
            assert not ann.closed.done()
            ann.end()

    run(play())


@asynccontextmanager
async def two_at_a_decision(app: FastAPI, server: Server) -> AsyncIterator[tuple[Line, LiveTable]]:
    """Bob has decided, ann has a second to do so, on a line that answers calls."""
    tokens = await seated(server, "ann", "bob", decision=1)
    async with (
        serving(app) as base,
        socket(base, tokens["bob"], "t") as bob,
        socket(base, tokens["ann"], "t") as seat,
    ):
        await sits_and_bets(bob, 2)
        await sits_and_bets(seat, 1)
        ann = Line(seat)
        await ann.until(lambda: ann.pings >= 2)
        await bob.do(do="ready", seat=2)
        await seat.put({"request": "r", "command": {"do": "ready", "seat": 1}})
        table = server.house.tables["t"]
        await ann.until(lambda: bool(table.state.round and table.state.round.waiting))
        await bob.do(do="decide", seat=2, play="1x")
        other = Line(bob)
        yield ann, table
        ann.end()
        other.end()


def plays(table: LiveTable) -> tuple[str, ...]:
    assert table.state.round is not None
    seat = table.state.round.seat(1)
    assert seat is not None
    return seat.plays


def test_no_clock_speaks_for_a_player_whose_silent_line_may_not_have_been_noticed(
    run: Running, app: FastAPI, server: Server, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line dies while the clock runs; when the second is over it waits until that is known."""
    monkeypatch.setattr(route, "LOST_SECONDS", 2.0)
    monkeypatch.setattr(called, "WAIT_SECONDS", 2.0)

    async def play() -> None:
        async with two_at_a_decision(app, server) as (ann, table):
            ann.answers, since = False, time.monotonic()
            await ann.until(lambda: bool(plays(table)))
            assert time.monotonic() - since >= 1.5, "not when the second was over"
            assert plays(table) == ("fold",)

    run(play())


def test_a_clock_speaks_at_once_for_a_player_who_is_there(
    run: Running, app: FastAPI, server: Server, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would wait a minute for a line that is silent; on a slow machine, too, that is longer."""
    monkeypatch.setattr(route, "LOST_SECONDS", 60)
    monkeypatch.setattr(called, "WAIT_SECONDS", 60)

    async def play() -> None:
        async with two_at_a_decision(app, server) as (ann, table):
            since = time.monotonic()
            await ann.until(lambda: bool(plays(table)))
            assert time.monotonic() - since < 30
            assert not ann.closed.done()

    run(play())


def test_nobody_waits_for_the_word_of_a_player_who_is_gone(
    run: Running, app: FastAPI, server: Server, quick: None
) -> None:
    async def play() -> None:
        tokens = await seated(server, "ann", "bob")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await sits_and_bets(ann, 1)
            async with socket(base, tokens["bob"], "t") as bob:
                await sits_and_bets(bob, 2)
                assert "accepted" in await ann.do(do="ready", seat=1)
                await bob.look()
                assert (await ann.look())["phase"] == "wagers"
            while (await ann.look())["phase"] == "wagers":
                await asyncio.sleep(0.02)

    run(asyncio.wait_for(play(), 20))
