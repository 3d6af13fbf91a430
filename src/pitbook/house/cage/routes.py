"""Routes of the cage: buy-ins and cash-outs, drawers, receipts, undo, and boxes."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any, TypedDict

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from pitbook.house.cage import views
from pitbook.house.cage.cage import DecideSlip, JsonMapping
from pitbook.house.cage.decide import (
    approved,
    box_counted,
    closed,
    declined,
    drawer_of,
    is_open,
    opened,
    undone,
)
from pitbook.house.cage.slips import (
    SLIPS,
    UNIT,
    BoxCounted,
    Fund,
    MoneyWithdrawn,
    Slip,
    ToDrawer,
    ToVault,
    box_account,
)
from pitbook.house.cage.state import Counter
from pitbook.house.cage.views import Boxes, Drawers, Receipts
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.batch import Receipt
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.house_statement import (
    HouseStatement,
    house_statement,
    house_statement_page,
)
from pitbook.house.nights.view_types import HouseStatementShown
from pitbook.house.people.names import GUEST_PREFIX
from pitbook.house.people.register import Person, find_person
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
from pitbook.house.web.pages import printed_page
from pitbook.house.web.server import Server
from pitbook.money import Cents, dollars, money
from pitbook.rules.refusals import Refusal
from pitbook.text import say

router = authenticated_router("cage")
allow_routes(
    {
        "buy_in": CASHIERS,
        "cash_out": CASHIERS,
        "fund": SUPERVISOR,
        "withdraw": SUPERVISOR,
        "wallet": CASHIERS | READERS,
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
        "boxes": READERS,
        "count_box": SUPERVISOR,
    }
)
NOBODY: dict[int | str, dict[str, Any]] = {
    404: {"model": Error, "description": "The house knows nobody of that name."}
}
CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {"model": Error, "description": "Not covered, excluded, or an id with another body."}
}


class ServedBy(TypedDict):
    """Who serves, by which request, and whether only from a drawer."""

    actor: str
    request: str
    by_drawer: bool


class HouseMoney(BaseModel):
    """An amount, and the id by which it is known when it is sent again."""

    model_config = ConfigDict(extra="forbid", strict=True)
    amount: str = Field(max_length=30, examples=["100"])
    request: str = Field(max_length=1_000, examples=["cage-17"])


class PlayerMoney(HouseMoney):
    """An amount for a player."""

    player: str = Field(max_length=60, examples=["ann"])


class Passed(BaseModel):
    """What passed over the counter, and where it is on record."""

    seq: int = Field(examples=[12])
    hash: str
    at: str = Field(examples=["2026-11-15T18:30:00.000000+00:00"])
    again: bool = Field(description="Whether it was on record already.")
    receipt: int | None = Field(
        None, examples=[17], description="Its number; none where a second person has to agree."
    )


class Wallet(BaseModel):
    """What a player has in the house."""

    player: str = Field(examples=["ann"])
    unit: str = Field(examples=["usd"])
    balance: str = Field(examples=["85.00"])
    held: str = Field(examples=["15.00"], description="On the layouts of tables.")


@router.post(
    "/api/cage/buy-in",
    name="buy_in",
    summary="Cash in, chips out",
    responses={**NOBODY, **CONFLICT},
)
async def buy_in(given: PlayerMoney, who: Caller, server: ServerDep) -> Passed:
    """A player's wallet grows by what was paid in."""
    request = check_request_id(given.request)
    player, amount = _player(server, given.player), _amount(given)
    by = _by(who, request)
    return await passed(server, await server.house.cage.buy_in(player, amount, **by))


@router.post(
    "/api/cage/cash-out",
    name="cash_out",
    summary="Chips in, cash out",
    responses={**NOBODY, **CONFLICT},
)
async def cash_out(given: PlayerMoney, who: Caller, server: ServerDep) -> Passed:
    """No more than the wallet holds; what lies on a table stays there."""
    request = check_request_id(given.request)
    player, amount = _with_money(server, given.player), _amount(given)
    by = _by(who, request)
    return await passed(server, await server.house.cage.cash_out(player, amount, **by))


@router.post("/api/cage/fund", name="fund", summary="The house brings money", responses=CONFLICT)
async def fund(given: HouseMoney, who: Caller, server: ServerDep) -> Passed:
    """From outside into the house's own account."""
    request = check_request_id(given.request)
    cage = server.house.cage
    return await passed(server, await cage.fund(_amount(given), actor=who.name, request=request))


@router.post(
    "/api/cage/withdraw", name="withdraw", summary="The house takes money", responses=CONFLICT
)
async def withdraw(given: HouseMoney, who: Caller, server: ServerDep) -> Passed:
    """From the house's own account to the outside."""
    request = check_request_id(given.request)
    cage = server.house.cage
    return await passed(
        server, await cage.withdraw(_amount(given), actor=who.name, request=request)
    )


