"""HTTP and WebSocket protocols for uvicorn, with deadlines for slow clients."""

from __future__ import annotations

import asyncio
import re
from typing import Any, cast

import h11
import uvicorn
from h11._receivebuffer import ReceiveBuffer
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from pitbook.house.web.connections import (
    CONNECTION_KEY,
    UNREAD_S,
    ConnectionLimiter,
    PacedConnection,
)
from pitbook.house.web.logs import CountingLogger, WarningCounter
from pitbook.house.web.rate_limits import PEER_KEY, TokenBuckets
from pitbook.house.web.settings import Settings

CHUNKS_FREE, CHUNK_MIN_BYTES = 64, 512  # Of a body: after so many they must be so large on average.
CONTROL_FRAMES_PER_SECOND, CONTROL_FRAMES_BURST = (
    10,
    50,
)  # Pings, pongs and parts of messages, which no seat reads.
HEADERS_MAX = 100
HEADERS_DEADLINE, UNREAD_DEADLINE = "headers", "deaf"
BARE_LF = re.compile(rb"(?<!\r)\n")
BLANK_LINE = re.compile(rb"\n\r?\n")


class UvicornConfig(uvicorn.Config):
    """What uvicorn is told, and the door that all lines come through."""

    def __init__(self, app: Any, settings: Settings, **more: Any) -> None:
        limits = settings.limits
        self.connections = ConnectionLimiter(
            limits.connections_per_address, settings.trusted_proxies
        )
        self.header_seconds, self.warnings = limits.header_timeout_seconds, WarningCounter()
        super().__init__(
            app,
            http=HttpProtocol,
            ws=SocketProtocol,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies),
            timeout_graceful_shutdown=settings.shutdown_seconds,
            ws_max_size=limits.frame_bytes_max,
            ws_per_message_deflate=False,
            **more,
        )


class StrictLineBuffer(ReceiveBuffer):
    """Rejects a bare LF as the end of a header or trailer line, which h11 would accept.

    A proxy that reads such lines differently could let one request smuggle in another.
    """

    def maybe_extract_lines(self) -> list[bytearray] | None:
        """The lines up to the first blank one, or None until that has arrived."""
        blank = BLANK_LINE.search(self._data)
        if BARE_LF.search(self._data, 0, blank.end() if blank else len(self._data)):
            raise h11.RemoteProtocolError("a line ends in LF without CR")
        return super().maybe_extract_lines()


class HttpProtocol(H11Protocol):
    """Requests whose headers come in time, and whose bodies do not come in crumbs."""

    config: UvicornConfig
    line: PacedConnection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Come in by the door; from now on the headers are due."""
        self.line = PacedConnection(transport, self)
        self.app_state = {**self.app_state, PEER_KEY: self.line.peer, CONNECTION_KEY: self.line}
        self.logger = CountingLogger(self.logger, self.config.warnings, self.line.address)  # type: ignore[assignment]
        self._pieces = self._size = 0
        self.conn.next_event = self._next_event  # type: ignore[method-assign]
        self.conn._receive_buffer = StrictLineBuffer()  # noqa: SLF001  h11 has no setting for it.
        super().connection_made(cast("asyncio.Transport", self.line))
        self.line.set_deadline(self.config.header_seconds, HEADERS_DEADLINE)
        self.config.connections.add(self.line)

    def connection_lost(self, exc: Exception | None) -> None:
        """Go out by the door."""
        self.line.detach()
        self.config.connections.remove(self.line)
        super().connection_lost(exc)
        del self.conn.next_event  # It held us.

    def data_received(self, data: bytes) -> None:
        """Heard piece by piece."""
        self.line.feed(data)

    def process(self, piece: bytes) -> float:
        """Take a piece; the next follows at once."""
        super().data_received(piece)
        self._update_deadline()
        return 0.0

    def is_waiting(self) -> bool:
        """Whether neither an answer is under way nor all there that it needs, or it has to wait."""
        return not self._is_busy() or bool(self.cycle.more_body) or self.line.is_idle

    def on_response_complete(self) -> None:
        """The next request's headers are due, or what is left of this one's body."""
        super().on_response_complete()
        self._update_deadline()

    def pause_writing(self) -> None:
        """Nobody reads what is said."""
        super().pause_writing()
        self.line.set_deadline(UNREAD_S, UNREAD_DEADLINE)

    def resume_writing(self) -> None:
        """Somebody does."""
        super().resume_writing()
        self.line.clear_deadline(UNREAD_DEADLINE)

    def _is_busy(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete

    def _update_deadline(self) -> None:
        if self._is_busy() or self.line.receiver is not self:
            self.line.clear_deadline(HEADERS_DEADLINE)
        else:
            self.line.set_deadline(self.config.header_seconds, HEADERS_DEADLINE)

    def _header_lines(self) -> int:
        """How many lines the headers have that are here so far."""
        return self.conn.trailing_data[0].partition(b"\r\n\r\n")[0].count(b"\n")

    def _next_event(self) -> Any:
        """The next event of h11. Rejects too many headers, two body lengths and tiny chunks."""
        if self.conn.their_state is h11.IDLE and self._header_lines() > HEADERS_MAX:
            raise h11.RemoteProtocolError("too many headers", error_status_hint=431)
        event = h11.Connection.next_event(self.conn)
        if isinstance(event, h11.Request):
            self._pieces = self._size = 0
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in event.headers}:
                raise h11.RemoteProtocolError("Content-Length and Transfer-Encoding")  # RFC 9112.
        elif isinstance(event, h11.Data):
            self._pieces, self._size = self._pieces + 1, self._size + len(event.data)
            if self._pieces > CHUNKS_FREE + self._size // CHUNK_MIN_BYTES:
                self.line.abort()
                return h11.NEED_DATA
        return event


class SocketProtocol(WebSocketsSansIOProtocol):
    """Frames as fast as the seat reads them, and signs of life at a pace of their own."""

    config: UvicornConfig
    line: PacedConnection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the line on which a request asked for a socket."""
        self.line = cast("PacedConnection", transport)
        self.line.receiver = self
        self.logger = CountingLogger(self.logger, self.config.warnings, self.line.address)  # type: ignore[assignment]
        self._signs, self._paid = 0, TokenBuckets(CONTROL_FRAMES_PER_SECOND, CONTROL_FRAMES_BURST)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Go out by the door."""
        self.line.detach()
        self.config.connections.remove(self.line)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Heard piece by piece; the request, which has been heard already, as a whole."""
        if self.handshake_initiated:
            self.line.feed(data)
        else:
            super().data_received(data)

    def process(self, piece: bytes) -> float:
        """Take a piece; whoever pings and pongs all the time is heard no further for a while."""
        super().data_received(piece)
        signs, self._signs = self._signs, 0
        return self._paid.spend("", signs) if signs else 0.0

    def is_waiting(self) -> bool:
        """Only before it is one: whoever has a socket is let go by the seat."""
        return self.line.is_idle

    def handle_ping(self) -> None:
        """Answered, and counted."""
        self._signs += 1
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Counted."""
        self._signs += 1
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Counted: a message may come in parts, but not in crumbs."""
        self._signs += 1
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """For the seat; counted where it has hung up and reads no more."""
        self._signs += self.close_sent
        super().send_receive_event_to_app()

    def pause_writing(self) -> None:
        """Nobody reads what is said."""
        super().pause_writing()
        self.line.set_deadline(UNREAD_S, UNREAD_DEADLINE)

    def resume_writing(self) -> None:
        """Somebody does."""
        super().resume_writing()
        self.line.clear_deadline(UNREAD_DEADLINE)
