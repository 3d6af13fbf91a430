"""One socket per page for screens that follow the house: floor, cage, lobby, events, tournaments.

The page sends the addresses that its screen shows. Each is answered as the same GET request would
be, with all its checks of role and session, and again whenever the answer has changed.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

from fastapi import WebSocket, WebSocketDisconnect
from pydantic_core import to_json
from starlette.types import Message, Scope

from pitbook.house.table.socket import (
    ENDED,
    FLOOD,
    FLOOD_SECONDS,
    GARBAGE,
    SEND_SECONDS,
    SIGNED_OUT,
    SLOW,
    TOO_LARGE,
    CloseCode,
    close_reason,
)
from pitbook.house.web.access import (
    SIGNED_IN,
    allow_routes,
    authenticated_router,
    current_session,
    require_caller,
)
from pitbook.house.web.connections import CONNECTION_KEY
from pitbook.house.web.errors import Problem
from pitbook.house.web.frames import FrameError, read_screen_frame
from pitbook.house.web.languages import current_language
from pitbook.house.web.rate_limits import client_of
from pitbook.house.web.server import Server, get_server

TICK_SECONDS = 0.5  # How often to look whether the ledger has grown or the session has ended.
REFRESH_SECONDS = 5.0  # Answers also change with time, and by other processes.
REST_SHARE = 40  # An answer is built for at most this part of the time.
PING_SECONDS = 2.5
PATHS_MAX, PATH_LENGTH_MAX = 8, 400
# The addresses, and the seconds between two answers: staff are few, and follow the house closely.
WATCHABLE = (
    (re.compile(r"/api/tables"), 10.0),
    (re.compile(r"/api/pit/(floor|events|interruptions)"), 1.0),
    (re.compile(r"/api/counter/(drawers|receipts|statement)"), 1.0),
    (re.compile(r"/api/nights/[^/]+(/tournaments/[^/]+)?"), 1.0),
)
SAME_HEADERS = (b"host", b"cookie", b"accept-language")  # As in the page's own requests.
RETRIED = (401, 429, 503)  # Says nothing about the screen; tried again at the next refresh.

router = authenticated_router("tables")
allow_routes({"screens": SIGNED_IN})


@router.websocket("/api/screens", name="screens")
async def screens(websocket: WebSocket) -> None:
    """Answers to `{"watch": [addresses]}`, each again when it has changed."""
    require_caller(websocket)
    server = get_server(websocket)
    key, limiter = f"screens {id(websocket)}", server.limiter
    if (refusal := limiter.acquire_socket(client_of(websocket.scope), key)) is not None:
        raise Problem(429, refusal, 5)
    try:
        await websocket.accept()
        await _ScreenSocket(websocket, server).serve()
    finally:
        limiter.release_socket(key)


class _Reply(NamedTuple):
    status: int
    body: bytes


class _Watched:
    """A watched address: its last reply, and when the next one is due."""

    def __init__(self, path: str) -> None:
        self.path, self.reply = path, _Reply(0, b"")
        self._interval, self._entries_written = _interval(path), -1
        self._rest_until = self._refresh_at = 0.0

    def is_due(self, entries_written: int, now: float) -> bool:
        """Whether the reply may have changed, and was not built just now."""
        has_changed = entries_written != self._entries_written or now >= self._refresh_at
        return has_changed and now >= self._rest_until

    def rest(self, entries_written: int, started: float) -> None:
        """Set when the next reply may be built, after this one."""
        now = time.monotonic()
        self._entries_written = entries_written
        self._rest_until = now + max(self._interval, REST_SHARE * (now - started))
        self._refresh_at = now + max(self._interval, REFRESH_SECONDS)


class _ScreenSocket:
    """One open socket: a task that reads, and one that sends what has changed."""

    def __init__(self, websocket: WebSocket, server: Server) -> None:
        self._socket, self._server = websocket, server
        self._session = current_session(websocket)
        self._client, self._language = client_of(websocket.scope), current_language()
        self._watched: dict[str, _Watched] = {}
        self._changed = asyncio.Event()  # The page watches other addresses.
        self._sent_at = time.monotonic()

    async def serve(self) -> None:
        """Serve until either side closes the socket."""
        tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._push())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            code = next(iter(done)).result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if code is not None:
            with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(SEND_SECONDS):
                    await self._socket.close(code[0], close_reason(code[1], self._language))

    # In ------------------------------------------------------------------------------------------

    async def _read(self) -> CloseCode | None:
        limits, early_since = self._server.settings.limits, 0.0
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return None
            if not await self._server.limiter.acquire_frame(self._client):
                early_since = 0.0
            elif time.monotonic() - (early_since := early_since or time.monotonic()) >= (
                FLOOD_SECONDS
            ):
                return FLOOD
            text = message.get("text")
            if text is None or len(text) > limits.frame_bytes_max:
                return GARBAGE if text is None else TOO_LARGE
            try:
                paths = read_screen_frame(text, depth_max=limits.json_depth_max)
            except FrameError:
                return GARBAGE
            if paths is not None and not self._watch(paths):
                return GARBAGE

    def _watch(self, paths: list[str]) -> bool:
        """Watch these addresses from now on; False if one of them cannot be watched."""
        if len(paths) > PATHS_MAX or not all(map(_is_watchable, paths)):
            return False
        self._watched = {path: self._watched.get(path) or _Watched(path) for path in paths}
        self._changed.set()
        return True

    # Out -----------------------------------------------------------------------------------------

    async def _push(self) -> CloseCode | None:
        try:
            while True:
                self._changed.clear()
                if not self._is_signed_in():
                    return SIGNED_OUT
                if self._server.stopping.is_set():
                    return ENDED
                for watched in list(self._watched.values()):
                    written, started = self._server.house.ledger.entries_written, time.monotonic()
                    if watched.is_due(written, started):
                        await self._update(watched, written)
                        watched.rest(written, started)
                if time.monotonic() - self._sent_at >= PING_SECONDS:
                    await self._send('{"ping":0}')
                with suppress(TimeoutError):
                    async with asyncio.timeout(TICK_SECONDS):
                        await self._changed.wait()
        except (WebSocketDisconnect, RuntimeError):  # The client disconnected.
            return None
        except TimeoutError:
            return SLOW

    async def _update(self, watched: _Watched, version: int) -> None:
        """Send the reply at an address if it has changed."""
        # In a task of its own: a request sets its language and currency for all that follows.
        reply = await asyncio.create_task(_get(self._socket.scope, watched.path))
        is_answer = reply.status not in RETRIED and reply.body[:1] == b"{"
        if not is_answer or reply == watched.reply or not self._is_signed_in():
            return
        watched.reply = reply
        head = to_json({"watched": watched.path, "version": version, "status": reply.status})
        await self._send(f'{head.decode()[:-1]},"body":{reply.body.decode()}}}')

    async def _send(self, text: str) -> None:
        async with asyncio.timeout(SEND_SECONDS):
            await self._socket.send_text(text)
        self._sent_at = time.monotonic()

    def _is_signed_in(self) -> bool:
        return self._session is not None and self._server.sessions.is_valid(self._session)


def _is_watchable(path: str) -> bool:
    address = path.partition("?")[0]
    return (
        len(path) <= PATH_LENGTH_MAX
        and path.isascii()
        and path.isprintable()
        and any(pattern.fullmatch(unquote(address)) for pattern, _ in WATCHABLE)
    )


def _interval(path: str) -> float:
    address = unquote(path.partition("?")[0])
    return next(seconds for pattern, seconds in WATCHABLE if pattern.fullmatch(address))


async def _get(scope: Scope, path: str) -> _Reply:
    """The reply to a GET request of the socket's client, through all the server's checks."""
    address, _, query = path.partition("?")
    request: Scope = {
        "type": "http",
        "asgi": scope["asgi"],
        "http_version": "1.1",
        "method": "GET",
        "scheme": "https" if scope.get("scheme") == "wss" else "http",
        "path": unquote(address),
        "raw_path": address.encode(),
        "root_path": scope.get("root_path", ""),
        "query_string": query.encode(),
        "headers": [header for header in scope["headers"] if header[0] in SAME_HEADERS],
        "client": scope.get("client"),
        "server": scope.get("server"),
        "state": {
            key: part for key, part in scope.get("state", {}).items() if key != CONNECTION_KEY
        },
    }
    status, body = 500, bytearray()

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        elif message["type"] == "http.response.body":
            body.extend(message.get("body", b""))

    await scope["app"](request, _receive, send)
    return _Reply(status, bytes(body))


async def _receive() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}
