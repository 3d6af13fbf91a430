"""The clock of a tournament for a board on the wall; it holds no secret, so anybody may look."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request
from starlette.responses import StreamingResponse

from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.book.state import NightState
from pitbook.house.nights.shapes import ClockBoard
from pitbook.house.nights.tournament.board import board, sign_of_change
from pitbook.house.table.session import example_response
from pitbook.house.table.socket import EventStream
from pitbook.house.web.access import ANYONE, ServerDep, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.rate_limits import client_of
from pitbook.house.web.routes.nights import NO_NIGHT
from pitbook.house.web.services import Services, ServicesDep, get_services
from pitbook.house.web.tables.nights import tournament_of

router = authenticated_router("nights")
allow_routes({"night_clock": ANYONE, "night_clock_events": ANYONE})

LOOK_SECONDS = 1.0
TELL_SECONDS = 15.0
BEAT_SECONDS = 2.0  # A board that hears nothing for longer shows that its line is lost.
BEAT = "event: beat\ndata:\n\n"  # Without a word, for those who read boards alone.
READING = {
    "tournament": "gala-2026.t1",
    "title": "Hourly stud",
    "level": 2,
    "left": 611.25,
    "running": True,
    "limits": [{"wager": "ante", "min": "50.00", "max": "200.00"}],
    "players_left": 11,
    "average_stack": "1636.36",
    "prizes": ["300.00", "200.00"],
    "next_break": 611.25,
}
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The whole board at once, at every change, every 15 seconds; beats between.",
        "content": {"text/event-stream": {"example": 'id: 7\nevent: board\ndata: {"level":2}\n\n'}},
    }
}


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/clock",
    name="night_clock",
    summary="The clock board",
    responses={**NO_NIGHT, **example_response(READING)},
)
async def night_clock(event: str, tournament: str, services: ServicesDep) -> Answer[ClockBoard]:
    """Level, time, limits, players left, average stack, prizes and the next break."""
    return Answer(_board(await services.nights.glance(event), tournament))


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/clock/events",
    name="night_clock_events",
    summary="The clock board, as it changes",
    response_class=StreamingResponse,
    responses={**NO_NIGHT, **STREAM},
)
async def night_clock_events(
    event: str, tournament: str, request: Request, server: ServerDep, services: ServicesDep
) -> StreamingResponse:
    """Each event is the whole board, so that a line that was lost needs nothing but a new one."""
    _board(await services.nights.glance(event), tournament)
    asker, thing = client_of(request.scope), f"clock {id(request)}"
    if (full := server.limiter.acquire_socket(asker, thing)) is not None:
        raise Problem(429, full, 5)
    return EventStream(
        _told(request, event, tournament), lambda: server.limiter.release_socket(thing)
    )


async def _told(request: Request, event: str, tournament: str) -> AsyncIterator[str]:
    services = get_services(request)
    yield "retry: 2000\n\n"
    last, waited, silent = None, TELL_SECONDS, 0.0
    while not services.server.stopping.is_set():
        told = await _looked(services, event, tournament)
        if told is not None and (sign_of_change(told) != last or waited >= TELL_SECONDS):
            last, waited, silent = sign_of_change(told), 0.0, 0.0
            yield f"id: {told['version']}\nevent: board\ndata: {json.dumps(told)}\n\n"
        elif silent >= BEAT_SECONDS:
            silent = 0.0
            yield BEAT
        await _pause(services, LOOK_SECONDS)
        waited, silent = waited + LOOK_SECONDS, silent + LOOK_SECONDS


async def _looked(services: Services, event: str, tournament: str) -> ClockBoard | None:
    """The board; nothing while the book cannot be read, or the tournament is withdrawn."""
    try:
        return _board(await services.nights.glance(event), tournament)
    except Problem:
        return None


async def _pause(services: Services, seconds: float) -> None:
    """Wait, but not for a house that closes."""
    try:
        async with asyncio.timeout(seconds):
            await services.server.stopping.wait()
    except TimeoutError:
        pass


def _board(state: NightState, own: str) -> ClockBoard:
    told = board(tournament_of(state, own), utc_now())
    told |= {"event": state.event, "own": own, "charity": state.charity}
    return {**told, "rehearsal": state.rehearsal}
