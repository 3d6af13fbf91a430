"""The cashiers' desk: drawers counted at both ends, receipts, and undoing with a reason."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.chips.shapes import HouseStatementShown
from pitbook.house.nights.printed.house_statement import (
    HouseStatement,
    house_statement,
    house_statement_page,
)
from pitbook.house.people.register import Person
from pitbook.house.table.cage.asked import (
    approved,
    closed,
    declined,
    drawer_of,
    is_open,
    opened,
    undone,
)
from pitbook.house.table.cage.counter import Counter
from pitbook.house.table.cage.slips import (
    SLIPS,
    BoxCounted,
    Fund,
    MoneyWithdrawn,
    Slip,
    ToDrawer,
    ToVault,
)
from pitbook.house.table.live.cage import DecideSlip, JsonMapping
from pitbook.house.table.session import check_request_id, example_response, not_printable_message
from pitbook.house.web.access import (
    CASHIERS,
    READERS,
    SUPERVISOR,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Answer, Error, Problem
from pitbook.house.web.languages import current_language
from pitbook.house.web.models.counter import Drawers, Receipts
from pitbook.house.web.pages.paper import paper
from pitbook.house.web.routes.cage import CONFLICT, Passed, passed
from pitbook.house.web.server import Server
from pitbook.house.web.tables import counted
from pitbook.money import Cents, dollars
from pitbook.text import say

router = authenticated_router("cage")
allow_routes(
    {
        "open_drawer": CASHIERS,
        "close_drawer": CASHIERS,
        "drawer_money": SUPERVISOR,
        "drawers": CASHIERS | READERS,
        "receipts": CASHIERS | READERS,
        "undo_receipt": CASHIERS,
        "approve_undo": SUPERVISOR,
        "decline_undo": CASHIERS,
        "statement": READERS,
        "statement_page": READERS,
    }
)

PAGE, ALL = 100, 20_000
NOT_YOURS: dict[int | str, dict[str, Any]] = {
    403: {"model": Error, "description": "Another cashier's, or the house's."}
}
RECEIPT = {
    "number": 17,
    "what": "buy-in",
    "amount": "100.00",
    "player": "ann",
    "who": "cal",
    "at": "2026-11-15T18:30:00.000000+00:00",
}
OPEN = {"drawer": "cal", "receipt": 12, "opened": RECEIPT["at"], "counted": "500.00"}
HOUSES = Fund | MoneyWithdrawn | BoxCounted
Number = Annotated[int, Path(ge=1, le=10**9)]


class CashCount(BaseModel):
    """What somebody counted, and the id by which it is known when it is sent again."""

    model_config = ConfigDict(extra="forbid", strict=True)
    counted: str = Field(max_length=30, examples=["500"])
    request: str = Field(max_length=1_000, examples=["cal-1"])


class DrawerMoney(BaseModel):
    """Money between the vault and a drawer: `to` says where it goes."""

    model_config = ConfigDict(extra="forbid", strict=True)
    amount: str = Field(max_length=30, examples=["200"])
    to: str = Field(pattern="^(drawer|vault)$", examples=["drawer"])
    request: str = Field(max_length=1_000, examples=["sue-9"])


class Because(BaseModel):
    """Why, for the record."""

    model_config = ConfigDict(extra="forbid", strict=True)
    why: str = Field(min_length=1, max_length=200, examples=["typed 100 for 10"])
    request: str = Field(max_length=1_000, examples=["cal-2"])


class Sure(BaseModel):
    """The id by which it is known when it is sent again."""

    model_config = ConfigDict(extra="forbid", strict=True)
    request: str = Field(max_length=1_000, examples=["sue-3"])


@router.post(
    "/api/counter/drawer",
    name="open_drawer",
    summary="Open one's drawer with a count",
    responses=CONFLICT,
)
async def open_drawer(given: CashCount, who: Caller, server: ServerDep) -> Passed:
    """The money comes from the vault, which must hold it."""
    amount = dollars(given.counted)
    wanted = {"do": "open-drawer", "counted": amount}
    return await pass_over(
        server, who, given.request, wanted, lambda c: opened(c, who.name, amount)
    )


@router.post(
    "/api/counter/drawers/{drawer}/close",
    name="close_drawer",
    summary="Close a drawer with a count",
    responses={**CONFLICT, **NOT_YOURS},
)
async def close_drawer(drawer: str, given: CashCount, who: Caller, server: ServerDep) -> Passed:
    """What is over or short is on record; a supervisor may close the drawer of anybody."""
    if who.role == "cashier" and drawer != who.name:
        raise Problem(403, say("web.cage.others-drawer"))
    amount = dollars(given.counted)
    wanted = {"do": "close-drawer", "drawer": drawer, "counted": amount}
    return await pass_over(server, who, given.request, wanted, lambda c: closed(c, drawer, amount))


@router.post(
    "/api/counter/drawers/{drawer}/money",
    name="drawer_money",
    summary="Money between the vault and a drawer",
    responses=CONFLICT,
)
async def drawer_money(drawer: str, given: DrawerMoney, who: Caller, server: ServerDep) -> Passed:
    """To a drawer that runs low, or out of one that is too full."""
    kind = ToDrawer if given.to == "drawer" else ToVault
    slip = kind(drawer, dollars(given.amount))

    def decide(counter: Counter) -> Slip:
        is_open(counter, drawer)
        return slip

    return await pass_over(server, who, given.request, SLIPS.dump(slip), decide)


@router.get(
    "/api/counter/drawers",
    name="drawers",
    summary="Drawers, open and closed",
    responses=example_response({"open": [OPEN], "closed": [], "vault": "1500.00"}),
)
async def see_drawers(who: Caller, server: ServerDep) -> Answer[Drawers]:
    """Who counts a drawer is not told what should lie in it."""
    counter = await asyncio.to_thread(server.house.cage.read_on)
    tells = who.role != "cashier"
    return Answer(counted.drawers(counter, server.house.ledger, tells=tells))


@router.get(
    "/api/counter/receipts",
    name="receipts",
    summary="Receipts, newest first",
    responses=example_response(
        {"receipts": [RECEIPT], "waiting": [], "more": False, "alone_max": "100.00"}
    ),
)
async def see_receipts(
    server: ServerDep,
    text: Annotated[str, Query(max_length=60)] = "",
    skip: Annotated[int, Query(ge=0, le=10**6)] = 0,
    count: Annotated[int, Query(ge=1, le=ALL)] = PAGE,
) -> Answer[Receipts]:
    """Those that have the text in their number, amount, reason, or the name of somebody."""
    cage, alone = server.house.cage, server.settings.cage.undo_alone_max * 100

    def read() -> Receipts:
        return counted.receipts(cage.read_on(), text, skip=skip, count=count, alone_max=alone)

    return Answer(await asyncio.to_thread(read))


@router.post(
    "/api/counter/receipts/{number}/undo",
    name="undo_receipt",
    summary="Undo a receipt",
    responses={**CONFLICT, **NOT_YOURS},
)
async def undo_receipt(number: Number, given: Because, who: Caller, server: ServerDep) -> Passed:
    """At once up to the house's limit; above it the receipt waits for a second person."""
    alone, why = Cents(server.settings.cage.undo_alone_max * 100), _printable(given.why)

    def decide(counter: Counter) -> Slip:
        foil = counter.receipt(number)
        if who.role == "cashier" and foil is not None and isinstance(foil.slip, HOUSES):
            raise Problem(403, say("web.cage.house-money"))
        drawer = drawer_of(counter, who.name, needed=who.role == "cashier")
        return undone(counter, number, why, who.name, drawer=drawer, alone_max=alone)

    wanted = {"do": "undo", "receipt": number, "why": why}
    return await pass_over(server, who, given.request, wanted, decide)


