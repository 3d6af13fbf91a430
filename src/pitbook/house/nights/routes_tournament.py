"""Routes of tournaments: floor, live tables, clock, schedules and guest lists."""

from __future__ import annotations

import asyncio
import datetime
import json
from collections.abc import AsyncIterator, Iterable
from datetime import date
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import Path, Request
from pydantic import Field
from starlette.responses import Response, StreamingResponse

from pitbook.csv_files import csv_text, is_formula
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights import tournament_tables as live_tournament_tables
from pitbook.house.nights.api_types import (
    ClockBoard,
    GuestListImport,
    PrizePreview,
    RejectedLine,
    ScheduleErrors,
    ScheduleTexts,
    ScheduleView,
    TournamentResponse,
    TournamentView,
    WithdrawnTournament,
)
from pitbook.house.nights.house_rules import write_toml
from pitbook.house.nights.registry import find_tournament, preview_context
from pitbook.house.nights.routes import (
    NO_NIGHT,
    READ_ROLES,
    REFUSED,
    RUN_ROLES,
    STAFF,
    StrictBody,
    WithRequestId,
)
from pitbook.house.nights.schedule_files import (
    TEMPLATE_NAME_MAX,
    check_on_sheet,
    field_findings,
    read_fields,
    read_loosely,
    read_schedule,
    samples,
    schedule_findings,
)
from pitbook.house.nights.state import NightState
from pitbook.house.nights.store import Answer as CommandAnswer
from pitbook.house.nights.store import Night
from pitbook.house.nights.table_commands import ask
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.board import EntrantResult, board, board_version, results
from pitbook.house.nights.tournament.commands import Command, command_name, decode
from pitbook.house.nights.tournament.player_list_import import ListedName, list_error, listed_names
from pitbook.house.nights.tournament.prizes import preview_prizes
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.nights.views import tournament_short_name, tournament_view
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.account_register import Person
from pitbook.house.people.names import NAME_MAX, display_name, is_unstorable, name_key
from pitbook.house.table.api_types import TournamentCommand
from pitbook.house.table.routes import NO_TABLE
from pitbook.house.table.socket import EventStream
from pitbook.house.table.table_session import (
    check_request_id,
    example_response,
    game_disabled_message,
    too_many_commands_message,
)
from pitbook.house.web.access import ANYONE, Caller, ServerDep, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Problem, RefusedPlay, one_line
from pitbook.house.web.languages import current_language
from pitbook.house.web.rate_limits import client_of
from pitbook.house.web.services import Services, ServicesDep, get_services
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.house.web.sheet_types import SheetFinding
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.money import Cents, money
from pitbook.rules.refusals import Refusal
from pitbook.sheets.findings import (
    Finding,
    SheetInvalid,
    count_left_out,
    findings_json,
    format_path,
    limit_findings,
)
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, in_language, say

router = authenticated_router("nights")


allow_routes(
    {
        "schedules": STAFF,
        "read_schedule": RUN_ROLES,
        "keep_schedule": RUN_ROLES,
        "drop_schedule": RUN_ROLES,
        "set_up_tournament": RUN_ROLES,
        "see_tournament": STAFF,
        "tournament_command": (*RUN_ROLES, "brush"),
    }
)

SCHEDULE_MAX = 20_000
# Commands for the brush; the rest of the floor is the organizer's.
BRUSH = (
    commands.Announce,
    commands.CheckIn,
    commands.DrawSeats,
    commands.Balance,
    commands.BreakTable,
)
COMMAND = {"do": "enter", "player": "ann"}
READ = {
    "schedule": {"title": "Hourly stud"},
    "toml": 'title = "Hourly stud"\n',
    "findings": [{"level": "error", "field": "seats", "message": "seats is missing", "line": 1}],
    "prizes": [],
}
SHOWN = {
    "id": "gala-2026.t1",
    "own": "t1",
    "title": "Hourly stud",
    "status": "open",
    "players": [{"player": "ann", "spent": "60.00", "chips": "1000.00"}],
    "offers": {"announce": None, "start": "gala-2026.t1 needs two players to start"},
}


class NewTournament(WithRequestId):
    """A tournament with its short name and its schedule, as a TOML file or as fields."""

    tournament: str = Field(max_length=20, pattern="^[a-z0-9][a-z0-9-]*$", examples=["t1"])
    toml: str | None = Field(None, max_length=SCHEDULE_MAX, examples=['title = "Hourly stud"\n'])
    schedule: dict[str, Any] | None = Field(None, examples=[None])


