"""The supervisor's acts: rack, shuffler, coach, rules, and the table's end."""

from __future__ import annotations

from pitbook.errors import RoundError
from pitbook.house.ledger.accounts import move
from pitbook.house.table import commands, facts
from pitbook.house.table.acts.dealer import end_shoe, open_shoe
from pitbook.house.table.commands import By
from pitbook.house.table.desk import Desk
from pitbook.house.table.facts import Json
from pitbook.house.table.limits import notice_of, only_limits_differ
from pitbook.house.table.state import game_of
from pitbook.house.table.units import counted_in
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.model import Sheet
from pitbook.text import sentence_of
from pitbook.text.formats import DOLLAR


def fill(desk: Desk, by: By, command: commands.Fill) -> Refusal | None:
    """House to rack."""
    if (refusal := why_no_fill(command.amount)) is not None:
        return refusal
    why = f"{desk.state.table} fill"
    desk.transfers.append(move(desk.till.house, desk.till.rack, command.amount, why))
    desk.note(facts.Fill(command.amount, "fill"))
    return None


def credit(desk: Desk, by: By, command: commands.Credit) -> Refusal | None:
    """Rack to house."""
    if (refusal := why_no_credit(desk, command.amount)) is not None:
        return refusal
    why = f"{desk.state.table} credit"
    desk.transfers.append(move(desk.till.rack, desk.till.house, command.amount, why))
    desk.note(facts.Credit(command.amount))
    return None


def why_no_fill(amount: Cents) -> Refusal | None:
    """Why a rack gets no such fill; who asks for one is told at once."""
    return None if amount else refuse(Code.BELOW_MINIMUM, "table.floor.fill-of-nothing")


def why_no_credit(desk: Desk, amount: Cents) -> Refusal | None:
    """Why a rack gives no such credit."""
    if not amount:
        return refuse(Code.BELOW_MINIMUM, "table.floor.credit-of-nothing")
    if amount > desk.state.rack:
        held = {"rack": desk.state.rack, "amount": amount}
        return refuse(Code.NOT_COVERED, "table.floor.rack-holds", **held)
    return None


def coach(desk: Desk, by: By, command: commands.Coach) -> Refusal | None:
    """On or off, for the record."""
    if command.on == desk.state.coach:
        return refuse(Code.NOT_NOW, "table.floor.coach-already", on=command.on)
    desk.note(facts.Coach(command.on))
    return None


def shuffler_failed(desk: Desk, by: By, command: commands.ShufflerFailed) -> Refusal | None:
    """The next shoe is shuffled as the sheet's fallback says, or there is none."""
    if not desk.state.shuffler:
        return refuse(Code.NOT_NOW, "table.floor.known-to-have-failed")
    desk.note(facts.Shuffler(working=False))
    _fresh_shoe(desk)
    return None


def shuffler_repaired(desk: Desk, by: By, command: commands.ShufflerRepaired) -> Refusal | None:
    """The machine shuffles again."""
    if desk.state.shuffler:
        return refuse(Code.NOT_NOW, "table.floor.shuffler-works")
    desk.note(facts.Shuffler(working=True))
    _fresh_shoe(desk)
    return None


def change_sheet(desk: Desk, by: By, command: commands.ChangeSheet) -> Refusal | None:
    """Other rules from the next round on; the round on the layout keeps its own."""
    sheet = other_rules(desk, command.sheet)
    if isinstance(sheet, Refusal):
        return sheet
    least, clause = notice_of(sheet.house.jurisdiction)
    if least and only_limits_differ(game_of(desk.state.coming).sheet, sheet):
        return refuse(Code.NOT_NOW, "table.floor.notice-first", clause, least=least)
    desk.note(facts.SheetChanged(command.sheet))
    _fresh_shoe(desk)
    return None


def other_rules(desk: Desk, stored: Json) -> Sheet | Refusal:
    """A sheet that a table could have next: one that is dealt, and not what it has already."""
    try:
        sheet = game_of(stored).sheet
    except RoundError as error:
        return Refusal(Code.NO_RULE, sentence_of(error))
    if stored["hash"] == desk.state.coming["hash"]:
        return refuse(Code.NOT_NOW, "table.floor.in-force")
    now, other = (
        counted_in(desk.state.unit, one.house.currency) or DOLLAR
        for one in (game_of(desk.state.coming).sheet, sheet)
    )
    if now != other:
        return refuse(Code.NOT_NOW, "table.floor.other-money", now=now, other=other)
    return sheet


def retire(desk: Desk, by: By, command: commands.Retire) -> Refusal | None:
    """Nothing may lie on the layout; rack and guests' chips go back to where they came from."""
    state, till = desk.state, desk.till
    if state.live:
        return refuse(Code.NOT_NOW, "table.floor.settled-first")
    end_shoe(desk)
    why = f"{state.table} retired"
    if state.rack:
        desk.transfers.append(move(till.rack, till.house, state.rack, why))
    for guest in state.guests:
        if chips := desk.purse(guest):
            desk.transfers.append(move(till.wallet(guest), till.issued, chips, why))
    desk.note(facts.Retired(state.rack))
    return None


def _fresh_shoe(desk: Desk) -> None:
    """A shoe that was made ready otherwise than the table now asks for is not dealt from."""
    if not desk.state.live:
        end_shoe(desk)
        open_shoe(desk)
