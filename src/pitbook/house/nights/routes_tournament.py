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

from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights import tournament_tables as tournament_rounds
from pitbook.house.nights.api_types import (
    LineWrong,
    ListImported,
    PrizesPreviewed,
    ScheduleMistaken,
    ScheduleRead,
    Schedules,
    TournamentAfter,
    TournamentGone,
)
from pitbook.house.nights.guests import ListedName, rows, why_no_list
from pitbook.house.nights.house_rules import written
from pitbook.house.nights.live_tables import ask
from pitbook.house.nights.registry import standing_of, tournament_of
from pitbook.house.nights.routes import (
    NO_NIGHT,
    READS,
    REFUSED,
    RUNS,
    STAFF,
    StrictBody,
    WithRequestId,
)
from pitbook.house.nights.schedule_files import (
    TEMPLATE_NAME_MAX,
    check_on_sheet,
    odd,
    read_fields,
    read_loosely,
    read_schedule,
    samples,
    wrong_in,
)
from pitbook.house.nights.state import NightState
from pitbook.house.nights.store import Answer as Said
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.board import EntrantResult, board, results, sign_of_change
from pitbook.house.nights.tournament.commands import Command, decode, word
from pitbook.house.nights.tournament.payouts import previewed
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.nights.view_types import ClockBoard, TournamentShown
from pitbook.house.nights.views import own_name, tournament_shown
from pitbook.house.people.names import NAME_MAX, display_name, is_unstorable, name_key
from pitbook.house.people.register import Person
from pitbook.house.people.roster import AccessList
from pitbook.house.table.api_types import TournamentCommand
from pitbook.house.table.routes import NO_TABLE
from pitbook.house.table.session import (
    check_request_id,
    example_response,
    game_disabled_message,
    too_many_commands_message,
)
from pitbook.house.table.socket import EventStream
from pitbook.house.web.access import ANYONE, Caller, ServerDep, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Problem, RefusedPlay, one_line
from pitbook.house.web.languages import current_language
from pitbook.house.web.rate_limits import client_of
from pitbook.house.web.services import Services, ServicesDep, get_services
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.house.web.sheet_types import FindingShown
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
from pitbook.spreadsheet import csv_text, is_formula
from pitbook.text import Sentence, in_language, say

router = authenticated_router("nights")


allow_routes(
    {
        "schedules": STAFF,
        "read_schedule": RUNS,
        "keep_schedule": RUNS,
        "drop_schedule": RUNS,
        "set_up_tournament": RUNS,
        "see_tournament": STAFF,
        "tournament_command": (*RUNS, "brush"),
    }
)

SCHEDULE_MAX = 20_000
# What the brush sees to; everything else on the floor is the organiser's.
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
    """A tournament by its own name, and its schedule: a TOML file, or the same as fields."""

    tournament: str = Field(max_length=20, pattern="^[a-z0-9][a-z0-9-]*$", examples=["t1"])
    toml: str | None = Field(None, max_length=SCHEDULE_MAX, examples=['title = "Hourly stud"\n'])
    schedule: dict[str, Any] | None = Field(None, examples=[None])


class ScheduleGiven(StrictBody):
    """A schedule, as the text of a file or as fields of a form; prizes of so many entrants."""

    entrants: int | None = Field(None, ge=1, le=10_000, examples=[24])
    toml: str | None = Field(None, max_length=SCHEDULE_MAX, examples=['title = "Hourly stud"\n'])
    schedule: dict[str, Any] | None = Field(None, examples=[None])


class ScheduleToKeep(WithRequestId):
    """A schedule to begin with on another evening."""

    name: str = Field(max_length=TEMPLATE_NAME_MAX, examples=["Our Thursday"])
    toml: str = Field(max_length=SCHEDULE_MAX, examples=['title = "Hourly stud"\n'])


class ScheduleToDrop(WithRequestId):
    """A schedule that is offered no more."""

    name: str = Field(max_length=TEMPLATE_NAME_MAX, examples=["Our Thursday"])


class TournamentAsked(WithRequestId):
    """A command to a tournament."""

    command: TournamentCommand = Field(examples=[COMMAND])


