"""Receipts for an event loop: however many come at once, the loop is woken once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from weakref import WeakKeyDictionary

from pitbook.errors import LedgerError
from pitbook.ledger.batch import Append, Receipt
from pitbook.ledger.writer import Answer

__all__ = ["Awaited"]

Send = Callable[[Append, Callable[[Answer], None]], None]
Waiting = asyncio.Future[Receipt]


class Awaited:
    """`await awaited(append)`: the receipt, once it is durable."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._boxes: WeakKeyDictionary[asyncio.AbstractEventLoop, _Box] = WeakKeyDictionary()
        self._loop: asyncio.AbstractEventLoop | None = None  # The last one, and its box.
        self._box = _Box()

    async def __call__(self, append: Append) -> Receipt:
        """Submit it, and wait."""
        loop = asyncio.get_running_loop()
        box = self._box if self._loop is loop else self._box_of(loop)
        waiting: Waiting = loop.create_future()
        self._send(append, partial(box.put, loop, waiting))
        return await waiting

    def _box_of(self, loop: asyncio.AbstractEventLoop) -> _Box:
        self._loop, self._box = loop, self._boxes.setdefault(loop, _Box())
        return self._box


class _Box:
    """What has come for one loop and was not handed out yet."""

    def __init__(self) -> None:
        self._come: deque[tuple[Waiting, Answer]] = deque()
        self._woken = False

    def put(self, loop: asyncio.AbstractEventLoop, waiting: Waiting, answer: Answer) -> None:
        """In the writer's thread: leave it here, and wake the loop if nobody has."""
        self._come.append((waiting, answer))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # The loop has ended: nobody waits any more.
                loop.call_soon_threadsafe(self._hand_out)

    def _hand_out(self) -> None:
        self._woken = False  # First: whatever comes from here on wakes the loop again.
        while self._come:
            waiting, answer = self._come.popleft()
            if waiting.done():
                continue
            if isinstance(answer, LedgerError):
                waiting.set_exception(answer)
            else:
                waiting.set_result(answer)
