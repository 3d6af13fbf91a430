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
from pitbook.house.cage.drawers_and_voids import (
    approve_void_slip,
    close_drawer_slip,
    count_box_slip,
    decline_void_slip,
    drawer_of,
    open_drawer_slip,
    require_open,
    void_slip,
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
from pitbook.house.cage.state import CageState
from pitbook.house.cage.views import Boxes, Drawers, Receipts
from pitbook.house.inspect.house_statement import (
    HouseStatement,
    HouseStatementView,
    house_statement,
    house_statement_page,
)
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.append_batch import Receipt
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.night_cache import charity_names
from pitbook.house.people.account_register import Person, find_person
from pitbook.house.people.names import GUEST_PREFIX
from pitbook.house.table.table_session import (
    check_request_id,
    example_response,
    not_printable_message,
)
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
from pitbook.house.web.printed_pages import printed_page
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
NOBODY: dict[int | str, dict[str, Any]] = {404: {"model": Error, "description": "No such person."}}
CONFLICT: dict[int | str, dict[str, Any]] = {
    409: {
        "model": Error,
        "description": "Not enough money, excluded player, or request id reused with another body.",
    }
}


class TransactionOptions(TypedDict):
    """The actor, the request id, and whether a drawer is required."""

    actor: str
    request: str
    by_drawer: bool


class HouseMoney(BaseModel):
    """An amount, and an id that identifies a repeated request."""

    model_config = ConfigDict(extra="forbid", strict=True)
    amount: str = Field(max_length=30, examples=["100"])
    request: str = Field(max_length=1_000, examples=["cage-17"])


class PlayerMoney(HouseMoney):
    """An amount for a player."""

    player: str = Field(max_length=60, examples=["ann"])


class TransactionRecorded(BaseModel):
    """A recorded transaction and its place in the ledger."""

    seq: int = Field(examples=[12])
    hash: str
    at: str = Field(examples=["2026-11-15T18:30:00.000000+00:00"])
    again: bool = Field(description="Whether it was already recorded.")
    receipt: int | None = Field(
        None, examples=[17], description="Receipt number; null if a second person must approve."
    )


class Wallet(BaseModel):
    """A player's money in the house."""

    player: str = Field(examples=["ann"])
    unit: str = Field(examples=["usd"])
    balance: str = Field(examples=["85.00"])
    held: str = Field(examples=["15.00"], description="Chips on tables.")


@router.post(
    "/api/cage/buy-in",
    name="buy_in",
    summary="Sell chips to a player",
    responses={**NOBODY, **CONFLICT},
)
async def buy_in(body: PlayerMoney, caller: Caller, server: ServerDep) -> TransactionRecorded:
    """Add cash paid in to a player's wallet."""
    request = check_request_id(body.request)
    player, amount = _require_player(server, body.player), _parse_amount(body)
    options = _transaction_options(caller, request)
    return await render_receipt(server, await server.house.cage.buy_in(player, amount, **options))


@router.post(
    "/api/cage/cash-out",
    name="cash_out",
    summary="Cash out a player's chips",
    responses={**NOBODY, **CONFLICT},
)
async def cash_out(body: PlayerMoney, caller: Caller, server: ServerDep) -> TransactionRecorded:
    """Limited to the wallet's balance; money on a table stays there."""
    request = check_request_id(body.request)
    player, amount = _player_with_money(server, body.player), _parse_amount(body)
    options = _transaction_options(caller, request)
    return await render_receipt(server, await server.house.cage.cash_out(player, amount, **options))


@router.post("/api/cage/fund", name="fund", summary="Deposit house money", responses=CONFLICT)
async def fund(body: HouseMoney, caller: Caller, server: ServerDep) -> TransactionRecorded:
    """Move money from outside to the house's account."""
    request = check_request_id(body.request)
    cage = server.house.cage
    return await render_receipt(
        server, await cage.fund(_parse_amount(body), actor=caller.name, request=request)
    )


@router.post(
    "/api/cage/withdraw", name="withdraw", summary="Withdraw house money", responses=CONFLICT
)
async def withdraw(body: HouseMoney, caller: Caller, server: ServerDep) -> TransactionRecorded:
    """Move money from the house's account to the outside."""
    request = check_request_id(body.request)
    cage = server.house.cage
    return await render_receipt(
        server, await cage.withdraw(_parse_amount(body), actor=caller.name, request=request)
    )


@router.get(
    "/api/cage/{player}",
    name="wallet",
    summary="Get a player's balance",
    responses=NOBODY,
)
async def wallet(player: str, server: ServerDep) -> Wallet:
    """In the wallet and on tables, in any process."""
    cage = server.house.cage
    player = _player_with_money(server, player)
    account = cage.wallet(player)
    held = await asyncio.to_thread(cage.held_cents, player)
    balance = money(server.house.ledger.balance(account))
    return Wallet(player=player, unit=account.unit, balance=balance, held=money(held))


def _require_player(server: Server, name: str) -> str:
    """A known person; money for an unknown name would stay in the cage forever."""
    if (person := find_person(server.people.catch_up(), name)) is None:
        key = "web.cage.guest" if name.startswith(GUEST_PREFIX) else "web.cage.add-first"
        raise Problem(404, say(key))
    return person.name


def _player_with_money(server: Server, name: str) -> str:
    """The same, or a person without an account who bought chips at a table."""
    if name.startswith(GUEST_PREFIX):
        return _require_player(server, name)
    resolved = server.people.persons.recent().resolve_name(name)
    if isinstance(resolved, Refusal) or not server.house.ledger.balance(
        Account(UNIT, "wallet", resolved)
    ):
        return _require_player(server, name)
    return resolved


def _parse_amount(body: HouseMoney) -> Cents:
    return dollars(body.amount)


def _transaction_options(caller: Person, request: str) -> TransactionOptions:
    """Cashiers need a drawer; a supervisor without one serves from the vault."""
    return {"actor": caller.name, "request": request, "by_drawer": caller.role == "cashier"}


async def render_receipt(server: Server, receipt: Receipt) -> TransactionRecorded:
    """A recorded transaction with its receipt number."""
    counter = await asyncio.to_thread(server.house.cage.catch_up)
    return TransactionRecorded(
        seq=receipt.seq,
        hash=receipt.hash,
        at=receipt.at,
        again=receipt.again,
        receipt=counter.number_at(receipt.seq),
    )


PAGE, ALL = 100, 20_000
NOT_YOURS: dict[int | str, dict[str, Any]] = {
    403: {"model": Error, "description": "Belongs to another cashier or to the house."}
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
HOUSE_SLIPS = Fund | MoneyWithdrawn | BoxCounted
Number = Annotated[int, Path(ge=1, le=10**9)]


class CashCount(BaseModel):
    """A count, and an id that identifies a repeated request."""

    model_config = ConfigDict(extra="forbid", strict=True)
    counted: str = Field(max_length=30, examples=["500"])
    request: str = Field(max_length=1_000, examples=["cal-1"])


class DrawerMoney(BaseModel):
    """A transfer between vault and drawer; `to` is its direction."""

    model_config = ConfigDict(extra="forbid", strict=True)
    amount: str = Field(max_length=30, examples=["200"])
    to: str = Field(pattern="^(drawer|vault)$", examples=["drawer"])
    request: str = Field(max_length=1_000, examples=["sue-9"])


class VoidRequestBody(BaseModel):
    """A reason for the record."""

    model_config = ConfigDict(extra="forbid", strict=True)
    why: str = Field(min_length=1, max_length=200, examples=["typed 100 for 10"])
    request: str = Field(max_length=1_000, examples=["cal-2"])


class VoidApproval(BaseModel):
    """An id that identifies a repeated request."""

    model_config = ConfigDict(extra="forbid", strict=True)
    request: str = Field(max_length=1_000, examples=["sue-3"])


@router.post(
    "/api/counter/drawer",
    name="open_drawer",
    summary="Open a cash drawer",
    responses=CONFLICT,
)
async def open_drawer(body: CashCount, caller: Caller, server: ServerDep) -> TransactionRecorded:
    """The opening count comes from the vault."""
    amount = dollars(body.counted)
    request_body = {"do": "open-drawer", "counted": amount}
    return await write_slip(
        server,
        caller,
        body.request,
        request_body,
        lambda c: open_drawer_slip(c, caller.name, amount),
    )


@router.post(
    "/api/counter/drawers/{drawer}/close",
    name="close_drawer",
    summary="Close a cash drawer",
    responses={**CONFLICT, **NOT_YOURS},
)
async def close_drawer(
    drawer: str, body: CashCount, caller: Caller, server: ServerDep
) -> TransactionRecorded:
    """Record the overage or shortage. Supervisors can close any drawer."""
    if caller.role == "cashier" and drawer != caller.name:
        raise Problem(403, say("web.cage.others-drawer"))
    amount = dollars(body.counted)
    request_body = {"do": "close-drawer", "drawer": drawer, "counted": amount}
    return await write_slip(
        server, caller, body.request, request_body, lambda c: close_drawer_slip(c, drawer, amount)
    )


@router.post(
    "/api/counter/drawers/{drawer}/money",
    name="drawer_money",
    summary="Transfer between vault and drawer",
    responses=CONFLICT,
)
async def drawer_money(
    drawer: str, body: DrawerMoney, caller: Caller, server: ServerDep
) -> TransactionRecorded:
    """Fill a low drawer, or drop excess cash to the vault."""
    kind = ToDrawer if body.to == "drawer" else ToVault
    slip = kind(drawer, dollars(body.amount))

    def decide(counter: CageState) -> Slip:
        require_open(counter, drawer)
        return slip

    return await write_slip(server, caller, body.request, SLIPS.dump(slip), decide)


@router.get(
    "/api/counter/drawers",
    name="drawers",
    summary="List cash drawers",
    responses=example_response({"open": [OPEN], "closed": [], "vault": "1500.00"}),
)
async def see_drawers(caller: Caller, server: ServerDep) -> Answer[Drawers]:
    """A cashier is not shown the expected amounts."""
    counter = await asyncio.to_thread(server.house.cage.catch_up)
    shows_expected = caller.role != "cashier"
    return Answer(views.drawers(counter, server.house.ledger, shows_expected=shows_expected))


@router.get(
    "/api/counter/receipts",
    name="receipts",
    summary="List receipts",
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
    """Newest first; the search text matches number, amount, reason or name."""
    cage, alone_max = server.house.cage, server.settings.cage.dual_control_above * 100

    def read() -> Receipts:
        return views.receipts(cage.catch_up(), text, skip=skip, count=count, alone_max=alone_max)

    return Answer(await asyncio.to_thread(read))


@router.post(
    "/api/counter/receipts/{number}/undo",
    name="undo_receipt",
    summary="Void a receipt",
    responses={**CONFLICT, **NOT_YOURS},
)
async def undo_receipt(
    number: Number, body: VoidRequestBody, caller: Caller, server: ServerDep
) -> TransactionRecorded:
    """Up to the house's limit it is void at once. Above it, a second person must approve."""
    alone_max, why = (
        Cents(server.settings.cage.dual_control_above * 100),
        _require_printable(body.why),
    )

    def decide(counter: CageState) -> Slip:
        receipt = counter.receipt(number)
        if (
            caller.role == "cashier"
            and receipt is not None
            and isinstance(receipt.slip, HOUSE_SLIPS)
        ):
            raise Problem(403, say("web.cage.house-money"))
        drawer = drawer_of(counter, caller.name, needed=caller.role == "cashier")
        return void_slip(counter, number, why, caller.name, drawer=drawer, alone_max=alone_max)

    request_body = {"do": "undo", "receipt": number, "why": why}
    return await write_slip(server, caller, body.request, request_body, decide)


@router.post(
    "/api/counter/receipts/{number}/approve",
    name="approve_undo",
    summary="Approve voiding a receipt",
    responses=CONFLICT,
)
async def approve_undo(
    number: Number, body: VoidApproval, caller: Caller, server: ServerDep
) -> TransactionRecorded:
    """Requires a different person than the one who asked."""
    request_body = {"do": "approve-undo", "receipt": number}
    return await write_slip(
        server,
        caller,
        body.request,
        request_body,
        lambda counter: approve_void_slip(counter, number, caller.name),
    )


@router.post(
    "/api/counter/receipts/{number}/decline",
    name="decline_undo",
    summary="Reject voiding a receipt",
    responses={**CONFLICT, **NOT_YOURS},
)
async def decline_undo(
    number: Number, body: VoidRequestBody, caller: Caller, server: ServerDep
) -> TransactionRecorded:
    """By a supervisor, or by the cashier who asked."""
    why = _require_printable(body.why)

    def decide(counter: CageState) -> Slip:
        asking = counter.asking.get(number)
        if caller.role == "cashier" and asking is not None and asking.who != caller.name:
            raise Problem(403, say("web.cage.others-asking"))
        return decline_void_slip(counter, number, why)

    request_body = {"do": "decline-undo", "receipt": number, "why": why}
    return await write_slip(server, caller, body.request, request_body, decide)


@router.get(
    "/api/counter/statement",
    name="statement",
    summary="Get the house statement",
    responses=example_response({"lies": "2500.00", "owed": "2500.00", "agrees": True}),
)
async def see_statement(server: ServerDep) -> Answer[HouseStatementView]:
    """Cash on hand and what is owed to the house, players and charity events."""
    return Answer((await _house_statement(server)).document())


@router.get(
    "/api/counter/statement/page",
    name="statement_page",
    summary="Print the house statement",
    response_class=Response,
    responses={200: {"description": "A printable page.", "content": {"text/html": {}}}},
)
async def see_statement_page(server: ServerDep) -> Response:
    """One page with room for a signature."""
    return printed_page(house_statement_page(await _house_statement(server), current_language()))


async def _house_statement(server: Server) -> HouseStatement:
    now = utc_now().isoformat(timespec="seconds")
    ledger = server.house.ledger
    return await asyncio.to_thread(
        house_statement, ledger, charity_of=charity_names(ledger), at=now
    )


async def write_slip(
    server: Server, caller: Person, request: str, request_body: JsonMapping, decide: DecideSlip
) -> TransactionRecorded:
    """Write a slip decided on the current state; returns it with its receipt number."""
    cage, request = server.house.cage, check_request_id(request)
    return await render_receipt(
        server, await cage.write(decide, request_body, caller.name, request)
    )


def _require_printable(why: str) -> str:
    if not why.isprintable() or not why.strip():
        raise Problem(400, not_printable_message("why"))
    return why.strip()


BOX = {"table": "stud-1", "holds": "1250.00", "last": 17, "open": True}


class BoxCountRequest(CashCount):
    """A count, and the number of the previous count.

    The number distinguishes two people counting the same money from two full boxes.
    """

    last: int = Field(ge=0, le=10**9, examples=[0])


@router.get(
    "/api/counter/boxes",
    name="boxes",
    summary="List drop boxes and their counts",
    responses=example_response({"boxes": [BOX], "counts": [], "currencies": {}}),
)
async def see_boxes(server: ServerDep) -> Answer[Boxes]:
    """Includes closed tables whose box still holds money."""
    counter = await asyncio.to_thread(server.house.cage.catch_up)
    read_boxes = partial(views.boxes, counter, server.house.ledger, open_=_open_tables(server))
    return Answer(await asyncio.to_thread(read_boxes))


@router.post(
    "/api/counter/boxes/{table}/count",
    name="count_box",
    summary="Record a drop box count",
    responses=CONFLICT,
)
async def count_box(
    table: str, body: BoxCountRequest, caller: Caller, server: ServerDep
) -> TransactionRecorded:
    """Record the overage or shortage. The drop is the counted amount."""
    amount, box = dollars(body.counted), box_account(table)
    if table not in _open_tables(server) and box not in server.house.ledger.balances(UNIT):
        raise Problem(404, say("web.cage.no-box", table=repr(table)))

    def decide(counter: CageState) -> Slip:
        expected_cash = Cents(server.house.ledger.balance(box))
        return count_box_slip(counter, table, amount, expected=expected_cash, last=body.last)

    request_body = {"do": "count-box", "table": table, "counted": amount, "last": body.last}
    return await write_slip(server, caller, body.request, request_body, decide)


def _open_tables(server: Server) -> set[str]:
    """Open tables that exchange dollars for chips."""
    states = (table.state for table in server.house.tables.values())
    return {state.table for state in states if state.unit == UNIT and not state.retired}
