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
from pitbook.house.nights import printed_lists
from pitbook.house.nights.api_types import CheckInView, TicketCode
from pitbook.house.nights.registry import find_tournament
from pitbook.house.nights.routes import NO_NIGHT, PAPER, REFUSED, RUN_ROLES, STAFF, WithRequestId
from pitbook.house.nights.state import NightState
from pitbook.house.nights.store import Answer as CommandAnswer
from pitbook.house.nights.store import Night
from pitbook.house.nights.ticket_codes import TOKEN_MAX, Ticket, Tickets, qr_code, ticket_of
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import ENDED_STATUSES, ticket_error
from pitbook.house.nights.tournament_tables import table_name
from pitbook.house.nights.views import check_in_time, ticket_view
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.account_register import check_new_name, find_person
from pitbook.house.people.sessions import SESSION_COOKIE, Session
from pitbook.house.table.stream_names import TABLE
from pitbook.house.table.table_session import check_request_id, example_response
from pitbook.house.table.view_types import Recorded
from pitbook.house.web.access import ANYONE, Caller, allow_routes, authenticated_router, find_caller
from pitbook.house.web.errors import Answer, Problem, RefusedPlay
from pitbook.house.web.languages import current_language
from pitbook.house.web.logs import log_event
from pitbook.house.web.printed_pages import printed_page
from pitbook.house.web.server import Server
from pitbook.house.web.services import Services, ServicesDep
from pitbook.money import money
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import say, sentence_of

