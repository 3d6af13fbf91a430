"""Live connections to a table: sockets and event streams.

A socket opened with `views=true` gets one frame for each change: the events, the watcher's view
after them, and the receipt if the watcher sent the command. Otherwise views are sent on request.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated, Any, cast

from fastapi import Header, Query, Request, WebSocket, WebSocketDisconnect
from pydantic_core import to_json
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from pitbook.errors import PitbookError
from pitbook.house.table.actor import Answer
from pitbook.house.table.api_types import CommandOutcome, ErrorFrame, ServerFrame
from pitbook.house.table.routes import NO_TABLE, drop_retired_practice
from pitbook.house.table.table_session import (
    SPECTATOR,
    TableSession,
    answer_frame,
    render_view,
    render_view_text,
    resolve_seat,
    submit_command,
)
from pitbook.house.table.view_types import View
from pitbook.house.table.visibility import Viewer
from pitbook.house.table.watchers import EventBatch
from pitbook.house.web.access import (
    SIGNED_IN,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
    current_session,
    require_caller,
)
from pitbook.house.web.errors import Problem, render_error, to_problem
from pitbook.house.web.frames import Frame, FrameError, read_frame
from pitbook.house.web.languages import current_language
from pitbook.house.web.rate_limits import client_of
from pitbook.house.web.server import get_server
from pitbook.house.web.services import Services, get_services
from pitbook.rules.refusals import Refusal
from pitbook.text import in_language, say, sentence_of
from pitbook.text.catalog import ENGLISH
from pitbook.text.sentences import translate_document

FRAMES_MAX = 500
BYTES_MAX = 2_000_000
EVENTS, ANSWER, PRESENCE = "events", "answer", "presence"
_OPENING = '{"events":['  # How an event batch begins; it ends with "]}".


class OutFrame:
    """A text to send, and the table version that it brings its reader to."""

    __slots__ = ("text", "version", "what")

    def __init__(self, frame_kind: str, text: str, version: int | None = None) -> None:
        self.what, self.text, self.version = frame_kind, text, version


def encode_frame(
    frame_kind: str, frame: ServerFrame | View, version: int | None = None, language: str = ENGLISH
) -> OutFrame:
    """Encode a frame as JSON in a language."""
    return OutFrame(frame_kind, to_json(translate_document(frame, language)).decode(), version)


_VIEW_PLACEHOLDER = OutFrame("look", "")  # Stands for a view that is built when it is sent.


async def _no_wait() -> None:
    pass


class Outbox:
    """Frames for one watcher. A watcher that reads too slowly is closed: `slow`, and not `open`."""

    def __init__(
        self,
        viewer: Viewer,
        wait_for_turn: Callable[[], Awaitable[None]] = _no_wait,
        build: Callable[[], OutFrame] | None = None,
        *,
        wait_to_push: Callable[[], Awaitable[None]] = _no_wait,
        pushes_views: bool = False,
    ) -> None:
        self.viewer, self.language = viewer, current_language()
        self._wait_for_turn, self._build, self._view_requested = wait_for_turn, build, False
        self.pushes_views, self._wait_to_push = pushes_views, wait_to_push
        self.expects_answer = False  # Its own command is being decided.
        self.open, self.slow = True, False
        # Whether it answers pings, and when it was last heard.
        self.answers_pings, self.last_heard = False, time.monotonic()
        self._frames: deque[OutFrame] = deque()
        self._has_frames = asyncio.Event()
        self._bytes = 0

    def send_events(self, batch: EventBatch) -> None:
        """Queue an event batch, as far as this watcher may see it."""
        if self.open:  # Otherwise it need not be rendered.
            self.put(OutFrame(EVENTS, batch.text(self.viewer, self.language), batch.version))

    def send(self, frame_kind: str, frame: ServerFrame | View, version: int | None = None) -> None:
        """Queue a frame for this watcher only."""
        self.put(encode_frame(frame_kind, frame, version, self.language))

    def send_presence(self, text: str) -> None:
        """Queue a frame that says who is connected, if this watcher gets its views pushed."""
        if self.pushes_views:
            self.put(OutFrame(PRESENCE, text))

    def request_view(self) -> None:
        """Request a view; it is built once, when it can be sent."""
        if not self._view_requested:
            self._view_requested = True
            self.put(_VIEW_PLACEHOLDER)

    def ping(self) -> None:
        """Send a ping."""
        self.send("ping", {"ping": 0})

    def close(self) -> None:
        """Accept no more frames; queued ones are still sent."""
        self.open = False
        self._has_frames.set()

    async def next(self) -> OutFrame | None:
        """The next frame; None when the outbox is closed and empty, or too slow."""
        while await self._wait_for_frames():
            if (frame := self._pop()) is not _VIEW_PLACEHOLDER:
                return frame
            await self._build_view()
        return None

    async def _build_view(self) -> None:
        """Build the requested view; events that came meanwhile go first."""
        await self._wait_for_turn()
        self._view_requested = False
        if not self.open or self._build is None:
            return
        events = [frame for frame in self._frames if frame.what == EVENTS]
        others = [frame for frame in self._frames if frame.what != EVENTS]
        view = self._build()
        self._bytes += len(view.text)
        self._frames = deque((*events, view, *others))

    async def frame(self) -> str | None:
        """The next frames as one text: consecutive events, with an answer after them."""
        if self.pushes_views:
            return await self._pushed_frame()
        frame = await self.next()
        if frame is None:
            return None
        text = frame.text
        if frame.what == EVENTS:
            while self._frames and (kind := self._frames[0].what) in (EVENTS, ANSWER):
                if (next_frame := self._pop()) is None:
                    return None
                if kind == ANSWER:
                    return f"{text[:-1]},{next_frame.text[1:]}"
                text = f"{text[:-2]},{next_frame.text[len(_OPENING) :]}"
        return text

    async def _pushed_frame(self) -> str | None:
        """The next frame: all queued events, the view after them, and the receipt."""
        if not await self._wait_for_frames():
            return None
        if self._frames[0].what not in (EVENTS, _VIEW_PLACEHOLDER.what):
            frame = self._pop()
            return None if frame is None else frame.text
        # Only a requested view counts against its reader's budget.
        await (self._wait_for_turn() if self._view_requested else self._wait_to_push())
        if self.expects_answer:  # The command's task runs before this one goes on.
            await asyncio.sleep(0)
        if self.slow:
            return None
        self._view_requested = False
        events = [frame.text for frame in self._frames if frame.what == EVENTS]
        others = deque(
            frame
            for frame in self._frames
            if frame.what != EVENTS and frame is not _VIEW_PLACEHOLDER
        )
        members = [_events_member(events)] if events else []
        if self.open and self._build is not None:
            members.append(self._build().text[1:-1])
        if others and others[0].what == ANSWER:
            members.append(others.popleft().text[1:-1])
        self._frames, self._bytes = others, sum(len(frame.text) for frame in others)
        return f"{{{','.join(members)}}}" if members else await self._pushed_frame()

    async def _wait_for_frames(self) -> bool:
        """Wait for a frame; False when the outbox is closed and empty."""
        while not self._frames:
            if not self.open:
                return False
            self._has_frames.clear()
            await self._has_frames.wait()
        return True

    def _pop(self) -> OutFrame | None:
        if self.slow:
            return None
        frame = self._frames.popleft()
        self._bytes -= len(frame.text)
        return frame

    def put(self, frame: OutFrame) -> None:
        """Queue a frame, or close the outbox if it is full."""
        if not self.open:
            return
        self._bytes += len(frame.text)
        if len(self._frames) >= FRAMES_MAX or self._bytes > BYTES_MAX:
            self.slow = True
            self.close()
        else:
            self._frames.append(frame)
            self._has_frames.set()


def _events_member(texts: list[str]) -> str:
    """The `events` member of a frame, from the texts of event batches in order."""
    lists = ",".join(text[len(_OPENING) : -2] for text in texts)
    return f"{_OPENING[1:]}{lists}]"


socket_router = authenticated_router("tables")
allow_routes({"socket": SIGNED_IN})

BEAT_SECONDS = 5.0  # Check at least this often whether the session has ended.
PING_SECONDS = 2.5  # Ping after either side was silent for this long.
LOST_SECONDS = 5.0  # A client that answers pings and is then silent for this long is gone.
IDLE_SECONDS = 600.0  # Without any frame from a client that never answered a ping.
LATE_SECONDS = 1.0  # If the loop is later than this, the server was stalled; read before closing.
BEAT_MIN = 0.01
SEND_SECONDS = 20.0
GARBAGE_MAX = 20
REASON_MAX = 123  # Bytes; the limit for a close frame.
FLOOD_SECONDS = 10.0  # How long frames may come faster than they are read.

# Close codes; those from 4000 on are Pitbook's own.
TOO_LARGE = (1009, say("web.socket.too-large"))
ENDED = (1012, say("web.socket.ended"))
GARBAGE = (4400, say("web.socket.garbage"))
SIGNED_OUT = (4401, say("web.socket.signed-out"))
IDLE = (4408, say("web.socket.idle"))
LOST = (4408, say("web.socket.lost"))
FLOOD = (4429, say("web.socket.flood"))
SLOW = (4429, say("web.socket.slow"))

CloseCode = tuple[int, str]


class _CloseSocket(Exception):
    def __init__(self, code: CloseCode) -> None:
        super().__init__(code[1])
        self.code = code


@socket_router.websocket("/api/tables/{table}/socket", name="socket")
async def socket(
    websocket: WebSocket,
    table: str,
    version: Annotated[int | None, Query(alias="from", ge=0, le=2**53)] = None,
    *,
    views: bool = False,
) -> None:
    """A table's socket: a view or the events since a version; then events, answers and pings.

    With `views=true`, a view follows the events of each change in the same frame.
    """
    services = get_services(websocket)
    seat = resolve_seat(services.server, table, require_caller(websocket))
    key, limiter = f"socket {id(websocket)}", services.server.limiter
    if (refusal := limiter.acquire_socket(client_of(websocket.scope), key)) is not None:
        raise Problem(429, refusal, 5)
    try:
        await websocket.accept()
        services.server.metrics.sockets.inc()
        try:
            await _SeatSocket(websocket, services, seat, pushes_views=views).serve(version)
        finally:
            services.server.metrics.sockets.dec()
    finally:
        limiter.release_socket(key)


class _SeatSocket:
    """One open socket: a task that reads, one that writes, and one for timeouts."""

    def __init__(
        self, websocket: WebSocket, services: Services, seat: TableSession, *, pushes_views: bool
    ) -> None:
        self._socket, self._services, self._seat = websocket, services, seat
        self._session = current_session(websocket)
        self._client, self._limiter = client_of(websocket.scope), services.server.limiter
        self._language = current_language()
        self._outbox = Outbox(
            seat.viewer,
            self._wait_for_view,
            self._view_frame,
            wait_to_push=self._wait_to_push,
            pushes_views=pushes_views,
        )
        self._garbage = 0
        self._early_since: float | None = None  # Since when frames come too fast.
        # Times; the last is when reading started or resumed.
        self._sent = self._called = self._listening_since = time.monotonic()
        self._sending: float | None = None
        self._working = False  # On a command; other frames wait.

    async def serve(self, version: int | None) -> None:
        """Serve until either side closes the socket."""
        subscribers = self._seat.table.subscribers
        missed = None if version is None else subscribers.events_since(version)
        if self._outbox.pushes_views:
            self._outbox.request_view()
        elif missed is None:
            await self._wait_for_view()
            self._outbox.put(self._view_frame())
        subscribers.join(self._outbox, after=version if missed is not None else None)
        tasks = [
            asyncio.create_task(worker)
            for worker in (self._read(), self._write(), self._heartbeat())
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            code = next(iter(done)).result()
        finally:
            subscribers.leave(self._outbox)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if code is not None:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(SEND_SECONDS):
                    await self._socket.close(code[0], close_reason(code[1], self._language))

    async def _heartbeat(self) -> CloseCode:
        """Ping a silent client; returns the close code when the socket must close."""
        beat = 0
        while True:
            delay = self._until_due()
            send_at = time.monotonic() + delay
            await asyncio.sleep(delay)
            now = time.monotonic()
            if now - send_at >= LATE_SECONDS:
                self._listening_since = now
            if (code := self._close_code(now)) is not None:
                return code
            if self._sending is None and now >= self._call_at():
                beat += 1
                self._called = now
                self._outbox.send("ping", {"ping": beat})

    def _call_at(self) -> float:
        """When to send the next ping, if neither side sends anything until then."""
        return max(self._called, min(self._sent, self._outbox.last_heard)) + PING_SECONDS

    def _until_due(self) -> float:
        return min(BEAT_SECONDS, max(BEAT_MIN, self._call_at() - time.monotonic()))

    def _close_code(self, now: float) -> CloseCode | None:
        """The close code if the socket must close now."""
        if not self._is_signed_in():
            return self._signed_out_code()
        if self._sending is not None and now - self._sending >= SEND_SECONDS:
            return SLOW
        silent = 0.0 if self._working else now - max(self._outbox.last_heard, self._listening_since)
        if self._outbox.answers_pings and silent >= LOST_SECONDS:
            return LOST
        return IDLE if silent >= IDLE_SECONDS else None

    def _is_signed_in(self) -> bool:
        sessions = self._services.server.sessions
        return self._session is not None and sessions.is_valid(self._session)

    def _signed_out_code(self) -> CloseCode:
        """The close code for an ended session, with the reason for a ticket."""
        sessions = self._services.server.sessions
        reason = None if self._session is None else sessions.end_reason(self._session)
        if reason is None:
            return SIGNED_OUT
        return SIGNED_OUT[0], in_language(reason, self._language).partition(";")[0]

    # Out -----------------------------------------------------------------------------------------

    async def _write(self) -> CloseCode | None:
        try:
            while (text := await self._outbox.frame()) is not None:
                if not self._is_signed_in():  # Later events are not for them.
                    return self._signed_out_code()
                self._sending = time.monotonic()
                await self._socket.send_text(text)
                self._sent, self._sending = self._sending, None
        except (WebSocketDisconnect, RuntimeError):  # The client disconnected.
            return None
        return SLOW if self._outbox.slow else ENDED

    # In ------------------------------------------------------------------------------------------

    async def _read(self) -> CloseCode | None:
        try:
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return None
                self._outbox.last_heard = time.monotonic()
                self._working = True
                await self._throttle()
                await self._handle_text(message.get("text"))
                self._working, self._outbox.last_heard = False, time.monotonic()
        except _CloseSocket as error:
            return error.code
        except WebSocketDisconnect:
            return None

    async def _throttle(self) -> None:
        """Wait for the frame rate limit; closes a socket that floods for too long."""
        is_early = await self._limiter.acquire_frame(self._client)
        if not is_early:
            self._early_since = None
        elif self._early_since is None:
            self._early_since = time.monotonic()
        elif time.monotonic() - self._early_since >= FLOOD_SECONDS:
            raise _CloseSocket(FLOOD)

    async def _handle_text(self, text: str | None) -> None:
        limits = self._services.server.settings.limits
        if not self._is_signed_in():
            raise _CloseSocket(self._signed_out_code())
        if text is not None and _byte_count(text) > limits.frame_bytes_max:
            raise _CloseSocket(TOO_LARGE)
        try:
            if text is None:
                raise FrameError(say("web.frames.bytes"))
            frame = read_frame(text, depth_max=limits.json_depth_max)
        except FrameError as error:
            self._send_error(error)
        else:
            self._garbage = 0
            await self._handle_frame(frame)

    async def _handle_frame(self, frame: Frame) -> None:
        if frame.kind == "pong":
            self._outbox.answers_pings = True
        elif frame.kind == "ping":
            self._outbox.send("pong", {"pong": frame.number})
        elif frame.kind == "view":
            self._outbox.request_view()
        elif frame.kind == "command":
            await self._command(frame)

    async def _command(self, frame: Frame) -> None:
        self._outbox.expects_answer = True
        try:
            answer = await submit_command(self._services, self._seat, frame.command, frame.request)
        except PitbookError as error:
            self._answer(frame.request, _error_frame(error, self._language))
            return
        finally:
            self._outbox.expects_answer = False
        self._count(answer)
        self._answer(frame.request, answer_frame(answer, self._language))
        await drop_retired_practice(self._services, self._seat, frame.command)

    def _send_error(self, error: FrameError) -> None:
        """Send the error; closes a socket that sends too many invalid frames."""
        self._garbage += 1
        if self._garbage >= GARBAGE_MAX:
            raise _CloseSocket(GARBAGE)
        body = render_error(sentence_of(error), self._language)
        if error.request is None:
            self._outbox.send("error", cast(ErrorFrame, body))
        else:
            self._answer(error.request, cast(CommandOutcome, body))

    async def _wait_for_view(self) -> None:
        await self._limiter.acquire_view(self._client)

    async def _wait_to_push(self) -> None:
        await self._limiter.acquire_pushed_view(self._client)

    def _view_frame(self) -> OutFrame:
        text = f'{{"view":{render_view_text(self._seat, self._language)}}}'
        return OutFrame("view", text, self._seat.table.state.version)

    def _answer(self, request: str, outcome: CommandOutcome) -> None:
        self._outbox.send("answer", {"answer": {"request": request, **outcome}})

    def _count(self, answer: Answer) -> None:
        if isinstance(answer, Refusal) or answer.hash:
            self._services.server.metrics.count_answer(answer)


def _byte_count(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def close_reason(reason: str, language: str) -> str:
    """A close frame's reason in a language, as long as it may be."""
    return in_language(reason, language).encode()[:REASON_MAX].decode(errors="ignore")


