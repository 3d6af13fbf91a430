"""A server on a real port in the test's event loop, and sockets that record all frames."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlencode

import uvicorn
from fastapi import FastAPI
from tests.house.web.in_process_server import serve_config
from tests.house.web.response_checks import frame_errors
from websockets.asyncio.client import ClientConnection, connect

from pitbook.house.people.sessions import SESSION_COOKIE

Json = dict[str, Any]
SHEETS = (
    "catfish-bend/mississippi-stud",
    "oceanfront/mississippi-stud",
    "catfish-bend/matchem-hi-lo",
    "louisiana-stud/standard",
    "louisiana-stud/stax-required",
)


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncIterator[str]:
    """The app's address while it is served."""
    config = uvicorn.Config(app, port=0, log_level="critical", ws_max_size=1_000_000)
    async with serve_config(config) as base:
        yield base


class Socket:
    """A seat's socket; all received frames are kept."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection, self.frames, self.number = connection, [], 0
        self.texts: list[str] = []

    frames: list[Json]

    async def next(self) -> Json:
        text = await asyncio.wait_for(self.connection.recv(), 60)
        assert isinstance(text, str)
        self.texts.append(text)
        frame: Json = json.loads(text)
        self.frames.append(frame)
        assert not (wrong := frame_errors(frame)), wrong[:3]
        return frame

    async def next_without_ping(self) -> Json:
        """The next frame that is not a ping, which a slow test may get."""
        while "ping" in (frame := await self.next()):
            pass
        return frame

    async def next_change(self) -> Json:
        """The next frame about the table; pings and presence are skipped."""
        while (frame := await self.next()).keys() & {"ping", "presence"}:
            pass
        return frame

    async def until(self, key: str) -> Any:
        """The first frame of a kind from here on; earlier ones are kept."""
        while key not in (frame := await self.next()):
            pass
        return frame[key]

    async def send(self, frame: Any) -> None:
        await self.connection.send(frame if isinstance(frame, str | bytes) else json.dumps(frame))

    async def do(self, request: str | None = None, /, **command: Any) -> Json:
        """The answer to a command."""
        self.number += 1
        sent = request or f"r{self.number}"
        await self.send({"request": sent, "command": command})
        answer: Json = await self.until("answer")
        assert answer.pop("request") == sent
        return answer

    async def look(self) -> Json:
        """The current table, after reading all earlier frames."""
        await self.send({"view": True})
        await self.send({"ping": 0})
        await self.until("pong")
        view: Json = [frame["view"] for frame in self.frames if "view" in frame][-1]
        return view

    @property
    def views(self) -> list[Json]:
        return [frame["view"] for frame in self.frames if "view" in frame]

    @property
    def events(self) -> list[Json]:
        return [event for frame in self.frames for event in frame.get("events", ())]


@asynccontextmanager
async def socket(
    base: str,
    token: str,
    table: str,
    version: int | None = None,
    *,
    views: bool = False,
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[Socket]:
    """A socket at a table with a session token."""
    query = {} if version is None else {"from": version}
    query_text = urlencode(query | ({"views": "true"} if views else {}))
    url = f"{base.replace('http', 'ws')}/api/tables/{table}/socket?{query_text}"
    request_headers = {"Cookie": f"{SESSION_COOKIE}={token}", **(headers or {})}
    async with connect(url, additional_headers=request_headers, max_size=10**7) as connection:
        yield Socket(connection)


def wagers(view: Json, seat: int) -> list[Json]:
    """The minimum of the main and each required wager."""
    offers = [
        offer for offer in view["offers"] if offer["do"] == "put-wager" and offer["seat"] == seat
    ]
    return [{"wager": offer["wager"], "amount": offer["min"]} for offer in offers]


def choice(view: Json, seat: int) -> str | None:
    """The last play offered to a seat."""
    for offer in view["offers"]:
        if offer["do"] == "decide" and offer["seat"] == seat:
            plays = [choice["play"] for choice in offer["choices"] if "refused" not in choice]
            return plays[-1] if plays else None
    return None
