"""Routes for tables: list, open, view, command and change limits."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field

from pitbook.errors import LedgerError
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.night_cache import tournament_in
from pitbook.house.people.account_register import Person
from pitbook.house.people.break_cookie import break_refusal
from pitbook.house.people.guest_play import all_names, is_owner
from pitbook.house.table.api_types import (
    LimitsChanged,
    PracticeSeat,
    TableCommand,
    TableList,
    TableOpened,
    TableSummary,
)
from pitbook.house.table.commands import By, Envelope, Fill, Retire
from pitbook.house.table.events import sheet_id
from pitbook.house.table.limits import caps_of, limits_of, required_notice, with_posted_limits
from pitbook.house.table.practice import PRACTICE_SEAT
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import dump_sheet, game_of
from pitbook.house.table.table_session import (
    TableSession,
    accepted_json,
    check_request_id,
    example_response,
    game_disabled_message,
    render_view,
    require_accepted,
    resolve_seat,
    submit_command,
)
from pitbook.house.table.view_types import View
from pitbook.house.web.access import (
    ANYONE,
    SIGNED_IN,
    SUPERVISOR,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
    find_caller,
)
from pitbook.house.web.coach_live import give_advice
from pitbook.house.web.coach_reviews import AdviceResponse
from pitbook.house.web.connections import idle
from pitbook.house.web.errors import Answer, Error, Problem, Refused, RefusedPlay
from pitbook.house.web.rate_limits import VIEW_WAIT_MAX_S, client_of
from pitbook.house.web.server import Server
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheet_types import FullSheet
from pitbook.house.web.sheets_api import (
    NO_SHEET,
    SHEET_EXAMPLE,
    find_sheet,
    order_fields,
    sheet_response,
)
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Code, Refusal
from pitbook.text import say
from pitbook.text.user_input import printable

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
    404: {"model": Error, "description": "No such table."},
    410: {"model": Error, "description": "The table is closed permanently."},
    421: {"model": Error, "description": "Another process holds the table."},
    503: {"model": Error, "description": "The ledger cannot be written now."},
}
REFUSED: dict[int | str, dict[str, Any]] = {
    409: {"model": Refused, "description": "The rules do not allow it."}
}
SHEET = "catfish-bend/mississippi-stud"
VIEW = {"table": "stud-1", "kind": "house", "version": 12, "phase": "wagers", "offers": []}
SEATED = {
    "player": "guest-3f0c9a1b2d4e5f60",
    "table": "practice-0a1b2c3d4e5f",
    "seat": PRACTICE_SEAT,
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


class PracticeRequest(_Body):
    """The rules to practice."""

    sheet: str = Field(max_length=121, examples=[SHEET])


class CommandRequest(_Body):
    """A command, and the request id that identifies repeats."""

    request: str = Field(max_length=1_000, examples=["ann-17"])
    command: TableCommand = Field(examples=[COMMAND])


class CommandEntry(BaseModel):
    """A command's place in the ledger."""

    seq: int = Field(examples=[42])
    hash: str = Field(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])


class AcceptedCommand(BaseModel):
    """An accepted command; repeats get the same answer."""

    accepted: CommandEntry


class SeatAdviceRequest(_Body):
    """The seat that wants advice."""

    seat: int = Field(ge=1, le=1_000, examples=[PRACTICE_SEAT])
    request: str | None = Field(None, max_length=1_000, examples=["ann-18"])


