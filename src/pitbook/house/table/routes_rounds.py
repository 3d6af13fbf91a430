"""Routes for past rounds of a table: pages, proofs and exports."""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypedDict, cast

from fastapi import Depends, Query
from starlette.responses import Response

from pitbook.csv_files import csv_text
from pitbook.errors import RoundError
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights.night_cache import is_table_of
from pitbook.house.people.guest_play import all_names
from pitbook.house.table.api_types import RoundsPage
from pitbook.house.table.round_history import PAGE_SIZE, rounds_page
from pitbook.house.table.round_records import RoundRecord, find_round, round_of, table_rounds
from pitbook.house.table.round_replay import build_proof, replay_steps
from pitbook.house.table.round_types import PastRound, Proof
from pitbook.house.table.routes import NO_TABLE
from pitbook.house.table.stream_names import PRACTICE, TABLE
from pitbook.house.table.table_session import TableSession, example_response, resolve_seat
from pitbook.house.web.access import (
    SIGNED_IN,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.languages import current_language, set_currency
from pitbook.house.web.server import Server
from pitbook.house.web.services import ServicesDep
from pitbook.rules.refusals import Refusal
from pitbook.shoe.crypto import Vault
from pitbook.text import in_language, say
from pitbook.text.user_input import printable

router = authenticated_router("tables")
allow_routes({"rounds": SIGNED_IN, "proof": SIGNED_IN})

PAGE_MAX = 100
STAFF = ("supervisor", "auditor")
PROOF = {"format": 2, "shoe": {"id": "stud-1-shoe-000001"}, "drawn": 0, "cards": [], "round": {}}
ROUNDS = {
    "player": "ann",
    "rounds": [{"round": "stud-1-000004", "board": []}],
    "older": "stud-1-000004",
    "newer": "stud-1-000013",
}


class PageRequest(TypedDict):
    """A page: the rounds before one, after one, or the latest."""

    before: str | None
    after: str | None
    count: int


def page_request(
    before: Annotated[str | None, Query(max_length=80, examples=["stud-1-000004"])] = None,
    after: Annotated[str | None, Query(max_length=80, examples=["stud-1-000013"])] = None,
    count: Annotated[int, Query(ge=1, le=PAGE_MAX)] = PAGE_SIZE,
) -> PageRequest:
    """The requested page; raises Problem if both `before` and `after` are given."""
    if before is not None and after is not None:
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.rounds.before-or-after"))
    return PageRequest(before=before, after=after, count=count)


Paged = Annotated[PageRequest, Depends(page_request)]


@router.get(
    "/api/tables/{table}/rounds",
    name="rounds",
    summary="List past rounds",
    responses={**NO_TABLE, **example_response(ROUNDS)},
)
async def rounds(
    table: str,
    caller: Caller,
    server: ServerDep,
    paged: Paged,
    player: Annotated[str | None, Query(max_length=60, examples=["ann"])] = None,
) -> Answer[RoundsPage]:
    """Your own rounds with bets, plays, cards, results and advice; staff see any player's."""
    session = resolve_seat(server, table, caller)
    own_names = (caller.name, session.viewer.name)
    player_name = session.viewer.name if player is None else _recorded_name(server, player)
    if player_name not in own_names and caller.role not in STAFF:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.rounds.of-others"))
    return await rounds_of(server, (player_name,), paged, stream=session.table.stream)


async def rounds_of(
    server: Server,
    names: tuple[str, ...],
    paged: PageRequest,
    stream: str | None = None,
    tournament: str = "",
) -> Answer[RoundsPage]:
    """A page of a player's rounds under all names, at one table, a tournament's tables, or all."""
    ledger = server.house.ledger

    def is_included(name: str) -> bool:
        return not tournament or is_table_of(tournament, name.removeprefix(TABLE))

    set_currency(None)  # Each round has its own currency: a table's sheet may have changed.
    page = await asyncio.to_thread(
        rounds_page, ledger, *names, stream=stream, is_included=is_included, **paged
    )
    rounds = cast(list[PastRound], page.rounds)
    return Answer({"player": names[0], "rounds": rounds, "older": page.older, "newer": page.newer})


def _recorded_name(server: Server, name: str) -> str:
    resolved = server.people.persons.recent().resolve_name(name)
    return name if isinstance(resolved, Refusal) else resolved


@router.get(
    "/api/tables/{table}/rounds/{round}/proof",
    name="proof",
    summary="Get the proof of a deal",
    responses={**NO_TABLE, **example_response(PROOF)},
)
async def prove(table: str, round: str, caller: Caller, server: ServerDep) -> Answer[Proof]:
    """For `pitbook verify-deal`, with the cards that you may see; auditors get all cards."""
    session = resolve_seat(server, table, caller)
    secret = server.house.folder.keys.sealing
    record = await asyncio.to_thread(find_table_round, server, session, round)
    players = {seat.player for seat in round_of(record.state).seats}
    if session.viewer.name not in players and caller.role not in STAFF:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.rounds.proved-to"))
    viewer = None if caller.role == "auditor" else session.viewer
    proof = await asyncio.to_thread(build_proof, record, Vault(secret), viewer)
    return Answer(cast(Proof, proof))


def find_table_round(server: Server, session: TableSession, round: str) -> RoundRecord:
    """A round of this table; raises Problem, with the same message for other tables' rounds."""
    try:
        record = find_round(server.house.ledger, round)
    except RoundError:
        record = None
    if record is None or record.stream != session.table.stream:
        fields = {"round": printable(round[:60]), "table": session.table.state.table}
        raise Problem(HTTPStatus.NOT_FOUND, say("web.rounds.none-here", **fields))
    return record


export_router = authenticated_router("history")
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
    Query(alias="format", description="One JSON line per round, or one CSV row per hand."),
]
FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "A file.", "content": {LINES: {}, CSV: {}}}
}


