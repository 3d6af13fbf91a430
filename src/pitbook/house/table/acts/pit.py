"""The pit at a table: what is asked for and granted, who deals, and rules that are announced."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pitbook.house.table import facts, pit_commands
from pitbook.house.table.acts.floor import credit, fill, other_rules, why_no_credit, why_no_fill
from pitbook.house.table.commands import By, Credit, Fill
from pitbook.house.table.desk import Desk
from pitbook.house.table.limits import notice_of
from pitbook.house.table.pit_commands import AskCredit, AskFill
from pitbook.rules.refusals import Code, Refusal, refuse

__all__ = [
    "announce_sheet",
    "ask_credit",
    "ask_fill",
    "colour_up",
    "grant_rack",
    "in_force_now",
    "refuse_rack",
    "sign_off",
    "sign_on",
]

MINUTES_MAX = 7 * 24 * 60
WAITING_MAX = 20


def ask_fill(desk: Desk, by: By, command: pit_commands.AskFill) -> Refusal | None:
    """On record with who asks; nothing moves yet."""
    return why_no_fill(command.amount) or _asked(desk, by, "fill", command)


def ask_credit(desk: Desk, by: By, command: pit_commands.AskCredit) -> Refusal | None:
    """The same the other way; the rack must hold it."""
    return why_no_credit(desk, command.amount) or _asked(desk, by, "credit", command)


def _asked(
    desk: Desk, by: By, what: Literal["fill", "credit"], command: AskFill | AskCredit
) -> Refusal | None:
    if len(desk.state.asked) >= WAITING_MAX:
        return refuse(Code.NOT_NOW, "table.pit.answer-first", most=WAITING_MAX)
    asked, number = (command.amount, by.name, desk.luck.now(), command.why), desk.state.asks + 1
    desk.note(facts.RackAsked(number, what, *asked))
    return None


def grant_rack(desk: Desk, by: By, command: pit_commands.GrantRack) -> Refusal | None:
    """By a second person: then the money moves, and both names are on record."""
    asked = desk.state.asked.get(command.number)
    if asked is None:
        return refuse(Code.NOT_NOW, "table.pit.not-asked", number=command.number)
    if asked.who == by.name:
        return refuse(Code.FORBIDDEN, "table.pit.second-person")
    desk.note(facts.RackGranted(command.number, asked.who))
    if asked.what == "fill":
        return fill(desk, by, Fill(asked.amount))
    return credit(desk, by, Credit(asked.amount))


def refuse_rack(desk: Desk, by: By, command: pit_commands.RefuseRack) -> Refusal | None:
    """A fill or a credit that is not given, or not wanted any more."""
    if command.number not in desk.state.asked:
        return refuse(Code.NOT_NOW, "table.pit.not-asked", number=command.number)
    desk.note(facts.RackRefused(command.number, command.why))
    return None


def sign_on(desk: Desk, by: By, command: pit_commands.SignOn) -> Refusal | None:
    """Deal from now on; the one before is relieved."""
    if desk.state.dealer == by.name:
        return refuse(Code.NOT_NOW, "table.pit.deals-already", dealer=by.name)
    desk.note(facts.DealerOn(by.name, desk.state.dealer))
    return None


def sign_off(desk: Desk, by: By, command: pit_commands.SignOff) -> Refusal | None:
    """By the dealer, or by a supervisor; not while a hand is dealt, which needs one."""
    state = desk.state
    if not state.dealer:
        return refuse(Code.NOT_NOW, "table.pit.nobody-deals")
    if by.role == "dealer" and state.dealer != by.name:
        return refuse(Code.FORBIDDEN, "table.pit.another-deals", dealer=state.dealer)
    if state.live:
        return refuse(Code.NOT_NOW, "table.pit.hand-dealt")
    desk.note(facts.DealerOff(state.dealer))
    return None


def colour_up(desk: Desk, by: By, command: pit_commands.ColourUp) -> Refusal | None:
    """No money moves: it is on record that so much was changed."""
    player = desk.state.seats.get(command.seat)
    if player is None:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=command.seat)
    if not command.amount:
        return refuse(Code.BELOW_MINIMUM, "table.pit.nothing-to-change")
    if (refusal := desk.too_dear(player, command.amount)) is not None:
        return refusal
    desk.note(facts.ColouredUp(command.seat, player, command.amount))
    return None


def announce_sheet(desk: Desk, by: By, command: pit_commands.AnnounceSheet) -> Refusal | None:
    """On record now, in force with the first round that opens after the notice."""
    sheet = other_rules(desk, command.sheet)
    if isinstance(sheet, Refusal):
        return sheet
    least, clause = notice_of(sheet.house.jurisdiction)
    if not least <= command.minutes <= MINUTES_MAX:
        bounds = {"least": least, "most": MINUTES_MAX, "minutes": command.minutes}
        return refuse(Code.NOT_NOW, "table.pit.notice", clause, **bounds)
    at = desk.until(60 * command.minutes)
    desk.note(facts.SheetAnnounced(command.sheet, at, command.why))
    return None


def in_force_now(desk: Desk) -> None:
    """Rules that were announced come into force where their time has come."""
    announced = desk.state.announced
    if announced and desk.luck.now() >= datetime.fromisoformat(announced["at"]):
        desk.note(facts.SheetChanged(announced["sheet"]))
