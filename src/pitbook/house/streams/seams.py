"""Whether whoever writes to a stream blocks or awaits: all in which the two differ."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, NamedTuple, Protocol, TypeVar

from pitbook.house.ledger.batch import Append, Receipt
from pitbook.house.ledger.book import Ledger

T = TypeVar("T")
Write = Callable[[Append], Awaitable[Receipt]]


class ReadBook(Protocol):
    """Does what reads in the book, and gives what it found."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


class Seam(NamedTuple):
    """How a stream is written and read, and who is in turn."""

    write: Write
    read: ReadBook
    rest: Callable[[float], Awaitable[None]]
    turn: AbstractAsyncContextManager[Any]  # Of whichever request is decided.
    lock: threading.RLock  # Of whoever reads on.


def blocking(ledger: Ledger) -> Seam:
    """For those who wait, in several threads."""

    async def write(append: Append) -> Receipt:
        return ledger.submit(append).result()

    async def rest(seconds: float) -> None:
        time.sleep(seconds)

    lock = threading.RLock()
    return Seam(write, _in_place, rest, _Turn(lock), lock)


def awaiting(ledger: Ledger, write: Write | None = None) -> Seam:
    """For those who await, on one loop; the book is read beside it."""
    turn, lock = asyncio.Lock(), threading.RLock()
    return Seam(write or ledger.written, asyncio.to_thread, asyncio.sleep, turn, lock)


def one_by_one(ledger: Ledger, write: Write | None = None) -> Seam:
    """For somebody who awaits, is in turn already, and reads where the loop is."""
    return awaiting(ledger, write)._replace(read=_in_place, turn=nullcontext())


async def _in_place(work: Callable[[], T]) -> T:
    """Read where one is: nothing else goes on meanwhile."""
    return work()


def aside_seconds(tried: int, *, at_least: int = 0) -> float:
    """A moment, by chance and longer each time: two who hurry would be in each other's way."""
    return secrets.randbelow(1 + 2 ** (at_least + min(tried, 7 - at_least // 2))) / 1_000


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """What comes of work at a blocking seam, where nothing is awaited."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise AssertionError(work)  # Our own mistake: it is at a seam for those who await.


class _Turn:
    """A lock of threads, held as a lock of tasks is."""

    def __init__(self, lock: threading.RLock) -> None:
        self._lock = lock

    async def __aenter__(self) -> None:
        self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()
