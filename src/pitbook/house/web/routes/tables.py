"""Tables over HTTP: look, ask, take advice; and a seat at a practice table of one's own."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field

from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.book.passes import tournament_in
from pitbook.house.people.guests import all_names, break_refusal, is_owner
from pitbook.house.people.register import Person
from pitbook.house.table.commands import Retire
from pitbook.house.table.facts import Json
from pitbook.house.table.seen.events import sheet_named
from pitbook.house.table.seen.shapes import View
from pitbook.house.table.state import TableState
from pitbook.house.web.access import (
    ANYONE,
    SIGNED_IN,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
    find_caller,
)
from pitbook.house.web.connections import idle
from pitbook.house.web.errors import Answer, Error, Problem, Refused, RefusedPlay
from pitbook.house.web.models.coach import AdviceGiven
from pitbook.house.web.models.commands import TableCommand
from pitbook.house.web.models.sheets import SheetWhole
from pitbook.house.web.models.tables import Seated, TableNamed, Tables
from pitbook.house.web.rate_limits import VIEW_WAIT_MAX_S, client_of
from pitbook.house.web.route_parts import Tools, Using
from pitbook.house.web.routes.sheets import WHOLE, in_order, whole
from pitbook.house.web.server import Server
from pitbook.house.web.tables.advice import advised
from pitbook.house.web.tables.practice import SEAT
from pitbook.house.web.tables.present import (
    AtTable,
    accepted,
    at,
    checked_request,
    disabled,
    example,
    give,
    seen,
    taken,
)
from pitbook.rules.refusals import Refusal
from pitbook.text import say

router = authenticated_router("tables")
allow_routes(
    {
        "practice": ANYONE,
        "list_tables": SIGNED_IN,
        "see_table": SIGNED_IN,
        "table_sheet": SIGNED_IN,
        "command": SIGNED_IN,
        "advice": SIGNED_IN,
    }
)

NO_TABLE: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "There is no such table."},
    410: {"model": Error, "description": "The table is closed for good."},
    421: {"model": Error, "description": "Another process holds the table."},
    503: {"model": Error, "description": "The book cannot be written now."},
}
REFUSED: dict[int | str, dict[str, Any]] = {
    409: {"model": Refused, "description": "The rules say no."}
}
SHEET = "catfish-bend/mississippi-stud"
VIEW = {"table": "stud-1", "kind": "house", "version": 12, "phase": "wagers", "offers": []}
SEATED = {
    "player": "guest-3f0c9a1b2d4e5f60",
    "table": "practice-0a1b2c3d4e5f",
    "seat": SEAT,
    "view": VIEW,
}
ADVICE = {
    "advice": {
        "actions": {"fold": "-1", "1x": "-1/3", "3x": "-2/5"},
        "best": "1x",
        "cost": {"fold": "2/3", "1x": "0", "3x": "1/15"},
        "why": "A pair of sixes or better is on the way often enough.",
    },
    "accepted": {"seq": 42},
}
TABLE_NAMED = {
    "table": "stud-1",
    "kind": "house",
    "unit": "usd",
    "sheet": {"id": SHEET, "title": "Mississippi Stud"},
    "seats": 6,
    "players": ["ann", "bob"],
    "phase": "wagers",
}
COMMAND = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class PracticeWish(_Body):
    """The rules to practise."""

    sheet: str = Field(max_length=121, examples=[SHEET])


class CommandAsked(_Body):
    """A command, and the id by which it is known when it is sent again."""

    request: str = Field(max_length=1_000, examples=["ann-17"])
    command: TableCommand = Field(examples=[COMMAND])


class CommandOnRecord(BaseModel):
    """Where a command stands in the journal."""

    seq: int = Field(examples=[42])
    hash: str = Field(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])


class Taken(BaseModel):
    """A command that was taken; the same answer however often it is sent."""

    accepted: CommandOnRecord


class SeatAsking(_Body):
    """The seat that asks."""

    seat: int = Field(ge=1, le=1_000, examples=[SEAT])
    request: str | None = Field(None, max_length=1_000, examples=["ann-18"])


@router.post(
    "/api/practice",
    name="practice",
    summary="A seat at a practice table of one's own",
    status_code=201,
    responses={201: example(SEATED)[200]},
)
async def practice(request: Request, wish: PracticeWish, tools: Using) -> Answer[Seated]:
    """No account is needed: a stranger gets a guest's cookie with the seat, and play chips."""
    server = tools.server
    sheet = tools.shelf.load(wish.sheet)
    if (why := tools.pit.why_shut("game", sheet.id)) is not None:
        raise Problem(HTTPStatus.FORBIDDEN, disabled(sheet.id, why))
    person = find_caller(request)
    if person is not None and person.tournament:
        told = say("web.tables.ticket-practises-not", tournament=person.tournament)
        raise Problem(HTTPStatus.FORBIDDEN, told)
    if person is None and (rests := break_refusal(request, server, utc_now())) is not None:
        raise RefusedPlay(rests)
    asker = client_of(request.scope)
    person, token, table = await tools.practice.admit(person, sheet, asker)
    await server.limiter.acquire_view(
        asker, VIEW_WAIT_MAX_S
    )  # A guest without a seat has nothing yet.
    place = at(server, table.state.table, person)
    name = table.state.table
    body: Seated = {"player": person.name, "table": name, "seat": SEAT, "view": seen(place)}
    response = Answer(body, HTTPStatus.CREATED)
    if token is not None:
        server.sessions.set_cookie(response, token)
    return response


