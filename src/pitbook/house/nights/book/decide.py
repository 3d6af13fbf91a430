"""decide(state, command, standing): the facts and transfers of a command, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, get_args

from pitbook.errors import PitbookError
from pitbook.house.ledger.codec import Json
from pitbook.house.nights.book import commands, doors, facts
from pitbook.house.nights.book.circumstances import Circumstances
from pitbook.house.nights.book.decided import Decided, DecidedOrRefusal
from pitbook.house.nights.book.names import on_record, shut_out
from pitbook.house.nights.book.state import NightPhase, NightState
from pitbook.house.nights.book.tournament_bridge import decide_tournament, not_ended, owed
from pitbook.house.nights.book.transfers import moved
from pitbook.house.nights.chips import counter
from pitbook.house.nights.rules.derived_sheets import derive
from pitbook.house.nights.rules.hours import over
from pitbook.house.nights.rules.stake_limits import departures
from pitbook.house.nights.tournament import commands as tournament_commands
from pitbook.house.table.state import dump_sheet, game_of
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import sentence_of

TABLE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)

Command: TypeAlias = commands.Command | tournament_commands.Command


def decide(state: NightState, command: Command, standing: Circumstances) -> DecidedOrRefusal:
    """What happens if this command is taken; the state handed in stays as it is."""
    if (refusal := _not_now(state, command, standing)) is not None:
        return refusal
    if isinstance(asked := on_record(command, standing.door), Refusal):
        return asked
    if (refusal := shut_out(state, asked, standing.door)) is not None:
        return refusal
    if isinstance(asked, TOURNAMENT):
        return decide_tournament(state, asked, standing)
    return HANDLERS[type(asked)][1](state, asked, standing)


def _not_now(state: NightState, command: Command, standing: Circumstances) -> Refusal | None:
    """Whether the night is at a point where this can be asked at all."""
    phases = _phases(state, command)
    if state.phase in phases:
        begins = state.phase == "open" and not _ends_something(state, command)
        return over(state, standing.now) if begins else None
    if state.phase == "none":
        return refuse(Code.NOT_NOW, "nights.night.none")
    if "none" in phases:
        return refuse(Code.NOT_NOW, "nights.night.id-taken", event=state.event)
    if state.phase == "closed":
        return _closed(state)
    if state.phase == "made":
        opens = {"event": state.event, "day": state.gaming_date}
        return refuse(Code.NOT_NOW, "nights.night.not-open", **opens)
    return _open_already(state, command)


def _open_already(state: NightState, command: Command) -> Refusal:
    if isinstance(command, commands.PayUnclaimed):
        return refuse(Code.NOT_NOW, "nights.night.still-open", event=state.event)
    late = isinstance(command, commands.Correct)
    key = "nights.night.correct-before" if late else "nights.night.open-already"
    return refuse(Code.NOT_NOW, key, event=state.event)


def _ends_something(state: NightState, command: Command) -> bool:
    """Whether a command is taken after the hour too: what is in play ends, and what is due is paid.

    A slip of chips is not undone then, since that would sell or redeem them.
    """
    if isinstance(command, commands.Undo):
        slip = state.slip(command.slip)
        return slip is None or slip.what == "float"
    return isinstance(command, AT_ANY_HOUR)


def _phases(state: NightState, command: Command) -> tuple[NightPhase, ...]:
    if isinstance(command, TOURNAMENT):
        return ("made", "open") if isinstance(command, BEFORE) else ("open",)
    if isinstance(command, commands.BringFloat) and state.unclaimed:
        return ("made", "open", "closed")  # What is kept for somebody must be there to be paid.
    return HANDLERS[type(command)][0]


def _closed(state: NightState) -> Refusal:
    """OMS-17: the day of issue is over when the event closes."""
    key = "nights.night.closed-unclaimed" if state.unclaimed else "nights.night.closed"
    when = {"event": state.event, "at": state.closed_at, "day": state.gaming_date}
    return refuse(Code.OVER, key, state.rules.chips.day_ends.clause, **when)


def _admit(
    state: NightState, command: commands.AdmitTable, standing: Circumstances
) -> DecidedOrRefusal:
    """OMS-10: a sheet within the limits as it is, another as a derived one or not at all."""
    if not TABLE.fullmatch(command.table):
        return refuse(Code.NO_RULE, "nights.night.no-table-name", table=command.table)
    if command.table in state.tables:
        there = {"event": state.event, "table": command.table}
        return refuse(Code.NOT_NOW, "nights.night.table-there", **there)
    try:
        base = game_of(command.sheet).sheet
    except PitbookError as error:
        return Refusal(Code.NO_RULE, sentence_of(error))
    found = departures(base, state.rules)
    if not command.derived and command.limits is None:
        if found:
            return _not_as_it_is(found[0], len(found))
        return _admitted(command, command.sheet)
    made = derive(base, state.rules, command.limits, cut=command.derived)
    if isinstance(made, Refusal):
        return made
    return _admitted(command, dump_sheet(made.sheet), made.limits, made.differences)


def _not_as_it_is(first: Refusal, count: int) -> Refusal:
    why = {"why": first.message, "more": count - 1}
    return refuse(first.code, "nights.night.as-derived", first.clause, **why)


def _admitted(
    command: commands.AdmitTable,
    sheet: Json,
    limits: Json | None = None,
    differences: Iterable[Json] = (),
) -> Decided:
    base = command.sheet
    whole = base if base["hash"] != sheet["hash"] else None
    told = (sheet, base["hash"], limits, tuple(differences), whole)
    return Decided((facts.TableAdmitted(command.table, *told),))


def _interrupt(
    state: NightState, command: commands.Interrupt, standing: Circumstances
) -> DecidedOrRefusal:
    if not command.why.strip():
        return refuse(Code.UNKNOWN_REASON, "nights.night.give-reason")
    return Decided(
        (facts.NightInterrupted(command.why, standing.at, standing.actor, command.dead),)
    )


def _close(state: NightState, command: commands.Close, standing: Circumstances) -> DecidedOrRefusal:
    """Racks are back and tournaments over; chips expire (OMS-18) and the float returns.

    What nobody came for stays in the drawer, owed by name.
    """
    if (refusal := _owing(state, standing)) is not None:
        return refusal
    kept = owed(state)
    till = state.till
    wallets = {
        account.name: cents
        for account, cents in standing.balances(till.unit).items()
        if account.kind == "wallet" and cents
    }
    drawer = standing.balance(till.cash) - sum(one.amount for one in kept)
    back = Cents(max(0, min(state.floated, drawer)))
    told = facts.NightClosed(standing.at, dict(sorted(wallets.items())), back, kept)
    return Decided((told,), moved(state, told))


def _owing(state: NightState, standing: Circumstances) -> Refusal | None:
    """What must be settled before a night can close."""
    for account, cents in standing.balances(state.till.unit).items():
        if account.kind in ("rack", "held") and cents:
            table = account.name.partition("/")[0]
            there = {"amount": cents, "where": account.kind, "table": table}
            return refuse(Code.NOT_NOW, "nights.night.chips-out", **there)
    return not_ended(state)


TOURNAMENT = get_args(tournament_commands.Command)

# What is seen to before the evening.
BEFORE = (
    tournament_commands.SetUp,
    tournament_commands.Register,
    tournament_commands.Unregister,
)

# What brings things to their end, and money to whom it is due.
AT_ANY_HOUR = (
    commands.BringFloat,
    commands.Interrupt,
    commands.Close,
    *tournament_commands.UNASKED,
    *tournament_commands.OF_TICKETS,
    tournament_commands.GoOn,
    tournament_commands.CountChips,
    tournament_commands.Eliminate,
    tournament_commands.PostPrizes,
    tournament_commands.Finish,
    tournament_commands.PauseClock,
    tournament_commands.Message,
    tournament_commands.Interrupt,
    tournament_commands.RuleHand,
    tournament_commands.SettleInterruption,
    tournament_commands.Refund,
    tournament_commands.PayOut,
    tournament_commands.Undo,
)

HANDLERS: dict[
    type,
    tuple[tuple[NightPhase, ...], Callable[[NightState, Any, Circumstances], DecidedOrRefusal]],
] = {
    commands.Make: (("none",), doors.make),
    commands.Correct: (("made",), doors.correct),
    commands.Open: (("made",), doors.open_),
    commands.BringFloat: (("made", "open"), counter.bring_float),
    commands.Sell: (("open",), counter.sell),
    commands.Redeem: (("open",), counter.redeem),
    commands.Undo: (("made", "open"), counter.undo),
    commands.AdmitTable: (("open",), _admit),
    commands.Interrupt: (("open",), _interrupt),
    commands.Close: (("made", "open"), _close),
    commands.PayUnclaimed: (("closed",), counter.pay_unclaimed),
}
