"""Fills and credits of a table's rack, and requests for them."""

from __future__ import annotations

from typing import Literal

from pitbook.house.ledger.accounts import move
from pitbook.house.table import commands, facts
from pitbook.house.table.commands import AskCredit, AskFill, By, Credit, Fill
from pitbook.house.table.work import UnitOfWork
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse


def fill(work: UnitOfWork, by: By, command: commands.Fill) -> Refusal | None:
    """House to rack."""
    if (refusal := check_fill(command.amount)) is not None:
        return refusal
    why = f"{work.state.table} fill"
    work.transfers.append(move(work.accounts.house, work.accounts.rack, command.amount, why))
    work.emit(facts.Fill(command.amount, "fill"))
    return None


def credit(work: UnitOfWork, by: By, command: commands.Credit) -> Refusal | None:
    """Rack to house."""
    if (refusal := check_credit(work, command.amount)) is not None:
        return refusal
    why = f"{work.state.table} credit"
    work.transfers.append(move(work.accounts.rack, work.accounts.house, command.amount, why))
    work.emit(facts.Credit(command.amount))
    return None


def check_fill(amount: Cents) -> Refusal | None:
    """Why a rack gets no such fill; who asks for one is told at once."""
    return None if amount else refuse(Code.BELOW_MINIMUM, "table.floor.fill-of-nothing")


def check_credit(work: UnitOfWork, amount: Cents) -> Refusal | None:
    """Why a rack gives no such credit."""
    if not amount:
        return refuse(Code.BELOW_MINIMUM, "table.floor.credit-of-nothing")
    if amount > work.state.rack:
        held = {"rack": work.state.rack, "amount": amount}
        return refuse(Code.NOT_COVERED, "table.floor.rack-holds", **held)
    return None


REQUESTS_MAX = 20


def ask_fill(work: UnitOfWork, by: By, command: commands.AskFill) -> Refusal | None:
    """On record with who asks; nothing moves yet."""
    return check_fill(command.amount) or _request_rack(work, by, "fill", command)


def ask_credit(work: UnitOfWork, by: By, command: commands.AskCredit) -> Refusal | None:
    """The same the other way; the rack must hold it."""
    return check_credit(work, command.amount) or _request_rack(work, by, "credit", command)


def _request_rack(
    work: UnitOfWork, by: By, what: Literal["fill", "credit"], command: AskFill | AskCredit
) -> Refusal | None:
    if len(work.state.asked) >= REQUESTS_MAX:
        return refuse(Code.NOT_NOW, "table.pit.answer-first", most=REQUESTS_MAX)
    asked, number = (command.amount, by.name, work.env.now(), command.why), work.state.asks + 1
    work.emit(facts.RackRequested(number, what, *asked))
    return None


def grant_rack(work: UnitOfWork, by: By, command: commands.GrantRack) -> Refusal | None:
    """By a second person: then the money moves, and both names are on record."""
    asked = work.state.asked.get(command.number)
    if asked is None:
        return refuse(Code.NOT_NOW, "table.pit.not-asked", number=command.number)
    if asked.who == by.name:
        return refuse(Code.FORBIDDEN, "table.pit.second-person")
    work.emit(facts.RackGranted(command.number, asked.who))
    if asked.what == "fill":
        return fill(work, by, Fill(asked.amount))
    return credit(work, by, Credit(asked.amount))


def refuse_rack(work: UnitOfWork, by: By, command: commands.RefuseRack) -> Refusal | None:
    """A fill or a credit that is not given, or not wanted any more."""
    if command.number not in work.state.asked:
        return refuse(Code.NOT_NOW, "table.pit.not-asked", number=command.number)
    work.emit(facts.RackRefused(command.number, command.why))
    return None