router = authenticated_router("nights")
TICKET_ROLES = (*RUN_ROLES, "brush")  # Roles that hand out tickets.
allow_routes(
    {
        "ticket": TICKET_ROLES,
        "check_in": ANYONE,
        "arrive": TICKET_ROLES,
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
    """A player's seat at a live table."""

    table: str = Field(examples=["gala-2026.t1-2"])
    seat: int = Field(examples=[3])
    opened: int = Field(examples=[0], description="How often the ticket was opened before.")


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/ticket",
    name="ticket",
    summary="Get a player's check-in code",
    responses={**NO_NIGHT, **example_response(TICKET)},
)
async def ticket(
    event: str,
    tournament: str,
    player: Player,
    *,
    request: Request,
    caller: Caller,
    services: ServicesDep,
) -> Answer[TicketCode]:
    """A link and its QR code, before or after the buy-in. Anyone with the code finds the player.

    It is the currently valid one. A player with an account signs in to play.
    """
    state = await services.nights.ask(event, Night.refresh)
    tournament_state = find_tournament(state, tournament)
    player = await asyncio.to_thread(_ticket_holder, services.server, player)
    current_ticket = ticket_of(tournament_state, player)
    if (reason := ticket_error(tournament_state, player, int(current_ticket.edition))) is not None:
        raise RefusedPlay(Refusal(Code.FORBIDDEN, reason))
    log_event(
        logging.INFO,
        "ticket_shown",
        player=player,
        tournament=tournament_state.tournament,
        by=caller.name,
    )
    token = _tickets(services.server).token(current_ticket)
    link = f"{_base_url(request)}/check-in/{token}"
    code: TicketCode = {
        "player": player,
        "token": token,
        "link": link,
        "picture": qr_code(link),
        "rehearsal": state.rehearsal,
        "account": find_person(services.server.people.register, player) is not None,
    }
    return Answer(code)


def _ticket_holder(server: Server, name: str) -> str:
    """The ticket holder's recorded name; excluded people get no ticket."""
    access_list = AccessList(server.house.persons.catch_up(), utc_now())
    if isinstance(player := access_list.resolve_name(name), Refusal):
        raise Problem(HTTPStatus.BAD_REQUEST, player.message)
    if (exclusion := access_list.exclusion_of(player)) is not None:
        raise RefusedPlay(exclusion)
    return player


@router.get(
    "/api/check-in/{token}",
    name="check_in",
    summary="Look up a check-in code",
    responses={**NO_NIGHT, **example_response(CHECKED)},
)
async def check_in(token: Token, request: Request, services: ServicesDep) -> Answer[CheckInView]:
    """Anyone gets the player and the seat; organizers also see the next step."""
    ticket_code, state = await _read_ticket(services, token)
    caller = find_caller(request)
    return Answer(
        _check_in_view(state, ticket_code, can_run=caller is not None and caller.role in RUN_ROLES)
    )


@router.post(
    "/api/check-in/{token}",
    name="arrive",
    summary="Check a player in",
    responses={**NO_NIGHT, **REFUSED, **example_response(CHECKED | {"accepted": {"seq": 42}})},
)
async def arrive(
    token: Token, body: WithRequestId, caller: Caller, services: ServicesDep
) -> Answer[CheckInView]:
    """Record who checked the player in and when; repeating it changes nothing."""
    request = check_request_id(body.request)
    ticket_code, state = await _read_ticket(services, token)
    recorded: Recorded | None = None
    if ticket_code.player not in find_tournament(state, ticket_code.short_name).arrived:
        command = commands.CheckIn(
            f"{ticket_code.event}.{ticket_code.short_name}", ticket_code.player
        )
        night = await services.nights.night(ticket_code.event)
        answer = await night.take(command, actor=caller.name, request=request)
        state = await night.read()
        recorded = _record_of(
            answer, ticket_code.player in find_tournament(state, ticket_code.short_name).arrived
        )
    view = _check_in_view(state, ticket_code, can_run=caller.role in RUN_ROLES)
    if recorded is not None:
        view["accepted"] = recorded
    return Answer(view)


def _record_of(answer: CommandAnswer, arrived: bool) -> Recorded | None:
    """The check-in's place in the ledger; None if another user recorded it first."""
    if not isinstance(answer, Refusal):
        return {"seq": answer.seq, "hash": answer.hash}
    if not arrived:
        raise RefusedPlay(answer)
    return None


@router.post(
    "/api/check-in/{token}/play",
    name="ticket_play",
    summary="Take a seat by ticket",
    responses={**NO_NIGHT, **REFUSED},
)
async def ticket_play(
    token: Token, body: WithRequestId, request: Request, response: Response, services: ServicesDep
) -> OwnSeat:
    """No account is needed: the ticket plays its own seat and no other.

    It plays in one browser at a time, the one that opened it last. Each opening is recorded.
    """
    check_request_id(body.request)
    ticket_code, state = await _read_ticket(services, token)
    await asyncio.to_thread(_ticket_holder, services.server, ticket_code.player)
    tournament = find_tournament(state, ticket_code.short_name)
    table, seat = _require_seat(state, tournament, ticket_code.player)
    if await asyncio.to_thread(_is_closed, services.server, table):
        raise RefusedPlay(
            refuse(Code.FORBIDDEN, "web.door.not-laid-out", tournament=ticket_code.short_name)
        )
    # A user who still has to set up two-step verification is signed in, too.
    session = services.server.sessions.read(request.cookies.get(SESSION_COOKIE))
    if _needs_opening(session, services.server, ticket_code, tournament):
        cookie = await _open_ticket(services, ticket_code)
        services.server.sessions.set_cookie(response, cookie)
    return OwnSeat(table=table, seat=seat, opened=tournament.ticket(ticket_code.player).opened)


def _require_seat(state: NightState, tournament: Tournament, name: str) -> tuple[str, int]:
    """A player's table and seat; raises RefusedPlay without a seat."""
    player, fields = (
        tournament.players.get(name),
        {"name": name, "tournament": tournament.tournament},
    )
    if player is None:
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.not-entered", **fields))
    if name not in tournament.still_in:
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.out", **fields))
    if state.phase != "open" or player.table is None or player.seat is None:
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.no-seat", **fields))
    return table_name(tournament.tournament, player.table), player.seat


def _is_closed(server: Server, table: str) -> bool:
    stream = server.house.ledger.stream(f"{TABLE}{table}")
    return stream is None or server.house.is_retired(stream)


def _needs_opening(
    session: Session | None, server: Server, ticket_code: Ticket, tournament: Tournament
) -> bool:
    """Whether to open the ticket in this browser; False if it already plays as that player."""
    name, is_taken = ticket_code.player, tournament.ticket(ticket_code.player).taken
    if (
        session is not None
        and session.by_ticket
        and (session.name, session.tournament) == (name, tournament.tournament)
    ):
        return False
    if session is not None and session.role != "guest" and not session.by_ticket:
        if session.name == name and not is_taken:
            return False
        log_event(logging.WARNING, "ticket_refused_while_signed_in", by=session.name, player=name)
        fields = {"other": session.name, "name": name}
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.signed-in", **fields))
    if not is_taken:  # A taken seat belongs to its ticket.
        _check_no_account(server, name)
    return True


def _check_no_account(server: Server, name: str) -> None:
    register = server.people.catch_up()
    if find_person(register, name) is not None:
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.has-account", name=name))
    try:
        check_new_name(register, name)  # It may look like another name or be reserved.
    except PeopleError as error:
        why = sentence_of(error)
        raise RefusedPlay(refuse(Code.FORBIDDEN, "web.door.needs-account", why=why)) from None


async def _open_ticket(services: Services, ticket_code: Ticket) -> str:
    """A session token for the browser that opened the ticket; the opening is recorded."""
    night, opening = await services.nights.night(ticket_code.event), secrets.token_hex(8)
    command = commands.OpenTicket(
        ticket_code.tournament, ticket_code.player, int(ticket_code.edition), opening
    )
    answer = await night.take(command, actor=ticket_code.player)
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    since = (await night.read()).tournaments[ticket_code.tournament].version
    return services.server.sessions.ticket(
        ticket_code.player, ticket_code.tournament, opening=opening, since=since
    )


async def _read_ticket(services: Services, token: str) -> tuple[Ticket, NightState]:
    """A valid ticket and its night; raises Problem 404, or 410 if it is no longer valid."""
    ticket_code = _tickets(services.server).read(token)
    if ticket_code is None or not ticket_code.edition.isdecimal():
        raise Problem(HTTPStatus.NOT_FOUND, say("web.door.not-ours"))
    player = (await asyncio.to_thread(services.server.house.persons.catch_up)).resolve_name(
        ticket_code.player
    )
    if not isinstance(player, Refusal):
        ticket_code = ticket_code._replace(player=player)
    state = await services.nights.ask(ticket_code.event, Night.refresh)
    tournament = find_tournament(state, ticket_code.short_name)
    if tournament.status not in ENDED_STATUSES and (
        reason := ticket_error(tournament, ticket_code.player, int(ticket_code.edition))
    ):
        raise Problem(HTTPStatus.GONE, reason)
    return ticket_code, state


def _check_in_view(state: NightState, ticket_code: Ticket, *, can_run: bool) -> CheckInView:
    tournament = find_tournament(state, ticket_code.short_name)
    player = tournament.players.get(ticket_code.player)
    return {
        "event": state.event,
        "charity": state.charity,
        "rehearsal": state.rehearsal,
        "tournament": ticket_code.short_name,
        "title": tournament.schedule.title,
        "status": tournament.status,
        "player": ticket_code.player,
        "buy_in": money(tournament.schedule.buy_in.costs),
        "entered": player is not None,
        "out": player is not None and ticket_code.player not in tournament.still_in,
        "table": player.table if player else None,
        "seat": player.seat if player else None,
        "checked_in": check_in_time(tournament, ticket_code.player),
        "ticket": ticket_view(tournament, ticket_code.player),
        "runs": can_run,
    }


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/paper/{what}",
    name="tournament_paper",
    summary="Print a floor list",
    response_class=Response,
    responses={**NO_NIGHT, **PAPER},
)
async def tournament_paper(
    event: str,
    tournament: str,
    what: DoorPaper,
    *,
    request: Request,
    caller: Caller,
    services: ServicesDep,
) -> Response:
    """A sign-in sheet, seat cards with codes, count sheets or results, as a page to print.

    A code lets its holder play, so only roles that hand out tickets may print the cards.
    """
    if what == "seat-cards" and caller.role not in TICKET_ROLES:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.door.cards-are-tickets"))
    state = await services.nights.ask(event, Night.refresh)
    tournament_state = find_tournament(state, tournament)
    if what == "sign-in":
        return printed_page(
            printed_lists.sign_in_sheet(state, tournament_state, current_language())
        )
    if what == "results":
        return printed_page(printed_lists.results_list(state, tournament_state, current_language()))
    if what == "count-sheets":
        return printed_page(printed_lists.count_sheets(state, tournament_state, current_language()))
    tickets, address = _tickets(services.server), _base_url(request)

    def code(player: str) -> str:
        return qr_code(f"{address}/check-in/{tickets.token(ticket_of(tournament_state, player))}")

    log_event(
        logging.INFO, "tickets_printed", tournament=tournament_state.tournament, by=caller.name
    )

    return printed_page(printed_lists.seat_cards(state, tournament_state, code, current_language()))


def _tickets(server: Server) -> Tickets:
    return Tickets(server.house.folder.keys.sealing)


def _base_url(request: Request) -> str:
    """The server's address as the caller reached it, which also works for phones in the room."""
    server: Server = request.app.state.server
    secure = server.settings.https or request.url.scheme == "https"
    return f"{'https' if secure else 'http'}://{request.headers.get('host', '')}"
