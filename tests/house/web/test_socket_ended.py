"""Invalid frames over a socket, and why the server closes one."""

from __future__ import annotations

import asyncio
import json

import pytest
from fastapi import FastAPI
from tests.house.web.conftest import LoopRunner
from tests.house.web.live_server import Json, serving, socket
from tests.house.web.seated_players import STUD, assert_refused, table_for, wait_closed

from pitbook.house.people.accounts import People
from pitbook.house.table import socket as outbox
from pitbook.house.table import socket as route
from pitbook.house.table import watchers
from pitbook.house.web.server import Server

GARBAGE = (
    "",
    "{",
    "[]",
    "7",
    "null",
    '{"ping": "1"}',
    '{"ping": 1.5}',
    '{"ping": 1e99}',
    '{"ping": true}',
    '{"ping": NaN}',
    '{"pong": -Infinity}',
    '{"view": 1}',
    '{"view": false}',
    '{"command": {"do": "sit", "seat": 1}}',
    '{"request": 7, "command": {"do": "sit", "seat": 1}}',
    '{"request": "", "command": {"do": "sit", "seat": 1}}',
    '{"request": "\\ud800", "command": {"do": "sit", "seat": 1}}',
    '{"request": "a\\nb", "command": {"do": "sit", "seat": 1}}',
    '{"request": "a", "command": []}',
    '{"request": "a", "request": "b", "command": {"do": "sit", "seat": 1}}',
    '{"request": "a", "command": {"do": "sit", "seat": 1}, "more": 1}',
    "[" * 200 + "]" * 200,
    b"\x00\x01",
    '{"ping": ' + "9" * 5_000 + "}",
)


INVALID_COMMANDS: tuple[Json, ...] = (
    {},
    {"do": "fly"},
    {"do": ["sit"]},
    {"do": "sit"},
    {"do": "sit", "seat": "1"},
    {"do": "sit", "seat": True},
    {"do": "sit", "seat": 10**9},
    {"do": "sit", "seat": 1, "more": 1},
    {"do": "put-wager", "seat": 1, "wager": "ante", "amount": 10},
    {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "-10"},
    {"do": "seat-seed", "seat": 1, "text": "\ud800"},
    {"do": "change-sheet", "sheet": "../../etc/passwd"},
    {"do": "change-sheet", "sheet": "no/such"},
    {"do": "advice-shown", "seat": 1, "text": "bet the house"},
)


FORBIDDEN_COMMANDS: tuple[Json, ...] = (
    {"do": "tick"},
    {"do": "fill", "amount": "5"},
    {"do": "undo", "seat": 2},
)


def test_invalid_frames_are_answered_and_change_nothing(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        before = server.house.ledger.streams()
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.until("view")
            for number, frame in enumerate(GARBAGE):
                await ann.send(frame)
                answer_frame = await ann.next_without_ping()
                error = answer_frame.get("error") or answer_frame["answer"]["error"]
                assert isinstance(error, str), frame
                assert error, frame
                await ann.send({"ping": number})
                assert await ann.next_without_ping() == {"pong": number}
            for command in INVALID_COMMANDS:
                answer = await ann.do(None, **command) if "do" in command else None
                if answer is not None:
                    assert {*answer} <= {"error", "key", "fields", "retry_after"}, (command, answer)
                    assert answer["error"]
            for command in FORBIDDEN_COMMANDS:
                assert (await ann.do(None, **command))["refused"]["code"] == "forbidden"
        assert server.house.ledger.streams() == before

    run(play())


def test_socket_that_sends_only_garbage_is_closed(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                for _ in range(route.GARBAGE_MAX):
                    await ann.send("{")
                assert await wait_closed(ann) == route.GARBAGE
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.send(json.dumps({"request": "x" * 20_000}))
                assert await wait_closed(ann) == route.TOO_LARGE

    run(play())


def test_ended_session_closes_its_socket(
    run: LoopRunner, app: FastAPI, server: Server, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "PING_SECONDS", 0.05)
    monkeypatch.setattr(route, "BEAT_SECONDS", 0.01)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                assert await ann.until("ping") == 1
                people.disable("ann", actor="sue")
                assert await wait_closed(ann) == route.SIGNED_OUT
            people.enable("ann", actor="sue")

    run(play())


def test_idle_socket_is_closed(
    run: LoopRunner, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "IDLE_SECONDS", 0.05)
    monkeypatch.setattr(route, "BEAT_SECONDS", 0.01)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            assert await wait_closed(ann) == route.IDLE

    run(play())


@pytest.mark.parametrize("views", [False, True])
def test_slow_reader_is_closed(
    run: LoopRunner, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch, *, views: bool
) -> None:
    monkeypatch.setattr(outbox, "FRAMES_MAX", 2)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t", views=views) as ann:
            await ann.until("view")
            table = server.house.tables["t"]
            (watcher,) = table.subscribers._watchers
            for event in (watchers.EventBatch(table.subscribers.events_since(1) or []),) * 4:
                watcher.send_events(event)  # All at once, so none can have been read.
            assert await wait_closed(ann) == route.SLOW

    run(play())


def test_closed_table_closes_its_sockets(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.until("view")
            await server.house.tables["t"].close()
            assert await wait_closed(ann) == route.ENDED

    run(play())


def test_sockets_per_address_are_limited(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        server.limiter.sockets.per_key_max = 1
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t"):
                await assert_refused(429, base, tokens["ann"], "t")
            while server.limiter.sockets._owners:  # The server notices the end a moment later.
                await asyncio.sleep(0)
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.until("view")

    run(play())


def test_too_many_commands_must_wait(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        server.limiter.commands.burst = 2
        server.limiter.commands.rate = 0.001
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.do(do="sit", seat=1)
            await ann.do(do="leave", seat=1)
            answer = await ann.do(do="sit", seat=1)
            assert answer["error"].startswith("Too many actions")
            assert answer["retry_after"] > 100
        assert not server.house.tables["t"].state.seats

    run(play())
