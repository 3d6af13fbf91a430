"""The network's lines: each is heard a little at a time, and no address holds all of them.

Whoever sends a quarter of a megabyte of small frames at once would be worked on until all of it is
read. So a line is heard piece by piece, and the loop comes round in between. A line on which
nobody reads is cut after a while; where an address has too many, the one goes first that has
waited longest without a whole request, or for a turn or a refusal, so that these keep nobody out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from starlette.types import Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pitbook.house.web.network.askers import address_of

__all__ = ["HELD", "Hearing", "LineDoor", "PacedLine", "line_of", "parked", "raise_descriptors"]

HELD = "pitbook.held"  # Where a scope's state keeps the line itself.

PIECE_BYTES = 4_096  # That a line is heard at one turn of the loop.
DEAF_SECONDS = 20.0  # For which nobody may read what is said.
DESCRIPTORS = 65_536  # Files and lines at once, where the system lets us have so many.
DESCRIPTORS_KEPT = 256  # For the book, the log and all else that is no line.

Peer = tuple[str, int]


class Hearing(Protocol):
    """What listens at our end of a line."""

    def hear(self, piece: bytes, /) -> float:
        """Take a piece; the seconds to wait before the next."""

    def is_waiting(self) -> bool:
        """Whether a whole request is still to come, or nothing is done for it yet."""


class _Nobody:
    def hear(self, _: bytes) -> float:
        return 0.0

    def is_waiting(self) -> bool:
        return False


_NOBODY = _Nobody()


class PacedLine:
    """A transport that is heard piece by piece, as fast as both protocol and budget allow."""

    def __init__(self, transport: asyncio.Transport, hearing: Hearing) -> None:
        self.hearing, self.parked = hearing, False
        peer = transport.get_extra_info("peername") or ("unknown", 0)
        self.peer: Peer = (str(peer[0]), int(peer[1])) if isinstance(peer, tuple) else (peer, 0)
        self.address = address_of({"client": self.peer})
        self._transport, self._loop = transport, asyncio.get_running_loop()
        self._unheard = bytearray()
        self._paused, self._reading = False, True  # By the protocol; and from the network.
        self._later: asyncio.Handle | None = None  # When the next piece is heard.
        self._deadlines: dict[str, asyncio.TimerHandle] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def said(self, data: bytes) -> None:
        """What came over the network."""
        self._unheard += data
        if self._later is None and not self._paused:
            self._hear()

    def _hear(self) -> None:
        """One piece; the rest at the next turn of the loop, or when it is paid for."""
        self._later = None
        if self._transport.is_closing():
            self._unheard.clear()
            return
        piece = bytes(self._unheard[:PIECE_BYTES])
        del self._unheard[:PIECE_BYTES]
        try:
            wait = self.hearing.hear(piece) if piece else 0.0
        except BaseException:  # Whoever speaks like this is not heard any more.
            self._transport.abort()
            raise
        if wait:
            self._later = self._loop.call_later(wait, self._hear)
        elif self._unheard and not self._paused:
            self._later = self._loop.call_soon(self._hear)
        self._rein()

    def pause_reading(self) -> None:
        """The protocol has enough for now."""
        self._paused = True
        self._rein()

    def resume_reading(self) -> None:
        """The protocol takes more."""
        self._paused = False
        if self._unheard and self._later is None:
            self._later = self._loop.call_soon(self._hear)
        self._rein()

    def _rein(self) -> None:
        """Read from the network only what can be heard: the sender's own buffers fill instead."""
        reading = not self._paused and self._later is None
        if reading == self._reading or self._transport.is_closing():
            return
        self._reading = reading
        (self._transport.resume_reading if reading else self._transport.pause_reading)()

    def close(self) -> None:
        """Hang up when all is said; not waiting for ever for somebody who does not listen."""
        self._transport.close()
        self.within(DEAF_SECONDS, "closing")

    def within(self, seconds: float, what: str) -> None:
        """Cut the line unless `done` is told in time; a deadline that runs is not moved."""
        if what not in self._deadlines:
            self._deadlines[what] = self._loop.call_later(seconds, self._transport.abort)

    def done(self, what: str) -> None:
        """In time."""
        if (deadline := self._deadlines.pop(what, None)) is not None:
            deadline.cancel()

    def ended(self) -> None:
        """Nothing is heard and nothing is due any more; what held each other lets go.

        The house looks for garbage seldom, and a thousand lines that were cut are not to wait.
        """
        self.hearing = _NOBODY
        self._unheard.clear()
        for what in list(self._deadlines):
            self.done(what)
        if self._later is not None:
            self._later.cancel()
            self._later = None


def line_of(scope: Scope) -> PacedLine | None:
    """The line on which somebody asks, where there is one of our own."""
    line: PacedLine | None = scope.get("state", {}).get(HELD)
    return line


@contextmanager
def parked(scope: Scope) -> Iterator[None]:
    """While nothing is done for whoever asks, the line may be cut where others need it."""
    if (line := line_of(scope)) is None:
        yield
        return
    line.parked = True
    try:
        yield
    finally:
        line.parked = False


class LineDoor:
    """All lines that are open, by address; those of trusted proxies are everybody's."""

    def __init__(self, most: int, proxies: Iterable[str] = (), total: int | None = None) -> None:
        self._most, self._total = most, total or raise_descriptors() - DESCRIPTORS_KEPT
        # Asked alone: it says who is trusted, and no request goes through it.
        trusting = ProxyHeadersMiddleware(None, list(proxies))  # type: ignore[arg-type]
        self._proxies = trusting.trusted_hosts
        self._lines: dict[str, dict[PacedLine, None]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def enter(self, line: PacedLine) -> None:
        """One more; where that is too many, one that waits is cut, or this one."""
        here = self._lines.setdefault(line.address, {})
        here[line] = None
        self._count += 1
        if len(here) > self._most and line.peer[0] not in self._proxies:
            _cut(here, line)
        elif self._count > self._total:
            largest = max(self._lines, key=lambda address: len(self._lines[address]))
            _cut(self._lines[largest], line)

    def leave(self, line: PacedLine) -> None:
        """It is gone."""
        here = self._lines.get(line.address, {})
        if line in here:
            del here[line]
            self._count -= 1
        if not here:
            self._lines.pop(line.address, None)


def _cut(lines: Iterable[PacedLine], last: PacedLine) -> None:
    waiting = (one for one in lines if one.hearing.is_waiting() and not one.is_closing())
    next(waiting, last).abort()


def raise_descriptors() -> int:
    """As many open files as the system gives us, and how many these are."""
    try:
        import resource  # noqa: PLC0415  Not on Windows.
    except ImportError:
        return DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wished = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wished:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))
        soft = wished
    return DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