class ScheduleInput(StrictBody):
    """A schedule as the text of a file or as the fields of a form, and entrants for a preview."""

    entrants: int | None = Field(None, ge=1, le=10_000, examples=[24])
    toml: str | None = Field(None, max_length=SCHEDULE_MAX, examples=['title = "Hourly stud"\n'])
    schedule: dict[str, Any] | None = Field(None, examples=[None])


class ScheduleToSave(WithRequestId):
    """A schedule to save as a template."""

    name: str = Field(max_length=TEMPLATE_NAME_MAX, examples=["Our Thursday"])
    toml: str = Field(max_length=SCHEDULE_MAX, examples=['title = "Hourly stud"\n'])


class ScheduleToDelete(WithRequestId):
    """A template to remove."""

    name: str = Field(max_length=TEMPLATE_NAME_MAX, examples=["Our Thursday"])


class TournamentCommandRequest(WithRequestId):
    command: TournamentCommand = Field(examples=[COMMAND])


@router.get(
    "/api/schedules",
    name="schedules",
    summary="List sample schedules",
    responses=example_response({"schedules": {"hourly": 'title = "Hourly stud"\n'}, "own": {}}),
)
async def schedules(services: ServicesDep) -> Answer[ScheduleTexts]:
    """As TOML texts, to edit and use for a tournament."""
    return Answer(await _schedule_texts(services))


async def _schedule_texts(services: Services) -> ScheduleTexts:
    templates = await asyncio.to_thread(services.templates.all)
    return {"schedules": dict(samples()), "own": templates}


@router.post(
    "/api/schedules",
    name="keep_schedule",
    summary="Save a schedule",
    responses={**REFUSED, **example_response({"schedules": {}, "own": {"Our Thursday": "..."}})},
)
async def keep_schedule(
    body: ScheduleToSave, caller: Caller, services: ServicesDep
) -> Answer[ScheduleTexts]:
    """Save a template for all events; replaces one of the same name."""
    request, fields = check_request_id(body.request), read_loosely(body.toml)[0]
    if fields is None:
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.nights.no-schedule"))
    answer = await services.templates.keep(body.name, body.toml, actor=caller.name, request=request)
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    return Answer(await _schedule_texts(services))


@router.post(
    "/api/schedules/drop",
    name="drop_schedule",
    summary="Delete a saved schedule",
    responses={**REFUSED, **example_response({"schedules": {}, "own": {}})},
)
async def drop_schedule(
    body: ScheduleToDelete, caller: Caller, services: ServicesDep
) -> Answer[ScheduleTexts]:
    """Tournaments already created from it do not change."""
    request = check_request_id(body.request)
    answer = await services.templates.drop(body.name, actor=caller.name, request=request)
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    return Answer(await _schedule_texts(services))


@router.post(
    "/api/schedules/read",
    name="read_schedule",
    summary="Convert and check a schedule",
    responses=example_response(READ),
)
async def read_a_schedule(body: ScheduleInput) -> Answer[ScheduleView]:
    """Converts text to fields or fields to text, with every finding and its place."""
    _check_one_source(body)
    if body.toml is not None:
        fields, all_findings = read_loosely(body.toml)
        toml = body.toml
    else:
        fields = _check_encodable(body.schedule or {})
        all_findings, toml = field_findings(fields), write_toml(fields)
    shown_findings, _ = limit_findings(all_findings)
    findings = [cast(SheetFinding, finding.document()) for finding in shown_findings]
    previews = [] if fields is None or all_findings else _prize_previews(fields, body.entrants)
    response: ScheduleView = {
        "schedule": fields,
        "toml": toml,
        "findings": findings,
        "prizes": previews,
    }
    return Answer(response)


def _prize_previews(fields: dict[str, Any], entrants: int | None) -> list[PrizePreview]:
    """The payout of each place, for each row of the prize table or for a number of entrants."""
    schedule = read_fields(fields)
    counts = [row.entrants for row in schedule.prizes] if entrants is None else [entrants]
    payouts = ((count, preview_prizes(schedule, count)) for count in counts)
    return [
        {
            "entrants": count,
            "prize_money": money(Cents(sum(amount_due))),
            "prizes": [*map(money, amount_due)],
        }
        for count, amount_due in payouts
    ]


