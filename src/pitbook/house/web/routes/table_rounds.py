"""What was played at a table, page by page, and what proves the deal of a round."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated, TypedDict, cast

from fastapi import Depends, Query

from pitbook.errors import RoundError
from pitbook.house.nights.book.passes import is_table_of
from pitbook.house.table.past.proof import proof
from pitbook.house.table.past.recall import RECALLED, page
from pitbook.house.table.past.records import RoundRecord, find, on_layout
from pitbook.house.table.past.shapes import Recalled
from pitbook.house.table.streams import TABLE
from pitbook.house.web.access import (
    SIGNED_IN,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Answer, Problem
from pitbook.house.web.languages import set_currency
from pitbook.house.web.models.proofs import Proof
from pitbook.house.web.models.tables import Rounds
from pitbook.house.web.routes.tables import NO_TABLE
from pitbook.house.web.server import Server
from pitbook.house.web.tables.present import AtTable, at, example
from pitbook.rules.refusals import Refusal
from pitbook.sheets.findings import printable
from pitbook.shoe.vault import Vault
from pitbook.text import say
from pitbook.text.english import plural

router = authenticated_router("tables")
allow_routes({"rounds": SIGNED_IN, "proof": SIGNED_IN})

RECALLED_MAX = 100
STAFF = ("supervisor", "auditor")
PROOF = {"format": 2, "shoe": {"id": "stud-1-shoe-000001"}, "drawn": 0, "cards": [], "round": {}}
ROUNDS = {
    "player": "ann",
    "rounds": [{"round": "stud-1-000004", "board": []}],
    "older": "stud-1-000004",
    "newer": "stud-1-000013",
}


class PageAsked(TypedDict):
    """Which page: so many rounds before one, after one, or the last ones."""

    before: str | None
    after: str | None
    count: int


def where(
    before: Annotated[str | None, Query(max_length=80, examples=["stud-1-000004"])] = None,
    after: Annotated[str | None, Query(max_length=80, examples=["stud-1-000013"])] = None,
    count: Annotated[int, Query(ge=1, le=RECALLED_MAX)] = RECALLED,
) -> PageAsked:
    """The page that is asked for; raises Problem for two at once."""
    if before is not None and after is not None:
        raise Problem(HTTPStatus.BAD_REQUEST, say("web.rounds.before-or-after"))
    return PageAsked(before=before, after=after, count=count)


Paged = Annotated[PageAsked, Depends(where)]


@router.get(
    "/api/tables/{table}/rounds",
    name="rounds",
    summary="Rounds that were played",
    responses={**NO_TABLE, **example(ROUNDS)},
)
async def rounds(
    table: str,
    who: Caller,
    server: ServerDep,
    paged: Paged,
    player: Annotated[str | None, Query(max_length=60, examples=["ann"])] = None,
) -> Answer[Rounds]:
    """Your own with wagers, choices, cards, wins, balances and advice; staff may ask for any."""
    place = at(server, table, who)
    own = (who.name, place.viewer.name)
    whose = place.viewer.name if player is None else _on_record(server, player)
    if whose not in own and who.role not in STAFF:
        told = say("web.rounds.of-others", role=who.role, roles=plural(who.role))
        raise Problem(HTTPStatus.FORBIDDEN, told)
    return await rounds_of(server, (whose,), paged, stream=place.table.stream)


async def rounds_of(
    server: Server,
    names: tuple[str, ...],
    paged: PageAsked,
    stream: str | None = None,
    tournament: str = "",
) -> Answer[Rounds]:
    """A page of somebody's rounds by all names, at one table, at a tournament's, or at all."""
    ledger = server.house.ledger

    def among(name: str) -> bool:
        return not tournament or is_table_of(tournament, name.removeprefix(TABLE))

    set_currency(None)  # Each round says what its money is in: a table may have had other sheets.
    found = await asyncio.to_thread(page, ledger, *names, stream=stream, among=among, **paged)
    rounds = cast(list[Recalled], found.rounds)
    return Answer(
        {"player": names[0], "rounds": rounds, "older": found.older, "newer": found.newer}
    )


def _on_record(server: Server, name: str) -> str:
    found = server.people.persons.recent().resolve_name(name)
    return name if isinstance(found, Refusal) else found


@router.get(
    "/api/tables/{table}/rounds/{round}/proof",
    name="proof",
    summary="What proves the deal of a round",
    responses={**NO_TABLE, **example(PROOF)},
)
async def prove(table: str, round: str, who: Caller, server: ServerDep) -> Answer[Proof]:
    """For `pitbook verify-deal`: with the cards that you may see, or for an auditor with all."""
    place = at(server, table, who)
    secret = server.house.folder.keys.sealing
    record = await asyncio.to_thread(found_at, server, place, round)
    players = {seat.player for seat in on_layout(record.state).seats}
    if place.viewer.name not in players and who.role not in STAFF:
        raise Problem(HTTPStatus.FORBIDDEN, say("web.rounds.proved-to"))
    viewer = None if who.role == "auditor" else place.viewer
    found = await asyncio.to_thread(proof, record, Vault(secret), viewer)
    return Answer(cast(Proof, found))


def found_at(server: Server, place: AtTable, round: str) -> RoundRecord:
    """A round of this table; raises Problem, which says not a word of other tables."""
    try:
        record = find(server.house.ledger, round)
    except RoundError:
        record = None
    if record is None or record.stream != place.table.stream:
        fields = {"round": printable(round[:60]), "table": place.table.state.table}
        raise Problem(HTTPStatus.NOT_FOUND, say("web.rounds.none-here", **fields))
    return record