@export_router.get(
    "/api/rounds/export",
    name="export_rounds",
    summary="Export your rounds",
    responses=FILE,
    response_class=Response,
)
async def export_rounds(caller: Caller, services: ServicesDep, form: As = "jsonl") -> Response:
    """All your recorded rounds, newest first. Only your own cards are included."""
    names = all_names(services.server, caller)
    ledger = services.server.house.ledger
    past_rounds = await asyncio.to_thread(
        lambda: rounds_page(ledger, *names, count=ROUNDS_MAX, is_included=_at_tables).rounds
    )
    body = _jsonl_export(past_rounds) if form == "jsonl" else _csv_export(past_rounds)
    headers = {"Content-Disposition": f'attachment; filename="rounds.{form}"'}
    media = LINES if form == "jsonl" else CSV
    return Response(body, media_type=media, headers=headers)


def _at_tables(stream: str) -> bool:
    return stream.startswith((PRACTICE, TABLE))


def _jsonl_export(rounds: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(past_round, default=str)}\n" for past_round in rounds)


def _csv_export(rounds: list[dict[str, Any]]) -> str:
    hands = (
        (past_round, seat)
        for past_round in rounds
        for seat in past_round["seats"]
        if seat["player"] == past_round["player"]
    )
    return csv_text([COLUMNS, *(_row(past_round, seat) for past_round, seat in hands)])


def _row(past_round: dict[str, Any], seat: dict[str, Any]) -> list[str]:
    result_seats = past_round["settlement"]["seats"] if past_round["settlement"] else []
    result: dict[str, Any] = next(
        (result_seat for result_seat in result_seats if result_seat["seat"] == seat["seat"]), {}
    )
    return [
        *(
            past_round["opened"],
            past_round["table"],
            past_round["round"],
            past_round["sheet"]["id"],
            str(seat["seat"]),
        ),
        " ".join(card or "?" for card in seat["cards"]),
        " ".join(past_round["board"]),
        " ".join(f"{wager} {amount}" for wager, amount in seat["wagers"]),
        " ".join(seat["plays"]),
        *(str(result.get(name, "")) for name in ("wins", "loses", "net")),
        "yes" if past_round["arranged"] else "no",
    ]


@export_router.get(
    "/api/tables/{table}/log",
    name="table_log",
    summary="Download a table log",
    responses={**NO_TABLE, 200: {"description": "A file.", "content": {TEXT: {}}}},
    response_class=Response,
)
async def table_log(table: str, caller: Caller, services: ServicesDep) -> Response:
    """A plain-text log of the rounds that you played there, newest last."""
    session = resolve_seat(services.server, table, caller)
    ledger, language = services.server.house.ledger, current_language()
    text = await asyncio.to_thread(lambda: _round_log(ledger, session, language))
    headers = {"Content-Disposition": f'attachment; filename="{table}-log.txt"'}
    return Response(text, media_type=TEXT, headers=headers)


def _round_log(ledger: Ledger, session: TableSession, language: str) -> str:
    name, lines = session.viewer.name, list[str]()
    for record in list(table_rounds(ledger, session.table.stream))[-LOG_MAX:]:
        if not record.is_whole or not record.steps_of_wallet(name):
            continue
        lines.append(in_language(say("web.rounds.log-round", number=record.number), language))
        for step in replay_steps(record, session.viewer):
            text = " ".join(in_language(sentence, language) for sentence in step["told"])
            if text:
                lines.append(f"{step['at'][:19].replace('T', ' ')}  {text}")
    return "".join(f"{line}\n" for line in lines)
