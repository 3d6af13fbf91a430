"""The peer of a house under load: a bare FastAPI socket that inserts one row, as durably."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import uvicorn
import uvloop
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from websockets.asyncio.client import connect

from pitbook.ledger.database import connect as database

COMMAND = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}


class Bare:
    """A peer that listens."""

    def __init__(self, port: int) -> None:
        self._url = f"ws://127.0.0.1:{port}/socket"

    async def rate(self, sockets: int, seconds: float) -> float:
        """Rows a second that were acknowledged to so many sockets at once."""
        until = perf_counter() + seconds
        began = perf_counter()
        done = await asyncio.gather(*(self._as_fast(until) for _ in range(sockets)))
        return sum(done) / (perf_counter() - began)

    async def _as_fast(self, until: float) -> int:
        done = 0
        async with connect(self._url) as line:
            while perf_counter() < until:
                await line.send(json.dumps({"request": f"r{done}", "command": COMMAND}))
                assert json.loads(await line.recv())["ok"]
                done += 1
        return done


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