@router.post(
    "/api/practice",
    name="practice",
    summary="Open a practice table",
    status_code=201,
    responses={201: example_response(SEATED)[200]},
)
async def practice(
    request: Request, practice_request: PracticeRequest, services: ServicesDep
) -> Answer[PracticeSeat]:
    """No account is needed. Visitors get a guest cookie, a seat and play chips."""
    server = services.server
    sheet = services.sheets.load(practice_request.sheet)
    if (why := services.pit.reason_for("game", sheet.id)) is not None:
        raise Problem(HTTPStatus.FORBIDDEN, game_disabled_message(sheet.id, why))
    person = find_caller(request)
    if person is not None and person.tournament:
        message = say("web.tables.ticket-practices-not", tournament=person.tournament)
        raise Problem(HTTPStatus.FORBIDDEN, message)
    if person is None and (rests := break_refusal(request, server, utc_now())) is not None:
        raise RefusedPlay(rests)
    asker = client_of(request.scope)
    person, token, table = await services.practice.admit(person, sheet, asker)
    # A guest without a table has nothing to keep.
    await server.limiter.acquire_view(asker, VIEW_WAIT_MAX_S)
    session = resolve_seat(server, table.state.table, person)
    name = table.state.table
    body: PracticeSeat = {
        "player": person.name,
        "table": name,
        "seat": PRACTICE_SEAT,
        "view": render_view(session),
    }
    response = Answer(body, HTTPStatus.CREATED)
    if token is not None:
        server.sessions.set_cookie(response, token)
    return response


@router.get(
    "/api/tables",
    name="list_tables",
    summary="List tables",
    responses=example_response({"tables": [TABLE_NAMED]}),
)
async def list_tables(caller: Caller, server: ServerDep) -> Answer[TableList]:
    """All house tables, and your own practice tables."""
    states = [
        live_table.state
        for _, live_table in sorted(server.house.tables.items())
        if _may_see(server, caller, live_table.state) and not live_table.state.retired
    ]
    own_names = dict.fromkeys(all_names(server, caller), caller.name)
    return Answer({"tables": [_table_summary(state, own_names) for state in states]})


def _table_summary(state: TableState, own_names: dict[str, str]) -> TableSummary:
    return {
        "table": state.table,
        "kind": state.kind,
        "unit": state.unit,
        "sheet": sheet_id(state.upcoming_sheet),
        "seats": state.game.sheet.seats.count,
        "players": [own_names.get(name, name) for _, name in sorted(state.seats.items())],
        "phase": state.round.phase if state.round is not None else "open",
    }


def _may_see(server: Server, person: Person, state: TableState) -> bool:
    if person.tournament:
        return tournament_in(state.unit) == person.tournament
    return (
        is_owner(server, person, state.owner)
        if state.kind == "practice"
        else person.role != "guest"
    )


@router.get(
    "/api/tables/{table}",
    name="see_table",
    summary="Get your view of a table",
    responses={**NO_TABLE, **example_response(VIEW)},
)
async def see_table(
    table: str, request: Request, caller: Caller, server: ServerDep
) -> Answer[View]:
    """The layout, and the commands that you can give now, with limits or reasons."""
    resolve_seat(server, table, caller)  # Check access before waiting for a view.
    with idle(request.scope):
        await server.limiter.try_acquire_view(client_of(request.scope))
    return Answer(render_view(resolve_seat(server, table, caller)))


@router.get(
    "/api/tables/{table}/sheet",
    name="table_sheet",
    summary="Get a table's rules",
    responses={**NO_TABLE, **example_response(SHEET_EXAMPLE)},
)
async def table_sheet(table: str, caller: Caller, services: ServicesDep) -> Answer[FullSheet]:
    """The sheet of the current round, or of the next one if none is in play."""
    sheet = resolve_seat(services.server, table, caller).table.state.game.sheet
    return Answer(order_fields(sheet_response(services.sheets.with_current_notes(sheet))))


@router.post(
    "/api/tables/{table}/commands",
    name="command",
    summary="Send a command to a table",
    responses={**NO_TABLE, **REFUSED},
)
async def command(
    table: str, body: CommandRequest, caller: Caller, services: ServicesDep
) -> AcceptedCommand:
    """Repeating a request id returns the first answer; with another body it is refused."""
    request = check_request_id(body.request)
    recorded = (
        services.server.recorded_answer(table, name, body.command, request)
        for name in all_names(services.server, caller)
    )
    answer = next(
        (recorded_answer for recorded_answer in recorded if recorded_answer is not None), None
    )
    if answer is None:
        session = resolve_seat(services.server, table, caller)
        answer = await submit_command(services, session, body.command, request)
        await drop_retired_practice(services, session, body.command)
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    services.server.metrics.count_answer(answer)
    return AcceptedCommand(accepted=CommandEntry(**accepted_json(answer)))