@router.post(
    "/api/nights/{event}/tournaments",
    name="set_up_tournament",
    summary="Create a tournament",
    status_code=201,
    responses={
        **NO_NIGHT,
        **REFUSED,
        201: example_response(SHOWN)[200],
        400: {"model": ScheduleErrors, "description": "The schedule cannot be used."},
    },
)
async def set_up_tournament(
    event: str, body: NewTournament, caller: Caller, services: ServicesDep
) -> Answer[TournamentResponse | WithdrawnTournament]:
    """From a schedule, within the house's limits. Every error names its line or field."""
    request = check_request_id(body.request)
    _check_one_source(body)
    night = await (await services.nights.night(event)).read()
    try:
        schedule = await asyncio.to_thread(_playable_schedule, body, night, services.sheets)
    except SheetInvalid as invalid:
        return _ScheduleErrorsAnswer(schedule_errors(invalid))
    command = commands.SetUp(f"{event}.{body.tournament}", schedule)
    return await _run_command(
        services, event, command, caller, request=request, status=HTTPStatus.CREATED
    )


class _ScheduleErrorsAnswer(Answer[Any]):
    """The schedule's errors, returned instead of a tournament."""

    def __init__(self, errors: ScheduleErrors) -> None:
        super().__init__(errors, HTTPStatus.BAD_REQUEST)


def _playable_schedule(body: NewTournament, night: NightState, sheets: SheetCache) -> Schedule:
    """Parse the new tournament's schedule and check it against its sheet; raises SheetInvalid."""

    load_sheet = partial(sheets.load, on=date.fromisoformat(night.gaming_date))

    def check(schedule: Schedule) -> list[Finding]:
        findings = check_on_sheet(schedule, load_sheet, night.rules)
        return [*schedule_findings(schedule), *findings]

    if body.toml is not None:
        return read_schedule(body.toml, check)
    return read_fields(body.schedule or {}, check)


