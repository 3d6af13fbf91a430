"""Paced reading of each connection, and limits on how many an address may hold."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from starlette.types import Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pitbook.house.web.rate_limits import address_of

CONNECTION_KEY = "pitbook.held"  # Where a scope's state keeps the line itself.

PIECE_BYTES = 4_096  # That a line is heard at one turn of the loop.
UNREAD_S = 20.0  # For which nobody may read what is said.
DESCRIPTORS = 65_536  # Files and lines at once, where the system lets us have so many.
DESCRIPTORS_RESERVED = 256  # For the book, the log and all else that is no line.

Peer = tuple[str, int]


class Receiver(Protocol):
    """What listens at our end of a line."""

    def process(self, piece: bytes, /) -> float:
        """Take a piece; the seconds to wait before the next."""

    def is_waiting(self) -> bool:
        """Whether a whole request is still to come, or nothing is done for it yet."""


class _NullReceiver:
    def process(self, _: bytes) -> float:
        return 0.0

    def is_waiting(self) -> bool:
        return False


_NULL_RECEIVER = _NullReceiver()


class PacedConnection:
    """A transport that is heard piece by piece, as fast as both protocol and budget allow."""

    def __init__(self, transport: asyncio.Transport, receiver: Receiver) -> None:
        self.receiver, self.is_idle = receiver, False
        peer = transport.get_extra_info("peername") or ("unknown", 0)
        self.peer: Peer = (str(peer[0]), int(peer[1])) if isinstance(peer, tuple) else (peer, 0)
        self.address = address_of({"client": self.peer})
        self._transport, self._loop = transport, asyncio.get_running_loop()
        self._pending = bytearray()
        self._paused, self._reading = False, True  # By the protocol; and from the network.
        self._next_piece: asyncio.Handle | None = None  # When the next piece is heard.
        self._deadlines: dict[str, asyncio.TimerHandle] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def feed(self, data: bytes) -> None:
        """What came over the network."""
        self._pending += data
        if self._next_piece is None and not self._paused:
            self._process_piece()

    def _process_piece(self) -> None:
        """One piece; the rest at the next turn of the loop, or when it is paid for."""
        self._next_piece = None
        if self._transport.is_closing():
            self._pending.clear()
            return
        piece = bytes(self._pending[:PIECE_BYTES])
        del self._pending[:PIECE_BYTES]
        try:
            wait = self.receiver.process(piece) if piece else 0.0
        except BaseException:  # Whoever speaks like this is not heard any more.
            self._transport.abort()
            raise
        if wait:
            self._next_piece = self._loop.call_later(wait, self._process_piece)
        elif self._pending and not self._paused:
            self._next_piece = self._loop.call_soon(self._process_piece)
        self._throttle()

    def pause_reading(self) -> None:
        """The protocol has enough for now."""
        self._paused = True
        self._throttle()

    def resume_reading(self) -> None:
        """The protocol takes more."""
        self._paused = False
        if self._pending and self._next_piece is None:
            self._next_piece = self._loop.call_soon(self._process_piece)
        self._throttle()

    def _throttle(self) -> None:
        """Read from the network only what can be heard: the sender's own buffers fill instead."""
        reading = not self._paused and self._next_piece is None
        if reading == self._reading or self._transport.is_closing():
            return
        self._reading = reading
        (self._transport.resume_reading if reading else self._transport.pause_reading)()

    def close(self) -> None:
        """Hang up when all is said; not waiting for ever for somebody who does not listen."""
        self._transport.close()
        self.set_deadline(UNREAD_S, "closing")

    def set_deadline(self, seconds: float, what: str) -> None:
        """Cut the line unless `done` is told in time; a deadline that runs is not moved."""
        if what not in self._deadlines:
            self._deadlines[what] = self._loop.call_later(seconds, self._transport.abort)

    def clear_deadline(self, what: str) -> None:
        """In time."""
        if (deadline := self._deadlines.pop(what, None)) is not None:
            deadline.cancel()

    def detach(self) -> None:
        """Nothing is heard and nothing is due any more; what held each other lets go.

        The house looks for garbage seldom, and a thousand lines that were cut are not to wait.
        """
        self.receiver = _NULL_RECEIVER
        self._pending.clear()
        for what in list(self._deadlines):
            self.clear_deadline(what)
        if self._next_piece is not None:
            self._next_piece.cancel()
            self._next_piece = None


def connection_of(scope: Scope) -> PacedConnection | None:
    """The line on which somebody asks, where there is one of our own."""
    line: PacedConnection | None = scope.get("state", {}).get(CONNECTION_KEY)
    return line


@contextmanager
def idle(scope: Scope) -> Iterator[None]:
    """While nothing is done for whoever asks, the line may be cut where others need it."""
    if (line := connection_of(scope)) is None:
        yield
        return
    line.is_idle = True
    try:
        yield
    finally:
        line.is_idle = False


class ConnectionLimiter:
    """All lines that are open, by address; those of trusted proxies are everybody's."""

    def __init__(self, most: int, proxies: Iterable[str] = (), total: int | None = None) -> None:
        self._most, self._total = most, total or raise_descriptors() - DESCRIPTORS_RESERVED
        # Asked alone: it says who is trusted, and no request goes through it.
        trusting = ProxyHeadersMiddleware(None, list(proxies))  # type: ignore[arg-type]
        self._proxies = trusting.trusted_hosts
        self._lines: dict[str, dict[PacedConnection, None]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, line: PacedConnection) -> None:
        """One more; where that is too many, one that waits is cut, or this one."""
        here = self._lines.setdefault(line.address, {})
        here[line] = None
        self._count += 1
        if len(here) > self._most and line.peer[0] not in self._proxies:
            _drop_idle(here, line)
        elif self._count > self._total:
            largest = max(self._lines, key=lambda address: len(self._lines[address]))
            _drop_idle(self._lines[largest], line)

    def remove(self, line: PacedConnection) -> None:
        """It is gone."""
        here = self._lines.get(line.address, {})
        if line in here:
            del here[line]
            self._count -= 1
        if not here:
            self._lines.pop(line.address, None)


def _drop_idle(lines: Iterable[PacedConnection], last: PacedConnection) -> None:
    waiting = (one for one in lines if one.receiver.is_waiting() and not one.is_closing())
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
