"""Long work, watched: how much there is before it begins, how far it is, and where it must stop."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple, TypeVar

from pitbook.errors import PitbookError
from pitbook.text import Sentence, say

__all__ = [
    "LongCount",
    "TooLarge",
    "Watch",
    "WorkPhase",
    "advance",
    "defer_long_count",
    "length_of_time",
    "report_progress",
    "room_for",
    "tracked",
    "watched",
]

T = TypeVar("T")

BYTES_MAX = 2 * 2**30  # More than this at once, and a usual machine stands still.


class TooLarge(PitbookError):
    """Work that cannot be done here; its text says why, and what can."""


class LongCount(Exception):
    """Slow counts that another process should make and store: `order` names them.

    Not a PitbookError: code that answers without a figure must not answer while one is counted.
    """

    def __init__(self, order: tuple[object, ...], seconds: float) -> None:
        super().__init__(say("exact.large.awaited"))
        self.order, self.seconds = order, seconds


class WorkPhase(NamedTuple):
    """Some work of many like parts: what they are, how many, and about how long all take."""

    of: str
    total: int
    seconds: float


Watch = Callable[[WorkPhase, int], None]  # Told before the first part and after each; it may raise.


class _Watched(NamedTuple):
    watch: Watch | None
    bytes_max: int
    seconds_max: float | None  # What takes longer and can be kept is left to others; None: nothing.
    given_up: Container[object] = ()  # Orders that others could not fill.


_NOBODY = _Watched(None, BYTES_MAX, None)
_WATCHED: ContextVar[_Watched] = ContextVar("watched", default=_NOBODY)


@contextmanager
def watched(
    watch: Watch,
    *,
    bytes_max: int = BYTES_MAX,
    seconds_max: float | None = None,
    given_up: Container[object] = (),
) -> Iterator[None]:
    """Whatever is worked out inside tells the watch how far it is."""
    before = _WATCHED.set(_Watched(watch, bytes_max, seconds_max, given_up))
    try:
        yield
    finally:
        _WATCHED.reset(before)


def tracked(parts: Iterable[T], total: int, of: str, *, each: float) -> Iterator[T]:
    """The parts one by one, told to whoever watches; `each` is about how many seconds one takes."""
    watch = _WATCHED.get().watch
    if watch is None:
        yield from parts
        return
    phase = WorkPhase(of, total, total * each)
    watch(phase, 0)
    for done, part in enumerate(parts, start=1):
        yield part
        watch(phase, done)


class _Progress:
    """Progress of a phase whose parts are done in many places."""

    def __init__(self, watch: Watch, phase: WorkPhase) -> None:
        self.watch, self.phase, self.done = watch, phase, 0

    def advance(self, parts: int) -> None:
        self.done = min(
            self.done + parts, self.phase.total - 1
        )  # `report_progress` reports the end.
        self.watch(self.phase, self.done)


_PROGRESS: ContextVar[_Progress | None] = ContextVar("progress", default=None)


@contextmanager
def report_progress(total: int, of: str, *, each: float) -> Iterator[None]:
    """Report the work inside as `advance` counts its parts; nested work joins the outer one."""
    watch = _WATCHED.get().watch
    if watch is None or _PROGRESS.get() is not None:
        yield
        return
    phase = WorkPhase(of, max(1, total), total * each)
    watch(phase, 0)
    before = _PROGRESS.set(_Progress(watch, phase))
    try:
        yield
    finally:
        _PROGRESS.reset(before)
    watch(phase, phase.total)


def advance(parts: int) -> None:
    """Add finished parts to the work that `report_progress` reports."""
    if (work := _PROGRESS.get()) is not None:
        work.advance(parts)


def defer_long_count(order: tuple[object, ...], seconds: float) -> None:
    """Raise LongCount if a count is slow enough that another process should make it."""
    watching = _WATCHED.get()
    seconds_max = watching.seconds_max
    if seconds_max is not None and seconds > seconds_max and order not in watching.given_up:
        raise LongCount(order, seconds)


def room_for(size: int, what: str, remedy: str) -> None:
    """Raise TooLarge where something would take more bytes than there are to spend."""
    if size > _WATCHED.get().bytes_max:
        told = {"what": what, "memory": _memory(size), "remedy": remedy}
        raise TooLarge(say("exact.large.memory", **told))


def _memory(size: int) -> str:
    return f"{size / 2**30:,.0f} GB" if size >= 2**30 else f"{size // 2**20:,} MB"


def length_of_time(seconds: float) -> Sentence:
    """A length of time in words.

    >>> length_of_time(1.2), length_of_time(8.2), length_of_time(200), length_of_time(9000)
    ('1 second', '8 seconds', '3 minutes', '2.5 hours')
    """
    for limit, unit_seconds, unit in ((100, 1, "second"), (6000, 60, "minute")):
        if seconds < limit:
            number = max(1, round(seconds / unit_seconds))
            return say("exact.estimate.long", many=number, of=unit if number == 1 else f"{unit}s")
    unit_seconds, unit = (3600, "hours") if seconds < 172_800 else (86_400, "days")
    return say("exact.estimate.long", many=f"{seconds / unit_seconds:,.1f}", of=unit)