def _check_encodable(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields, if they can be encoded; raises Problem for lone surrogates."""
    try:
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.nights.no-text")) from None
    return fields


def _check_one_source(body: NewTournament | ScheduleInput) -> None:
    if (body.toml is None) == (body.schedule is None):
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.nights.file-or-fields"))


def schedule_errors(invalid: SheetInvalid) -> ScheduleErrors:
    """All errors in one sentence, and each by itself for a form's fields."""
    shown_findings, left_out = limit_findings(invalid.findings)
    messages = [_located_message(finding) for finding in shown_findings]
    messages += [omitted] if (omitted := count_left_out(left_out)) else []
    message = say("web.nights.schedule-mistaken", said=messages)
    text = one_line(in_language(message, current_language()))
    return cast(ScheduleErrors, {"error": text, **findings_json(shown_findings)})


def _located_message(finding: Finding) -> str:
    """A message with its line in the file or its field."""
    field_path, message = format_path(finding.path), finding.message
    if finding.file:
        return say("web.nights.at-line", line=finding.line, message=message)
    return say("web.nights.at-field", field=field_path, message=message) if field_path else message


@router.get(
    "/api/nights/{event}/tournaments/{tournament}",
    name="see_tournament",
    summary="Get a tournament",
    responses={**NO_NIGHT, **example_response(SHOWN)},
)
async def see_tournament(
    event: str, tournament: str, caller: Caller, services: ServicesDep
) -> Answer[TournamentView]:
    """Players, room, clock, and the commands possible now; a reason if one is not."""
    tables = await tournament_tables(services, event, f"{event}.{tournament}", caller)
    return Answer(await asyncio.to_thread(_tournament_view, tables))


@router.post(
    "/api/nights/{event}/tournaments/{tournament}/commands",
    name="tournament_command",
    summary="Send a tournament command",
    responses={**NO_NIGHT, **REFUSED, **example_response(SHOWN | {"accepted": {"seq": 42}})},
)
async def tournament_command(
    event: str,
    tournament: str,
    body: TournamentCommandRequest,
    caller: Caller,
    services: ServicesDep,
) -> Answer[TournamentResponse | WithdrawnTournament]:
    """Returns the tournament's new state once the command is recorded."""
    request = check_request_id(body.request)
    limiter = services.server.limiter
    if wait := limiter.commands.take(f"{caller.name}@night/{event}"):
        raise Problem(429, too_many_commands_message(wait), wait)
    command = decode(f"{event}.{tournament}", body.command)
    if caller.role == "brush" and not isinstance(command, BRUSH):
        fields = {
            "do": command_name(type(command)),
            "known": tuple(command_name(kind) for kind in BRUSH),
        }
        raise Problem(HTTPStatus.FORBIDDEN, say("web.nights.for-an-organizer", **fields))
    return await _run_command(services, event, command, caller, request=request)


async def _run_command(
    services: Services,
    event: str,
    command: Command,
    person: Person,
    *,
    request: str,
    status: int = HTTPStatus.OK,
) -> Answer[TournamentResponse | WithdrawnTournament]:
    tables = await tournament_tables(services, event, command.tournament, person)
    return await command_answer(tables, await ask(tables, command, request=request), status)


async def tournament_tables(
    services: Services, event: str, tournament: str, person: Person
) -> TournamentTables:
    """A tournament and its tables on behalf of a user; raises Problem 404."""
    return TournamentTables(
        services.server.house, await services.nights.night(event), tournament, person.name
    )


async def command_answer(
    tables: TournamentTables, answer: CommandAnswer | None, status: int = HTTPStatus.OK
) -> Answer[TournamentResponse | WithdrawnTournament]:
    """The tournament after a command; raises RefusedPlay if it was refused."""
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    response = await asyncio.to_thread(_tournament_after, tables)
    if answer is not None:
        response["accepted"] = {"seq": answer.seq, "hash": answer.hash}
    return Answer(response, status)


def _tournament_after(tables: TournamentTables) -> TournamentResponse | WithdrawnTournament:
    """The tournament, or a short form if it was withdrawn."""
    tournament = tables.night.refresh().tournaments[tables.tournament]
    if tournament.status == "withdrawn":
        short_name = tournament_short_name(tournament.tournament)
        return {"id": tournament.tournament, "own": short_name, "status": tournament.status}
    return cast(TournamentResponse, _tournament_view(tables))


def _tournament_view(tables: TournamentTables) -> TournamentView:
    find_tournament(tables.night.refresh(), tournament_short_name(tables.tournament))
    return tournament_view(tables, preview_context(tables.night, tables.actor))


allow_routes({"import_players": RUN_ROLES, "tournament_results": READ_ROLES})

CSV = "text/csv"
COLUMNS = ("place", "player", "spent", "due", "paid")
ADDED = {"added": ["ann"], "known": [], "wrong": [], "tournament": SHOWN}


class GuestList(WithRequestId):
    """A list of players as saved by a spreadsheet: the column called name, or the first."""

    text: str = Field(examples=["name\nann\nbob\n"])


@router.post(
    "/api/nights/{event}/tournaments/{tournament}/import",
    name="import_players",
    summary="Import a guest list",
    responses={**NO_NIGHT, **REFUSED, **example_response(ADDED)},
)
async def import_players(
    event: str, tournament: str, body: GuestList, caller: Caller, services: ServicesDep
) -> Answer[GuestListImport]:
    """Registers expected players, even before the event; they enter when they pay."""
    request = check_request_id(body.request)
    if (error := await asyncio.to_thread(list_error, body.text)) is not None:
        raise Problem(HTTPStatus.BAD_REQUEST, error)
    tables = await tournament_tables(services, event, f"{event}.{tournament}", caller)
    tournament_state = find_tournament(await tables.night.read(), tournament)
    context = await asyncio.to_thread(preview_context, tables.night, caller.name)
    guests = await asyncio.to_thread(listed_names, body.text)
    rejected = await asyncio.to_thread(_rejected_lines, guests, context.access_list)
    rejected_lines = {row["line"] for row in rejected}
    accepted_names = [row.name for row in guests if row.line not in rejected_lines]
    known_keys = {
        name_key(name) for name in (*tournament_state.players, *tournament_state.registered)
    }
    known_names = [name for name in accepted_names if name_key(name) in known_keys]
    if new_names := [name for name in accepted_names if name_key(name) not in known_keys]:
        command = commands.Register(tournament_state.tournament, tuple(new_names))
        answer = await ask(tables, command, request=request)
        if isinstance(answer, Refusal):
            raise RefusedPlay(answer)
    new_context = await asyncio.to_thread(preview_context, tables.night, caller.name)
    view = await asyncio.to_thread(tournament_view, tables, new_context)
    return Answer({"added": new_names, "known": known_names, "wrong": rejected, "tournament": view})


def _rejected_lines(guests: list[ListedName], access_list: AccessList) -> list[RejectedLine]:
    """The lines whose names cannot be registered. Slow for a long list."""
    return [
        _rejected_line(guest, reason)
        for guest in guests
        if (reason := _rejection_reason(guest, access_list))
    ]


def _rejection_reason(guest: ListedName, access_list: AccessList) -> str | Sentence | None:
    """Why a name in the list cannot be registered."""
    if is_formula(guest.name):
        return say("web.nights.formula", name=display_name(guest.name))
    if is_unstorable(guest.name):
        return say("identity.names.no-name", name=display_name(guest.name), most=NAME_MAX)
    name = access_list.resolve_name(guest.name)
    if isinstance(name, Refusal):
        return name.message
    exclusion = access_list.exclusion_of(name)
    return None if exclusion is None else exclusion.message


def _rejected_line(guest: ListedName, reason: str) -> RejectedLine:
    return {"line": guest.line, "name": display_name(guest.name), "message": reason}


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/results",
    name="tournament_results",
    summary="Export results",
    response_class=Response,
    responses={**NO_NIGHT, 200: {"description": "A file.", "content": {CSV: {}}}},
)
async def tournament_results(event: str, tournament: str, services: ServicesDep) -> Response:
    """All entrants by place, with money spent, won and paid."""
    tournament_state = find_tournament(await services.nights.ask(event, Night.refresh), tournament)
    headers = {"Content-Disposition": f'attachment; filename="{event}-{tournament}-results.csv"'}
    return Response(_results_csv(results(tournament_state)), media_type=CSV, headers=headers)


