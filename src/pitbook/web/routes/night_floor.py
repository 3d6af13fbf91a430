"""Tournaments of a night over HTTP: set up from a schedule, run by one route of commands."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter
from pydantic import Field

from pitbook.nights.night import Night
from pitbook.nights.samples import read_schedule, samples
from pitbook.nights.shown import tournament_shown
from pitbook.nights.tournament import commands
from pitbook.nights.tournament.commands import Command
from pitbook.nights.tournament.spoken import decode, word
from pitbook.sheets.findings import SheetInvalid
from pitbook.web.access import Caller, list_routes
from pitbook.web.answers import Problem
from pitbook.web.nights import standing_of, taken, tournament_of
from pitbook.web.present import checked_request, example
from pitbook.web.register import Person
from pitbook.web.routes.nights import NO_NIGHT, REFUSED, RUNS, STAFF, Asked
from pitbook.web.routes.tables import OnRecord
from pitbook.web.tools import Tools, Using

router = APIRouter(tags=["nights"])
list_routes(
    {
        "schedules": STAFF,
        "set_up_tournament": RUNS,
        "see_tournament": STAFF,
        "tournament_command": (*RUNS, "brush"),
    }
)

SCHEDULE_MAX = 20_000
# What the brush sees to; everything else on the floor is the organiser's.
BRUSH = (commands.Announce, commands.DrawSeats, commands.Balance, commands.BreakTable)
COMMAND = {"do": "enter", "player": "ann"}
SHOWN = {
    "id": "gala-2026.t1",
    "own": "t1",
    "title": "Hourly stud",
    "status": "open",
    "players": [{"player": "ann", "spent": "60.00", "chips": "1000.00"}],
    "offers": {"announce": None, "start": "gala-2026.t1 needs two players to start"},
}


class NewTournament(Asked):
    """A tournament by its own name, and its schedule as a TOML file has it."""

    tournament: str = Field(max_length=20, pattern="^[a-z0-9][a-z0-9-]*$", examples=["t1"])
    toml: str = Field(max_length=SCHEDULE_MAX, examples=['title = "Hourly stud"\n'])


class Told(Asked):
    """A command to a tournament."""

    command: dict[str, Any] = Field(examples=[COMMAND])


@router.get(
    "/api/schedules",
    name="schedules",
    summary="Schedules to begin with",
    responses=example({"schedules": {"hourly": 'title = "Hourly stud"\n'}}),
)
async def schedules() -> dict[str, Any]:
    """The text of each; change it and set a tournament up with it."""
    return {"schedules": samples()}


@router.post(
    "/api/nights/{event}/tournaments",
    name="set_up_tournament",
    summary="Set a tournament up",
    status_code=201,
    responses={**NO_NIGHT, **REFUSED, 201: example(SHOWN)[200]},
)
async def set_up_tournament(
    event: str, given: NewTournament, who: Caller, tools: Using
) -> dict[str, Any]:
    """From a schedule, within the limits of the house; every mistake in it has its line."""
    request = checked_request(given.request)
    try:
        schedule = read_schedule(given.toml)
    except SheetInvalid as invalid:
        found = "; ".join(f"line {one.line}: {one.message}" for one in invalid.findings)
        raise Problem(HTTPStatus.BAD_REQUEST, f"the schedule cannot be used: {found}") from None
    command = commands.SetUp(f"{event}.{given.tournament}", schedule)
    return await _done(tools, event, command, who, request)


@router.get(
    "/api/nights/{event}/tournaments/{tournament}",
    name="see_tournament",
    summary="A tournament",
    responses={**NO_NIGHT, **example(SHOWN)},
)
async def see_tournament(event: str, tournament: str, who: Caller, tools: Using) -> dict[str, Any]:
    """Its field, its room, its clock, and what may be done now; a reason where it may not."""
    return await tools.nights.ask(event, lambda night: _shown(night, tournament, who.name))


@router.post(
    "/api/nights/{event}/tournaments/{tournament}/commands",
    name="tournament_command",
    summary="Something done on the floor",
    responses={**NO_NIGHT, **REFUSED, **example(SHOWN | {"accepted": {"seq": 42}})},
)
async def tournament_command(
    event: str, tournament: str, given: Told, who: Caller, tools: Using
) -> dict[str, Any]:
    """One command, on record when it is answered; the tournament as it stands then."""
    request = checked_request(given.request)
    limiter = tools.server.limiter
    if wait := limiter.commands.take(f"{who.name}@night/{event}"):
        raise Problem(429, f"too many commands; wait {wait:.1f} seconds", wait)
    command = decode(f"{event}.{tournament}", given.command)
    if who.role == "brush" and not isinstance(command, BRUSH):
        known = ", ".join(word(one) for one in BRUSH)
        message = f'"{word(type(command))}" is for an organiser; a brush may {known}'
        raise Problem(HTTPStatus.FORBIDDEN, message)
    return await _done(tools, event, command, who, request)


async def _done(
    tools: Tools, event: str, command: Command, who: Person, request: str
) -> dict[str, Any]:
    def given(night: Night) -> dict[str, Any]:
        accepted = taken(night, command, actor=who.name, request=request)
        noted = OnRecord(seq=accepted.seq, hash=accepted.hash)
        own = command.tournament.partition(".")[2]
        return {**_after(night, own, who.name), "accepted": noted.model_dump()}

    return await tools.nights.ask(event, given)


def _after(night: Night, own: str, actor: str) -> dict[str, Any]:
    """The tournament after a command; one that was withdrawn is gone."""
    one = night.refreshed().tournaments[f"{night.state.event}.{own}"]
    if one.status == "withdrawn":
        return {"id": one.tournament, "own": own, "status": one.status}
    return _shown(night, own, actor)


def _shown(night: Night, own: str, actor: str) -> dict[str, Any]:
    state = night.refreshed()
    return tournament_shown(state, tournament_of(state, own), standing_of(night, actor))