@router.get(
    "/api/cage/{player}",
    name="wallet",
    summary="A player's money",
    responses=NOBODY,
)
async def wallet(player: str, server: ServerDep) -> Wallet:
    """In the wallet, and held on tables, whichever process holds those."""
    cage = server.house.cage
    player = _with_money(server, player)
    account = cage.wallet(player)
    held = await asyncio.to_thread(cage.held, player)
    balance = money(server.house.ledger.balance(account))
    return Wallet(player=player, unit=account.unit, balance=balance, held=money(held))


def _player(server: Server, name: str) -> str:
    """Somebody whom the house knows; money for nobody would lie in the cage for ever."""
    if (found := find_person(server.people.catch_up(), name)) is None:
        key = "web.cage.guest" if name.startswith(GUEST_PREFIX) else "web.cage.add-first"
        raise Problem(404, say(key))
    return found.name


def _with_money(server: Server, name: str) -> str:
    """The same, or somebody without an account who changed cash for chips at a table."""
    if name.startswith(GUEST_PREFIX):
        return _player(server, name)
    known = server.people.persons.recent().resolve_name(name)
    if isinstance(known, Refusal) or not server.house.ledger.balance(
        Account(UNIT, "wallet", known)
    ):
        return _player(server, name)
    return known


def _amount(given: HouseMoney) -> Cents:
    return dollars(given.amount)


def _by(who: Person, request: str) -> ServedBy:
    """A cashier's money lies in a drawer; a supervisor without one serves from the vault."""
    return {"actor": who.name, "request": request, "by_drawer": who.role == "cashier"}


async def passed(server: Server, receipt: Receipt) -> Passed:
    """What passed over the counter, with the number of its receipt."""
    counter = await asyncio.to_thread(server.house.cage.catch_up)
    return Passed(
        seq=receipt.seq,
        hash=receipt.hash,
        at=receipt.at,
        again=receipt.again,
        receipt=counter.written_at(receipt.seq),
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
    counter = await asyncio.to_thread(server.house.cage.catch_up)
    tells = who.role != "cashier"
    return Answer(views.drawers(counter, server.house.ledger, tells=tells))


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
    cage, alone = server.house.cage, server.settings.cage.dual_control_above * 100

    def read() -> Receipts:
        return views.receipts(cage.catch_up(), text, skip=skip, count=count, alone_max=alone)

    return Answer(await asyncio.to_thread(read))


@router.post(
    "/api/counter/receipts/{number}/undo",
    name="undo_receipt",
    summary="Undo a receipt",
    responses={**CONFLICT, **NOT_YOURS},
)
async def undo_receipt(number: Number, given: Because, who: Caller, server: ServerDep) -> Passed:
    """At once up to the house's limit; above it the receipt waits for a second person."""
    alone, why = Cents(server.settings.cage.dual_control_above * 100), _printable(given.why)

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
    return printed_page(house_statement_page(await _statement(server), current_language()))


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


BOX = {"table": "stud-1", "holds": "1250.00", "last": 17, "open": True}


class CountOfBox(CashCount):
    """What somebody counted, and the count before it as that one knows it.

    Two who count the same money are so told apart from two boxes full.
    """

    last: int = Field(ge=0, le=10**9, examples=[0])


@router.get(
    "/api/counter/boxes",
    name="boxes",
    summary="The boxes of tables, and how they were counted",
    responses=example_response({"boxes": [BOX], "counts": [], "currencies": {}}),
)
async def see_boxes(server: ServerDep) -> Answer[Boxes]:
    """Also that of a closed table, as long as something lies in it."""
    counter = await asyncio.to_thread(server.house.cage.catch_up)
    told = partial(views.boxes, counter, server.house.ledger, open_=_open(server))
    return Answer(await asyncio.to_thread(told))


@router.post(
    "/api/counter/boxes/{table}/count",
    name="count_box",
    summary="Empty a box and count it into the vault",
    responses=CONFLICT,
)
async def count_box(table: str, given: CountOfBox, who: Caller, server: ServerDep) -> Passed:
    """What is over or short is on record; the drop is what was views."""
    amount, box = dollars(given.counted), box_account(table)
    if table not in _open(server) and box not in server.house.ledger.balances(UNIT):
        raise Problem(404, say("web.cage.no-box", table=repr(table)))

    def decide(counter: Counter) -> Slip:
        expected = Cents(server.house.ledger.balance(box))
        return box_counted(counter, table, amount, expected=expected, last=given.last)

    wanted = {"do": "count-box", "table": table, "counted": amount, "last": given.last}
    return await pass_over(server, who, given.request, wanted, decide)


def _open(server: Server) -> set[str]:
    """Tables at which dollars are changed for chips."""
    states = (one.state for one in server.house.tables.values())
    return {one.table for one in states if one.unit == UNIT and not one.retired}
