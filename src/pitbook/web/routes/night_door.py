"""The door of a tournament: a code for each player, what it tells, and paper for the floor."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from pitbook.ledger.accounts import NAME
from pitbook.money import money
from pitbook.nights import printables
from pitbook.nights.night import Night
from pitbook.nights.state import NightState
from pitbook.nights.tournament.state import Tournament
from pitbook.web.access import ANYONE, Serving, caller, list_routes
from pitbook.web.answers import Problem
from pitbook.web.nights import tournament_of
from pitbook.web.paper import paper
from pitbook.web.present import example
from pitbook.web.routes.nights import NO_NIGHT, PAPER, RUNS, STAFF
from pitbook.web.server import Server
from pitbook.web.tickets import TOKEN_MAX, Ticket, Tickets, picture
from pitbook.web.tools import Using

router = APIRouter(tags=["nights"])
list_routes(
    {
        "ticket": (*RUNS, "brush"),
        "check_in": ANYONE,
        "tournament_paper": STAFF,
    }
)

NOT_OURS = "this code is not one that this house gave out"
TICKET = {
    "player": "ann",
    "link": "//192.168.0.10:8710/check-in/WyJnYWxhIl0.4sQ",
    "token": "WyJnYWxhIl0.4sQ",
    "picture": "data:image/svg+xml,%3Csvg%3E",
}
CHECKED = {"player": "ann", "event": "gala-2026", "tournament": "t1", "table": 2, "seat": 5}
Player = Annotated[str, Query(min_length=1, max_length=200, examples=["ann"])]
What = Literal["sign-in", "seat-cards", "count-sheets"]


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/ticket",
    name="ticket",
    summary="A player's check-in code",
    responses={**NO_NIGHT, **example(TICKET)},
)
async def ticket(
    event: str, tournament: str, player: Player, request: Request, tools: Using
) -> dict[str, Any]:
    """A link and its QR code, before the buy-in or after; whoever reads it finds the player."""
    state = await tools.nights.ask(event, Night.refreshed)
    tournament_of(state, tournament)
    if not player.isprintable() or not NAME.fullmatch(player) or not player.strip():
        raise Problem(HTTPStatus.BAD_REQUEST, "a player's name is printable text, in one line")
    token = _tickets(tools.server).token(Ticket(event, tournament, player))
    link = f"{_address(request)}/check-in/{token}"
    return {"player": player, "token": token, "link": link, "picture": picture(link)}


@router.get(
    "/api/check-in/{token}",
    name="check_in",
    summary="What a check-in code stands for",
    responses={**NO_NIGHT, **example(CHECKED)},
)
async def check_in(
    token: Annotated[str, Path(max_length=TOKEN_MAX)],
    request: Request,
    server: Serving,
    tools: Using,
) -> dict[str, Any]:
    """Whose it is and where the seat is, for anybody; whoever runs the night sees what to do."""
    found = _tickets(server).read(token)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, NOT_OURS)
    state = await tools.nights.ask(found.event, Night.refreshed)
    one = tournament_of(state, found.own)
    who = caller(request)
    return _checked(state, one, found) | {"runs": who is not None and who.role in RUNS}


def _checked(state: NightState, one: Tournament, found: Ticket) -> dict[str, Any]:
    player = one.players.get(found.player)
    return {
        "event": state.event,
        "charity": state.charity,
        "tournament": found.own,
        "title": one.schedule.title,
        "status": one.status,
        "player": found.player,
        "buy_in": money(one.schedule.buy_in.costs),
        "entered": player is not None,
        "out": player is not None and found.player not in one.still_in,
        "table": player.table if player else None,
        "seat": player.seat if player else None,
    }


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/paper/{what}",
    name="tournament_paper",
    summary="Paper for the floor",
    response_class=Response,
    responses={**NO_NIGHT, **PAPER},
)
async def tournament_paper(
    event: str, tournament: str, what: What, request: Request, tools: Using
) -> Response:
    """A sign-in sheet, seat cards with their codes, or count sheets; a page to print."""
    state = await tools.nights.ask(event, Night.refreshed)
    one = tournament_of(state, tournament)
    if what == "sign-in":
        return paper(printables.sign_in_sheet(state, one))
    if what == "count-sheets":
        return paper(printables.count_sheets(state, one))
    tickets, address = _tickets(tools.server), _address(request)

    def code(player: str) -> str:
        return picture(f"{address}/check-in/{tickets.token(Ticket(event, tournament, player))}")

    return paper(printables.seat_cards(state, one, code))


def _tickets(server: Server) -> Tickets:
    return Tickets(server.house.folder.keys.sealing)


def _address(request: Request) -> str:
    """Where whoever asks has found us: a phone in the same room finds us there too."""
    server: Server = request.app.state.server
    secure = server.settings.secure or request.url.scheme == "https"
    return f"{'https' if secure else 'http'}://{request.headers.get('host', '')}"
