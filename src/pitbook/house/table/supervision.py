"""The supervisor's commands: coach, shuffler, dealers, color-ups and closing a table."""

from __future__ import annotations

from pitbook.house.ledger.accounts import move
from pitbook.house.table import commands, facts
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import end_shoe, replace_shoe
from pitbook.house.table.work import UnitOfWork
from pitbook.rules.refusals import Code, Refusal, refuse


def coach(work: UnitOfWork, by: By, command: commands.Coach) -> Refusal | None:
    """Turn the coach on or off."""
    if command.on == work.state.coach:
        return refuse(Code.NOT_NOW, "table.floor.coach-already", on=command.on)
    work.emit(facts.Coach(command.on))
    return None


def shuffler_failed(work: UnitOfWork, by: By, command: commands.ShufflerFailed) -> Refusal | None:
    """Record a failed shuffler; the next shoe uses the sheet's fallback, or there is none."""
    if not work.state.shuffler:
        return refuse(Code.NOT_NOW, "table.floor.known-to-have-failed")
    work.emit(facts.Shuffler(working=False))
    replace_shoe(work)
    return None


def shuffler_repaired(
    work: UnitOfWork, by: By, command: commands.ShufflerRepaired
) -> Refusal | None:
    """Record a repaired shuffler."""
    if work.state.shuffler:
        return refuse(Code.NOT_NOW, "table.floor.shuffler-works")
    work.emit(facts.Shuffler(working=True))
    replace_shoe(work)
    return None


def retire(work: UnitOfWork, by: By, command: commands.Retire) -> Refusal | None:
    """Close an empty table; rack and guests' chips are returned."""
    state, accounts = work.state, work.accounts
    if state.live:
        return refuse(Code.NOT_NOW, "table.floor.settled-first")
    end_shoe(work)
    why = f"{state.table} retired"
    if state.rack:
        work.transfers.append(move(accounts.rack, accounts.house, state.rack, why))
    for guest in state.guests:
        if chips := work.available(guest):
            work.transfers.append(move(accounts.wallet(guest), accounts.issued, chips, why))
    work.emit(facts.Retired(state.rack))
    return None


def sign_on(work: UnitOfWork, by: By, command: commands.SignOn) -> Refusal | None:
    """Tap in: become the dealer and relieve the previous one."""
    if work.state.dealer == by.name:
        return refuse(Code.NOT_NOW, "table.pit.deals-already", dealer=by.name)
    work.emit(facts.DealerOn(by.name, work.state.dealer))
    return None


def sign_off(work: UnitOfWork, by: By, command: commands.SignOff) -> Refusal | None:
    """Tap out the dealer, by the dealer or a supervisor, between hands."""
    state = work.state
    if not state.dealer:
        return refuse(Code.NOT_NOW, "table.pit.nobody-deals")
    if by.role == "dealer" and state.dealer != by.name:
        return refuse(Code.FORBIDDEN, "table.pit.another-deals", dealer=state.dealer)
    if state.live:
        return refuse(Code.NOT_NOW, "table.pit.hand-dealt")
    work.emit(facts.DealerOff(state.dealer))
    return None


def color_up(work: UnitOfWork, by: By, command: commands.ColorUp) -> Refusal | None:
    """Record a color-up; no money moves."""
    player = work.state.seats.get(command.seat)
    if player is None:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=command.seat)
    if not command.amount:
        return refuse(Code.BELOW_MINIMUM, "table.pit.nothing-to-change")
    if (refusal := work.check_balance(player, command.amount)) is not None:
        return refusal
    work.emit(facts.ColoredUp(command.seat, player, command.amount))
    return None
