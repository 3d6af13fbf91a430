"""Live connections to a table: sockets and event streams."""

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
from pitbook.house.table.api_types import Answered, ErrorFrame, SocketTold
from pitbook.house.table.routes import NO_TABLE, drop_retired_practice
from pitbook.house.table.session import (
    TableSession,
    answer_frame,
    render_view,
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
from pitbook.text.catalogue import ENGLISH
from pitbook.text.documents import translated

FRAMES_MAX = 500
BYTES_MAX = 2_000_000
EVENTS, ANSWER = "events", "answer"
_OPENING = '{"events":['  # As the text of news begins, and "]}" as it ends.


class OutFrame:
    """A text to send, and the version of the table that it brings its reader to."""

    __slots__ = ("text", "version", "what")

    def __init__(self, what: str, text: str, version: int | None = None) -> None:
        self.what, self.text, self.version = what, text, version


def encode_frame(
    what: str, frame: SocketTold | View, version: int | None = None, language: str = ENGLISH
) -> OutFrame:
    """A frame, written out in a language."""
    return OutFrame(what, to_json(translated(frame, language)).decode(), version)


_LOOK = OutFrame("look", "")  # The place of a view that is built when it is its turn to be sent.


async def _no_wait() -> None:
    pass


class Outbox:
    """Letters for one watcher. Whoever lets too many lie is let go: `slow`, and not `open`."""

    def __init__(
        self,
        viewer: Viewer,
        turn: Callable[[], Awaitable[None]] = _no_wait,
        build: Callable[[], OutFrame] | None = None,
    ) -> None:
        self.viewer, self.language = viewer, current_language()
        self._turn, self._build, self._wanted = turn, build, False
        self.open, self.slow = True, False
        self.answers, self.heard = False, time.monotonic()  # Calls; and when anything was heard.
        self._letters: deque[OutFrame] = deque()
        self._come = asyncio.Event()
        self._bytes = 0

    def tell(self, news: EventBatch) -> None:
        """What happened at the table, as far as this watcher may see it."""
        if self.open:  # Else it need not even be written out.
            self.put(OutFrame(EVENTS, news.text(self.viewer, self.language), news.version))

    def say(self, what: str, frame: SocketTold | View, version: int | None = None) -> None:
        """Something for this watcher alone, behind all that was told before."""
        self.put(encode_frame(what, frame, version, self.language))

    def want(self) -> None:
        """A look at the table: built once, when it can be sent, however often it is asked for."""
        if not self._wanted:
            self._wanted = True
            self.put(_LOOK)

    def call(self) -> None:
        """Ask for a sign of life at once."""
        self.say("ping", {"ping": 0})

    def close(self) -> None:
        """Nothing more; what is here already is still sent."""
        self.open = False
        self._come.set()

    async def next(self) -> OutFrame | None:
        """The next letter; None when there is no more, or nobody reads them."""
        while True:
            while not self._letters:
                if not self.open:
                    return None
                self._come.clear()
                await self._come.wait()
            if (letter := self._taken()) is not _LOOK:
                return letter
            await self._look()

    async def _look(self) -> None:
        """Build what is wanted, if anybody is still there; what happened meanwhile goes first."""
        await self._turn()
        self._wanted = False
        if not self.open or self._build is None:
            return
        before = [one for one in self._letters if one.what == EVENTS]
        behind = [one for one in self._letters if one.what != EVENTS]
        built = self._build()
        self._bytes += len(built.text)
        self._letters = deque((*before, built, *behind))

    async def frame(self) -> str | None:
        """The next letters as one text: events that came together, an answer behind them."""
        letter = await self.next()
        if letter is None:
            return None
        text = letter.text
        if letter.what == EVENTS:
            while self._letters and (what := self._letters[0].what) in (EVENTS, ANSWER):
                if (more := self._taken()) is None:
                    return None
                if what == ANSWER:
                    return f"{text[:-1]},{more.text[1:]}"
                text = f"{text[:-2]},{more.text[len(_OPENING) :]}"
        return text

    def _taken(self) -> OutFrame | None:
        if self.slow:
            return None
        letter = self._letters.popleft()
        self._bytes -= len(letter.text)
        return letter

    def put(self, letter: OutFrame) -> None:
        """One more, unless nobody listens any more."""
        if not self.open:
            return
        self._bytes += len(letter.text)
        if len(self._letters) >= FRAMES_MAX or self._bytes > BYTES_MAX:
            self.slow = True
            self.close()
        else:
            self._letters.append(letter)
            self._come.set()


socket_router = authenticated_router("tables")
allow_routes({"socket": SIGNED_IN})

BEAT_SECONDS = 5.0  # A socket is looked at so often at the least, for a sign-in that has ended.
PING_SECONDS = 2.5  # A line on which one side said nothing for so long is called.
LOST_SECONDS = 5.0  # Who answers calls and then says nothing for so long is gone.
IDLE_SECONDS = 600.0  # Without any frame from somebody who never answered a call.
LATE_SECONDS = 1.0  # Behind time by more, the house itself was held up, and hears first.
BEAT_MIN = 0.01
SEND_SECONDS = 20.0
GARBAGE_MAX = 20
REASON_MAX = 123  # Bytes; a closing frame has no room for more.
FLOOD_SECONDS = 10.0  # So long frames may come faster than they are read.

# Why the house closes a socket; from 4000 on the numbers are ours.
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
    """The socket is to be closed, and why."""

    def __init__(self, code: CloseCode) -> None:
        super().__init__(code[1])
        self.code = code


@socket_router.websocket("/api/tables/{table}/socket", name="socket")
async def socket(
    websocket: WebSocket,
    table: str,
    version: Annotated[int | None, Query(alias="from", ge=0, le=2**53)] = None,
) -> None:
    """First the table, or all since a version; then events, answers and signs of life."""
    services = get_services(websocket)
    place = resolve_seat(services.server, table, require_caller(websocket))
    thing, limiter = f"socket {id(websocket)}", services.server.limiter
    if (full := limiter.acquire_socket(client_of(websocket.scope), thing)) is not None:
        raise Problem(429, full, 5)
    try:
        await websocket.accept()
        services.server.metrics.sockets.inc()
        try:
            await _SeatSocket(websocket, services, place).serve(version)
        finally:
            services.server.metrics.sockets.dec()
    finally:
        limiter.release_socket(thing)


class _SeatSocket:
    """One open socket: a task that reads, one that writes, and one that looks at the clock."""

    def __init__(self, websocket: WebSocket, services: Services, place: TableSession) -> None:
        self._socket, self._services, self._place = websocket, services, place
        self._session = current_session(websocket)
        self._asker, self._limiter = client_of(websocket.scope), services.server.limiter
        self._language = current_language()
        self._outbox = Outbox(place.viewer, self._turn, self._seen)
        self._garbage = 0
        self._early: float | None = None  # Since when frames come faster than they may.
        self._sent = self._called = self._awake = time.monotonic()  # And since when we listen.
        self._sending: float | None = None
        self._working = False  # On a command: what is said meanwhile is read behind it.

    async def serve(self, version: int | None) -> None:
        """Until either side has had enough."""
        subscribers = self._place.table.subscribers
        missed = None if version is None else subscribers.since(version)
        if missed is None:
            await self._turn()
            self._outbox.put(self._seen())
        subscribers.join(self._outbox, after=version if missed is not None else None)
        tasks = [asyncio.create_task(one) for one in (self._read(), self._write(), self._beat())]
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
                    await self._socket.close(code[0], _close_reason(code[1], self._language))

    async def _beat(self) -> CloseCode:
        """A sign of life where nothing else was said; the end where nothing is heard or read."""
        beat = 0
        while True:
            asleep = self._until_due()
            due = time.monotonic() + asleep
            await asyncio.sleep(asleep)
            now = time.monotonic()
            if now - due >= LATE_SECONDS:
                self._awake = now
            if (code := self._end(now)) is not None:
                return code
            if self._sending is None and now >= self._call_at():
                beat += 1
                self._called = now
                self._outbox.say("ping", {"ping": beat})

    def _call_at(self) -> float:
        """When the line is to be called, if neither side says anything until then."""
        return max(self._called, min(self._sent, self._outbox.heard)) + PING_SECONDS

    def _until_due(self) -> float:
        return min(BEAT_SECONDS, max(BEAT_MIN, self._call_at() - time.monotonic()))

    def _end(self, now: float) -> CloseCode | None:
        """Why the line is of no more use, if it is."""
        if not self._is_signed_in():
            return self._signed_out()
        if self._sending is not None and now - self._sending >= SEND_SECONDS:
            return SLOW
        silent = 0.0 if self._working else now - max(self._outbox.heard, self._awake)
        if self._outbox.answers and silent >= LOST_SECONDS:
            return LOST
        return IDLE if silent >= IDLE_SECONDS else None

    def _is_signed_in(self) -> bool:
        sessions = self._services.server.sessions
        return self._session is not None and sessions.is_valid(self._session)

    def _signed_out(self) -> CloseCode:
        """That the sign-in has ended; by a ticket, also why."""
        sessions = self._services.server.sessions
        why = None if self._session is None else sessions.why_over(self._session)
        if why is None:
            return SIGNED_OUT
        return SIGNED_OUT[0], in_language(why, self._language).partition(";")[0]

    # Out -----------------------------------------------------------------------------------------

    async def _write(self) -> CloseCode | None:
        try:
            while (text := await self._outbox.frame()) is not None:
                if not self._is_signed_in():  # What happens from here on is not for them.
                    return self._signed_out()
                self._sending = time.monotonic()
                await self._socket.send_text(text)
                self._sent, self._sending = self._sending, None
        except (WebSocketDisconnect, RuntimeError):  # Gone while we wrote.
            return None
        return SLOW if self._outbox.slow else ENDED

    # In ------------------------------------------------------------------------------------------

    async def _read(self) -> CloseCode | None:
        try:
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return None
                self._outbox.heard = time.monotonic()
                self._working = True
                await self._in_turn()
                await self._take(message.get("text"))
                self._working, self._outbox.heard = False, time.monotonic()
        except _CloseSocket as closed:
            return closed.code
        except WebSocketDisconnect:
            return None

    async def _in_turn(self) -> None:
        """Read no faster than anybody may send; who does not slow down for long is shown out."""
        early = await self._limiter.acquire_frame(self._asker)
        if not early:
            self._early = None
        elif self._early is None:
            self._early = time.monotonic()
        elif time.monotonic() - self._early >= FLOOD_SECONDS:
            raise _CloseSocket(FLOOD)

    async def _take(self, text: str | None) -> None:
        limits = self._services.server.settings.limits
        if not self._is_signed_in():
            raise _CloseSocket(self._signed_out())
        if text is not None and _byte_count(text) > limits.frame_bytes_max:
            raise _CloseSocket(TOO_LARGE)
        try:
            if text is None:
                raise FrameError(say("web.frames.bytes"))
            frame = read_frame(text, depth_max=limits.json_depth_max)
        except FrameError as error:
            self._no(error)
        else:
            self._garbage = 0
            await self._do(frame)

    async def _do(self, frame: Frame) -> None:
        if frame.kind == "pong":
            self._outbox.answers = True
        elif frame.kind == "ping":
            self._outbox.say("pong", {"pong": frame.number})
        elif frame.kind == "view":
            self._outbox.want()
        elif frame.kind == "command":
            await self._command(frame)

    async def _command(self, frame: Frame) -> None:
        try:
            answer = await submit_command(self._services, self._place, frame.command, frame.request)
        except PitbookError as error:
            self._answer(frame.request, _error_frame(error, self._language))
            return
        self._count(answer)
        self._answer(frame.request, answer_frame(answer, self._language))
        await drop_retired_practice(self._services, self._place, frame.command)

    def _no(self, error: FrameError) -> None:
        """Told, and the socket stays open; who goes on like this is shown out."""
        self._garbage += 1
        if self._garbage >= GARBAGE_MAX:
            raise _CloseSocket(GARBAGE)
        told = render_error(sentence_of(error), self._language)
        if error.request is None:
            self._outbox.say("error", cast(ErrorFrame, told))
        else:
            self._answer(error.request, cast(Answered, told))

    async def _turn(self) -> None:
        await self._limiter.acquire_view(self._asker)

    def _seen(self) -> OutFrame:
        version = self._place.table.state.version
        return encode_frame("view", {"view": render_view(self._place)}, version, self._language)

    def _answer(self, request: str, told: Answered) -> None:
        self._outbox.say("answer", {"answer": {"request": request, **told}})

    def _count(self, answer: Answer) -> None:
        if isinstance(answer, Refusal) or answer.hash:
            self._services.server.metrics.count_answer(answer)


def _byte_count(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def _close_reason(why: str, language: str) -> str:
    return in_language(why, language).encode()[:REASON_MAX].decode(errors="ignore")


def _error_frame(error: PitbookError, language: str) -> Answered:
    problem = to_problem(error)
    told = cast(Answered, render_error(sentence_of(problem), language))
    return told if problem.retry_after is None else {**told, "retry_after": problem.retry_after}


events_router = authenticated_router("tables")
allow_routes({"watch": SIGNED_IN})

SSE_BEAT_SECONDS = 2.5
SPECTATOR = Viewer("", "spectator")
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
    summary="Look on",
    response_class=StreamingResponse,
    responses={**NO_TABLE, **STREAM},
)
async def watch(
    table: str,
    request: Request,
    who: Caller,
    server: ServerDep,
    last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=20)] = None,
) -> StreamingResponse:
    """The table as a spectator sees it, then whatever happens; no card that is not on the table."""
    place = resolve_seat(server, table, who)._replace(viewer=SPECTATOR, by=None)
    asker, thing = client_of(request.scope), f"watch {id(request)}"
    if (full := server.limiter.acquire_socket(asker, thing)) is not None:
        raise Problem(429, full, 5)
    told = _event_lines(request, place, _event_id(last))
    return EventStream(told, lambda: server.limiter.release_socket(thing))


