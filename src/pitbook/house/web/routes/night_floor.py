"""Tournaments of a night over HTTP: set up from a schedule, run by one route of commands."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from functools import partial
from http import HTTPStatus
from typing import Any, cast

from pydantic import Field

from pitbook.house.nights.book.night import Answer as Said
from pitbook.house.nights.book.state import NightState
from pitbook.house.nights.book.templates import NAME_MAX
from pitbook.house.nights.printed.night_view import own_name, tournament_shown
from pitbook.house.nights.rules.sample_schedules import (
    odd,
    read_fields,
    read_loosely,
    read_schedule,
    samples,
    wrong_in,
)
from pitbook.house.nights.rules.schedule_checks import check_on_sheet
from pitbook.house.nights.rules.written import written
from pitbook.house.nights.shapes import TournamentShown
from pitbook.house.nights.tables.floor_commands import ask
from pitbook.house.nights.tables.tournament_tables import TournamentTables
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.commands import Command
from pitbook.house.nights.tournament.prizes import previewed
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament.spoken import decode, word
from pitbook.house.people.register import Person
from pitbook.house.table.api_types import TournamentCommand
from pitbook.house.table.session import (
    check_request_id,
    example_response,
    too_many_commands_message,
)
from pitbook.house.web.access import Caller, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Problem, RefusedPlay, one_line
from pitbook.house.web.languages import current_language
from pitbook.house.web.models.nights import (
    PrizesPreviewed,
    ScheduleMistaken,
    ScheduleRead,
    Schedules,
    TournamentAfter,
    TournamentGone,
)
from pitbook.house.web.routes.nights import (
    NO_NIGHT,
    REFUSED,
    RUNS,
    STAFF,
    StrictBody,
    WithRequestId,
)
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.house.web.sheet_types import FindingShown
from pitbook.house.web.tables.nights import standing_of, tournament_of
from pitbook.money import Cents, money
from pitbook.rules.refusals import Refusal
from pitbook.sheets.findings import Finding, SheetInvalid, dotted, first, listed, more
from pitbook.text import in_language, say

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

    name: str = Field(max_length=NAME_MAX, examples=["Our Thursday"])
    toml: str = Field(max_length=SCHEDULE_MAX, examples=['title = "Hourly stud"\n'])


class ScheduleToDrop(WithRequestId):
    """A schedule that is offered no more."""

    name: str = Field(max_length=NAME_MAX, examples=["Our Thursday"])


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
    kept, _ = first(found)
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
    kept, left_out = first(invalid.findings)
    said = [_placed(one) for one in kept]
    said += [rest] if (rest := more(left_out)) else []
    told = say("web.nights.schedule-mistaken", said=said)
    worded = one_line(in_language(told, current_language()))
    return cast(ScheduleMistaken, {"error": worded, **listed(kept)})


def _placed(finding: Finding) -> str:
    """A mistake behind its line of a file, or behind its field."""
    where, message = dotted(finding.path), finding.message
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
