"""What makes no sense over a socket, and why the house closes one."""

from __future__ import annotations

import asyncio
import json

import pytest
from fastapi import FastAPI
from tests.house.web.conftest import Running
from tests.house.web.live import Json, serving, socket
from tests.house.web.sat_down import STUD, closed, refused_with, table_for

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


NO_COMMANDS: tuple[Json, ...] = (
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


NOT_THEIRS: tuple[Json, ...] = (
    {"do": "tick"},
    {"do": "fill", "amount": "5"},
    {"do": "undo", "seat": 2},
)


def test_what_makes_no_sense_is_answered_and_leaves_no_trace(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        before = server.house.ledger.streams()
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.until("view")
            for number, frame in enumerate(GARBAGE):
                await ann.put(frame)
                told = await ann.told()
                error = told.get("error") or told["answer"]["error"]
                assert isinstance(error, str), frame
                assert error, frame
                await ann.put({"ping": number})
                assert await ann.told() == {"pong": number}
            for command in NO_COMMANDS:
                answer = await ann.do(None, **command) if "do" in command else None
                if answer is not None:
                    assert {*answer} <= {"error", "key", "fields", "retry_after"}, (command, answer)
                    assert answer["error"]
            for command in NOT_THEIRS:
                assert (await ann.do(None, **command))["refused"]["code"] == "forbidden"
        assert server.house.ledger.streams() == before

    run(play())


def test_who_sends_nothing_but_garbage_is_shown_out(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                for _ in range(route.GARBAGE_MAX):
                    await ann.put("{")
                assert await closed(ann) == route.GARBAGE
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.put(json.dumps({"request": "x" * 20_000}))
                assert await closed(ann) == route.TOO_LARGE

    run(play())


def test_a_sign_in_that_ends_ends_its_socket(
    run: Running, app: FastAPI, server: Server, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "PING_SECONDS", 0.05)
    monkeypatch.setattr(route, "BEAT_SECONDS", 0.01)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                assert await ann.until("ping") == 1
                people.disable("ann", actor="sue")
                assert await closed(ann) == route.SIGNED_OUT
            people.enable("ann", actor="sue")

    run(play())


def test_who_says_nothing_for_long_is_let_go(
    run: Running, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "IDLE_SECONDS", 0.05)
    monkeypatch.setattr(route, "BEAT_SECONDS", 0.01)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            assert await closed(ann) == route.IDLE

    run(play())


def test_who_does_not_read_is_let_go_and_told_to_come_back(
    run: Running, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "FRAMES_MAX", 2)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.until("view")
            table = server.house.tables["t"]
            (watcher,) = table.subscribers._all
            for event in (watchers.EventBatch(table.subscribers.since(1) or []),) * 4:
                watcher.tell(event)  # All at once: nobody can have read them.
            assert await closed(ann) == route.SLOW

    run(play())


def test_a_table_that_is_taken_away_says_so(run: Running, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.until("view")
            await server.house.tables["t"].close()
            assert await closed(ann) == route.ENDED

    run(play())


def test_so_many_sockets_and_no_more(run: Running, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        server.limiter.sockets.most = 1
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t"):
                await refused_with(429, base, tokens["ann"], "t")
            while server.limiter.sockets._owners:  # The house hears of the end a moment later.
                await asyncio.sleep(0)
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.until("view")

    run(play())


def test_too_many_commands_are_told_to_wait(run: Running, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        server.limiter.commands.burst = 2
        server.limiter.commands.rate = 0.001
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.do(do="sit", seat=1)
            await ann.do(do="leave", seat=1)
            answer = await ann.do(do="sit", seat=1)
            assert answer["error"].startswith("too many commands; wait")
            assert answer["retry_after"] > 100
        assert not server.house.tables["t"].state.seats

    run(play())
