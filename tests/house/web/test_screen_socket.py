"""The socket of staff screens and the lobby: what a GET would answer, pushed when it changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from tests.house.web.conftest import LoopRunner, client_of, token_of
from tests.house.web.live_server import SHEETS, serving
from tests.house.web.seated_players import table_for
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pitbook import load
from pitbook.house.people.account_register import ROLES
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table.socket import GARBAGE, SIGNED_OUT
from pitbook.house.web import screen_socket
from pitbook.house.web.server import Server
from pitbook.money import Cents

Json = dict[str, Any]
FLOOR, TABLES = "/api/pit/floor", "/api/tables"
PATHS = (
    FLOOR,
    TABLES,
    "/api/counter/statement",
    "/api/pit/events",
    "/api/pit/interruptions",
    "/api/counter/drawers",
    "/api/counter/receipts",
    "/api/nights/gala",
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_socket, "TICK_SECONDS", 0.02)
    often = tuple((pattern, 0.02) for pattern, _ in screen_socket.WATCHABLE)
    monkeypatch.setattr(screen_socket, "WATCHABLE", often)
    monkeypatch.setattr(screen_socket, "REST_SHARE", 0)


@asynccontextmanager
async def screens(base: str, token: str, *paths: str) -> AsyncIterator[ClientConnection]:
    """A socket that watches these addresses."""
    url = f"{base.replace('http', 'ws')}/api/screens"
    headers = {"Cookie": f"{SESSION_COOKIE}={token}"}
    async with connect(url, additional_headers=headers) as connection:
        await connection.send(json.dumps({"watch": paths}))
        yield connection


async def next_reply(connection: ClientConnection) -> Json:
    while "ping" in (frame := json.loads(await asyncio.wait_for(connection.recv(), 20))):
        pass
    return dict(frame)


async def open_table(server: Server, name: str) -> None:
    await server.house.open_table(name, "house", unit="usd", sheet=load(SHEETS[0]))


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_a_request_gets(
    run: LoopRunner, app: FastAPI, server: Server, role: Any
) -> None:
    """A role that may not read a screen gets the refusal and none of its data."""

    async def play() -> None:
        await table_for(server, SHEETS[0], "ann")
        token = token_of(server, role)
        async with client_of(app) as http:
            http.cookies.set(SESSION_COOKIE, token)
            responses = {path: await http.get(path) for path in PATHS}
        async with serving(app) as base, screens(base, token, *PATHS) as connection:
            replies = [await next_reply(connection) for _ in PATHS]
        assert [reply["watched"] for reply in replies] == list(PATHS)
        for reply in replies:
            response = responses[reply["watched"]]
            assert reply["status"] == response.status_code, reply
            if response.status_code != 200:
                assert reply["body"] == response.json()
            assert reply["body"].keys() == response.json().keys()

    run(play())


def test_a_change_is_pushed_once(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        async with (
            serving(app) as base,
            screens(base, token_of(server, "supervisor"), TABLES) as connection,
        ):
            first = await next_reply(connection)
            assert first["body"] == {"tables": []}
            await open_table(server, "stud-1")
            second = await next_reply(connection)
            assert [table["table"] for table in second["body"]["tables"]] == ["stud-1"]
            assert second["version"] > first["version"]
            # Something else is recorded: the list stays as it is, so nothing is sent.
            await server.house.cage.fund(Cents(100), actor="sue")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(connection.recv(), 0.3)

    run(play())


def test_page_changes_what_it_watches(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        token = token_of(server, "supervisor")
        async with serving(app) as base, screens(base, token, TABLES) as connection:
            assert (await next_reply(connection))["watched"] == TABLES
            await connection.send(json.dumps({"watch": [FLOOR]}))
            assert (await next_reply(connection))["watched"] == FLOOR
            await open_table(server, "stud-1")
            assert (await next_reply(connection))["watched"] == FLOOR

    run(play())


@pytest.mark.parametrize(
    "frame",
    [
        {"watch": ["/api/people"]},
        {"watch": ["/api/care"]},
        {"watch": ["/api/nights/gala%2Ftournaments%2Fa%2Fclock%2Fevents"]},
        {"watch": ["/api/nights/gala/tournaments/a/clock/events"]},
        {"watch": ["/api/tables/stud-1"]},
        {"watch": ["https://elsewhere.example/api/tables"]},
        {"watch": ["/api/tables\r\n"]},
        {"watch": ["/api/tables?" + "x" * 500]},
        {"watch": [f"/api/nights/{number}" for number in range(9)]},
        {"watch": [7]},
        {"watch": TABLES},
        {"command": {"do": "sit", "seat": 1}, "request": "a"},
        [],
    ],
)
def test_anything_else_closes_the_socket(
    run: LoopRunner, app: FastAPI, server: Server, frame: Any
) -> None:
    async def play() -> None:
        async with (
            serving(app) as base,
            screens(base, token_of(server, "supervisor")) as connection,
        ):
            await connection.send(json.dumps(frame))
            with pytest.raises(ConnectionClosed):
                await next_reply(connection)
            assert connection.close_code == GARBAGE[0]

    run(play())


def test_nothing_is_sent_after_the_session_has_ended(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        token = token_of(server, "supervisor")
        async with serving(app) as base, screens(base, token, TABLES) as connection:
            await next_reply(connection)
            session = server.sessions.read(token)
            assert session is not None
            server.sessions.end(session)
            await open_table(server, "stud-1")
            with pytest.raises(ConnectionClosed):
                await next_reply(connection)
            assert connection.close_code == SIGNED_OUT[0]

    run(play())


def test_strangers_and_pages_of_other_sites_are_refused(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        async with serving(app) as base:
            url, token = f"{base.replace('http', 'ws')}/api/screens", token_of(server, "supervisor")
            cookie = {"Cookie": f"{SESSION_COOKIE}={token}"}
            for status, headers in (
                (401, {}),
                (403, {**cookie, "Origin": "https://elsewhere.example"}),
            ):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(url, additional_headers=headers)
                assert refused.value.response.status_code == status

    run(play())


def test_replies_keep_the_currency_of_their_own_screen(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    """One address must not set the language or currency of the next."""

    async def play() -> None:
        token = token_of(server, "supervisor")
        paths = ("/api/counter/drawers", TABLES, FLOOR, "/api/counter/drawers?x=1")
        async with serving(app) as base, screens(base, token, *paths) as connection:
            replies = {}
            for _ in paths:
                reply = await next_reply(connection)
                replies[reply["watched"]] = reply["body"]
        assert replies[paths[0]] == replies[paths[-1]]

    run(play())
