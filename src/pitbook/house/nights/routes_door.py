"""Routes for the door: tickets and check-in."""

from __future__ import annotations

import asyncio
import logging
import secrets
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import Path, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pitbook.errors import PeopleError
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights import floor_lists
from pitbook.house.nights.api_types import CheckedIn, TicketCode
from pitbook.house.nights.registry import tournament_of
from pitbook.house.nights.routes import NO_NIGHT, PAPER, REFUSED, RUNS, STAFF, WithRequestId
from pitbook.house.nights.state import NightState
from pitbook.house.nights.store import Answer as Said
from pitbook.house.nights.store import Night
from pitbook.house.nights.ticket_codes import TOKEN_MAX, Ticket, Tickets, picture, ticket_of
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import OVER, why_not
from pitbook.house.nights.tournament_tables import table_name
from pitbook.house.nights.views import arrived_at, ticket_shown
from pitbook.house.people.register import check_new_name, find_person
from pitbook.house.people.roster import AccessList
from pitbook.house.people.sessions import SESSION_COOKIE, Session
from pitbook.house.table.api_types import Recorded
from pitbook.house.table.session import check_request_id, example_response
from pitbook.house.table.streams import TABLE
from pitbook.house.web.access import ANYONE, Caller, allow_routes, authenticated_router, find_caller
from pitbook.house.web.errors import Answer, Problem, RefusedPlay
from pitbook.house.web.languages import current_language
from pitbook.house.web.logs import log_event
from pitbook.house.web.pages import printed_page
from pitbook.house.web.server import Server
from pitbook.house.web.services import Services, ServicesDep
from pitbook.money import money
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import say, sentence_of

router = authenticated_router("nights")
DESK = (*RUNS, "brush")  # Who hands out tickets.
allow_routes(
    {
        "ticket": DESK,
        "check_in": ANYONE,
        "arrive": DESK,
        "ticket_play": ANYONE,
        "tournament_paper": STAFF,
    }
)

TICKET = {
    "player": "ann",
    "link": "//192.168.0.10:8710/check-in/WyJnYWxhIl0.4sQ",
    "token": "WyJnYWxhIl0.4sQ",
    "picture": "data:image/svg+xml,%3Csvg%3E",
}
CHECKED = {"player": "ann", "event": "gala-2026", "tournament": "t1", "table": 2, "seat": 5}
Player = Annotated[str, Query(min_length=1, max_length=200, examples=["ann"])]
Token = Annotated[str, Path(max_length=TOKEN_MAX)]
DoorPaper = Literal["sign-in", "seat-cards", "count-sheets", "results"]


class OwnSeat(BaseModel):
    """A player's own seat at a live table."""

    table: str = Field(examples=["gala-2026.t1-2"])
    seat: int = Field(examples=[3])
    opened: int = Field(examples=[0], description="How often the ticket was opened before.")


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/ticket",
    name="ticket",
    summary="A player's check-in code",
    responses={**NO_NIGHT, **example_response(TICKET)},
)
async def ticket(
    event: str,
    tournament: str,
    player: Player,
    *,
    request: Request,
    who: Caller,
    services: ServicesDep,
) -> Answer[TicketCode]:
    """A link and its QR code, before the buy-in or after; whoever reads it finds the player.

    It is the one that is good now. Somebody with an account signs in to play.
    """
    state = await services.nights.ask(event, Night.refreshed)
    one = tournament_of(state, tournament)
    player = await asyncio.to_thread(_bearer, services.server, player)
    made = ticket_of(one, player)
    if (no := why_not(one, player, int(made.edition))) is not None:
        raise RefusedPlay(Refusal(Code.FORBIDDEN, no))
    log_event(logging.INFO, "ticket_shown", player=player, tournament=one.tournament, by=who.name)
    token = _tickets(services.server).token(made)
    link = f"{_address(request)}/check-in/{token}"
    code: TicketCode = {
        "player": player,
        "token": token,
        "link": link,
        "picture": picture(link),
        "rehearsal": state.rehearsal,
        "account": find_person(services.server.people.register, player) is not None,
    }
    return Answer(code)


def _bearer(server: Server, name: str) -> str:
    """Whose ticket it is, in the name on record; nobody who is excluded gets one."""
    door = AccessList(server.house.persons.catch_up(), utc_now())
    if isinstance(player := door.resolve_name(name), Refusal):
        raise Problem(HTTPStatus.BAD_REQUEST, player.message)
    if (barred := door.exclusion_of(player)) is not None:
        raise RefusedPlay(barred)
    return player


