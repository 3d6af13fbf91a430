"""A heartbeat both ways: either side of a silent line knows of it before a clock speaks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from tests.house.web.conftest import PASSWORD, Running
from tests.house.web.live import SHEETS, Json, Socket, serving, socket
from websockets.exceptions import ConnectionClosed

from pitbook import load
from pitbook.house.people.register import Person
from pitbook.house.table import actor
from pitbook.house.table import actor as called
from pitbook.house.table import socket as outbox
from pitbook.house.table import socket as route
from pitbook.house.table import watchers as subscribers
from pitbook.house.table.session import render_view, resolve_seat
from pitbook.house.table.watchers import Watcher
from pitbook.house.web.server import Server
from pitbook.money import Cents

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
    """The same line, called many times faster; who wants a silence to be noticed says when."""
    for module, name, seconds in (
        (route, "PING_SECONDS", 0.05),
        (route, "LOST_SECONDS", 60),
        (called, "WAIT_SECONDS", 60),
        (subscribers, "AWAY_SECONDS", 0.1),
        (actor, "AWAY_SECONDS", 0.1),
    ):
        monkeypatch.setattr(module, name, seconds)


def test_a_line_is_called_often_enough_to_be_missed_in_time() -> None:
    """One call may be late by as much again, and its silence is still known within 5 s."""
    assert 2 * route.PING_SECONDS <= route.LOST_SECONDS <= SHOWN_SECONDS
    assert called.WAIT_SECONDS >= route.LOST_SECONDS, "before a clock speaks"


@pytest.mark.long
def test_who_answers_calls_and_then_falls_silent_is_let_go_and_shown_as_away(
    run: Running, app: FastAPI, server: Server, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        tokens = await seated(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as seat:
            await seat.do(do="sit", seat=1)
            assert away(server) == []
            ann = Line(seat)
            await ann.until(lambda: ann.pings >= 3 and answers(server, "ann"))
            assert not ann.closed.done()
            ann.answers = False
            monkeypatch.setattr(route, "LOST_SECONDS", 0.3)
            assert await asyncio.wait_for(ann.closed, 60) == route.LOST
            assert away(server) == [1]
            ann.end()

    run(play())


def answers(server: Server, player: str) -> bool:
    """Whether the house has heard an answer to a call of its own."""
    return any(one.answers for one in lines_of(server, player))


def lines_of(server: Server, player: str) -> list[Watcher]:
    """The lines of a player at the table, as the house has them."""
    watchers = server.house.tables["t"].subscribers._all
    return [one for one in watchers if one.viewer.name == player]


def away(server: Server) -> list[int]:
    """The seats without a line, as anybody is shown them."""
    found: list[int] = render_view(resolve_seat(server, "t", Person("sue", "supervisor")))[
        "presence"
    ]["away"]
    return found


@pytest.mark.long
def test_a_client_that_answers_no_calls_is_not_taken_for_lost(
    run: Running, app: FastAPI, server: Server, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "LOST_SECONDS", 0.3)

    async def play() -> None:
        tokens = await seated(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as seat:
            ann = Line(seat)
            ann.answers = False
            await ann.until(lambda: ann.pings >= 8 or ann.closed.done())
            assert not ann.closed.done()
            ann.end()

    run(play())


@pytest.mark.long
def test_a_line_on_which_much_is_said_is_not_called(
    run: Running, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heartbeats cost nothing where anything else is said, both ways."""
    monkeypatch.setattr(route, "PING_SECONDS", 0.2)

    async def play() -> None:
        tokens, said = await seated(server, "ann"), [time.monotonic()]
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            while len(said) < 2 or said[-1] < said[1] + 0.6:
                before = len(ann.frames)
                await ann.look()
                said.append(time.monotonic())
                called = any("ping" in one for one in ann.frames[before:])
                assert not called or said[-1] - said[-3:][0] >= 0.2, "nobody was late"

    run(play())


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds in which nobody's turn came, on either side."""
    seconds = [0.0]
    hand = SimpleNamespace(monotonic=lambda: time.monotonic() + seconds[0])
    for module in (route, outbox):
        monkeypatch.setattr(module, "time", hand)
    return seconds


@pytest.mark.long
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("answering", [True, False])
def test_a_house_that_was_held_up_hears_before_it_judges(
    run: Running, app: FastAPI, server: Server, asleep: list[float], answering: bool
) -> None:
    """Nobody is lost for it, and silence is no answer to the call before a clock speaks."""

    async def play() -> None:
        tokens = await seated(server, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as seat:
            ann = Line(seat)
            await ann.until(lambda: answers(server, "ann"))
            ann.answers, before = answering, ann.pings
            await ann.until(lambda: ann.pings >= before + 2)  # What was said before is heard.
            asleep[0], before = 2.0 * route.LOST_SECONDS, ann.pings
            since = time.monotonic() + asleep[0]
            await ann.until(lambda: ann.pings >= before + 3 or ann.closed.done())
            assert not ann.closed.done()
            watched = server.house.tables["t"].subscribers
            assert watched.silent({"ann"}, since) is not answering
            ann.end()

    run(play())


@asynccontextmanager
async def two_at_a_decision(app: FastAPI, server: Server) -> AsyncIterator[Line]:
    """Bob is ready; when ann is, both have a second to decide, on lines that answer calls."""
    tokens = await seated(server, "ann", "bob", decision=1)
    async with (
        serving(app) as base,
        socket(base, tokens["bob"], "t") as bob,
        socket(base, tokens["ann"], "t") as seat,
    ):
        await sits_and_bets(bob, 2)
        await sits_and_bets(seat, 1)
        ann = Line(seat)
        await ann.until(lambda: answers(server, "ann"))
        await bob.do(do="ready", seat=2)
        other = Line(bob)
        yield ann
        ann.end()
        other.end()


async def dealt(server: Server, ann: Line) -> list[str]:
    """Ann's word that she is ready is the last that all wait for; the plays that come of it."""
    await ann.seat.put({"request": "r", "command": {"do": "ready", "seat": 1}})
    await ann.until(lambda: bool(plays(server)))
    return plays(server)


def plays(server: Server) -> list[str]:
    """What ann did, or a clock for her, as it is on record."""
    told = (fact for entry in server.house.ledger.entries("table/t") for fact in entry.facts)
    acted = [fact["action"] for fact in told if fact["fact"] == "acted"]
    return [one["do"] for one in acted if one["do"] in ("decide", "absent") and one["seat"] == 1]


@pytest.mark.long
def test_no_clock_speaks_for_a_player_whose_silent_line_may_not_have_been_noticed(
    run: Running, app: FastAPI, server: Server, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line dies as the clock begins; when the second is over it waits until that is known."""

    async def play() -> None:
        async with two_at_a_decision(app, server) as ann:
            ann.answers, since = False, time.monotonic()
            monkeypatch.setattr(route, "LOST_SECONDS", 2.0)
            assert await dealt(server, ann) == ["absent"]
            assert time.monotonic() - since >= 2.0, "not when the second was over"

    run(play())


@pytest.mark.long
def test_a_clock_speaks_at_once_for_a_player_who_is_there(
    run: Running, app: FastAPI, server: Server, quick: None
) -> None:
    """It would wait a minute for a line that is silent; on a slow machine, too, that is longer."""

    async def play() -> None:
        async with two_at_a_decision(app, server) as ann:
            since = time.monotonic()
            assert await dealt(server, ann) == ["absent"]
            assert time.monotonic() - since < 30
            assert not ann.closed.done()

    run(play())


@pytest.mark.long
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

    run(asyncio.wait_for(play(), 60))
