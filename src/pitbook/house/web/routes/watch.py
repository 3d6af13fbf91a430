"""A table for those who only look on: server-sent events, as any browser reads them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import Header, Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from pitbook.house.table.seen.sight import Viewer
from pitbook.house.web.access import (
    SIGNED_IN,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
    current_session,
)
from pitbook.house.web.errors import Problem
from pitbook.house.web.network.outbox import Letter, Outbox
from pitbook.house.web.rate_limits import client_of
from pitbook.house.web.routes.tables import NO_TABLE
from pitbook.house.web.server import get_server
from pitbook.house.web.tables.present import AtTable, at, seen

__all__ = ["EventStream", "router"]

router = authenticated_router("tables")
allow_routes({"watch": SIGNED_IN})

BEAT_SECONDS = 2.5
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


@router.get(
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
    place = at(server, table, who)._replace(viewer=SPECTATOR, by=None)
    asker, thing = client_of(request.scope), f"watch {id(request)}"
    if (full := server.limiter.acquire_socket(asker, thing)) is not None:
        raise Problem(429, full, 5)
    told = _told(request, place, _version(last))
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


def _version(last: str | None) -> int | None:
    return int(last) if last is not None and last.isascii() and last.isdigit() else None


async def _told(request: Request, place: AtTable, version: int | None) -> AsyncIterator[str]:
    server = get_server(request)
    outbox, subscribers = Outbox(place.viewer), place.table.subscribers
    stopped = asyncio.create_task(server.stopping.wait())
    stopped.add_done_callback(lambda _: outbox.close())
    if (missed := None if version is None else subscribers.since(version)) is None:
        await server.limiter.acquire_view(client_of(request.scope))
        outbox.say("view", seen(place), place.table.state.version)
    subscribers.join(outbox, after=version if missed is not None else None)
    server.metrics.watchers.inc()
    try:
        yield "retry: 2000\n\n"
        while (line := await _next(outbox)) is not None and current_session(request) is not None:
            yield line
    finally:
        subscribers.leave(outbox)
        stopped.cancel()
        server.metrics.watchers.dec()


async def _next(outbox: Outbox) -> str | None:
    try:
        async with asyncio.timeout(BEAT_SECONDS):
            letter = await outbox.next()
    except TimeoutError:
        return ": still here\n\n"
    return None if letter is None else _line(letter)


def _line(letter: Letter) -> str:
    """JSON in one line: what a stream of events may carry."""
    number = "" if letter.version is None else f"id: {letter.version}\n"
    return f"{number}event: {letter.what}\ndata: {letter.text}\n\n"
