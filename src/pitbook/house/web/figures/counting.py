"""Counts that take long, made beside the house: one process at a time, each count once."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from time import monotonic

from pitbook.exact.work import TooLarge
from pitbook.text import say, sentence_of

MODULE = "pitbook.exact.methods.count_process"
NO_SECONDS = 300.0  # What failed is not begun again so soon.
LAST_SECONDS = 3.0  # Before a process that was told to end is ended.


NO_DISK = 3  # The exit code that `counted` uses.


class NoDisk(TooLarge):
    """No disk can store the counts."""


class Counting:
    """What is being counted; whoever asks for the same waits for the same process."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()
        self._failed: dict[str, tuple[float, TooLarge]] = {}

    async def made(self, order: tuple[object, ...]) -> None:
        """Until the counts are kept; raises TooLarge where they could not be made."""
        from pitbook.exact.methods.count_process import format_order  # noqa: PLC0415  It brings NumPy.

        text = format_order(order)
        at, failed = self._failed.get(text, (0.0, None))
        if failed is not None and monotonic() - at < NO_SECONDS:
            raise type(failed)(sentence_of(failed))
        if text not in self._under_way:
            task = asyncio.create_task(self._count(text))
            task.add_done_callback(lambda done: self._done(text, done))
            self._under_way[text] = task
        await asyncio.shield(self._under_way[text])

    async def close(self) -> None:
        """End what is being counted; what waits is not begun."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, text: str, done: asyncio.Task[None]) -> None:
        del self._under_way[text]
        if not done.cancelled():
            done.exception()  # Whoever waits was told; perhaps nobody does any more.

    async def _count(self, text: str) -> None:
        async with self._turn:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", MODULE, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
            )
            try:
                await process.communicate(text.encode())
            finally:
                await _ended(process)
            if process.returncode:
                error = NoDisk if process.returncode == NO_DISK else TooLarge
                failed = error(say("web.figures.not-counted", code=process.returncode))
                self._failed[text] = monotonic(), failed
                raise failed


async def _ended(process: Process) -> None:
    """The process told to end where it runs; not asked a second time."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), LAST_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
