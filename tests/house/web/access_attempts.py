"""Sends attempts on other people's data and judges the answers: nothing may be disclosed."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

import httpx
from fastapi import FastAPI
from tests.house.web.conftest import client_of
from tests.house.web.foreign_resources import Attempt, BorrowingWorld, Json

from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.access import ROUTE_ROLES, STRANGER

STREAM_SECONDS = 30.0  # A refusal comes long before.


class Outcome(NamedTuple):
    """The answer to an attempt; a socket that opens counts as 101."""

    status: int
    text: str
    cookie: bool = False


async def send_attempt(world: BorrowingWorld, attempt: Attempt) -> Outcome:
    """The answer to an attempt, over HTTP or a socket."""
    if attempt.is_socket:
        return await _over_socket(world.app, attempt)
    async with client_of(world.app) as client:
        if attempt.bearer.cookie:
            client.cookies.set(SESSION_COOKIE, attempt.bearer.cookie)
        try:
            async with asyncio.timeout(STREAM_SECONDS if attempt.route == "watch" else None):
                answer: httpx.Response = await client.request(
                    attempt.method, attempt.path, json=attempt.body
                )
        except TimeoutError:
            return Outcome(200, "a stream that goes on")
        return Outcome(answer.status_code, answer.text, "set-cookie" in answer.headers)


async def _over_socket(app: FastAPI, attempt: Attempt) -> Outcome:
    """The result of the handshake, or the answer to a command sent over the socket."""
    sent: list[Json] = []
    to_receive: list[Json] = [{"type": "websocket.connect"}]
    if attempt.body is not None:
        to_receive.append({"type": "websocket.receive", "text": json.dumps(attempt.body)})

    async def receive() -> Json:
        return to_receive.pop(0) if to_receive else {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = {"host": "127.0.0.1:8710", "cookie": f"{SESSION_COOKIE}={attempt.bearer.cookie}"}
    scope = {
        "type": "websocket",
        "path": attempt.path,
        "raw_path": attempt.path.encode(),
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
    text = " ".join(message.get("text", "") for message in sent)
    return Outcome(101 if attempt.body is None or '"accepted"' in text else 409, text)


def attempt_error(
    world: BorrowingWorld, attempt: Attempt, outcome: Outcome, *, wrote: bool
) -> str | None:
    """The problem with an answer, or None if it disclosed nothing."""
    if wrote:
        return "it left a row"
    if outcome.status >= 500 or outcome.status == 429:
        return "our own mistake, or not tried at all"
    if attempt.own_data_only:
        return _disclosure_error(world, attempt, outcome)
    if outcome.status < 400:
        return "it succeeded"
    if outcome.cookie:
        return "it came with a cookie"
    needed = (
        (401,)
        if attempt.bearer.role == STRANGER and STRANGER not in ROUTE_ROLES[attempt.route]
        else None
    )
    return None if needed is None or outcome.status in needed else "a stranger is to sign in"


def _disclosure_error(world: BorrowingWorld, attempt: Attempt, outcome: Outcome) -> str | None:
    """Whether an answer with the caller's data contains another person's."""
    if outcome.status != 200:
        return f"one's own is not told: {outcome.status}"
    document = json.loads(outcome.text)
    if attempt.route == "me" and (document["name"], document["role"]) != (
        attempt.bearer.name,
        attempt.bearer.role,
    ):
        return "it is somebody else"
    rows = (
        [*document.get("tables", ()), *document.get("rounds", ())]
        if isinstance(document, dict)
        else []
    )
    forbidden_tables = [
        row["table"] for row in rows if not world.may_enter(attempt.bearer, row["table"])
    ]
    all_own = all(row.get("player", attempt.bearer.name) == attempt.bearer.name for row in rows)
    return f"it tells of {forbidden_tables}" if forbidden_tables or not all_own else None
