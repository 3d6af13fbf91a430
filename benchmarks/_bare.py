"""The peer of a house under load: a bare FastAPI socket that inserts one row, as durably."""

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

from pitbook.house.ledger.database import connect as database

Act = Callable[[ClientConnection, str], Awaitable[int]]
COMMAND = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}


class Rate(NamedTuple):
    """What all lines together get done, and what each of it takes of the server's cores."""

    a_second: float
    cpu_seconds: float


class Bare:
    """A peer that listens."""

    def __init__(self, port: int, pid: int) -> None:
        self._url, self._pid = f"ws://127.0.0.1:{port}/socket", pid

    async def rate(self, sockets: int, seconds: float) -> Rate:
        """Rows that were acknowledged to so many sockets at once."""
        lines = [connect(self._url) for _ in range(sockets)]
        return await rate(lines, _insert, seconds, lambda: cpu_seconds(self._pid))


async def rate(
    lines: Sequence[connect], act: Act, seconds: float, cpu: Callable[[], float]
) -> Rate:
    """As fast as they are answered, from when the last of the lines is open."""
    async with AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(one) for one in lines]
        began, taken = perf_counter(), cpu()
        each = await asyncio.gather(*(_as_fast(one, act, began + seconds) for one in opened))
        done = sum(each)
        return Rate(done / (perf_counter() - began), (cpu() - taken) / done)


async def _as_fast(line: ClientConnection, act: Act, until: float) -> int:
    done = 0
    while perf_counter() < until:
        done += await act(line, f"{until}-{done}")
    return done


async def _insert(line: ClientConnection, request: str) -> int:
    await line.send(json.dumps({"request": request, "command": COMMAND}))
    assert json.loads(await line.recv())["ok"]
    return 1


@asynccontextmanager
async def bare(folder: Path) -> AsyncIterator[Bare]:
    """The peer on a free port, as a process of its own."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=2_048)
    made = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(listening, str(folder / "bare.db")), daemon=True
    )
    made.start()
    try:
        assert made.pid
        yield Bare(listening.getsockname()[1], made.pid)
    finally:
        made.kill()
        made.join()
        listening.close()


def _serve(listening: socket.socket, file: str) -> None:
    app = FastAPI()
    engine = database(f"sqlite:///{file}")
    line: Any = engine.raw_connection()
    line.execute("CREATE TABLE entry (body TEXT)")

    @app.websocket("/socket")
    async def answer(websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            while True:
                asked = await websocket.receive_json()
                line.execute("INSERT INTO entry VALUES (?)", (json.dumps(asked),))
                await websocket.send_json({"request": asked["request"], "ok": True})
        except WebSocketDisconnect:
            return

    config = uvicorn.Config(app, log_level="critical", ws_per_message_deflate=False)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # As the house has it.
        runner.run(uvicorn.Server(config).serve([listening]))
