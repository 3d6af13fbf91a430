"""Lists of a tournament: who is expected comes in as a file, and the results go out as one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from http import HTTPStatus

from pydantic import Field
from starlette.responses import Response

from pitbook.house.nights.book.imported import ListedName, rows, why_no_list
from pitbook.house.nights.book.night import Night
from pitbook.house.nights.printed.night_view import tournament_shown
from pitbook.house.nights.tables.floor_commands import ask
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.results import EntrantResult, results
from pitbook.house.people.names import NAME_MAX, display_name, is_unstorable, name_key
from pitbook.house.people.roster import AccessList
from pitbook.house.table.session import check_request_id, example_response
from pitbook.house.web.access import Caller, allow_routes, authenticated_router
from pitbook.house.web.errors import Answer, Problem, RefusedPlay
from pitbook.house.web.models.nights import LineWrong, ListImported
from pitbook.house.web.routes.night_floor import SHOWN, tables_of
from pitbook.house.web.routes.nights import NO_NIGHT, READS, REFUSED, RUNS, WithRequestId
from pitbook.house.web.services import ServicesDep
from pitbook.house.web.tables.nights import standing_of, tournament_of
from pitbook.money import money
from pitbook.rules.refusals import Refusal
from pitbook.spreadsheet import csv_text, is_formula
from pitbook.text import Sentence, say

router = authenticated_router("nights")
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
