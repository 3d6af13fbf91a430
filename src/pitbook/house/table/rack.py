"""Fills and credits of a table's rack, and requests for them."""

from __future__ import annotations

from typing import Literal

from pitbook.house.ledger.accounts import move
from pitbook.house.table import commands, facts
from pitbook.house.table.commands import AskCredit, AskFill, By, Credit, Fill
from pitbook.house.table.unit_of_work import UnitOfWork
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse


def fill(work: UnitOfWork, by: By, command: commands.Fill) -> Refusal | None:
    """Move chips from the house to the rack."""
    if (refusal := check_fill(command.amount)) is not None:
        return refusal
    why = f"{work.state.table} fill"
    work.transfers.append(move(work.accounts.house, work.accounts.rack, command.amount, why))
    work.emit(facts.Fill(command.amount, "fill"))
    return None


def credit(work: UnitOfWork, by: By, command: commands.Credit) -> Refusal | None:
    """Move chips from the rack to the house."""
    if (refusal := check_credit(work, command.amount)) is not None:
        return refusal
    why = f"{work.state.table} credit"
    work.transfers.append(move(work.accounts.rack, work.accounts.house, command.amount, why))
    work.emit(facts.Credit(command.amount))
    return None


def check_fill(amount: Cents) -> Refusal | None:
    """The refusal of an invalid fill, or None."""
    return None if amount else refuse(Code.BELOW_MINIMUM, "table.floor.fill-of-nothing")


def check_credit(work: UnitOfWork, amount: Cents) -> Refusal | None:
    """The refusal of an invalid credit, or None."""
    if not amount:
        return refuse(Code.BELOW_MINIMUM, "table.floor.credit-of-nothing")
    if amount > work.state.rack:
        details = {"rack": work.state.rack, "amount": amount}
        return refuse(Code.NOT_COVERED, "table.floor.rack-holds", **details)
    return None


REQUESTS_MAX = 20


def ask_fill(work: UnitOfWork, by: By, command: commands.AskFill) -> Refusal | None:
    """Record a request for a fill; no money moves yet."""
    return check_fill(command.amount) or _request_rack(work, by, "fill", command)


def ask_credit(work: UnitOfWork, by: By, command: commands.AskCredit) -> Refusal | None:
    """Record a request for a credit that the rack can cover."""
    return check_credit(work, command.amount) or _request_rack(work, by, "credit", command)


def _request_rack(
    work: UnitOfWork, by: By, kind: Literal["fill", "credit"], command: AskFill | AskCredit
) -> Refusal | None:
    if len(work.state.rack_requests) >= REQUESTS_MAX:
        return refuse(Code.NOT_NOW, "table.pit.answer-first", most=REQUESTS_MAX)
    details, number = (
        (command.amount, by.name, work.env.now(), command.why),
        work.state.last_rack_request + 1,
    )
    work.emit(facts.RackRequested(number, kind, *details))
    return None


def grant_rack(work: UnitOfWork, by: By, command: commands.GrantRack) -> Refusal | None:
    """Approve a request by a second person, and move the money."""
    rack_request = work.state.rack_requests.get(command.number)
    if rack_request is None:
        return refuse(Code.NOT_NOW, "table.pit.not-asked", number=command.number)
    if rack_request.who == by.name:
        return refuse(Code.FORBIDDEN, "table.pit.second-person")
    work.emit(facts.RackGranted(command.number, rack_request.who))
    if rack_request.what == "fill":
        return fill(work, by, Fill(rack_request.amount))
    return credit(work, by, Credit(rack_request.amount))


def refuse_rack(work: UnitOfWork, by: By, command: commands.RefuseRack) -> Refusal | None:
    """Refuse or withdraw a fill or credit request."""
    if command.number not in work.state.rack_requests:
        return refuse(Code.NOT_NOW, "table.pit.not-asked", number=command.number)
    work.emit(facts.RackRefused(command.number, command.why))
    return None
