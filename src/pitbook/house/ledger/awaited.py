"""Between an event loop and the writer: what one turn brings goes over at once, both ways."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from weakref import WeakKeyDictionary

from pitbook.errors import LedgerError
from pitbook.house.ledger.batch import Append, Receipt
from pitbook.house.ledger.intake import checked
from pitbook.house.ledger.writer import ReceiptOrError

Give = Callable[[ReceiptOrError], None]
Send = Callable[[Sequence[tuple[Append, Give]]], None]
Waiting = asyncio.Future[Receipt]


class Awaited:
    """`await awaited(append)`: the receipt, once it is durable."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._boxes: WeakKeyDictionary[asyncio.AbstractEventLoop, _Box] = WeakKeyDictionary()
        self._loop: asyncio.AbstractEventLoop | None = None  # The last one, and its box.
        self._box = _Box(send)

    async def __call__(self, append: Append) -> Receipt:
        """Submit it, and wait."""
        loop = asyncio.get_running_loop()
        box = self._box if self._loop is loop else self._box_of(loop)
        waiting: Waiting = loop.create_future()
        box.post(loop, checked(append), waiting)
        return await waiting

    def _box_of(self, loop: asyncio.AbstractEventLoop) -> _Box:
        self._loop, self._box = loop, self._boxes.setdefault(loop, _Box(self._send))
        return self._box


class _Box:
    """What one loop wants written at this turn, and what has come for it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._posted: list[tuple[Append, Waiting]] = []
        self._come: deque[tuple[Waiting, ReceiptOrError]] = deque()
        self._woken = False

    def post(self, loop: asyncio.AbstractEventLoop, append: Append, waiting: Waiting) -> None:
        """Leave an append here; the writer is woken once for all tables that act at this turn."""
        self._posted.append((append, waiting))
        if len(self._posted) == 1:
            loop.call_soon(self._hand_over, loop)

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        posted, self._posted = self._posted, []
        try:
            self._send([(append, partial(self.put, loop, waiting)) for append, waiting in posted])
        except LedgerError as closed:
            for _, waiting in posted:
                _give(waiting, closed)

    def put(
        self, loop: asyncio.AbstractEventLoop, waiting: Waiting, answer: ReceiptOrError
    ) -> None:
        """In the writer's thread: leave it here, and wake the loop if nobody has."""
        self._come.append((waiting, answer))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # The loop has ended: nobody waits any more.
                loop.call_soon_threadsafe(self._hand_out)

    def _hand_out(self) -> None:
        self._woken = False  # First: whatever comes from here on wakes the loop again.
        while self._come:
            _give(*self._come.popleft())


def _give(waiting: Waiting, answer: ReceiptOrError) -> None:
    if waiting.done():
        return
    if isinstance(answer, LedgerError):
        waiting.set_exception(answer)
    else:
        waiting.set_result(answer)
