"""A client of the server in this process: requests, and the events of a socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from typing import Any

import httpx
from tests.golden_record.adapter import Json

BASE = "http://127.0.0.1:8710"
# Parts that differ in every run, and their replacement in the record.
MASKS = (
    (
        "the hash of an entry, which seals a shoe",
        r'("accepted": {"seq": \d+, "hash": )"\w+"',
        r'\1"?"',
    ),
    ("when a report was made", r'(\\?"generated(_at)?\\?": \\?")[^"\\]+', r"\1?"),
    ("the same in words", r"(Generated )20[-+:0-9T]+", r"\1?"),
    ("how long it took", r'("(seconds|rounds_per_second)": )[0-9.]+', r'\1"?"'),
    ("the same in words", r"; [0-9,]+ a second\.", "; ? a second."),
    ("the name of a guest", r"guest-[0-9a-f]{16}", "guest-?"),
    ("a table of one's own", r"practice-[0-9a-f]{12}", "practice-?"),
)


def mask_varying_parts(document: Json) -> Json:
    """The document with varying parts masked."""
    text = json.dumps(document)
    for _, pattern, replacement in MASKS:
        text = re.sub(pattern, replacement, text)
    return json.loads(text)


class Visitor:
    """One person at the server, identified by a cookie."""

    def __init__(self, app: Any, name: str, cookie: tuple[str, str]) -> None:
        self.app, self.name, self.cookie = app, name, cookie
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 50_000))
        self.http = httpx.AsyncClient(transport=transport, base_url=BASE, cookies=dict([cookie]))
        self.number = 0

    async def get(self, path: str, **query: Any) -> Json:
        """The response of a GET request."""
        return _response_json(await self.http.get(path, params=query))

    async def post(self, path: str, body: Json) -> Json:
        """The response of a POST request."""
        return _response_json(await self.http.post(path, json=body))

    async def send_command(self, table: str, **command: Any) -> Json:
        """The response of a table to a command."""
        self.number += 1
        body = {"request": f"{self.name} {self.number}", "command": command}
        return await self.post(f"/api/tables/{table}/commands", body)

    async def events(self, table: str, since: int) -> list[Json]:
        """All socket events of a table since a version."""
        frames = await _socket_frames(self.app, self.cookie, f"/api/tables/{table}/socket", since)
        return [event for frame in frames for event in frame.get("events", [frame])]


def _response_json(response: httpx.Response) -> Json:
    kind = response.headers.get("content-type", "")
    return [response.status_code, response.json() if "json" in kind else response.text]


async def _socket_frames(app: Any, cookie: tuple[str, str], path: str, since: int) -> list[Json]:
    """The frames that arrive before the reply to a ping."""
    frames: list[Json] = []
    inbox: asyncio.Queue[Json] = asyncio.Queue()
    finished_event = asyncio.Event()

    async def send(message: Json) -> None:
        if message["type"] == "websocket.send":
            frame = json.loads(message["text"])
            finished_event.set() if "pong" in frame else frames.append(frame)
        elif message["type"] != "websocket.accept":
            frames.append({"closed": message.get("code", message.get("status"))})
            finished_event.set()

    inbox.put_nowait({"type": "websocket.connect"})
    inbox.put_nowait({"type": "websocket.receive", "text": json.dumps({"ping": 0})})
    task = asyncio.create_task(app(_scope(path, since, cookie), inbox.get, send))
    finished = asyncio.create_task(finished_event.wait())
    await asyncio.wait([task, finished], return_when=asyncio.FIRST_COMPLETED, timeout=60)
    inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
    finished.cancel()
    with contextlib.suppress(Exception):
        await task
    return frames


def _scope(path: str, since: int, cookie: tuple[str, str]) -> Json:
    headers = [(b"host", b"127.0.0.1:8710"), (b"cookie", "=".join(cookie).encode())]
    return {
        "type": "websocket",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": f"from={since}".encode(),
        "headers": headers,
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8710),
        "subprotocols": [],
        "state": {},
        "extensions": {"websocket.http.response": {}},
    }