@router.get(
    "/api/schedules",
    name="schedules",
    summary="Schedules to begin with",
    responses=example_response({"schedules": {"hourly": 'title = "Hourly stud"\n'}, "own": {}}),
)
async def schedules(services: ServicesDep) -> Answer[Schedules]:
    """The text of each; change it and set a tournament up with it."""
    return Answer(await _schedules(services))


async def _schedules(services: Services) -> Schedules:
    own = await asyncio.to_thread(services.templates.all)
    return {"schedules": dict(samples()), "own": own}


@router.post(
    "/api/schedules",
    name="keep_schedule",
    summary="Keep a schedule",
    responses={**REFUSED, **example_response({"schedules": {}, "own": {"Our Thursday": "..."}})},
)
async def keep_schedule(
    given: ScheduleToKeep, who: Caller, services: ServicesDep
) -> Answer[Schedules]:
    """Under a name of the house's own; one of that name before it is replaced."""
    request, fields = check_request_id(given.request), read_loosely(given.toml)[0]
    if fields is None:
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.nights.no-schedule"))
    said = await services.templates.keep(given.name, given.toml, actor=who.name, request=request)
    if isinstance(said, Refusal):
        raise RefusedPlay(said)
    return Answer(await _schedules(services))


@router.post(
    "/api/schedules/drop",
    name="drop_schedule",
    summary="Drop a schedule that was kept",
    responses={**REFUSED, **example_response({"schedules": {}, "own": {}})},
)
async def drop_schedule(
    given: ScheduleToDrop, who: Caller, services: ServicesDep
) -> Answer[Schedules]:
    """Tournaments that were set up from it stay as they are."""
    request = check_request_id(given.request)
    said = await services.templates.drop(given.name, actor=who.name, request=request)
    if isinstance(said, Refusal):
        raise RefusedPlay(said)
    return Answer(await _schedules(services))


@router.post(
    "/api/schedules/read",
    name="read_schedule",
    summary="A schedule as text and as fields",
    responses=example_response(READ),
)
async def read_a_schedule(given: ScheduleGiven) -> Answer[ScheduleRead]:
    """Of a text its fields, of fields their text; either way what is wrong, with its place."""
    _one_of_two(given)
    if given.toml is not None:
        fields, found = read_loosely(given.toml)
        toml = given.toml
    else:
        fields = _as_text(given.schedule or {})
        found, toml = wrong_in(fields), written(fields)
    kept, _ = limit_findings(found)
    findings = [cast(FindingShown, one.document()) for one in kept]
    previews = [] if fields is None or found else _previews(fields, given.entrants)
    told: ScheduleRead = {
        "schedule": fields,
        "toml": toml,
        "findings": findings,
        "prizes": previews,
    }
    return Answer(told)


def _previews(fields: dict[str, Any], entrants: int | None) -> list[PrizesPreviewed]:
    """What each place would be paid, from each row of the prize table on, or of so many."""
    schedule = read_fields(fields)
    counts = [row.entrants for row in schedule.prizes] if entrants is None else [entrants]
    made = ((count, previewed(schedule, count)) for count in counts)
    return [
        {"entrants": count, "prize_money": money(Cents(sum(due))), "prizes": [*map(money, due)]}
        for count, due in made
    ]


@router.post(
    "/api/nights/{event}/tournaments",
    name="set_up_tournament",
    summary="Set a tournament up",
    status_code=201,
    responses={
        **NO_NIGHT,
        **REFUSED,
        201: example_response(SHOWN)[200],
        400: {"model": ScheduleMistaken, "description": "The schedule cannot be used."},
    },
)
async def set_up_tournament(
    event: str, given: NewTournament, who: Caller, services: ServicesDep
) -> Answer[TournamentAfter | TournamentGone]:
    """From a schedule, within the limits of the house; every mistake has its line or its field."""
    request = check_request_id(given.request)
    _one_of_two(given)
    night = await (await services.nights.night(event)).read()
    try:
        schedule = await asyncio.to_thread(_read, given, night, services.sheets)
    except SheetInvalid as invalid:
        return _Mistaken(mistaken(invalid))
    command = commands.SetUp(f"{event}.{given.tournament}", schedule)
    return await _done(services, event, command, who, request=request, status=HTTPStatus.CREATED)