def _error_frame(error: PitbookError, language: str) -> CommandOutcome:
    problem = to_problem(error)
    body = cast(CommandOutcome, render_error(sentence_of(problem), language))
    return body if problem.retry_after is None else {**body, "retry_after": problem.retry_after}


events_router = authenticated_router("tables")
allow_routes({"watch": SIGNED_IN})

SSE_PING_SECONDS = 2.5
EXAMPLE = (
    'id: 7\nevent: events\ndata: {"events":[{"version":7,"what":"sat","body":{"seat":1}}]}\n\n'
)
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A view, then events; Last-Event-ID resumes.",
        "content": {"text/event-stream": {"example": EXAMPLE}},
    }
}


@events_router.get(
    "/api/tables/{table}/events",
    name="watch",
    summary="Watch a table",
    response_class=StreamingResponse,
    responses={**NO_TABLE, **STREAM},
)
async def watch(
    table: str,
    request: Request,
    caller: Caller,
    server: ServerDep,
    last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=20)] = None,
) -> StreamingResponse:
    """The table as a spectator sees it, then its events."""
    seat = resolve_seat(server, table, caller)._replace(viewer=SPECTATOR, by=None)
    client, key = client_of(request.scope), f"watch {id(request)}"
    if (refusal := server.limiter.acquire_socket(client, key)) is not None:
        raise Problem(429, refusal, 5)
    lines = _event_lines(request, seat, _event_id(last))
    return EventStream(lines, lambda: server.limiter.release_socket(key))