@router.post(
    "/api/counter/receipts/{number}/approve",
    name="approve_undo",
    summary="Agree that a receipt is undone",
    responses=CONFLICT,
)
async def approve_undo(number: Number, given: Sure, who: Caller, server: ServerDep) -> Passed:
    """As the second person: not whoever asked for it."""
    wanted = {"do": "approve-undo", "receipt": number}
    return await pass_over(
        server, who, given.request, wanted, lambda counter: approved(counter, number, who.name)
    )


@router.post(
    "/api/counter/receipts/{number}/decline",
    name="decline_undo",
    summary="A receipt stays as it is",
    responses={**CONFLICT, **NOT_YOURS},
)
async def decline_undo(number: Number, given: Because, who: Caller, server: ServerDep) -> Passed:
    """By a supervisor, or by the cashier who asked for the undoing."""
    why = _printable(given.why)

    def decide(counter: Counter) -> Slip:
        asking = counter.asking.get(number)
        if who.role == "cashier" and asking is not None and asking.who != who.name:
            raise Problem(403, say("web.cage.others-asking"))
        return declined(counter, number, why)

    wanted = {"do": "decline-undo", "receipt": number, "why": why}
    return await pass_over(server, who, given.request, wanted, decide)


@router.get(
    "/api/counter/statement",
    name="statement",
    summary="Where all money is, and whose it is",
    responses=example_response({"lies": "2500.00", "owed": "2500.00", "agrees": True}),
)
async def see_statement(server: ServerDep) -> Answer[HouseStatementShown]:
    """Cash against its owners in dollars: the house, players, and each charity event."""
    return Answer((await _statement(server)).document())


@router.get(
    "/api/counter/statement/page",
    name="statement_page",
    summary="The house statement to print",
    response_class=Response,
    responses={200: {"description": "A page to print.", "content": {"text/html": {}}}},
)
async def see_statement_page(server: ServerDep) -> Response:
    """One page with room for a signature."""
    return paper(house_statement_page(await _statement(server), current_language()))


async def _statement(server: Server) -> HouseStatement:
    now = utc_now().isoformat(timespec="seconds")
    return await asyncio.to_thread(house_statement, server.house.ledger, at=now)


async def pass_over(
    server: Server, who: Person, request: str, wanted: JsonMapping, decide: DecideSlip
) -> Passed:
    """A slip that is decided on what the counter is now; with the number of its receipt."""
    cage, request = server.house.cage, check_request_id(request)
    return await passed(server, await cage.passed(decide, wanted, who.name, request))


def _printable(why: str) -> str:
    if not why.isprintable() or not why.strip():
        raise Problem(400, not_printable_message("why"))
    return why.strip()
