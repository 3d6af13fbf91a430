"""The supervisor's commands: coach, shuffler, dealers, color-ups and closing a table."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.house.ledger.accounts import move
from pitbook.house.table import commands, facts
from pitbook.house.table.commands import By
from pitbook.house.table.dealing import end_shoe, replace_shoe
from pitbook.house.table.situation import Candidate, Situation
from pitbook.house.table.state import TableState
from pitbook.house.table.unit_of_work import UnitOfWork
from pitbook.rules.refusals import Code, Refusal, refuse


def legal(state: TableState) -> Iterator[Candidate]:
    """The commands about coach, shuffler and closing the table."""
    yield Candidate(commands.Coach(on=not state.coach), check_coach)
    if state.shuffler:
        yield Candidate(commands.ShufflerFailed(), check_shuffler_failed)
    else:
        yield Candidate(commands.ShufflerRepaired(), check_shuffler_repaired)
    yield Candidate(commands.Retire(), check_retire)


def coach(work: UnitOfWork, by: By, command: commands.Coach) -> Refusal | None:
    """Turn the coach on or off."""
    if (refusal := check_coach(work, by, command)) is None:
        work.emit(facts.Coach(command.on))
    return refusal


def check_coach(table: Situation, by: By, command: commands.Coach) -> Refusal | None:
    """The refusal of turning the coach on or off, or None."""
    if command.on == table.state.coach:
        return refuse(Code.NOT_NOW, "table.floor.coach-already", on=command.on)
    return None


def shuffler_failed(work: UnitOfWork, by: By, command: commands.ShufflerFailed) -> Refusal | None:
    """Record a failed shuffler; the next shoe uses the sheet's fallback, or there is none."""
    if (refusal := check_shuffler_failed(work, by, command)) is None:
        work.emit(facts.Shuffler(working=False))
        replace_shoe(work)
    return refusal


def check_shuffler_failed(
    table: Situation, by: By, command: commands.ShufflerFailed
) -> Refusal | None:
    """The refusal of recording a failed shuffler, or None."""
    if not table.state.shuffler:
        return refuse(Code.NOT_NOW, "table.floor.known-to-have-failed")
    return None


def shuffler_repaired(
    work: UnitOfWork, by: By, command: commands.ShufflerRepaired
) -> Refusal | None:
    """Record a repaired shuffler."""
    if (refusal := check_shuffler_repaired(work, by, command)) is None:
        work.emit(facts.Shuffler(working=True))
        replace_shoe(work)
    return refusal


def check_shuffler_repaired(
    table: Situation, by: By, command: commands.ShufflerRepaired
) -> Refusal | None:
    """The refusal of recording a repaired shuffler, or None."""
    if table.state.shuffler:
        return refuse(Code.NOT_NOW, "table.floor.shuffler-works")
    return None


def retire(work: UnitOfWork, by: By, command: commands.Retire) -> Refusal | None:
    """Close an empty table; rack and guests' chips are returned."""
    if (refusal := check_retire(work, by, command)) is not None:
        return refusal
    state, accounts = work.state, work.accounts
    end_shoe(work)
    why = f"{state.table} retired"
    if state.rack:
        work.transfers.append(move(accounts.rack, accounts.house, state.rack, why))
    for guest in state.guests:
        if chips := work.available(guest):
            work.transfers.append(move(accounts.wallet(guest), accounts.issued, chips, why))
    work.emit(facts.Retired(state.rack))
    return None


def check_retire(table: Situation, by: By, command: commands.Retire) -> Refusal | None:
    """The refusal of closing the table, or None."""
    return (
        refuse(Code.NOT_NOW, "table.floor.settled-first") if table.state.has_live_wagers else None
    )


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
    if state.has_live_wagers:
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