class _Mistaken(Answer[Any]):
    """What is wrong with a schedule, in the place of a tournament."""

    def __init__(self, told: ScheduleMistaken) -> None:
        super().__init__(told, HTTPStatus.BAD_REQUEST)


def _read(given: NewTournament, night: NightState, shelf: SheetCache) -> Schedule:
    """A schedule that can be played on its sheet; raises SheetInvalid."""

    load_sheet = partial(shelf.load, on=date.fromisoformat(night.gaming_date))

    def check(schedule: Schedule) -> list[Finding]:
        findings = check_on_sheet(schedule, load_sheet, night.rules)
        return [*odd(schedule), *findings]

    if given.toml is not None:
        return read_schedule(given.toml, check)
    return read_fields(given.schedule or {}, check)


def _as_text(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields that can be written down; raises Problem for halves of characters."""
    try:
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.nights.no-text")) from None
    return fields


def _one_of_two(given: NewTournament | ScheduleGiven) -> None:
    if (given.toml is None) == (given.schedule is None):
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.nights.file-or-fields"))


def mistaken(invalid: SheetInvalid) -> ScheduleMistaken:
    """Every mistake in one sentence, and each by itself for a form to show beside its field."""
    kept, left_out = limit_findings(invalid.findings)
    said = [_placed(one) for one in kept]
    said += [rest] if (rest := count_left_out(left_out)) else []
    told = say("web.nights.schedule-mistaken", said=said)
    worded = one_line(in_language(told, current_language()))
    return cast(ScheduleMistaken, {"error": worded, **findings_json(kept)})


def _placed(finding: Finding) -> str:
    """A mistake behind its line of a file, or behind its field."""
    where, message = format_path(finding.path), finding.message
    if finding.file:
        return say("web.nights.at-line", line=finding.line, message=message)
    return say("web.nights.at-field", field=where, message=message) if where else message


@router.get(
    "/api/nights/{event}/tournaments/{tournament}",
    name="see_tournament",
    summary="A tournament",
    responses={**NO_NIGHT, **example_response(SHOWN)},
)
async def see_tournament(
    event: str, tournament: str, who: Caller, services: ServicesDep
) -> Answer[TournamentShown]:
    """Its field, its room, its clock, and what may be done now; a reason where it may not."""
    here = await tables_of(services, event, f"{event}.{tournament}", who)
    return Answer(await asyncio.to_thread(_shown, here))


@router.post(
    "/api/nights/{event}/tournaments/{tournament}/commands",
    name="tournament_command",
    summary="Something done on the floor",
    responses={**NO_NIGHT, **REFUSED, **example_response(SHOWN | {"accepted": {"seq": 42}})},
)
async def tournament_command(
    event: str, tournament: str, given: TournamentAsked, who: Caller, services: ServicesDep
) -> Answer[TournamentAfter | TournamentGone]:
    """One command, on record when it is answered; the tournament as it stands then."""
    request = check_request_id(given.request)
    limiter = services.server.limiter
    if wait := limiter.commands.take(f"{who.name}@night/{event}"):
        raise Problem(429, too_many_commands_message(wait), wait)
    command = decode(f"{event}.{tournament}", given.command)
    if who.role == "brush" and not isinstance(command, BRUSH):
        fields = {"do": word(type(command)), "known": tuple(word(one) for one in BRUSH)}
        raise Problem(HTTPStatus.FORBIDDEN, say("web.nights.for-an-organiser", **fields))
    return await _done(services, event, command, who, request=request)


async def _done(
    services: Services,
    event: str,
    command: Command,
    who: Person,
    *,
    request: str,
    status: int = HTTPStatus.OK,
) -> Answer[TournamentAfter | TournamentGone]:
    here = await tables_of(services, event, command.tournament, who)
    return await answered(here, await ask(here, command, request=request), status)


async def tables_of(
    services: Services, event: str, tournament: str, who: Person
) -> TournamentTables:
    """A tournament and its tables, for somebody of the house; raises Problem 404."""
    return TournamentTables(
        services.server.house, await services.nights.night(event), tournament, who.name
    )


async def answered(
    here: TournamentTables, answer: Said | None, status: int = HTTPStatus.OK
) -> Answer[TournamentAfter | TournamentGone]:
    """The tournament after a command; raises RefusedPlay for a no."""
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    told = await asyncio.to_thread(_after, here)
    if answer is not None:
        told["accepted"] = {"seq": answer.seq, "hash": answer.hash}
    return Answer(told, status)


def _after(here: TournamentTables) -> TournamentAfter | TournamentGone:
    """One that was withdrawn is gone."""
    one = here.night.refreshed().tournaments[here.tournament]
    if one.status == "withdrawn":
        own = own_name(one.tournament)
        return {"id": one.tournament, "own": own, "status": one.status}
    return cast(TournamentAfter, _shown(here))


def _shown(here: TournamentTables) -> TournamentShown:
    tournament_of(here.night.refreshed(), own_name(here.tournament))
    return tournament_shown(here, standing_of(here.night, here.actor))


allow_routes({"import_players": RUNS, "tournament_results": READS})

CSV = "text/csv"
COLUMNS = ("place", "player", "spent", "due", "paid")
ADDED = {"added": ["ann"], "known": [], "wrong": [], "tournament": SHOWN}


class PlayersGiven(WithRequestId):
    """A list of players as a spreadsheet saves it; a column called name has them, or the first."""

    text: str = Field(examples=["name\nann\nbob\n"])


@router.post(
    "/api/nights/{event}/tournaments/{tournament}/import",
    name="import_players",
    summary="Register a list of players",
    responses={**NO_NIGHT, **REFUSED, **example_response(ADDED)},
)
async def import_players(
    event: str, tournament: str, given: PlayersGiven, who: Caller, services: ServicesDep
) -> Answer[ListImported]:
    """Also before the evening: they are expected, and enter when they come and pay."""
    request = check_request_id(given.request)
    if (no := await asyncio.to_thread(why_no_list, given.text)) is not None:
        raise Problem(HTTPStatus.BAD_REQUEST, no)
    here = await tables_of(services, event, f"{event}.{tournament}", who)
    one = tournament_of(await here.night.read(), tournament)
    standing = await asyncio.to_thread(standing_of, here.night, who.name)
    listed = await asyncio.to_thread(rows, given.text)
    wrong = await asyncio.to_thread(_all_wrong, listed, standing.door)
    refused = {row["line"] for row in wrong}
    good = [row.name for row in listed if row.line not in refused]
    here_already = {name_key(each) for each in (*one.players, *one.registered)}
    known = [name for name in good if name_key(name) in here_already]
    if new := [name for name in good if name_key(name) not in here_already]:
        asked = commands.Register(one.tournament, tuple(new))
        answer = await ask(here, asked, request=request)
        if isinstance(answer, Refusal):
            raise RefusedPlay(answer)
    now = await asyncio.to_thread(standing_of, here.night, who.name)
    told = await asyncio.to_thread(tournament_shown, here, now)
    return Answer({"added": new, "known": known, "wrong": wrong, "tournament": told})


def _all_wrong(listed: list[ListedName], door: AccessList) -> list[LineWrong]:
    """The lines whose names cannot be registered; a long list takes a while."""
    return [_wrong(row, why) for row in listed if (why := _why_not(row, door))]


def _why_not(row: ListedName, door: AccessList) -> str | Sentence | None:
    """Why a name of the list cannot be registered; the others are, all the same."""
    if is_formula(row.name):
        return say("web.nights.formula", name=display_name(row.name))
    if is_unstorable(row.name):
        return say("identity.names.no-name", name=display_name(row.name), most=NAME_MAX)
    found = door.resolve_name(row.name)
    if isinstance(found, Refusal):
        return found.message
    barred = door.exclusion_of(found)
    return None if barred is None else barred.message


def _wrong(row: ListedName, why: str) -> LineWrong:
    return {"line": row.line, "name": display_name(row.name), "message": why}


@router.get(
    "/api/nights/{event}/tournaments/{tournament}/results",
    name="tournament_results",
    summary="Results as a file",
    response_class=Response,
    responses={**NO_NIGHT, 200: {"description": "A file.", "content": {CSV: {}}}},
)
async def tournament_results(event: str, tournament: str, services: ServicesDep) -> Response:
    """Everybody by place, with what was spent, won and paid."""
    one = tournament_of(await services.nights.ask(event, Night.refreshed), tournament)
    headers = {"Content-Disposition": f'attachment; filename="{event}-{tournament}-results.csv"'}
    return Response(_results_csv(results(one)), media_type=CSV, headers=headers)


def _results_csv(entrants: Iterable[EntrantResult]) -> str:
    lines = (
        (line.place or "", line.player, money(line.spent), money(line.due), money(line.paid))
        for line in entrants
    )
    return csv_text([COLUMNS, *lines])


clock_router = authenticated_router("nights")
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


@clock_router.get(
    "/api/nights/{event}/tournaments/{tournament}/clock",
    name="night_clock",
    summary="The clock board",
    responses={**NO_NIGHT, **example_response(READING)},
)
async def night_clock(event: str, tournament: str, services: ServicesDep) -> Answer[ClockBoard]:
    """Level, time, limits, players left, average stack, prizes and the next break."""
    return Answer(_board(await services.nights.glance(event), tournament))


@clock_router.get(
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


allow_routes(
    {
        "lay_out_tables": RUNS,
        "begin_dealt_round": (*RUNS, "dealer"),
        "count_dealt_chips": (*RUNS, "dealer"),
    }
)

TABLES = "/api/nights/{event}/tournaments/{tournament}/tables"
ON_RECORD = SHOWN | {"accepted": {"seq": 42}}
Number = Annotated[int, Path(ge=1, le=1_000, examples=[1])]


@router.post(
    TABLES,
    name="lay_out_tables",
    summary="Lay the tables of a tournament out",
    responses={**NO_NIGHT, **NO_SHEET, **NO_TABLE, **REFUSED, **example_response(SHOWN)},
)
async def lay_out_tables(
    event: str, tournament: str, given: WithRequestId, who: Caller, services: ServicesDep
) -> Answer[TournamentAfter | TournamentGone]:
    """A live table for each that the draw has filled, everybody at the seat that was drawn.

    From here on tables deal and the book counts. Sent again, what is missing is made good.
    """
    check_request_id(given.request)
    here = await _here(services, event, tournament, who)
    sheet, clocks = (
        _sheet(services, here),
        services.server.settings.clocks.by_clock(),
    )
    async with here.turn:
        said = await tournament_rounds.lay_out(here, sheet, clocks=clocks)
    return await answered(here, said)


@router.post(
    f"{TABLES}/{{number}}/begin",
    name="begin_dealt_round",
    summary="Begin a round at a live table",
    responses={**NO_NIGHT, **NO_TABLE, **REFUSED, **example_response(ON_RECORD)},
)
async def begin_dealt_round(
    event: str,
    tournament: str,
    number: Number,
    *,
    given: WithRequestId,
    who: Caller,
    services: ServicesDep,
) -> Answer[TournamentAfter | TournamentGone]:
    """By the stakes of the level; never in a break, and never while a round is not counted."""
    request, here = check_request_id(given.request), await _here(services, event, tournament, who)
    async with here.turn:
        said = await tournament_rounds.begin(here, number, request=request)
    return await answered(here, said)


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
    given: WithRequestId,
    who: Caller,
    services: ServicesDep,
) -> Answer[TournamentAfter | TournamentGone]:
    """After its round, as the book has them: nobody types a stack."""
    request, here = check_request_id(given.request), await _here(services, event, tournament, who)
    async with here.turn:
        return await answered(here, await _counted(here, number, request))


async def _counted(here: TournamentTables, number: int, request: str) -> Said:
    if number not in await tournament_rounds.laid_out(here):
        return tournament_rounds.not_laid(here, number)
    return await tournament_rounds.count(here, number, request=request)


async def _here(services: Services, event: str, tournament: str, who: Person) -> TournamentTables:
    """A tournament that is there; raises Problem 404."""
    here = await tables_of(services, event, f"{event}.{tournament}", who)
    tournament_of(await here.night.read(), tournament)
    return here


def _sheet(services: Services, here: TournamentTables) -> Sheet:
    """The schedule's, as it is in force on the gaming date, where the pit has not shut its game."""
    day = datetime.date.fromisoformat(here.night.state.gaming_date)
    sheet = find_sheet(services.sheets, here.state.schedule.sheet, day)
    if (why := services.pit.why_shut("game", sheet.id)) is not None:
        raise Problem(HTTPStatus.CONFLICT, game_disabled_message(sheet.id, why))
    return sheet