class EventStream(StreamingResponse):
    """Events as they come; however it ends, the end is heard of."""

    def __init__(self, told: AsyncIterator[str], ended: Callable[[], None]) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(told, media_type="text/event-stream", headers=headers)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until nobody listens."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


def _event_id(last: str | None) -> int | None:
    return int(last) if last is not None and last.isascii() and last.isdigit() else None


async def _event_lines(
    request: Request, place: TableSession, version: int | None
) -> AsyncIterator[str]:
    server = get_server(request)
    outbox, subscribers = Outbox(place.viewer), place.table.subscribers
    stopped = asyncio.create_task(server.stopping.wait())
    stopped.add_done_callback(lambda _: outbox.close())
    if (missed := None if version is None else subscribers.since(version)) is None:
        await server.limiter.acquire_view(client_of(request.scope))
        outbox.say("view", render_view(place), place.table.state.version)
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
        stopped.cancel()
        server.metrics.watchers.dec()


async def _next_line(outbox: Outbox) -> str | None:
    try:
        async with asyncio.timeout(SSE_BEAT_SECONDS):
            letter = await outbox.next()
    except TimeoutError:
        return ": still here\n\n"
    return None if letter is None else _sse_line(letter)


def _sse_line(letter: OutFrame) -> str:
    """JSON in one line: what a stream of events may carry."""
    number = "" if letter.version is None else f"id: {letter.version}\n"
    return f"{number}event: {letter.what}\ndata: {letter.text}\n\n"
