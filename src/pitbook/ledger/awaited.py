"""Receipts for an event loop: however many come at once, the loop is woken once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from weakref import WeakKeyDictionary

from pitbook.ledger.batch import Append, Receipt

__all__ = ["Awaited"]

Submit = Callable[[Append], "Future[Receipt]"]
Answer = asyncio.Future[Receipt]


class Awaited:
    """`await awaited(append)`: the receipt, once it is durable."""

    def __init__(self, submit: Submit) -> None:
        self._submit = submit
        self._boxes: WeakKeyDictionary[asyncio.AbstractEventLoop, _Box] = WeakKeyDictionary()

    async def __call__(self, append: Append) -> Receipt:
        """Submit it, and wait."""
        loop = asyncio.get_running_loop()
        box = self._boxes.get(loop)
        if box is None:
            box = self._boxes[loop] = _Box()
        answer: Answer = loop.create_future()
        self._submit(append).add_done_callback(partial(box.put, loop, answer))
        return await answer


class _Box:
    """What has come for one loop and was not handed out yet."""

    def __init__(self) -> None:
        self._come: deque[tuple[Answer, Future[Receipt]]] = deque()
        self._woken = False

    def put(
        self, loop: asyncio.AbstractEventLoop, answer: Answer, receipt: Future[Receipt]
    ) -> None:
        """In the writer's thread: leave it here, and wake the loop if nobody has."""
        self._come.append((answer, receipt))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # The loop has ended: nobody waits any more.
                loop.call_soon_threadsafe(self._hand_out)

    def _hand_out(self) -> None:
        self._woken = False  # First: whatever comes from here on wakes the loop again.
        while self._come:
            answer, receipt = self._come.popleft()
            if answer.done():
                continue
            if (failed := receipt.exception()) is not None:
                answer.set_exception(failed)
            else:
                answer.set_result(receipt.result())
