"""Long sums, worked out beside the loop: one at a time and in turn, no long queue, some kept."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import Counter
from collections.abc import Callable, Container, Hashable
from contextlib import suppress
from http import HTTPStatus
from time import monotonic
from typing import Any, NamedTuple

from pitbook.exact.work import LongCount, MemoryBound, TooLarge, WorkPhase, watch_work
from pitbook.house.web.errors import Problem
from pitbook.house.web.figures.counting import Counting, NoDisk
from pitbook.house.web.figures.kept import KeptResults
from pitbook.house.web.rate_limits import QueuePlace, RoundRobin, current_queue_place
from pitbook.text import say, sentence_of

KEPT_MAX = 256
WAITING_MAX = 16  # Of one member, or of all guests of an address.
WAITING_TOTAL = 128
SECONDS_MAX = 20.0  # Everybody waits for the one thread.
NO_SECONDS = 300.0  # So long a no is kept; by then a command may have worked it out.
BYTES_MAX = 512 * 2**20
COUNTED_MAX = 0.0  # Seconds; slower counts are made by a separate process.
PATIENCE = 25.0  # Seconds that a request waits for them,
AGAIN_SECONDS = 3.0  # and until the client should ask again.
HERE_MAX = 1.0  # Seconds; if no disk can store counts, the server makes those up to this long.


WorkOut = Callable[[], Any]


class Sums:
    """A thread for mathematics. Its caches are not made for two threads, nor is the machine."""

    def __init__(self) -> None:
        self._given_up: set[tuple[object, ...]] = set()  # No disk can store these.
        self._thread = _Thread(self._given_up)
        self._kept = KeptResults(KEPT_MAX)
        self._under_way: dict[Hashable, asyncio.Future[Any]] = {}
        self._waiting: RoundRobin[tuple[WorkOut, asyncio.Future[Any]]] = RoundRobin()
        self._of: Counter[str] = Counter()  # Sums under way, by the group that asked for them.
        self._busy = self._closed = False
        self._counting = Counting()

    async def work_out(
        self, key: Hashable, sum_: WorkOut, *, keep: bool = True, patience: float = PATIENCE
    ) -> Any:
        """What a sum comes to; the same key has the same result, worked out once.

        Counts that take long are made beside the house; they are waited for so many seconds.
        """
        until = monotonic() + patience
        while True:
            try:
                return await self._work_out(key, sum_, keep)
            except LongCount as awaited:
                await self._counted(awaited, until - monotonic())

    async def _counted(self, awaited: LongCount, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._counting.made(awaited.order), max(seconds, 0.0))
        except NoDisk:
            if awaited.seconds > HERE_MAX:
                raise
            self._given_up.add(awaited.order)
        except TimeoutError:
            status, told = HTTPStatus.SERVICE_UNAVAILABLE, sentence_of(awaited)
            raise Problem(status, told, retry_after=AGAIN_SECONDS) from None

    async def _work_out(self, key: Hashable, sum_: WorkOut, keep: bool) -> Any:
        if key in self._kept and not _is_old(kept := self._kept.get(key)):
            return _told(kept)
        if key not in self._under_way:
            self._begin(key, sum_, keep, current_queue_place())
        return await asyncio.shield(self._under_way[key])

    async def end(self) -> None:
        """Close, and leave no process behind."""
        self.close()
        await self._counting.close()

    def close(self) -> None:
        """Let go of the thread; what waits is not begun."""
        self._closed = True
        self._thread.end()
        while self._waiting:
            self._waiting.next()[1].cancel()

    def _begin(self, key: Hashable, sum_: WorkOut, keep: bool, place: QueuePlace) -> None:
        if self._closed:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, say("web.app.closing"), retry_after=1)
        group = place[0]
        if self._of[group] >= WAITING_MAX or len(self._under_way) >= WAITING_TOTAL:
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, say("web.figures.busy"), retry_after=2)
        self._of[group] += 1
        made: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        made.add_done_callback(lambda done: self._done(key, done, keep, group))
        self._under_way[key] = made
        self._waiting.add(place, (sum_, made))
        self._go_on()

    def _go_on(self) -> None:
        """The next sum, where the thread is free."""
        if self._busy or not self._waiting:
            return
        sum_, made = self._waiting.next()
        self._busy = True
        work = self._thread.work_out(sum_)
        work.add_done_callback(lambda done: self._worked(done, made))

    def _worked(self, done: asyncio.Future[Any], made: asyncio.Future[Any]) -> None:
        self._busy = False
        if done.cancelled():
            made.cancel()
        elif (error := done.exception()) is not None:
            made.set_exception(error)
        else:
            made.set_result(done.result())
        self._go_on()

    def _done(self, key: Hashable, done: asyncio.Future[Any], keep: bool, group: str) -> None:
        del self._under_way[key]
        self._of[group] -= 1
        if not self._of[group]:
            del self._of[group]
        if done.cancelled() or not keep:
            return
        error = done.exception()
        if error is None or isinstance(error, TooLarge):  # What is too large is so for a while.
            result = done.result() if error is None else _No(error, monotonic())
            self._kept.put(key, result, group)


class _No(NamedTuple):
    """A sum that was too large, and when that was found."""

    error: TooLarge
    at: float


class _Task(NamedTuple):
    """A sum, and where its result is waited for."""

    sum_: WorkOut
    made: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class _Thread:
    """One thread that works out one sum after the other, and holds up nobody's end.

    An executor's thread is waited for when the process ends, however long its sum takes.
    """

    def __init__(self, given_up: Container[object]) -> None:
        self._given_up, self._memory = given_up, MemoryBound()
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._begun = False

    def work_out(self, sum_: WorkOut) -> asyncio.Future[Any]:
        """What a sum comes to, or its error, as soon as the thread has it."""
        loop = asyncio.get_running_loop()
        made: asyncio.Future[Any] = loop.create_future()
        self._tasks.put(_Task(sum_, made, loop))
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._run, name="pitbook-sums", daemon=True).start()
        return made

    def end(self) -> None:
        """Begin nothing more."""
        self._tasks.put(None)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            _work(task, self._given_up)
            del task  # Its result may be large.
            self._memory.settle()


def _work(task: _Task, given_up: Container[object]) -> None:
    result, error = None, None
    try:
        result = within_limits(task.sum_, COUNTED_MAX, given_up)
    except BaseException as raised:  # noqa: BLE001  Whoever waits is told of it.
        error = raised
    with suppress(RuntimeError):  # Nobody waits any more: the loop is closed.
        task.loop.call_soon_threadsafe(_tell, task.made, result, error)


def _tell(made: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if made.done():
        return
    if error is None:
        made.set_result(result)
    else:
        made.set_exception(error)


def _is_old(kept: Any) -> bool:
    return isinstance(kept, _No) and monotonic() - kept.at > NO_SECONDS


def _told(kept: Any) -> Any:
    if isinstance(kept, _No):
        raise TooLarge(sentence_of(kept.error))
    return kept


def within_limits(
    sum_: WorkOut, counted_max: float | None, given_up: Container[object] = ()
) -> Any:
    """The result of a computation, unless it is too large to run while others play.

    Counts slower than `counted_max` seconds are left to another process; None leaves none.
    """
    begun = monotonic()

    def watch(phase: WorkPhase, done: int) -> None:
        spent = monotonic() - begun
        left = phase.seconds * (1 - done / phase.total) if phase.total else 0.0
        if spent > SECONDS_MAX or (not done and left > 3 * SECONDS_MAX):
            raise TooLarge(say("web.figures.too-large", count=phase.total, of=phase.of))

    with watch_work(watch, bytes_max=BYTES_MAX, seconds_max=counted_max, given_up=given_up):
        return sum_()
