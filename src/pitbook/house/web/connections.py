"""Paced reading of each connection, and limits on how many an address may hold."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from starlette.types import Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pitbook.house.web.rate_limits import address_of

CONNECTION_KEY = "pitbook.held"  # Key in a scope's state for the connection.

PIECE_BYTES = 4_096  # Read from a connection per loop iteration.
UNREAD_S = 20.0  # After this, a client that does not read is dropped.
DESCRIPTORS = 65_536  # Open files and connections, if the system allows that many.
DESCRIPTORS_RESERVED = 256  # For the ledger, the log and other files.

Peer = tuple[str, int]


class Receiver(Protocol):
    """Handles the bytes of a connection."""

    def process(self, piece: bytes, /) -> float:
        """Process some bytes; returns the seconds to wait before the next."""

    def is_waiting(self) -> bool:
        """Whether a request is incomplete, or not being worked on yet."""


class _NullReceiver:
    def process(self, _: bytes) -> float:
        return 0.0

    def is_waiting(self) -> bool:
        return False


_NULL_RECEIVER = _NullReceiver()


class PacedConnection:
    """A transport read in pieces, as fast as the protocol and the rate limits allow."""

    def __init__(self, transport: asyncio.Transport, receiver: Receiver) -> None:
        self.receiver, self.is_idle = receiver, False
        peer = transport.get_extra_info("peername") or ("unknown", 0)
        self.peer: Peer = (str(peer[0]), int(peer[1])) if isinstance(peer, tuple) else (peer, 0)
        self.address = address_of({"client": self.peer})
        self._transport, self._loop = transport, asyncio.get_running_loop()
        self._pending = bytearray()
        # By the protocol; and whether the transport is being read.
        self._paused, self._reading = False, True
        self._next_piece: asyncio.Handle | None = None  # When the next piece is processed.
        self._deadlines: dict[str, asyncio.TimerHandle] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def feed(self, data: bytes) -> None:
        """Take bytes from the network."""
        self._pending += data
        if self._next_piece is None and not self._paused:
            self._process_piece()

    def _process_piece(self) -> None:
        """Process one piece. The rest follows in the next loop iteration, or after the delay."""
        self._next_piece = None
        if self._transport.is_closing():
            self._pending.clear()
            return
        piece = bytes(self._pending[:PIECE_BYTES])
        del self._pending[:PIECE_BYTES]
        try:
            wait = self.receiver.process(piece) if piece else 0.0
        except BaseException:  # A protocol error ends the connection.
            self._transport.abort()
            raise
        if wait:
            self._next_piece = self._loop.call_later(wait, self._process_piece)
        elif self._pending and not self._paused:
            self._next_piece = self._loop.call_soon(self._process_piece)
        self._throttle()

    def pause_reading(self) -> None:
        """Stop reading on the protocol's behalf."""
        self._paused = True
        self._throttle()

    def resume_reading(self) -> None:
        """Resume reading on the protocol's behalf."""
        self._paused = False
        if self._pending and self._next_piece is None:
            self._next_piece = self._loop.call_soon(self._process_piece)
        self._throttle()

    def _throttle(self) -> None:
        """Pause the transport while bytes wait, so that the sender's buffers fill instead."""
        reading = not self._paused and self._next_piece is None
        if reading == self._reading or self._transport.is_closing():
            return
        self._reading = reading
        (self._transport.resume_reading if reading else self._transport.pause_reading)()

    def close(self) -> None:
        """Close after everything is sent, with a deadline for clients that do not read."""
        self._transport.close()
        self.set_deadline(UNREAD_S, "closing")

    def set_deadline(self, seconds: float, name: str) -> None:
        """Abort the connection unless `clear_deadline` is called in time. A running deadline is not
        moved.
        """
        if name not in self._deadlines:
            self._deadlines[name] = self._loop.call_later(seconds, self._transport.abort)

    def clear_deadline(self, name: str) -> None:
        """Cancel a deadline."""
        if (deadline := self._deadlines.pop(name, None)) is not None:
            deadline.cancel()

    def detach(self) -> None:
        """Stop processing and clear deadlines.

        Breaks reference cycles: garbage is collected seldom, and a thousand dropped connections
        should not wait for that.
        """
        self.receiver = _NULL_RECEIVER
        self._pending.clear()
        for name in list(self._deadlines):
            self.clear_deadline(name)
        if self._next_piece is not None:
            self._next_piece.cancel()
            self._next_piece = None


def connection_of(scope: Scope) -> PacedConnection | None:
    """The connection of a request, if it is one of ours."""
    connection: PacedConnection | None = scope.get("state", {}).get(CONNECTION_KEY)
    return connection


@contextmanager
def idle(scope: Scope) -> Iterator[None]:
    """Mark the connection as idle for a while, so that it may be dropped if others need it."""
    if (connection := connection_of(scope)) is None:
        yield
        return
    connection.is_idle = True
    try:
        yield
    finally:
        connection.is_idle = False


class ConnectionLimiter:
    """All open connections by address. Trusted proxies have no limit."""

    def __init__(
        self, per_address_max: int, proxies: Iterable[str] = (), total: int | None = None
    ) -> None:
        self._per_address_max, self._total = (
            per_address_max,
            total or raise_descriptors() - DESCRIPTORS_RESERVED,
        )
        # Used only to parse the trusted hosts; no request passes through it.
        proxy_middleware = ProxyHeadersMiddleware(None, list(proxies))  # type: ignore[arg-type]
        self._proxies = proxy_middleware.trusted_hosts
        self._by_address: dict[str, dict[PacedConnection, None]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, connection: PacedConnection) -> None:
        """Admit a connection. Over the limit, drop an idle one, or this one."""
        connections = self._by_address.setdefault(connection.address, {})
        connections[connection] = None
        self._count += 1
        if len(connections) > self._per_address_max and connection.peer[0] not in self._proxies:
            _drop_idle(connections, connection)
        elif self._count > self._total:
            largest = max(self._by_address, key=lambda address: len(self._by_address[address]))
            _drop_idle(self._by_address[largest], connection)

    def remove(self, connection: PacedConnection) -> None:
        """Forget a closed connection."""
        connections = self._by_address.get(connection.address, {})
        if connection in connections:
            del connections[connection]
            self._count -= 1
        if not connections:
            self._by_address.pop(connection.address, None)


def _drop_idle(connections: Iterable[PacedConnection], newest: PacedConnection) -> None:
    waiting = (
        connection
        for connection in connections
        if connection.receiver.is_waiting() and not connection.is_closing()
    )
    next(waiting, newest).abort()


def raise_descriptors() -> int:
    """Raise the limit of open files as far as the system allows, and return it."""
    try:
        import resource  # noqa: PLC0415  Not on Windows.
    except ImportError:
        return DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        soft = limit
    return DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
