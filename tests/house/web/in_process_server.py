"""Uvicorn in a test's event loop; it stops when told to, not at its next tick."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

SOON = 0.005
GRACE_SECONDS = 2.0


class Listener(uvicorn.Server):
    """Uvicorn's server without its waiting between steps."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.over = asyncio.Event()

    async def main_loop(self) -> None:
        """Headers carry the date of the start; nothing else happens in a tick."""
        await self.on_tick(0)
        await self.over.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close connections and let requests finish, as Uvicorn does."""
        state = self.server_state
        for server in self.servers:
            server.close()
        for connection in list(state.connections):
            connection.shutdown()
        for task in await self._unfinished_tasks():
            task.cancel()
        if not self.force_exit:
            await self.lifespan.shutdown()

    async def _unfinished_tasks(self) -> list[asyncio.Task[None]]:
        """Tasks that have not ended in time."""
        state, loop = self.server_state, asyncio.get_running_loop()
        until = loop.time() + (0 if self.force_exit else GRACE_SECONDS)
        await asyncio.sleep(0)
        while (state.connections or state.tasks) and loop.time() < until:
            await asyncio.sleep(SOON)
        return list(state.tasks)


@asynccontextmanager
async def serve_config(config: uvicorn.Config, *, force: bool = False) -> AsyncIterator[str]:
    """The address of a server while it runs; with `force`, it waits for no request at the end."""
    server = Listener(config)
    task = asyncio.create_task(server._serve())
    while not server.started:
        await asyncio.sleep(SOON)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.force_exit = force
        server.over.set()
        await task