async def drop_retired_practice(services: Services, session: TableSession, document: Json) -> None:
    """Remove a practice table after it was retired."""
    state = session.table.state
    if state.retired and state.kind == "practice" and document.get("do") == RETIRE:
        await services.practice.forget(state.table)


RETIRE = Retire.__name__.lower()


@router.post(
    "/api/tables/{table}/advice",
    name="advice",
    summary="Get the coach's advice",
    responses={**NO_TABLE, **REFUSED, **example_response(ADVICE)},
)
async def advice(
    table: str, body: SeatAdviceRequest, caller: Caller, services: ServicesDep
) -> Answer[AdviceResponse]:
    """Practice tables with the coach on only. The advice is recorded before it is returned."""
    session = resolve_seat(services.server, table, caller)
    request = None if body.request is None else check_request_id(body.request)
    advice_result = await give_advice(services, session, body.seat, request)
    if isinstance(advice_result, Refusal):
        raise RefusedPlay(advice_result)
    advice_text, answer = advice_result
    return Answer({"advice": advice_text, "accepted": require_accepted(answer)})


opening_router = authenticated_router("pit")
allow_routes({"open_table": SUPERVISOR, "change_limits": SUPERVISOR})

LIMITS = {"ante": {"min": "5", "max": "100", "step": "5"}}
SHEET_ID = {"id": "catfish-bend/mississippi-stud"}
OPENED = {"table": "stud-2", "kind": "house", "unit": "usd", "sheet": SHEET_ID}
CAPS = [{"per": "round", "pays_max": "25000.00"}]
CHANGED = {
    "table": "stud-2",
    "accepted": {"seq": 3},
    "sheet": SHEET_ID,
    "limits": LIMITS,
    "caps": CAPS,
}
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
SECONDS_MAX = 3_600
Seconds = Annotated[int, Field(ge=1, le=SECONDS_MAX)] | None


class _OpeningBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ChangeRecorded(BaseModel):
    """The entry's place in the ledger."""

    seq: int = Field(examples=[3])
    hash: str


class Clocks(_OpeningBody):
    """Seconds for betting, decisions and agreement; null means no clock."""

    betting: Seconds = Field(45, examples=[45])
    decision: Seconds = Field(45, examples=[45])
    agree: Seconds = Field(120, examples=[120])


class Bounds(_OpeningBody):
    """The limits of one wager in dollars; omitted ones stay."""

    min: str | None = Field(None, max_length=30, examples=["5"])
    max: str | None = Field(None, max_length=30, examples=["100"])
    step: str | None = Field(None, max_length=30, examples=["5"])


LimitsByWager = Annotated[dict[str, Bounds], Field(max_length=20)]
PayoutCaps = Annotated[
    list[Annotated[str, Field(max_length=30)]],
    Field(
        max_length=20,
        description="An amount for each payout cap of the sheet, in order; omit for no change.",
    ),
]


class NewLimits(_OpeningBody):
    """New limits for a table, with a reason; with minutes they are announced and apply later."""

    limits: LimitsByWager = Field(min_length=1, examples=[LIMITS])
    pays_max: PayoutCaps | None = Field(None, examples=[["25000"]])
    why: str = Field(min_length=1, max_length=200, examples=["a quiet afternoon"])
    minutes: int = Field(0, ge=0, le=10_080, examples=[30])
    request: str = Field(max_length=1_000, examples=["sue-4"])


