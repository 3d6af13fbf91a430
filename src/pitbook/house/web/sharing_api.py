"""Routes that replay a round and share it by link."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from pitbook.errors import RoundError
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.guest_play import all_names
from pitbook.house.table.api_types import RoundReplay, RoundsPage, SharedRound
from pitbook.house.table.round_records import RoundRecord, find_round, round_of
from pitbook.house.table.routes import NO_TABLE
from pitbook.house.table.routes_rounds import ROUNDS, STAFF, Paged, find_table_round, rounds_of
from pitbook.house.table.table_session import (
    TableSession,
    example_response,
    resolve_seat,
    set_round_currency,
)
from pitbook.house.web.access import (
    ANYONE,
    SIGNED_IN,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.server import Server
from pitbook.house.web.sharing import (
    HOURS_MAX,
    TOKEN_MAX,
    Links,
    RoundLink,
    create_link,
    link_ended_message,
    render_replay,
    render_shared_replay,
)
from pitbook.house.web.sheet_types import FullSheet
from pitbook.house.web.sheets_api import SHEET_EXAMPLE, sheet_response
from pitbook.shoe.crypto import Vault
from pitbook.text import say

router = authenticated_router("history")
allow_routes(
    {
        "my_rounds": SIGNED_IN,
        "round": SIGNED_IN,
        "share_round": SIGNED_IN,
        "shared_round": ANYONE,
    }
)

ROUND = {
    "round": "stud-1-000004",
    "table": "stud-1",
    "over": True,
    "rules": SHEET_EXAMPLE,
    "steps": [],
    "settlement": {},
}
NO_ROUND: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "No such table or round."}
}
BAD_LINK: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "The link is invalid, or its round is gone."},
    410: {"model": Error, "description": "The link has expired."},
}


class Sharing(BaseModel):
    """How long a link is valid."""

    model_config = ConfigDict(extra="forbid", strict=True)

    hours: int | None = Field(
        None,
        ge=1,
        le=HOURS_MAX,
        examples=[168],
        description="Hours until the link expires; by default as long as the round is on record.",
    )


class Shared(BaseModel):
    """A link to one round, for anyone."""

    path: str = Field(examples=["/shared/WyJzdHVkLTEi.4sQ"])
    token: str = Field(examples=["WyJzdHVkLTEi.4sQ"])
    until: str | None = Field(examples=["2026-11-23T12:00:00+00:00"])


@router.get(
    "/api/rounds",
    name="my_rounds",
    summary="List my rounds at all tables",
    responses=example_response(ROUNDS),
)
async def my_rounds(
    caller: Caller,
    server: ServerDep,
    paged: Paged,
) -> Answer[RoundsPage]:
    """Wagers, plays, cards, wins, balances and advice; newest first."""
    names = (caller.name,) if caller.tournament else all_names(server, caller)
    return await rounds_of(server, names, paged, tournament=caller.tournament)


@router.get(
    "/api/tables/{table}/rounds/{round}",
    name="round",
    summary="Replay a round step by step",
    responses={**NO_TABLE, **NO_ROUND, **example_response(ROUND)},
)
async def see_round(
    table: str, round: str, caller: Caller, server: ServerDep
) -> Answer[RoundReplay]:
    """For players of the round and staff: its rules and every step, as you may see them."""
    session = resolve_seat(server, table, caller)
    record = await asyncio.to_thread(find_table_round, server, session, round)
    if session.viewer.name not in _players(record) and caller.role not in STAFF:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.rounds.shown-to"))
    set_round_currency(record)
    return Answer(await asyncio.to_thread(_replay_response, server, record, session))


def _replay_response(server: Server, record: RoundRecord, session: TableSession) -> RoundReplay:
    replay = render_replay(server.house.ledger, record, session.viewer)
    return cast(RoundReplay, {**replay, "rules": _round_rules(record)})


def _round_rules(record: RoundRecord) -> FullSheet:
    """The complete sheet of the round; the library may have another by now."""
    return sheet_response(round_of(record.state).game.sheet)


@router.post(
    "/api/tables/{table}/rounds/{round}/share",
    name="share_round",
    summary="Create a link to a round",
    responses={**NO_TABLE, **NO_ROUND},
)
async def share_round(
    table: str, round: str, caller: Caller, server: ServerDep, sharing: Sharing | None = None
) -> Shared:
    """Anyone with the link sees the round as you do; other players appear as "seat 2"."""
    session = resolve_seat(server, table, caller)
    record = await asyncio.to_thread(find_table_round, server, session, round)
    if session.viewer.name not in _players(record):
        raise Problem(HTTPStatus.FORBIDDEN, say("web.rounds.shared-by"))
    if record.settled is None:
        raise Problem(HTTPStatus.CONFLICT, say("web.rounds.not-over"))
    hours = None if sharing is None else sharing.hours
    link = create_link(record, session.viewer.name, hours=hours, now=utc_now())
    token = _links(server).token(link)
    return Shared(path=f"/shared/{token}", token=token, until=link.until or None)


@router.get(
    "/api/shared/{token}",
    name="shared_round",
    summary="Open a shared round",
    responses={**BAD_LINK, **example_response(ROUND)},
)
async def shared_round(
    token: Annotated[str, Path(max_length=TOKEN_MAX)], server: ServerDep
) -> Answer[SharedRound]:
    """No sign-in required. Shows what the person who shared it could see."""
    link = _links(server).read(token)
    if link is None:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.rounds.link-not-ours"))
    if link.has_ended(utc_now()):
        raise Problem(HTTPStatus.GONE, link_ended_message(link))
    try:
        record = await asyncio.to_thread(find_round, server.house.ledger, link.round)
        set_round_currency(record)
        return Answer(await asyncio.to_thread(_shared_response, server, record, link))
    except RoundError:
        raise Problem(HTTPStatus.NOT_FOUND, say("web.rounds.gone")) from None


def _shared_response(server: Server, record: RoundRecord, link: RoundLink) -> SharedRound:
    replay = render_shared_replay(record, link, Vault(server.house.folder.keys.sealing))
    joined = server.people.persons.recent().joined
    sharer = joined.get(link.sharer, link.sharer)
    return cast(SharedRound, {**replay, "shared_by": sharer, "rules": _round_rules(record)})


def _links(server: Server) -> Links:
    return Links(server.house.folder.keys.sealing)


def _players(record: RoundRecord) -> set[str]:
    return {seat.player for seat in round_of(record.state).seats}