@router.get(
    "/api/tables",
    name="list_tables",
    summary="The tables",
    responses=example({"tables": [TABLE_NAMED]}),
)
async def list_tables(who: Caller, server: ServerDep) -> Answer[Tables]:
    """Every table of the house, and practice tables of one's own."""
    found = [
        one.state
        for _, one in sorted(server.house.tables.items())
        if _may_come(server, who, one.state) and not one.state.retired
    ]
    own = dict.fromkeys(all_names(server, who), who.name)
    return Answer({"tables": [_named(state, own) for state in found]})


def _named(state: TableState, own: dict[str, str]) -> TableNamed:
    return {
        "table": state.table,
        "kind": state.kind,
        "unit": state.unit,
        "sheet": sheet_named(state.coming),
        "seats": state.game.sheet.seats.count,
        "players": [own.get(name, name) for _, name in sorted(state.seats.items())],
        "phase": state.round.phase if state.round is not None else "open",
    }


def _may_come(server: Server, who: Person, state: TableState) -> bool:
    if who.tournament:
        return tournament_in(state.unit) == who.tournament
    return is_owner(server, who, state.owner) if state.kind == "practice" else who.role != "guest"


@router.get(
    "/api/tables/{table}",
    name="see_table",
    summary="A table as you may see it",
    responses={**NO_TABLE, **example(VIEW)},
)
async def see_table(table: str, request: Request, who: Caller, server: ServerDep) -> Answer[View]:
    """Everything on and around the layout, and what you may do now, with bounds and reasons."""
    at(server, table, who)  # Nobody waits for a look at a table that is not here.
    with idle(request.scope):
        await server.limiter.try_acquire_view(client_of(request.scope))
    return Answer(seen(at(server, table, who)))


@router.get(
    "/api/tables/{table}/sheet",
    name="table_sheet",
    summary="The rules in force at a table",
    responses={**NO_TABLE, **example(WHOLE)},
)
async def table_sheet(table: str, who: Caller, tools: Using) -> Answer[SheetWhole]:
    """The sheet of the round on the layout, or of the next one where none is in play."""
    sheet = at(tools.server, table, who).table.state.game.sheet
    return Answer(in_order(whole(tools.shelf.told(sheet))))


@router.post(
    "/api/tables/{table}/commands",
    name="command",
    summary="Ask something of a table",
    responses={**NO_TABLE, **REFUSED},
)
async def command(table: str, asked: CommandAsked, who: Caller, tools: Using) -> Taken:
    """Sent again with the same id it has one effect and one answer; another body is refused."""
    request = checked_request(asked.request)
    said = (
        tools.server.recorded_answer(table, name, asked.command, request)
        for name in all_names(tools.server, who)
    )
    answer = next((one for one in said if one is not None), None)
    if answer is None:
        place = at(tools.server, table, who)
        answer = await give(tools, place, asked.command, request)
        await cleared(tools, place, asked.command)
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    tools.server.metrics.count_answer(answer)
    return Taken(accepted=CommandOnRecord(**accepted(answer)))


async def cleared(tools: Tools, place: AtTable, document: Json) -> None:
    """A practice table that was retired leaves nothing behind."""
    state = place.table.state
    if state.retired and state.kind == "practice" and document.get("do") == RETIRE:
        await tools.practice.forget(state.table)


RETIRE = Retire.__name__.lower()


@router.post(
    "/api/tables/{table}/advice",
    name="advice",
    summary="What the coach would do",
    responses={**NO_TABLE, **REFUSED, **example(ADVICE)},
)
async def advice(table: str, asked: SeatAsking, who: Caller, tools: Using) -> Answer[AdviceGiven]:
    """At a practice table with the coach on; the advice is on record before it is given."""
    place = at(tools.server, table, who)
    request = None if asked.request is None else checked_request(asked.request)
    found = await advised(tools, place, asked.seat, request)
    if isinstance(found, Refusal):
        raise RefusedPlay(found)
    told, answer = found
    return Answer({"advice": told, "accepted": taken(answer)})