class NewTable(_OpeningBody):
    """A table to open under a sheet's current rules."""

    name: str = Field(max_length=40, examples=["stud-2"])
    kind: Literal["house", "typed"] = Field("house", examples=["house"])
    sheet: str = Field(max_length=121, examples=["catfish-bend/mississippi-stud"])
    clocks: Clocks | None = None
    unit: Literal["usd", "play"] = Field("usd", examples=["usd"])
    limits: LimitsByWager | None = Field(None, examples=[LIMITS])
    pays_max: PayoutCaps | None = Field(None, examples=[["25000"]])
    rack: str | None = Field(
        None, max_length=30, examples=["20000"], description="The opening rack, in chips."
    )


@opening_router.post(
    "/api/tables",
    name="open_table",
    summary="Open a table",
    status_code=201,
    responses={
        **NO_SHEET,
        409: {"model": Error, "description": "The game is disabled."},
        201: example_response(OPENED)[200],
    },
)
async def open_table(body: NewTable, caller: Caller, services: ServicesDep) -> Answer[TableOpened]:
    """Uses today's version of the sheet, which is recorded, and any limits given.

    Repeating the request returns the same table.
    """
    if not NAME.fullmatch(body.name):
        raise Problem(400, say("web.tables.no-name", name=printable(body.name), as_in="stud-2"))
    sheet = find_sheet(services.sheets, body.sheet)
    if (why := services.pit.reason_for("game", sheet.id)) is not None:
        raise Problem(409, game_disabled_message(sheet.id, why))
    if body.limits is not None or body.pays_max is not None:
        sheet = with_posted_limits(sheet, _limit_changes(body.limits or {}), body.pays_max)
    rack = Cents(0) if body.rack is None else dollars(body.rack)
    settings = services.server.settings.clocks.by_clock()
    clocks = settings if body.clocks is None else body.clocks.model_dump()
    table = await services.server.house.open_table(
        body.name, body.kind, actor=caller.name, unit=body.unit, sheet=sheet, clocks=clocks
    )
    if rack:
        by = By(caller.name, "supervisor")
        filled = Envelope(by, Fill(rack), f"open {body.name} with a rack")
        answer = await table.send(filled)
        if isinstance(answer, Refusal) and answer.code is Code.REQUEST_REUSED:  # Another rack.
            raise LedgerError(say("table.live.name-taken", table=body.name))
        require_accepted(answer)
    state = table.state
    named = sheet_id(state.upcoming_sheet)
    opened: TableOpened = {
        "table": state.table,
        "kind": state.kind,
        "unit": state.unit,
        "sheet": named,
    }
    return Answer(opened, HTTPStatus.CREATED)


@opening_router.post(
    "/api/pit/tables/{table}/limits",
    name="change_limits",
    summary="Change a table's limits",
    responses={**NO_TABLE, **REFUSED, **example_response(CHANGED)},
)
async def change_limits(
    table: str, body: NewLimits, caller: Caller, services: ServicesDep
) -> Answer[LimitsChanged]:
    """Takes effect with the next round, or after the notice that the sheet's state may require.

    The current round keeps its limits. No other rule changes.
    """
    session = resolve_seat(services.server, table, caller)
    now = game_of(session.table.state.upcoming_sheet).sheet
    sheet = with_posted_limits(now, _limit_changes(body.limits), body.pays_max)
    stored_sheet = dump_sheet(sheet)
    document: dict[str, object] = {"do": "change-sheet", "sheet": stored_sheet, "why": body.why}
    if body.minutes or required_notice(sheet.house.jurisdiction)[0]:
        document |= {"do": "announce-sheet", "minutes": body.minutes}
    noted = require_accepted(
        await submit_command(services, session, document, check_request_id(body.request))
    )
    named, limits = sheet_id(stored_sheet), limits_of(sheet)
    changed: LimitsChanged = {
        "table": table,
        "accepted": noted,
        "sheet": named,
        "limits": limits,
        "caps": caps_of(sheet),
    }
    return Answer(changed)


def _limit_changes(body: dict[str, Bounds]) -> dict[str, dict[str, str]]:
    return {wager: bounds.model_dump(exclude_none=True) for wager, bounds in body.items()}
