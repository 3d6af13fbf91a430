"""Progress of long computations, and limits on their time and memory."""

from __future__ import annotations

import mmap
import re
import sys
import weakref
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from pitbook.errors import PitbookError
from pitbook.text import Sentence, say

T = TypeVar("T")

BYTES_MAX = 2 * 2**30  # More than this at once may bring a usual machine to a halt.


class TooLarge(PitbookError):
    """Work that is too large to do here; its text gives the reason and an alternative."""


class LongCount(Exception):
    """Slow counts that another process should make and store: `order` identifies them.

    Not a PitbookError, so that code that handles those does not answer before the count is made.
    """

    def __init__(self, order: tuple[object, ...], seconds: float) -> None:
        super().__init__(awaited_text(None))
        self.order, self.seconds = order, seconds


def awaited_text(share: float | None) -> Sentence:
    """That figures are being calculated, and the share that is done, if it is known."""
    return say("exact.large.awaited", share=None if share is None else f"{share:.0%}")


class WorkPhase(NamedTuple):
    """A phase of work with equal parts: a description, their number, and the approximate total
    time.
    """

    what: str
    total: int
    seconds: float


# Called before the first part and after each; may raise to cancel.
Watch = Callable[[WorkPhase, int], None]


class _WorkContext(NamedTuple):
    watch: Watch | None
    bytes_max: int
    seconds_max: float | None  # Slower counts are deferred to another process; None: never.
    failed_orders: Container[object] = ()  # Orders that the other process could not fill.


_NO_CONTEXT = _WorkContext(None, BYTES_MAX, None)
_CONTEXT: ContextVar[_WorkContext] = ContextVar("watched", default=_NO_CONTEXT)


@contextmanager
def watch_work(
    watch: Watch,
    *,
    bytes_max: int = BYTES_MAX,
    seconds_max: float | None = None,
    failed_orders: Container[object] = (),
) -> Iterator[None]:
    """Report the progress of work inside to the watch, and set its limits."""
    token = _CONTEXT.set(_WorkContext(watch, bytes_max, seconds_max, failed_orders))
    try:
        yield
    finally:
        _CONTEXT.reset(token)


def track_parts(parts: Iterable[T], total: int, label: str, *, seconds_each: float) -> Iterator[T]:
    """The parts, with progress reports; `seconds_each` is the approximate time of one."""
    watch = _CONTEXT.get().watch
    if watch is None:
        yield from parts
        return
    phase = WorkPhase(label, total, total * seconds_each)
    watch(phase, 0)
    for count, part in enumerate(parts, start=1):
        yield part
        watch(phase, count)


class _Progress:
    """Progress of a phase whose parts are counted in several places."""

    def __init__(self, watch: Watch, phase: WorkPhase) -> None:
        self.watch, self.phase, self.done = watch, phase, 0

    def advance(self, parts: int) -> None:
        # `report_progress` reports the end.
        self.done = min(self.done + parts, self.phase.total - 1)
        self.watch(self.phase, self.done)


_PROGRESS: ContextVar[_Progress | None] = ContextVar("progress", default=None)


@contextmanager
def report_progress(total: int, label: str, *, seconds_each: float) -> Iterator[None]:
    """Report progress as `advance_work` counts finished parts; nested work joins the outer one."""
    watch = _CONTEXT.get().watch
    if watch is None or _PROGRESS.get() is not None:
        yield
        return
    phase = WorkPhase(label, max(1, total), total * seconds_each)
    watch(phase, 0)
    token = _PROGRESS.set(_Progress(watch, phase))
    try:
        yield
    finally:
        _PROGRESS.reset(token)
    watch(phase, phase.total)


def advance_work(parts: int) -> None:
    """Add finished parts to the work that `report_progress` reports."""
    if (work := _PROGRESS.get()) is not None:
        work.advance(parts)


