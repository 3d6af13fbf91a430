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

from pitbook.exact.long_computations import (
    LongCount,
    MemoryBound,
    TooLarge,
    WorkPhase,
    awaited_text,
    watch_work,
)
from pitbook.house.web.errors import Problem
from pitbook.house.web.rate_limits import QueuePlace, RoundRobin, current_queue_place
from pitbook.text import say, sentence_of


def text_key(text: str) -> str:
    """A digest for a user's text in a cache key, which lives as long as its result."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class ResultCache:
    """A bounded cache. When full, the group with the most results loses its oldest one.

    A user who asks for something new each time, such as their own rules, cannot evict results
    that others need.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._results: OrderedDict[Hashable, tuple[str, Any]] = OrderedDict()
        self._counts: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._results)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._results

    def get(self, key: Hashable) -> Any:
        """A cached result, marked as recently used."""
        self._results.move_to_end(key)
        return self._results[key][1]

    def put(self, key: Hashable, result: Any, group: str) -> None:
        """Store a result for the group that asked for it."""
        self._drop(key)
        self._results[key] = (group, result)
        self._counts[group] += 1
        if len(self._results) > self._capacity:
            ((largest, _),) = self._counts.most_common(1)
            self._drop(next(key for key, (owner, _) in self._results.items() if owner == largest))

    def _drop(self, key: Hashable) -> None:
        if key not in self._results:
            return
        group, _ = self._results.pop(key)
        self._counts[group] -= 1
        if not self._counts[group]:
            del self._counts[group]


MODULE = "pitbook.exact.methods.count_process"
FAILURE_SECONDS = 300.0  # How long a failure is remembered before another attempt.
TERMINATE_SECONDS = 3.0  # Before a terminated process is killed.


NO_DISK = 3  # The exit code of `count_process`.
SHARE_MAX = 0.99  # Estimates are approximate; a count is done when its process ends.


class NoDisk(TooLarge):
    """No disk can store the counts."""


class CountProcesses:
    """Counts in progress; requests for the same count share one process."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()
        self._failed: dict[str, tuple[float, TooLarge]] = {}
        self._seconds_done: dict[str, float] = {}

    def share_done(self, count: LongCount) -> float | None:
        """The approximate share of a count that is done; None if it has not begun."""
        from pitbook.exact.methods.count_process import format_order  # noqa: PLC0415  Imports NumPy.

        seconds_done = self._seconds_done.get(format_order(count.order))
        if not seconds_done or not count.seconds:
            return None
        return min(SHARE_MAX, seconds_done / count.seconds)

    async def count(self, order: tuple[object, ...]) -> None:
        """Wait until the counts are stored; raises TooLarge if they cannot be made."""
        from pitbook.exact.methods.count_process import format_order  # noqa: PLC0415  Imports NumPy.

        text = format_order(order)
        failed_at, error = self._failed.get(text, (0.0, None))
        if error is not None and monotonic() - failed_at < FAILURE_SECONDS:
            raise type(error)(sentence_of(error))
        if text not in self._under_way:
            task = asyncio.create_task(self._run_process(text))
            task.add_done_callback(lambda task: self._forget(text, task))
            self._under_way[text] = task
        await asyncio.shield(self._under_way[text])

    async def close(self) -> None:
        """End counts in progress and cancel those that wait."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, text: str, task: asyncio.Task[None]) -> None:
        del self._under_way[text]
        self._seconds_done.pop(text, None)
        if not task.cancelled():
            task.exception()  # Read the error, which waiting requests have seen already.

    async def _run_process(self, text: str) -> None:
        async with self._turn:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", MODULE, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
            )
            try:
                await self._follow(process, text)
            finally:
                await _terminate(process)
            if process.returncode:
                error = NoDisk if process.returncode == NO_DISK else TooLarge
                failure = error(say("web.figures.not-counted", code=process.returncode))
                self._failed[text] = monotonic(), failure
                raise failure

    async def _follow(self, process: Process, text: str) -> None:
        """Hand the order to a process, and read its progress until it ends."""
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(ConnectionError):  # It has ended; its exit code says why.
            process.stdin.write(text.encode())
            process.stdin.write_eof()
        async for line in process.stdout:
            with suppress(ValueError):
                self._seconds_done[text] = float(line)
        await process.wait()


