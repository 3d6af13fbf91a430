"""The baseline for a house under load: a bare FastAPI socket that inserts one row, as durably."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import uvicorn
import uvloop
from benchmarks._processor import cpu_seconds
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect

from pitbook.house.ledger.database import connect as connect_database

Act = Callable[[ClientConnection, str], Awaitable[int]]
COMMAND = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}


class Rate(NamedTuple):
    """Requests per second of all connections, and the server's CPU seconds for each."""

    per_second: float
    cpu_seconds: float


class BareServer:
    """A running bare server."""

    def __init__(self, port: int, pid: int) -> None:
        self._url, self._pid = f"ws://127.0.0.1:{port}/socket", pid

    async def rate(self, sockets: int, seconds: float) -> Rate:
        """The rate of acknowledged rows for this many sockets at once."""
        connections = [connect(self._url) for _ in range(sockets)]
        return await rate(connections, _insert, seconds, lambda: cpu_seconds(self._pid))


async def rate(
    connections: Sequence[connect], send_request: Act, seconds: float, cpu: Callable[[], float]
) -> Rate:
    """The rate of requests, sent as fast as they are answered, once all connections are open."""
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connection) for connection in connections]
        start, cpu_before = perf_counter(), cpu()
        counts = await asyncio.gather(
            *(_as_fast(socket, send_request, start + seconds) for socket in sockets)
        )
        total = sum(counts)
        return Rate(total / (perf_counter() - start), (cpu() - cpu_before) / total)


async def _as_fast(socket: ClientConnection, send_request: Act, deadline: float) -> int:
    count = 0
    while perf_counter() < deadline:
        count += await send_request(socket, f"{deadline}-{count}")
    return count


async def _insert(socket: ClientConnection, request: str) -> int:
    await socket.send(json.dumps({"request": request, "command": COMMAND}))
    assert json.loads(await socket.recv())["ok"]
    return 1


@asynccontextmanager
async def bare_server(folder: Path) -> AsyncIterator[BareServer]:
    """The bare server on a free port, as a separate process."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=2_048)
    process = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(listener, str(folder / "bare.db")), daemon=True
    )
    process.start()
    try:
        assert process.pid
        yield BareServer(listener.getsockname()[1], process.pid)
    finally:
        process.kill()
        process.join()
        listener.close()


def _serve(listener: socket.socket, file: str) -> None:
    app = FastAPI()
    engine = connect_database(f"sqlite:///{file}")
    connection: Any = engine.raw_connection()
    connection.execute("CREATE TABLE entry (body TEXT)")

    @app.websocket("/socket")
    async def answer(websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            while True:
                request = await websocket.receive_json()
                connection.execute("INSERT INTO entry VALUES (?)", (json.dumps(request),))
                await websocket.send_json({"request": request["request"], "ok": True})
        except WebSocketDisconnect:
            return

    config = uvicorn.Config(app, log_level="critical", ws_per_message_deflate=False)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # As in the house.
        runner.run(uvicorn.Server(config).serve([listener]))