@router.get(
    "/api/check-in/{token}",
    name="check_in",
    summary="What a check-in code stands for",
    responses={**NO_NIGHT, **example_response(CHECKED)},
)
async def check_in(token: Token, request: Request, services: ServicesDep) -> Answer[CheckedIn]:
    """Whose it is and where the seat is, for anybody; whoever runs the night sees what to do."""
    found, state = await _read(services, token)
    who = find_caller(request)
    return Answer(_checked(state, found, runs=who is not None and who.role in RUNS))


@router.post(
    "/api/check-in/{token}",
    name="arrive",
    summary="A player is at the door",
    responses={**NO_NIGHT, **REFUSED, **example_response(CHECKED | {"accepted": {"seq": 42}})},
)
async def arrive(
    token: Token, given: WithRequestId, who: Caller, services: ServicesDep
) -> Answer[CheckedIn]:
    """On record with who saw it and when; whoever has checked in already stays so."""
    request = check_request_id(given.request)
    found, state = await _read(services, token)
    noted: Recorded | None = None
    if found.player not in tournament_of(state, found.own).arrived:
        command = commands.CheckIn(f"{found.event}.{found.own}", found.player)
        night = await services.nights.night(found.event)
        answer = await night.take(command, actor=who.name, request=request)
        state = await night.read()
        noted = _noted(answer, found.player in tournament_of(state, found.own).arrived)
    told = _checked(state, found, runs=who.role in RUNS)
    if noted is not None:
        told["accepted"] = noted
    return Answer(told)


def _noted(answer: Said, arrived: bool) -> Recorded | None:
    """Where it is on record; of two who saw the player come, one was first."""
    if not isinstance(answer, Refusal):
        return {"seq": answer.seq, "hash": answer.hash}
    if not arrived:
        raise RefusedPlay(answer)
    return None


@router.post(
    "/api/check-in/{token}/play",
    name="ticket_play",
    summary="A seat at a live table, by its ticket",
    responses={**NO_NIGHT, **REFUSED},
)
async def ticket_play(
    token: Token, given: WithRequestId, request: Request, response: Response, services: ServicesDep
) -> OwnSeat:
    """No account is needed: whoever has the ticket plays the seat that it is for, and no other.

    It plays in one browser at a time, the one that opened it last. Each opening is on record.
    """
    check_request_id(given.request)
    found, state = await _read(services, token)
    await asyncio.to_thread(_bearer, services.server, found.player)
    one = tournament_of(state, found.own)
    table, seat = _seat(state, one, found.player)
    if await asyncio.to_thread(_is_closed, services.server, table):
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.not-laid-out", tournament=found.own))
    # Whoever has still to set up a second factor is somebody signed in, too.
    now = services.server.sessions.read(request.cookies.get(SESSION_COOKIE))
    if _needs_opening(now, services.server, found, one):
        cookie = await _opened(services, found)
        services.server.sessions.set_cookie(response, cookie)
    return OwnSeat(table=table, seat=seat, opened=one.ticket(found.player).opened)


def _seat(state: NightState, one: Tournament, name: str) -> tuple[str, int]:
    """Where a player sits; raises RefusedPlay for somebody without a seat."""
    player, fields = one.players.get(name), {"name": name, "tournament": one.tournament}
    if player is None:
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.not-entered", **fields))
    if name not in one.still_in:
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.out", **fields))
    if state.phase != "open" or player.table is None or player.seat is None:
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.no-seat", **fields))
    return table_name(one.tournament, player.table), player.seat


def _is_closed(server: Server, table: str) -> bool:
    stream = server.house.ledger.stream(f"{TABLE}{table}")
    return stream is None or server.house.is_retired(stream)


def _needs_opening(now: Session | None, server: Server, found: Ticket, one: Tournament) -> bool:
    """Whether the ticket is opened in this browser; no: whoever is here is that player already."""
    name, taken = found.player, one.ticket(found.player).taken
    if now is not None and now.by_ticket and (now.name, now.tournament) == (name, one.tournament):
        return False
    if now is not None and now.role != "guest" and not now.by_ticket:
        if now.name == name and not taken:
            return False
        log_event(logging.WARNING, "ticket_refused_while_signed_in", by=now.name, player=name)
        who = {"other": now.name, "name": name}
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.signed-in", **who))
    if not taken:  # Once it plays, the seat is its own.
        _check_no_account(server, name)
    return True


