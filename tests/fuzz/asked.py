"""One request at an app without a network: any bytes, any path, and the whole of the answer."""

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
TURNS = 20  # Of the loop, in which a stream of events says what it has to say at once.
SECONDS = 60


class Request(NamedTuple):
    """What is sent: a target as it stands in the first line, headers, and a body as bytes."""

    method: str
    target: str
    headers: Headers = {}  # noqa: RUF012  Nobody writes into it.
    body: bytes = b""

    @property
    def path(self) -> str:
        """The path as a server hands it on."""
        return unquote(self.target.partition("?")[0])

    def __str__(self) -> str:
        shown = {key: value for key, value in self.headers.items() if key != "cookie"}
        return f"{self.method} {self.target[:300]} {shown} {self.body[:1_000]!r}"


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: Headers
    body: bytes
    raised: str = ""  # Where a mistake of ours was made.

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def document(self) -> Any:
        """The body as JSON; raises ValueError."""
        return json.loads(self.body)


async def ask(app: ASGIApp, request: Request) -> Answer:
    """The answer to a request; of a stream of events what comes at once."""
    return await asyncio.wait_for(_Asking(request).answer(app), SECONDS)


class _Asking:
    def __init__(self, request: Request) -> None:
        self.request = request
        self.status, self.headers = 0, dict[str, str]()
        self.body = b""
        self._sent, self._gone = False, asyncio.Event()
        self._leaving: asyncio.Task[None] | None = None

    async def answer(self, app: ASGIApp) -> Answer:
        raised = ""
        try:
            await app(self._scope(), self._receive, self._send)
        except Exception:  # noqa: BLE001  A mistake of ours is answered with 500 before it is raised.
            assert self.status >= 500, self.request
            raised = traceback.format_exc()[-2_000:]
        return Answer(self.status, self.headers, self.body, raised)

    def _scope(self) -> dict[str, Any]:
        path, _, query = self.request.target.partition("?")
        given = {"host": HOST, "content-length": str(len(self.request.body))}
        headers = given | {key.lower(): value for key, value in self.request.headers.items()}
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
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {key.decode(): value.decode() for key, value in message["headers"]}
            return
        self.body += message.get("body", b"")
        streams = self.headers.get("content-type", "").startswith(STREAM)
        if streams and self._leaving is None:
            self._leaving = asyncio.create_task(self._leave())

    async def _leave(self) -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)
        self._gone.set()


def _bytes(value: str) -> bytes:
    return value.encode("utf-8", errors="surrogateescape")
