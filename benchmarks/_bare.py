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
from typing import Any

import uvicorn
import uvloop
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect

from pitbook.ledger.database import connect as database

Act = Callable[[ClientConnection, str], Awaitable[int]]
COMMAND = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}


class Bare:
    """A peer that listens."""

    def __init__(self, port: int) -> None:
        self._url = f"ws://127.0.0.1:{port}/socket"

    async def rate(self, sockets: int, seconds: float) -> float:
        """Rows a second that were acknowledged to so many sockets at once."""
        return await rate([connect(self._url) for _ in range(sockets)], _insert, seconds)


async def rate(lines: Sequence[connect], act: Act, seconds: float) -> float:
    """What all lines together get done in a second, from when the last of them is open."""
    async with AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(one) for one in lines]
        began = perf_counter()
        done = await asyncio.gather(*(_as_fast(one, act, began + seconds) for one in opened))
        return sum(done) / (perf_counter() - began)


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
        yield Bare(listening.getsockname()[1])
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
