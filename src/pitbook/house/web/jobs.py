"""Runs exact computations for requests: queued, bounded, one per question, with cached results."""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter, OrderedDict
from collections.abc import Callable, Container, Hashable
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from time import monotonic
from typing import Any, NamedTuple

from pitbook.exact.work import LongCount, MemoryBound, TooLarge, WorkPhase, watch_work
from pitbook.house.web.errors import Problem
from pitbook.house.web.rate_limits import QueuePlace, RoundRobin, current_queue_place
from pitbook.text import say, sentence_of


def short(text: str) -> str:
    """What stands for somebody's text in a key: that is kept as long as its result."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class KeptResults:
    """So many results; the group that asked for most of them gives up its oldest first.

    Somebody who asks for something else each time, as by rules of their own, drops no figures that
    others need: those cost seconds to work out again.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, tuple[str, Any]] = OrderedDict()
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._results)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._results

    def get(self, key: Hashable) -> Any:
        """A result that is here; it counts as used."""
        self._results.move_to_end(key)
        return self._results[key][1]

    def put(self, key: Hashable, result: Any, group: str) -> None:
        """Keep a result that this group asked for."""
        self._drop(key)
        self._results[key] = (group, result)
        self._of[group] += 1
        if len(self._results) > self._most:
            ((largest, _),) = self._of.most_common(1)
            self._drop(next(one for one, (of, _) in self._results.items() if of == largest))

    def _drop(self, key: Hashable) -> None:
        if key not in self._results:
            return
        group, _ = self._results.pop(key)
        self._of[group] -= 1
        if not self._of[group]:
            del self._of[group]


MODULE = "pitbook.exact.methods.count_process"
FAILURE_SECONDS = 300.0  # How long a failure is remembered before another attempt.
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
        if failed is not None and monotonic() - at < FAILURE_SECONDS:
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


KEPT_MAX = 256
WAITING_MAX = 16  # Of one member, or of all guests of an address.
WAITING_TOTAL = 128
SECONDS_MAX = 20.0  # Everybody waits for the one thread.
BYTES_MAX = 512 * 2**20
COUNTED_MAX = 0.0  # Seconds; slower counts are made by a separate process.
PATIENCE = 25.0  # Seconds that a request waits for them,
AGAIN_SECONDS = 3.0  # and until the client should ask again.
HERE_MAX = 1.0  # Seconds; if no disk can store counts, the server makes those up to this long.


Compute = Callable[[], Any]


class JobQueue:
    """A thread for mathematics. Its caches are not made for two threads, nor is the machine."""

    def __init__(self) -> None:
        self._given_up: set[tuple[object, ...]] = set()  # No disk can store these.
        self._thread = _Thread(self._given_up)
        self._kept = KeptResults(KEPT_MAX)
        self._under_way: dict[Hashable, asyncio.Future[Any]] = {}
        self._waiting: RoundRobin[tuple[Compute, asyncio.Future[Any]]] = RoundRobin()
        self._of: Counter[str] = Counter()  # Sums under way, by the group that asked for them.
        self._busy = self._closed = False
        self._counting = Counting()

    async def compute(
        self, key: Hashable, sum_: Compute, *, keep: bool = True, patience: float = PATIENCE
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

    async def _work_out(self, key: Hashable, sum_: Compute, keep: bool) -> Any:
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

    def _begin(self, key: Hashable, sum_: Compute, keep: bool, place: QueuePlace) -> None:
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
        work = self._thread.compute(sum_)
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

    sum_: Compute
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

    def compute(self, sum_: Compute) -> asyncio.Future[Any]:
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
    return isinstance(kept, _No) and monotonic() - kept.at > FAILURE_SECONDS


def _told(kept: Any) -> Any:
    if isinstance(kept, _No):
        raise TooLarge(sentence_of(kept.error))
    return kept


def within_limits(
    sum_: Compute, counted_max: float | None, given_up: Container[object] = ()
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