class EventStream(StreamingResponse):
    """A stream of events that calls back when it ends."""

    def __init__(self, lines: AsyncIterator[str], on_end: Callable[[], None]) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(lines, media_type="text/event-stream", headers=headers)
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._on_end()


def _event_id(last: str | None) -> int | None:
    return int(last) if last is not None and last.isascii() and last.isdigit() else None


async def _event_lines(
    request: Request, seat: TableSession, version: int | None
) -> AsyncIterator[str]:
    server = get_server(request)
    outbox, subscribers = Outbox(seat.viewer), seat.table.subscribers
    stop_task = asyncio.create_task(server.stopping.wait())
    stop_task.add_done_callback(lambda _: outbox.close())
    if (missed := None if version is None else subscribers.events_since(version)) is None:
        await server.limiter.acquire_view(client_of(request.scope))
        outbox.send("view", render_view(seat), seat.table.state.version)
    subscribers.join(outbox, after=version if missed is not None else None)
    server.metrics.watchers.inc()
    try:
        yield "retry: 2000\n\n"
        while (line := await _next_line(outbox)) is not None and current_session(
            request
        ) is not None:
            yield line
    finally:
        subscribers.leave(outbox)
        stop_task.cancel()
        server.metrics.watchers.dec()


async def _next_line(outbox: Outbox) -> str | None:
    try:
        async with asyncio.timeout(SSE_PING_SECONDS):
            frame = await outbox.next()
    except TimeoutError:
        return ": still here\n\n"
    return None if frame is None else _sse_line(frame)


def _sse_line(frame: OutFrame) -> str:
    """A frame as a server-sent event."""
    number = "" if frame.version is None else f"id: {frame.version}\n"
    return f"{number}event: {frame.what}\ndata: {frame.text}\n\n"
