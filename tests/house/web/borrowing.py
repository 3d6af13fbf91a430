"""How attempts on other people's things are made and judged: nobody gets anything, in any way."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

import httpx
from fastapi import FastAPI
from tests.house.web.borrowed import Attempt, Json, World
from tests.house.web.conftest import client_of

from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.access import ROUTE_ROLES, STRANGER

STREAM_SECONDS = 30.0  # Whoever is refused hears of it long before.


class Outcome(NamedTuple):
    """How an attempt was answered; a socket that opens counts as 101."""

    status: int
    text: str
    cookie: bool = False


async def ask(world: World, one: Attempt) -> Outcome:
    """The answer to an attempt, over HTTP or a socket."""
    if one.is_socket:
        return await _over_socket(world.app, one)
    async with client_of(world.app) as client:
        if one.bearer.cookie:
            client.cookies.set(SESSION_COOKIE, one.bearer.cookie)
        try:
            async with asyncio.timeout(STREAM_SECONDS if one.route == "watch" else None):
                answer: httpx.Response = await client.request(one.method, one.path, json=one.body)
        except TimeoutError:
            return Outcome(200, "a stream that goes on")
        return Outcome(answer.status_code, answer.text, "set-cookie" in answer.headers)


async def _over_socket(app: FastAPI, one: Attempt) -> Outcome:
    """How the handshake ends; where a command is to follow, what that is answered."""
    sent: list[Json] = []
    asked: list[Json] = [{"type": "websocket.connect"}]
    if one.body is not None:
        asked.append({"type": "websocket.receive", "text": json.dumps(one.body)})

    async def receive() -> Json:
        return asked.pop(0) if asked else {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = {"host": "127.0.0.1:8710", "cookie": f"{SESSION_COOKIE}={one.bearer.cookie}"}
    scope = {
        "type": "websocket",
        "path": one.path,
        "raw_path": one.path.encode(),
        "query_string": b"",
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8710),
        "scheme": "ws",
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
    }
    await app(scope, receive, send)
    if sent[0]["type"] != "websocket.accept":
        return Outcome(sent[0].get("status", 0), str(sent))
    told = " ".join(one.get("text", "") for one in sent)
    return Outcome(101 if one.body is None or '"accepted"' in told else 409, told)


def wrong(world: World, one: Attempt, outcome: Outcome, *, wrote: bool) -> str | None:
    """What is wrong about the answer to an attempt; None: nobody got anything."""
    if wrote:
        return "it left a row"
    if outcome.status >= 500 or outcome.status == 429:
        return "our own mistake, or not tried at all"
    if one.told:
        return _others_told(world, one, outcome)
    if outcome.status < 400:
        return "it succeeded"
    if outcome.cookie:
        return "it came with a cookie"
    needed = (
        (401,) if one.bearer.role == STRANGER and STRANGER not in ROUTE_ROLES[one.route] else None
    )
    return None if needed is None or outcome.status in needed else "a stranger is to sign in"


def _others_told(world: World, one: Attempt, outcome: Outcome) -> str | None:
    """Whether an answer about oneself speaks of somebody else's."""
    if outcome.status != 200:
        return f"one's own is not told: {outcome.status}"
    told = json.loads(outcome.text)
    if one.route == "me" and (told["name"], told["role"]) != (one.bearer.name, one.bearer.role):
        return "it is somebody else"
    rows = [*told.get("tables", ()), *told.get("rounds", ())] if isinstance(told, dict) else []
    far = [row["table"] for row in rows if not world.near(one.bearer, row["table"])]
    mine = all(row.get("player", one.bearer.name) == one.bearer.name for row in rows)
    return f"it tells of {far}" if far or not mine else None
