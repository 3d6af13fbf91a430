"""A seat over a socket: commands in, and out all that happens, in order and without a gap."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Annotated, cast

from fastapi import Query, WebSocket, WebSocketDisconnect

from pitbook.errors import PitbookError
from pitbook.house.table.live.actor import Answer
from pitbook.house.web.access import (
    SIGNED_IN,
    allow_routes,
    authenticated_router,
    current_session,
    require_caller,
)
from pitbook.house.web.errors import Problem, render_error, to_problem
from pitbook.house.web.frames import Frame, FrameError, read_frame
from pitbook.house.web.languages import current_language
from pitbook.house.web.models.frames import Answered, ErrorFrame
from pitbook.house.web.network.outbox import Letter, Outbox, letter
from pitbook.house.web.rate_limits import client_of
from pitbook.house.web.route_parts import Tools, tools_of
from pitbook.house.web.routes.tables import cleared
from pitbook.house.web.tables.present import AtTable, answered, at, give, seen
from pitbook.rules.refusals import Refusal
from pitbook.text import in_language, say, sentence_of

router = authenticated_router("tables")
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


class _Closed(Exception):
    """The socket is to be closed, and why."""

    def __init__(self, code: CloseCode) -> None:
        super().__init__(code[1])
        self.code = code


@router.websocket("/api/tables/{table}/socket", name="socket")
async def socket(
    websocket: WebSocket,
    table: str,
    version: Annotated[int | None, Query(alias="from", ge=0, le=2**53)] = None,
) -> None:
    """First the table, or all since a version; then events, answers and signs of life."""
    tools = tools_of(websocket)
    place = at(tools.server, table, require_caller(websocket))
    thing, limiter = f"socket {id(websocket)}", tools.server.limiter
    if (full := limiter.acquire_socket(client_of(websocket.scope), thing)) is not None:
        raise Problem(429, full, 5)
    try:
        await websocket.accept()
        tools.server.metrics.sockets.inc()
        try:
            await _Seat(websocket, tools, place).serve(version)
        finally:
            tools.server.metrics.sockets.dec()
    finally:
        limiter.release_socket(thing)


class _Seat:
    """One open socket: a task that reads, one that writes, and one that looks at the clock."""

    def __init__(self, websocket: WebSocket, tools: Tools, place: AtTable) -> None:
        self._socket, self._tools, self._place = websocket, tools, place
        self._session = current_session(websocket)
        self._asker, self._limiter = client_of(websocket.scope), tools.server.limiter
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
                    await self._socket.close(code[0], _fitting(code[1], self._language))

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
        sessions = self._tools.server.sessions
        return self._session is not None and sessions.is_valid(self._session)

    def _signed_out(self) -> CloseCode:
        """That the sign-in has ended; by a ticket, also why."""
        sessions = self._tools.server.sessions
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
        except _Closed as closed:
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
            raise _Closed(FLOOD)

    async def _take(self, text: str | None) -> None:
        limits = self._tools.server.settings.limits
        if not self._is_signed_in():
            raise _Closed(self._signed_out())
        if text is not None and _bytes(text) > limits.frame_bytes:
            raise _Closed(TOO_LARGE)
        try:
            if text is None:
                raise FrameError(say("web.frames.bytes"))
            frame = read_frame(text, depth_max=limits.json_depth)
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
            answer = await give(self._tools, self._place, frame.command, frame.request)
        except PitbookError as error:
            self._answer(frame.request, _error(error, self._language))
            return
        self._count(answer)
        self._answer(frame.request, answered(answer, self._language))
        await cleared(self._tools, self._place, frame.command)

    def _no(self, error: FrameError) -> None:
        """Told, and the socket stays open; who goes on like this is shown out."""
        self._garbage += 1
        if self._garbage >= GARBAGE_MAX:
            raise _Closed(GARBAGE)
        told = render_error(sentence_of(error), self._language)
        if error.request is None:
            self._outbox.say("error", cast(ErrorFrame, told))
        else:
            self._answer(error.request, cast(Answered, told))

    async def _turn(self) -> None:
        await self._limiter.acquire_view(self._asker)

    def _seen(self) -> Letter:
        version = self._place.table.state.version
        return letter("view", {"view": seen(self._place)}, version, self._language)

    def _answer(self, request: str, told: Answered) -> None:
        self._outbox.say("answer", {"answer": {"request": request, **told}})

    def _count(self, answer: Answer) -> None:
        if isinstance(answer, Refusal) or answer.hash:
            self._tools.server.metrics.count_answer(answer)


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def _fitting(why: str, language: str) -> str:
    return in_language(why, language).encode()[:REASON_MAX].decode(errors="ignore")


def _error(error: PitbookError, language: str) -> Answered:
    problem = to_problem(error)
    told = cast(Answered, render_error(sentence_of(problem), language))
    return told if problem.retry_after is None else {**told, "retry_after": problem.retry_after}