async def _terminate(process: Process) -> None:
    """Terminate a process, and kill it if it does not end in time."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), TERMINATE_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


RESULTS_MAX = 256
WAITING_MAX = 16  # Of one member, or of all guests of an address.
WAITING_TOTAL = 128
SECONDS_MAX = 20.0  # Everyone waits for the one thread.
BYTES_MAX = 512 * 2**20
COUNTED_MAX = 0.0  # Seconds; slower counts are made by a separate process.
PATIENCE = 25.0  # Seconds that a request waits for them,
RETRY_SECONDS = 3.0  # and until the client should ask again.
FALLBACK_SECONDS_MAX = (
    1.0  # Seconds; if no disk can store counts, the server makes counts up to this long.
)


Compute = Callable[[], Any]


class JobQueue:
    """A single thread for computations: neither its caches nor the machine suit two."""

    def __init__(self) -> None:
        self._uncountable: set[tuple[object, ...]] = set()  # No disk can store these.
        self._thread = _WorkerThread(self._uncountable)
        self._results = ResultCache(RESULTS_MAX)
        self._under_way: dict[Hashable, asyncio.Future[Any]] = {}
        self._waiting: RoundRobin[tuple[Compute, asyncio.Future[Any]]] = RoundRobin()
        # Computations in progress, by the group that asked for them.
        self._job_counts: Counter[str] = Counter()
        self._busy = self._closed = False
        self._counts = CountProcesses()

    async def compute(
        self, key: Hashable, computation: Compute, *, keep: bool = True, patience: float = PATIENCE
    ) -> Any:
        """The result of a computation, computed once per key.

        Long counts run in a separate process; wait up to `patience` seconds for them.
        """
        until = monotonic() + patience
        while True:
            try:
                return await self._compute_once(key, computation, keep)
            except LongCount as count:
                await self._wait_for_count(count, until - monotonic())

    async def _wait_for_count(self, count: LongCount, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._counts.count(count.order), max(seconds, 0.0))
        except NoDisk:
            if count.seconds > FALLBACK_SECONDS_MAX:
                raise
            self._uncountable.add(count.order)
        except TimeoutError:
            message = awaited_text(self._counts.share_done(count))
            status = HTTPStatus.SERVICE_UNAVAILABLE
            raise Problem(status, message, retry_after=RETRY_SECONDS) from None

    async def _compute_once(self, key: Hashable, computation: Compute, keep: bool) -> Any:
        if key in self._results and not _is_expired(cached := self._results.get(key)):
            return _cached_result(cached)
        if key not in self._under_way:
            self._begin(key, computation, keep, current_queue_place())
        return await asyncio.shield(self._under_way[key])

    async def end(self) -> None:
        """Close, and end all processes."""
        self.close()
        await self._counts.close()

    def close(self) -> None:
        """Stop the thread and cancel what waits."""
        self._closed = True
        self._thread.end()
        while self._waiting:
            self._waiting.next()[1].cancel()

    def _begin(self, key: Hashable, computation: Compute, keep: bool, place: QueuePlace) -> None:
        if self._closed:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, say("web.app.closing"), retry_after=1)
        group = place[0]
        if self._job_counts[group] >= WAITING_MAX or len(self._under_way) >= WAITING_TOTAL:
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, say("web.figures.busy"), retry_after=2)
        self._job_counts[group] += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda finished: self._store(key, finished, keep, group))
        self._under_way[key] = future
        self._waiting.add(place, (computation, future))
        self._start_next()

    def _start_next(self) -> None:
        """Start the next computation if the thread is free."""
        if self._busy or not self._waiting:
            return
        computation, future = self._waiting.next()
        self._busy = True
        work = self._thread.compute(computation)
        work.add_done_callback(lambda finished: self._finish(finished, future))

    def _finish(self, finished: asyncio.Future[Any], future: asyncio.Future[Any]) -> None:
        self._busy = False
        if finished.cancelled():
            future.cancel()
        elif (error := finished.exception()) is not None:
            future.set_exception(error)
        else:
            future.set_result(finished.result())
        self._start_next()

    def _store(self, key: Hashable, finished: asyncio.Future[Any], keep: bool, group: str) -> None:
        del self._under_way[key]
        self._job_counts[group] -= 1
        if not self._job_counts[group]:
            del self._job_counts[group]
        if finished.cancelled() or not keep:
            return
        error = finished.exception()
        if error is None or isinstance(error, TooLarge):  # What is too large stays so for a while.
            result = finished.result() if error is None else _Failure(error, monotonic())
            self._results.put(key, result, group)


class _Failure(NamedTuple):
    """A computation that was too large, and when that was found."""

    error: TooLarge
    at: float


class _Task(NamedTuple):
    """A computation, and the future for its result."""

    computation: Compute
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class _WorkerThread:
    """One daemon thread that runs computations in turn.

    At exit a process waits for an executor's threads, however long they run, but not for this
    one.
    """

    def __init__(self, uncountable: Container[object]) -> None:
        self._uncountable, self._memory = uncountable, MemoryBound()
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._started = False

    def compute(self, computation: Compute) -> asyncio.Future[Any]:
        """A future for the result or error of a computation."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._tasks.put(_Task(computation, future, loop))
        if not self._started:
            self._started = True
            threading.Thread(target=self._run, name="pitbook-sums", daemon=True).start()
        return future

    def end(self) -> None:
        """Start nothing more."""
        self._tasks.put(None)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            _run_task(task, self._uncountable)
            del task  # Its result may be large.
            self._memory.settle()


def _run_task(task: _Task, uncountable: Container[object]) -> None:
    result, error = None, None
    try:
        result = within_limits(task.computation, COUNTED_MAX, uncountable)
    except BaseException as failure:  # noqa: BLE001  The waiting request reports it.
        error = failure
    with suppress(RuntimeError):  # The loop is closed.
        task.loop.call_soon_threadsafe(_set_outcome, task.future, result, error)


def _set_outcome(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _is_expired(cached: Any) -> bool:
    return isinstance(cached, _Failure) and monotonic() - cached.at > FAILURE_SECONDS


def _cached_result(cached: Any) -> Any:
    if isinstance(cached, _Failure):
        raise TooLarge(sentence_of(cached.error))
    return cached


def within_limits(
    computation: Compute, counted_max: float | None, uncountable: Container[object] = ()
) -> Any:
    """The result of a computation; raises TooLarge if it would take too long or too much memory.

    Counts slower than `counted_max` seconds are left to another process; None leaves none.
    """
    started = monotonic()

    def watch(phase: WorkPhase, steps_done: int) -> None:
        elapsed_s = monotonic() - started
        remaining_s = phase.seconds * (1 - steps_done / phase.total) if phase.total else 0.0
        if elapsed_s > SECONDS_MAX or (not steps_done and remaining_s > 3 * SECONDS_MAX):
            raise TooLarge(say("web.figures.too-large", count=phase.total, of=phase.what))

    with watch_work(watch, bytes_max=BYTES_MAX, seconds_max=counted_max, failed_orders=uncountable):
        return computation()
