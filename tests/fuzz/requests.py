"""Sends one request to an app without a network: any bytes, any path, and the complete answer."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from starlette.types import ASGIApp, Message

Headers = Mapping[str, str]
HOST = "127.0.0.1:8710"
STREAM = "text/event-stream"
LOOP_TURNS = 20  # Loop iterations in which a stream of events sends what is available at once.
SECONDS = 60


class Request(NamedTuple):
    """A request: its target as in the first line, headers, and a body as bytes."""

    method: str
    target: str
    headers: Headers = {}  # noqa: RUF012  Never modified.
    body: bytes = b""

    @property
    def path(self) -> str:
        """The decoded path, as a server passes it on."""
        return unquote(self.target.partition("?")[0])

    def __str__(self) -> str:
        headers = {key: value for key, value in self.headers.items() if key != "cookie"}
        return f"{self.method} {self.target[:300]} {headers} {self.body[:1_000]!r}"


class Answer(NamedTuple):
    status: int
    headers: Headers
    body: bytes
    raised: str = ""  # The traceback, if our code raised an exception.

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def document(self) -> Any:
        """The body as JSON; raises ValueError."""
        return json.loads(self.body)


async def ask(app: ASGIApp, request: Request) -> Answer:
    """The answer to a request; for a stream of events, what comes at once."""
    return await asyncio.wait_for(_Exchange(request).answer(app), SECONDS)


class _Exchange:
    def __init__(self, request: Request) -> None:
        self.request = request
        self.status, self.headers = 0, dict[str, str]()
        self.body = b""
        self._sent, self._client_gone = False, asyncio.Event()
        self._disconnecting: asyncio.Task[None] | None = None

    async def answer(self, app: ASGIApp) -> Answer:
        raised = ""
        try:
            await app(self._scope(), self._receive, self._send)
        except Exception:  # noqa: BLE001  Our own errors are answered with 500 before they are raised.
            assert self.status >= 500, self.request
            raised = traceback.format_exc()[-2_000:]
        return Answer(self.status, self.headers, self.body, raised)

    def _scope(self) -> dict[str, Any]:
        path, _, query = self.request.target.partition("?")
        defaults = {"host": HOST, "content-length": str(len(self.request.body))}
        headers = defaults | {key.lower(): value for key, value in self.request.headers.items()}
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": self.request.method,
            "scheme": "http",
            "path": self.request.path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(key.encode("latin-1"), _bytes(value)) for key, value in headers.items()],
            "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 8_710),
        }

    async def _receive(self) -> Message:
        if not self._sent:
            self._sent = True
            return {"type": "http.request", "body": self.request.body, "more_body": False}
        await self._client_gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {key.decode(): value.decode() for key, value in message["headers"]}
            return
        self.body += message.get("body", b"")
        streams = self.headers.get("content-type", "").startswith(STREAM)
        if streams and self._disconnecting is None:
            self._disconnecting = asyncio.create_task(self._disconnect())

    async def _disconnect(self) -> None:
        for _ in range(LOOP_TURNS):
            await asyncio.sleep(0)
        self._client_gone.set()


def _bytes(value: str) -> bytes:
    return value.encode("utf-8", errors="surrogateescape")
