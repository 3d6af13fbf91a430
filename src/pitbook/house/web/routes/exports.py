"""Everything of one's own, to take along: hands as JSON lines or for a spreadsheet."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, Literal

from fastapi import Query
from starlette.responses import Response

from pitbook.house.ledger.book import Ledger
from pitbook.house.people.guests import all_names
from pitbook.house.table.past.recall import page
from pitbook.house.table.past.records import rounds
from pitbook.house.table.past.replay import steps
from pitbook.house.table.streams import PRACTICE, TABLE
from pitbook.house.web.access import SIGNED_IN, Caller, allow_routes, authenticated_router
from pitbook.house.web.languages import current_language
from pitbook.house.web.route_parts import Using
from pitbook.house.web.routes.tables import NO_TABLE
from pitbook.house.web.tables.present import AtTable, at
from pitbook.spreadsheet import csv_text
from pitbook.text import in_language, say

router = authenticated_router("history")
allow_routes({"export_rounds": SIGNED_IN, "table_log": SIGNED_IN})

ROUNDS_MAX = 20_000
LOG_MAX = 500
LINES, CSV, TEXT = "application/x-ndjson", "text/csv", "text/plain; charset=utf-8"
COLUMNS = (
    *("opened", "table", "round", "sheet", "seat", "cards", "board", "wagers", "plays"),
    *("wins", "loses", "net", "arranged"),
)
As = Annotated[
    Literal["jsonl", "csv"],
    Query(alias="format", description="A line of JSON a round, or of cells a hand."),
]
FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A file.", "content": {LINES: {}, CSV: {}}}
}


@router.get(
    "/api/rounds/export",
    name="export_rounds",
    summary="One's own rounds as a file",
    responses=FILE,
    response_class=Response,
)
async def export_rounds(who: Caller, tools: Using, form: As = "jsonl") -> Response:
    """Every round of one's own that is on record, newest first, with one's own cards alone."""
    names = all_names(tools.server, who)
    ledger = tools.server.house.ledger
    found = await asyncio.to_thread(
        lambda: page(ledger, *names, count=ROUNDS_MAX, among=_at_tables).rounds
    )
    body = _lines(found) if form == "jsonl" else _cells(found)
    headers = {"Content-Disposition": f'attachment; filename="rounds.{form}"'}
    media = LINES if form == "jsonl" else CSV
    return Response(body, media_type=media, headers=headers)


def _at_tables(stream: str) -> bool:
    return stream.startswith((PRACTICE, TABLE))


def _lines(rounds: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(one, default=str)}\n" for one in rounds)


def _cells(rounds: list[dict[str, Any]]) -> str:
    hands = (
        (round, seat)
        for round in rounds
        for seat in round["seats"]
        if seat["player"] == round["player"]
    )
    return csv_text([COLUMNS, *(_row(round, seat) for round, seat in hands)])


def _row(one: dict[str, Any], seat: dict[str, Any]) -> list[str]:
    ended = one["settlement"]["seats"] if one["settlement"] else []
    result: dict[str, Any] = next((each for each in ended if each["seat"] == seat["seat"]), {})
    return [
        *(one["opened"], one["table"], one["round"], one["sheet"]["id"], str(seat["seat"])),
        " ".join(card or "?" for card in seat["cards"]),
        " ".join(one["board"]),
        " ".join(f"{wager} {amount}" for wager, amount in seat["wagers"]),
        " ".join(seat["plays"]),
        *(str(result.get(name, "")) for name in ("wins", "loses", "net")),
        "yes" if one["arranged"] else "no",
    ]


@router.get(
    "/api/tables/{table}/log",
    name="table_log",
    summary="The log of a table in plain words",
    responses={**NO_TABLE, 200: {"description": "A file.", "content": {TEXT: {}}}},
    response_class=Response,
)
async def table_log(table: str, who: Caller, tools: Using) -> Response:
    """What happened in the rounds that one played there, as one may see it; the newest last."""
    place = at(tools.server, table, who)
    ledger, language = tools.server.house.ledger, current_language()
    text = await asyncio.to_thread(lambda: _log(ledger, place, language))
    headers = {"Content-Disposition": f'attachment; filename="{table}-log.txt"'}
    return Response(text, media_type=TEXT, headers=headers)


def _log(ledger: Ledger, place: AtTable, language: str) -> str:
    name, lines = place.viewer.name, list[str]()
    for record in list(rounds(ledger, place.table.stream))[-LOG_MAX:]:
        if not record.is_whole or not record.touched(name):
            continue
        lines.append(in_language(say("web.rounds.log-round", number=record.number), language))
        for step in steps(record, place.viewer):
            told = " ".join(in_language(one, language) for one in step["told"])
            if told:
                lines.append(f"{step['at'][:19].replace('T', ' ')}  {told}")
    return "".join(f"{line}\n" for line in lines)