def _check_no_account(server: Server, name: str) -> None:
    register = server.people.catch_up()
    if find_person(register, name) is not None:
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.has-account", name=name))
    try:
        check_new_name(register, name)  # It may look like somebody else's, or be the house's own.
    except PeopleError as other:
        why = sentence_of(other)
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.needs-account", why=why)) from None


async def _opened(services: Services, found: Ticket) -> str:
    """A token for the browser that has just opened a ticket, on record."""
    night, opening = await services.nights.night(found.event), secrets.token_hex(8)
    asked = commands.OpenTicket(found.tournament, found.player, int(found.edition), opening)
    answer = await night.take(asked, actor=found.player)
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    since = (await night.read()).tournaments[found.tournament].version
    return services.server.sessions.ticket(
        found.player, found.tournament, opening=opening, since=since
    )


async def _read(services: Services, token: str) -> tuple[Ticket, NightState]:
    """A ticket that is good, and its night; raises Problem 404, and 410 for one that was."""
    found = _tickets(services.server).read(token)
    if found is None or not found.edition.isdecimal():
        raise Problem(HTTPStatus.NOT_FOUND, say("web.door.not-ours"))
    player = (await asyncio.to_thread(services.server.house.persons.catch_up)).resolve_name(
        found.player
    )
    if not isinstance(player, Refusal):
        found = found._replace(player=player)
    state = await services.nights.ask(found.event, Night.refreshed)
    one = tournament_of(state, found.own)
    if one.status not in OVER and (no := why_not(one, found.player, int(found.edition))):
        raise Problem(HTTPStatus.GONE, no)
    return found, state


def _checked(state: NightState, found: Ticket, *, runs: bool) -> CheckedIn:
    one = tournament_of(state, found.own)
    player = one.players.get(found.player)
    return {
        "event": state.event,
        "charity": state.charity,
        "rehearsal": state.rehearsal,
        "tournament": found.own,
        "title": one.schedule.title,
        "status": one.status,
        "player": found.player,
        "buy_in": money(one.schedule.buy_in.costs),
        "entered": player is not None,
        "out": player is not None and found.player not in one.still_in,
        "table": player.table if player else None,
        "seat": player.seat if player else None,
        "checked_in": arrived_at(one, found.player),
        "ticket": ticket_shown(one, found.player),
        "runs": runs,
    }


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/paper/{what}",
    name="tournament_paper",
    summary="Paper for the floor",
    response_class=Response,
    responses={**NO_NIGHT, **PAPER},
)
async def tournament_paper(
    event: str,
    tournament: str,
    what: DoorPaper,
    *,
    request: Request,
    who: Caller,
    services: ServicesDep,
) -> Response:
    """A sign-in sheet, seat cards with their codes, count sheets or results; a page to print.

    Whoever has a code plays by it, so the cards are for those who hand out tickets.
    """
    if what == "seat-cards" and who.role not in DESK:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.door.cards-are-tickets"))
    state = await services.nights.ask(event, Night.refreshed)
    one = tournament_of(state, tournament)
    if what == "sign-in":
        return printed_page(floor_lists.sign_in_sheet(state, one, current_language()))
    if what == "results":
        return printed_page(floor_lists.results_list(state, one, current_language()))
    if what == "count-sheets":
        return printed_page(floor_lists.count_sheets(state, one, current_language()))
    tickets, address = _tickets(services.server), _address(request)

    def code(player: str) -> str:
        return picture(f"{address}/check-in/{tickets.token(ticket_of(one, player))}")

    log_event(logging.INFO, "tickets_printed", tournament=one.tournament, by=who.name)

    return printed_page(floor_lists.seat_cards(state, one, code, current_language()))


def _tickets(server: Server) -> Tickets:
    return Tickets(server.house.folder.keys.sealing)


def _address(request: Request) -> str:
    """Where whoever asks has found us: a phone in the same room finds us there too."""
    server: Server = request.app.state.server
    secure = server.settings.https or request.url.scheme == "https"
    return f"{'https' if secure else 'http'}://{request.headers.get('host', '')}"
