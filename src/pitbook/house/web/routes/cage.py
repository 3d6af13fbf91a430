"""The counter: money becomes a wallet and a wallet money again, each pass with its request's id."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

from pydantic import BaseModel, ConfigDict, Field

from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.batch import Receipt
from pitbook.house.people.names import GUEST_PREFIX
from pitbook.house.people.register import Person, find_person
from pitbook.house.table.cage.slips import UNIT
from pitbook.house.table.session import check_request_id
from pitbook.house.web.access import (
    CASHIERS,
    READERS,
    SUPERVISOR,
    Caller,
    ServerDep,
    allow_routes,
    authenticated_router,
)
from pitbook.house.web.errors import Error, Problem
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
    if (found := find_person(server.people.read_on(), name)) is None:
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
    counter = await asyncio.to_thread(server.house.cage.read_on)
    return Passed(
        seq=receipt.seq,
        hash=receipt.hash,
        at=receipt.at,
        again=receipt.again,
        receipt=counter.written_at(receipt.seq),
    )