def _results_csv(results: Iterable[EntrantResult]) -> str:
    lines = (
        (line.place or "", line.player, money(line.spent), money(line.due), money(line.paid))
        for line in results
    )
    return csv_text([COLUMNS, *lines])


clock_router = authenticated_router("nights")
allow_routes({"night_clock": ANYONE, "night_clock_events": ANYONE})

POLL_SECONDS = 1.0
BOARD_SECONDS_MAX = 15.0
BEAT_SECONDS = 2.0  # A board that hears nothing for longer shows that its connection is lost.
BEAT = "event: beat\ndata:\n\n"  # No data, only for clients that read boards.
CLOCK_EXAMPLE = {
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
        "description": "The whole board at every change and every 15 seconds; heartbeats between.",
        "content": {"text/event-stream": {"example": 'id: 7\nevent: board\ndata: {"level":2}\n\n'}},
    }
}


@clock_router.get(
    "/api/nights/{event}/tournaments/{tournament}/clock",
    name="night_clock",
    summary="Get the clock board",
    responses={**NO_NIGHT, **example_response(CLOCK_EXAMPLE)},
)
async def night_clock(event: str, tournament: str, services: ServicesDep) -> Answer[ClockBoard]:
    """Level, time, limits, players left, average stack, prizes and the next break."""
    return Answer(_board(await services.nights.recent(event), tournament))


@clock_router.get(
    "/api/nights/{event}/tournaments/{tournament}/clock/events",
    name="night_clock_events",
    summary="Stream the clock board",
    response_class=StreamingResponse,
    responses={**NO_NIGHT, **STREAM},
)
async def night_clock_events(
    event: str, tournament: str, request: Request, server: ServerDep, services: ServicesDep
) -> StreamingResponse:
    """Each event is the whole board, so a reconnecting client needs nothing else."""
    _board(await services.nights.recent(event), tournament)
    client, socket_id = client_of(request.scope), f"clock {id(request)}"
    if (refusal := server.limiter.acquire_socket(client, socket_id)) is not None:
        raise Problem(429, refusal, 5)
    return EventStream(
        _board_events(request, event, tournament), lambda: server.limiter.release_socket(socket_id)
    )


async def _board_events(request: Request, event: str, tournament: str) -> AsyncIterator[str]:
    services = get_services(request)
    yield "retry: 2000\n\n"
    last, waited, silent = None, BOARD_SECONDS_MAX, 0.0
    while not services.server.stopping.is_set():
        clock_board = await _current_board(services, event, tournament)
        if clock_board is not None and (
            board_version(clock_board) != last or waited >= BOARD_SECONDS_MAX
        ):
            last, waited, silent = board_version(clock_board), 0.0, 0.0
            yield f"id: {clock_board['version']}\nevent: board\ndata: {json.dumps(clock_board)}\n\n"
        elif silent >= BEAT_SECONDS:
            silent = 0.0
            yield BEAT
        await _pause(services, POLL_SECONDS)
        waited, silent = waited + POLL_SECONDS, silent + POLL_SECONDS


async def _current_board(services: Services, event: str, tournament: str) -> ClockBoard | None:
    """The board; None if the ledger cannot be read or the tournament was withdrawn."""
    try:
        return _board(await services.nights.recent(event), tournament)
    except Problem:
        return None