def defer_long_count(order: tuple[object, ...], seconds: float) -> None:
    """Raise LongCount if a count is slow enough that another process should make it."""
    context = _CONTEXT.get()
    seconds_max = context.seconds_max
    if seconds_max is not None and seconds > seconds_max and order not in context.failed_orders:
        raise LongCount(order, seconds)


def require_memory(size: int, label: str, remedy: str) -> None:
    """Raise TooLarge if something needs more memory than allowed."""
    if size > _CONTEXT.get().bytes_max:
        fields = {"what": label, "memory": _memory_text(size), "remedy": remedy}
        raise TooLarge(say("exact.large.memory", **fields))


def _memory_text(size: int) -> str:
    return f"{size / 2**30:,.0f} GB" if size >= 2**30 else f"{size // 2**20:,} MB"


def duration_text(seconds: float) -> Sentence:
    """A duration in words.

    >>> duration_text(1.2), duration_text(8.2), duration_text(200), duration_text(9000)
    ('1 second', '8 seconds', '3 minutes', '2.5 hours')
    """
    for limit, unit_seconds, unit in ((100, 1, "second"), (6000, 60, "minute")):
        if seconds < limit:
            number = max(1, round(seconds / unit_seconds))
            return say("exact.estimate.long", many=number, of=unit if number == 1 else f"{unit}s")
    unit_seconds, unit = (3600, "hours") if seconds < 172_800 else (86_400, "days")
    return say("exact.estimate.long", many=f"{seconds / unit_seconds:,.1f}", of=unit)


GROWTH_MAX = 48 * 2**20  # Bytes that computations may leave behind before caches are emptied,
TRIM_MIN = 12 * 2**20  # and before free memory goes back to the system.

_CACHES: list[Callable[[], None]] = []
_MAPS: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
Function = TypeVar("Function", bound=Callable[..., Any])


def releasable_cache(maxsize: int) -> Callable[[Function], Function]:
    """An `lru_cache` for large results that `release_memory` empties."""

    def decorate(function: Function) -> Function:
        cached_function = lru_cache(maxsize)(function)
        _CACHES.append(cached_function.cache_clear)
        return cast(Function, cached_function)

    return decorate


def track_map(mapped_file: mmap.mmap) -> None:
    """Register a mapped file, so that `drop_pages` can drop its pages from memory."""
    _MAPS.add(mapped_file)


def drop_pages() -> None:
    """Drop the pages of mapped files from memory; the next read loads them again."""
    advice = getattr(mmap, "MADV_DONTNEED", None)
    if advice is None:
        return
    for mapped_file in list(_MAPS):
        with suppress(OSError, ValueError):  # Closed in the meantime.
            mapped_file.madvise(advice)


def release_memory() -> None:
    """Empty every large cache, and give the memory back to the system."""
    for clear in _CACHES:
        clear()
    drop_pages()
    _trim()


def _trim() -> None:
    """Return freed memory to the system; the C library would keep it for later."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  Short commands trim nothing.

        with suppress(OSError, AttributeError):  # A C library without it.
            ctypes.CDLL(None).malloc_trim(0)


def anonymous_bytes() -> int | None:
    """Anonymous memory of this process in bytes; None if the system does not report it."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    match = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return match and int(match[1]) * 1024


class MemoryBound:
    """Empties caches once they have grown too much; call `settle` after every computation.

    Growth is measured from the level after the last release, so libraries and tables that stay
    loaded do not count again.
    """

    def __init__(self) -> None:
        self._level = anonymous_bytes()

    def settle(self) -> None:
        """Drop mapped pages, and empty the caches if memory has grown too much."""
        drop_pages()
        if self._growth() >= TRIM_MIN:
            _trim()
        if self._growth() >= GROWTH_MAX:
            release_memory()
            self._level = anonymous_bytes()
        elif self._growth() < 0:
            self._level = anonymous_bytes()

    def _growth(self) -> int:
        current = anonymous_bytes()
        return 0 if current is None or self._level is None else current - self._level
