"""Routes for the live tables of a tournament."""

from __future__ import annotations

import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import Path

from pitbook.house.nights import tournament_tables as tournament_rounds
from pitbook.house.nights.api_types import TournamentAfter, TournamentGone
from pitbook.house.nights.registry import tournament_of
from pitbook.house.nights.routes import NO_NIGHT, REFUSED, RUNS, WithRequestId
from pitbook.house.nights.routes_tournament import SHOWN, answered, tables_of
from pitbook.house.nights.store import Answer as Said
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.people.register import Person
from pitbook.house.table.routes import NO_TABLE
from pitbook.house.table.session import check_request_id, example_response, game_disabled_message
from pitbook.house.web.access import Caller, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.services import Services, ServicesDep
from pitbook.house.web.sheets_api import NO_SHEET, find_sheet
from pitbook.sheets.model import Sheet

# A tournament's live tables over HTTP: laid out once, then a round begun and counted at each.


router = authenticated_router("nights")
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
        services.server.settings.clocks.model_dump(exclude_none=True),
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