async def _pause(services: Services, seconds: float) -> None:
    """Wait, or return early when the server stops."""
    try:
        async with asyncio.timeout(seconds):
            await services.server.stopping.wait()
    except TimeoutError:
        pass


def _board(state: NightState, short_name: str) -> ClockBoard:
    clock_board = board(find_tournament(state, short_name), utc_now())
    clock_board |= {"event": state.event, "own": short_name, "charity": state.charity}
    return {**clock_board, "rehearsal": state.rehearsal}


allow_routes(
    {
        "open_tournament_tables": RUN_ROLES,
        "begin_dealt_round": (*RUN_ROLES, "dealer"),
        "count_dealt_chips": (*RUN_ROLES, "dealer"),
    }
)

TABLES = "/api/nights/{event}/tournaments/{tournament}/tables"
ON_RECORD = SHOWN | {"accepted": {"seq": 42}}
Number = Annotated[int, Path(ge=1, le=1_000, examples=[1])]


@router.post(
    TABLES,
    name="open_tournament_tables",
    summary="Open a tournament's tables",
    responses={**NO_NIGHT, **NO_SHEET, **NO_TABLE, **REFUSED, **example_response(SHOWN)},
)
async def open_tournament_tables(
    event: str, tournament: str, body: WithRequestId, caller: Caller, services: ServicesDep
) -> Answer[TournamentResponse | WithdrawnTournament]:
    """Opens a live table for each drawn table and seats all players as drawn.

    From then on tables deal and the ledger counts. A repeated request opens missing tables.
    """
    check_request_id(body.request)
    tables = await _existing_tables(services, event, tournament, caller)
    sheet, clocks = (
        _playable_sheet(services, tables),
        services.server.settings.clocks.by_clock(),
    )
    async with tables.turn:
        answer = await live_tournament_tables.open_tables(tables, sheet, clocks=clocks)
    return await command_answer(tables, answer)


@router.post(
    f"{TABLES}/{{number}}/begin",
    name="begin_dealt_round",
    summary="Start a round at a live table",
    responses={**NO_NIGHT, **NO_TABLE, **REFUSED, **example_response(ON_RECORD)},
)
async def begin_dealt_round(
    event: str,
    tournament: str,
    number: Number,
    *,
    body: WithRequestId,
    caller: Caller,
    services: ServicesDep,
) -> Answer[TournamentResponse | WithdrawnTournament]:
    """With the level's stakes. Not during a break, and not before the last round is counted."""
    request, tables = (
        check_request_id(body.request),
        await _existing_tables(services, event, tournament, caller),
    )
    async with tables.turn:
        answer = await live_tournament_tables.begin_round(tables, number, request=request)
    return await command_answer(tables, answer)


@router.post(
    f"{TABLES}/{{number}}/count",
    name="count_dealt_chips",
    summary="Count the chips of a live table",
    responses={**NO_NIGHT, **NO_TABLE, **REFUSED, **example_response(ON_RECORD)},
)
async def count_dealt_chips(
    event: str,
    tournament: str,
    number: Number,
    *,
    body: WithRequestId,
    caller: Caller,
    services: ServicesDep,
) -> Answer[TournamentResponse | WithdrawnTournament]:
    """Taken from the ledger after the table's round."""
    request, tables = (
        check_request_id(body.request),
        await _existing_tables(services, event, tournament, caller),
    )
    async with tables.turn:
        return await command_answer(tables, await _count_chips(tables, number, request))


async def _count_chips(tables: TournamentTables, number: int, request: str) -> CommandAnswer:
    if number not in await live_tournament_tables.read_table_numbers(tables):
        return live_tournament_tables.no_such_table(tables, number)
    return await live_tournament_tables.count_chips(tables, number, request=request)


async def _existing_tables(
    services: Services, event: str, tournament: str, person: Person
) -> TournamentTables:
    """A tournament that exists and its tables; raises Problem 404."""
    tables = await tournament_tables(services, event, f"{event}.{tournament}", person)
    find_tournament(await tables.night.read(), tournament)
    return tables


def _playable_sheet(services: Services, tables: TournamentTables) -> Sheet:
    """The schedule's sheet on the gaming date, unless the pit has disabled its game."""
    day = datetime.date.fromisoformat(tables.night.state.gaming_date)
    sheet = find_sheet(services.sheets, tables.state.schedule.sheet, day)
    if (why := services.pit.reason_for("game", sheet.id)) is not None:
        raise Problem(HTTPStatus.CONFLICT, game_disabled_message(sheet.id, why))
    return sheet
