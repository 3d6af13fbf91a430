"""A house's server on a real port, in the test's own loop, and everything that its sockets say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from tests.house.web.held_answers import frame_wrongs
from tests.house.web.listening import listening
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
    """The address of the app while it is served."""
    config = uvicorn.Config(app, port=0, log_level="critical", ws_max_size=1_000_000)
    async with listening(config) as base:
        yield base


class Socket:
    """One seat's socket; every frame that came is kept as it came."""

    def __init__(self, line: ClientConnection) -> None:
        self.line, self.frames, self.number = line, [], 0
        self.texts: list[str] = []

    frames: list[Json]

    async def next(self) -> Json:
        text = await asyncio.wait_for(self.line.recv(), 60)
        assert isinstance(text, str)
        self.texts.append(text)
        frame: Json = json.loads(text)
        self.frames.append(frame)
        assert not (wrong := frame_wrongs(frame)), wrong[:3]
        return frame

    async def told(self) -> Json:
        """The next frame that is no call; the house calls a test that is late."""
        while "ping" in (frame := await self.next()):
            pass
        return frame

    async def until(self, key: str) -> Any:
        """The first frame of a kind from here on; those before it are kept."""
        while key not in (frame := await self.next()):
            pass
        return frame[key]

    async def put(self, frame: Any) -> None:
        await self.line.send(frame if isinstance(frame, str | bytes) else json.dumps(frame))

    async def do(self, request: str | None = None, /, **command: Any) -> Json:
        """A command's answer."""
        self.number += 1
        sent = request or f"r{self.number}"
        await self.put({"request": sent, "command": command})
        answer: Json = await self.until("answer")
        assert answer.pop("request") == sent
        return answer

    async def look(self) -> Json:
        """The table as it is now, all that came before read."""
        await self.put({"view": True})
        await self.put({"ping": 0})
        await self.until("pong")
        view: Json = [frame["view"] for frame in self.frames if "view" in frame][-1]
        return view

    @property
    def events(self) -> list[Json]:
        return [event for frame in self.frames for event in frame.get("events", ())]


@asynccontextmanager
async def socket(
    base: str, token: str, table: str, version: int | None = None, **headers: str
) -> AsyncIterator[Socket]:
    """A socket at a table, with somebody's cookie."""
    since = "" if version is None else f"?from={version}"
    url = f"{base.replace('http', 'ws')}/api/tables/{table}/socket{since}"
    given = {"Cookie": f"{SESSION_COOKIE}={token}", **headers}
    async with connect(url, additional_headers=given, max_size=10**7) as line:
        yield Socket(line)


def wagers(view: Json, seat: int) -> list[Json]:
    """The least of the main wager and of each that is required."""
    offers = [one for one in view["offers"] if one["do"] == "put-wager" and one["seat"] == seat]
    return [{"wager": one["wager"], "amount": one["min"]} for one in offers]


def choice(view: Json, seat: int) -> str | None:
    """The last play that a seat may make now."""
    for offer in view["offers"]:
        if offer["do"] == "decide" and offer["seat"] == seat:
            able = [one["play"] for one in offer["choices"] if "refused" not in one]
            return able[-1] if able else None
    return None
