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

from pitbook.house.settings import Settings
from pitbook.house.web.connections import (
    CONNECTION_KEY,
    UNREAD_S,
    ConnectionLimiter,
    PacedConnection,
)
from pitbook.house.web.logs import CountingLogger, WarningCounter
from pitbook.house.web.rate_limits import PEER_KEY, TokenBuckets

# Of a body: after so many, chunks must be this large on average.
CHUNKS_FREE, CHUNK_MIN_BYTES = 64, 512
# Pings, pongs and fragments, which no seat reads.
CONTROL_FRAMES_PER_SECOND, CONTROL_FRAMES_BURST = 10, 50
HEADERS_MAX = 100
HEADERS_DEADLINE, UNREAD_DEADLINE = "headers", "deaf"
BARE_LF = re.compile(rb"(?<!\r)\n")
BLANK_LINE = re.compile(rb"\n\r?\n")


class UvicornConfig(uvicorn.Config):
    """Uvicorn's settings, with the limiter of all connections."""

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
    """HTTP with a deadline for headers and a minimum average chunk size."""

    config: UvicornConfig
    connection: PacedConnection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register the connection; its headers are due from now on."""
        self.connection = PacedConnection(transport, self)
        self.app_state = {
            **self.app_state,
            PEER_KEY: self.connection.peer,
            CONNECTION_KEY: self.connection,
        }
        self.logger = CountingLogger(self.logger, self.config.warnings, self.connection.address)  # type: ignore[assignment]
        self._pieces = self._size = 0
        self.conn.next_event = self._next_event  # type: ignore[method-assign]
        self.conn._receive_buffer = StrictLineBuffer()  # noqa: SLF001  h11 has no setting for it.
        super().connection_made(cast("asyncio.Transport", self.connection))
        self.connection.set_deadline(self.config.header_seconds, HEADERS_DEADLINE)
        self.config.connections.add(self.connection)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self.connection.detach()
        self.config.connections.remove(self.connection)
        super().connection_lost(exc)
        del self.conn.next_event  # It refers to us.

    def data_received(self, data: bytes) -> None:
        """Feed the paced connection."""
        self.connection.feed(data)

    def process(self, piece: bytes) -> float:
        """Process a piece; no delay before the next."""
        super().data_received(piece)
        self._update_deadline()
        return 0.0

    def is_waiting(self) -> bool:
        """Whether no response is in progress, the body is incomplete, or the request waits."""
        return not self._is_busy() or bool(self.cycle.more_body) or self.connection.is_idle

    def on_response_complete(self) -> None:
        """Wait for the next request's headers, or the rest of this body."""
        super().on_response_complete()
        self._update_deadline()

    def pause_writing(self) -> None:
        """Set a deadline for a client that does not read."""
        super().pause_writing()
        self.connection.set_deadline(UNREAD_S, UNREAD_DEADLINE)

    def resume_writing(self) -> None:
        """Clear the deadline."""
        super().resume_writing()
        self.connection.clear_deadline(UNREAD_DEADLINE)

    def _is_busy(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete

    def _update_deadline(self) -> None:
        if self._is_busy() or self.connection.receiver is not self:
            self.connection.clear_deadline(HEADERS_DEADLINE)
        else:
            self.connection.set_deadline(self.config.header_seconds, HEADERS_DEADLINE)

    def _header_lines(self) -> int:
        """Header lines received so far."""
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
                self.connection.abort()
                return h11.NEED_DATA
        return event


class SocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket frames as fast as the seat reads them; control frames are rate limited."""

    config: UvicornConfig
    connection: PacedConnection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the connection of the upgrade request."""
        self.connection = cast("PacedConnection", transport)
        self.connection.receiver = self
        self.logger = CountingLogger(self.logger, self.config.warnings, self.connection.address)  # type: ignore[assignment]
        self._control_frames, self._control_budget = (
            0,
            TokenBuckets(CONTROL_FRAMES_PER_SECOND, CONTROL_FRAMES_BURST),
        )
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self.connection.detach()
        self.config.connections.remove(self.connection)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the paced connection; the upgrade request was paced already and is passed whole."""
        if self.handshake_initiated:
            self.connection.feed(data)
        else:
            super().data_received(data)

    def process(self, piece: bytes) -> float:
        """Process a piece; too many control frames delay the next."""
        super().data_received(piece)
        control_frames, self._control_frames = self._control_frames, 0
        return self._control_budget.spend("", control_frames) if control_frames else 0.0

    def is_waiting(self) -> bool:
        """Only before the upgrade: afterwards the seat decides."""
        return self.connection.is_idle

    def handle_ping(self) -> None:
        """Answer and count a ping."""
        self._control_frames += 1
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Count a pong."""
        self._control_frames += 1
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Count a continuation frame: messages may be fragmented, but not into crumbs."""
        self._control_frames += 1
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Pass on a frame; count it if we have already closed."""
        self._control_frames += self.close_sent
        super().send_receive_event_to_app()

    def pause_writing(self) -> None:
        """Set a deadline for a client that does not read."""
        super().pause_writing()
        self.connection.set_deadline(UNREAD_S, UNREAD_DEADLINE)

    def resume_writing(self) -> None:
        """Clear the deadline."""
        super().resume_writing()
        self.connection.clear_deadline(UNREAD_DEADLINE)
