"""Password hashing: on its own threads, a few at a time, with every address served in turn."""

from __future__ import annotations

import asyncio
import contextvars
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from pitbook.house.web.network.askers import place_of_asker
from pitbook.house.web.network.turnstile import InTurn
from pitbook.house.web.people.passwords import HASHES_AT_ONCE

__all__ = ["THREADS", "HashQueue", "hash_in_thread"]

Result = TypeVar("Result")
# One core is left to the tables, no matter how many people sign in at once.
THREADS = max(1, min(HASHES_AT_ONCE, (os.cpu_count() or 1) - 1))
_EXECUTOR = ThreadPoolExecutor(THREADS, thread_name_prefix="hashing")


async def hash_in_thread(work: Callable[[], Result]) -> Result:
    """Run work that hashes a password on a hashing thread."""
    context = contextvars.copy_context()  # The log names the request it belongs to.
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_EXECUTOR, lambda: context.run(work))


class HashQueue:
    """Fair queue for the hashing threads: addresses take turns, then the people at each address."""

    def __init__(self, threads: int = THREADS) -> None:
        self._free = threads
        self._waiting: InTurn[asyncio.Future[None]] = InTurn()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a free hashing thread and hold it for the length of the block."""
        await self._acquire()
        try:
            yield
        finally:
            self._release()

    async def _acquire(self) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(place_of_asker(), turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # It had the thread already.
                self._release()
            raise

    def _release(self) -> None:
        while self._waiting:
            turn = self._waiting.next()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
