"""decide(state, command, standing): the facts and transfers of a command, or a refusal."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitbook.engine.refusals import Code, Refusal
from pitbook.errors import PitbookError
from pitbook.ledger.accounts import Transfer, move
from pitbook.money import Cents, spoken
from pitbook.nights import commands, counter, facts
from pitbook.nights.bridge import decide_tournament, unpaid
from pitbook.nights.chance import departures
from pitbook.nights.decided import Decided
from pitbook.nights.derived import derive
from pitbook.nights.names import on_record, shut_out
from pitbook.nights.rules import rules_of
from pitbook.nights.standing import Standing
from pitbook.nights.state import NightState, Phase
from pitbook.nights.tournament import commands as tournament_commands
from pitbook.table.model import game_of, kept_sheet

EVENT = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
TABLE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
EVENT_MAX = 40

Command: TypeAlias = commands.Command | tournament_commands.Command
Answer: TypeAlias = Decided | Refusal


def decide(state: NightState, command: Command, standing: Standing) -> Answer:
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


def _not_now(state: NightState, command: Command, standing: Standing) -> Refusal | None:
    """Whether the night is at a point where this can be asked at all."""
    phases = _phases(command)
    if state.phase in phases:
        late = state.phase == "open" and not isinstance(command, commands.Close)
        return _day_over(state, standing) if late else None
    if state.phase == "closed":
        return _closed(state)
    if state.phase == "none":
        return Refusal(Code.NOT_NOW, "there is no such night; make it first")
    if "none" in phases:
        return Refusal(Code.NOT_NOW, f"there is a night {state.event} already; name it otherwise")
    if state.phase == "made":
        message = f"{state.event} is not open yet; it opens on {state.gaming_date}"
        return Refusal(Code.NOT_NOW, message)
    return Refusal(Code.NOT_NOW, f"{state.event} is open already")


def _phases(command: Command) -> tuple[Phase, ...]:
    if isinstance(command, TOURNAMENT):
        set_up = isinstance(command, tournament_commands.SetUp)
        return ("made", "open") if set_up else ("open",)
    return HANDLERS[type(command)][0]


def _closed(state: NightState) -> Refusal:
    """OMS-17: the day of issue is over when the event closes."""
    message = (
        f"{state.event} closed at {state.closed_at}; its chips were good on "
        f"{state.gaming_date} alone and have expired"
    )
    return Refusal(Code.OVER, message, state.rules.chips.day_ends.clause)


def _day_over(state: NightState, standing: Standing) -> Refusal | None:
    """Where a house's day ends at midnight, the cage shuts then."""
    ends = state.rules.chips.day_ends
    today = _today(state, standing)
    if ends.value == "closing" or today <= state.gaming_date:
        return None
    message = f"the gaming date {state.gaming_date} is over, it is {today}; close {state.event}"
    return Refusal(Code.OVER, message, ends.clause)


def _today(state: NightState, standing: Standing) -> str:
    return standing.now.astimezone(state.place).date().isoformat()


def _make(state: NightState, command: commands.Make, standing: Standing) -> Answer:
    """OMS-19: an event names its charity, its licence and its date."""
    if not EVENT.fullmatch(command.event) or len(command.event) > EVENT_MAX:
        message = f'"{command.event}" is no id for a night; as in spring-gala-2026'
        return Refusal(Code.NO_RULE, message)
    try:
        clause = rules_of(command.house).proceeds.clause
    except PitbookError as error:
        return Refusal(Code.NO_RULE, str(error))
    for what in ("charity", "licence"):
        text = getattr(command, what)
        if not text.strip() or not text.isprintable():
            message = f"an event names its {what}; give it in one line of text"
            return Refusal(Code.NO_RULE, message, clause)
    if (wrong := _no_day(command)) is not None:
        return Refusal(Code.NO_RULE, wrong, clause)
    return Decided((facts.made(command),))


def _no_day(command: commands.Make) -> str | None:
    if not _is_day(command.gaming_date):
        return f'"{command.gaming_date}" is no gaming date; write it as in 2026-11-21'
    try:
        ZoneInfo(command.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return f'"{command.zone}" is no time zone; write it as in America/New_York'
    return None


def _is_day(text: str) -> bool:
    """Whether a text is a day, and written in the one way that other days are compared with."""
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _open(state: NightState, command: commands.Open, standing: Standing) -> Answer:
    if (today := _today(state, standing)) != state.gaming_date:
        message = (
            f"{state.event} is licensed for {state.gaming_date}; it is {today} in {state.zone}"
        )
        return Refusal(Code.NOT_NOW, message, state.rules.proceeds.clause)
    return Decided((facts.opened(standing.at),))


def _admit(state: NightState, command: commands.AdmitTable, standing: Standing) -> Answer:
    """OMS-10: a sheet within the limits as it is, another as a derived one or not at all."""
    if not TABLE.fullmatch(command.table):
        return Refusal(Code.NO_RULE, f'"{command.table}" is no name for a table; as in stud-2')
    if command.table in state.tables:
        return Refusal(Code.NOT_NOW, f"{state.event} has a table {command.table} already")
    try:
        base = game_of(command.sheet).sheet
    except PitbookError as error:
        return Refusal(Code.NO_RULE, str(error))
    found = departures(base, state.rules)
    if not command.derived and command.limits is None:
        if found:
            return _refused(found[0], len(found))
        return _admitted(command, command.sheet)
    made = derive(base, state.rules, command.limits, cut=command.derived)
    if isinstance(made, Refusal):
        return made
    told = {"limits": made.limits, "differences": made.differences}
    return _admitted(command, kept_sheet(made.sheet), **told)


def _refused(first: Refusal, count: int) -> Refusal:
    more = f", and {count - 1} more" if count > 1 else ""
    message = f"{first.message}{more}; it can be opened as a derived sheet"
    return Refusal(first.code, message, first.clause)


def _admitted(command: commands.AdmitTable, sheet: dict[str, Any], **told: Any) -> Decided:
    base = command.sheet
    return Decided((facts.table_admitted(table=command.table, sheet=sheet, base=base, **told),))


def _interrupt(state: NightState, command: commands.Interrupt, standing: Standing) -> Answer:
    if not command.why.strip():
        return Refusal(Code.UNKNOWN_REASON, "an interruption has a reason; give it")
    return Decided((facts.interrupted(command.why, at=standing.at, by=standing.actor),))


def _close(state: NightState, command: commands.Close, standing: Standing) -> Answer:
    """Racks are back and prizes paid; then chips expire (OMS-18) and the float returns."""
    if (refusal := _owing(state, standing)) is not None:
        return refusal
    till = state.till
    wallets = {
        account.name: cents
        for account, cents in standing.balances(till.unit).items()
        if account.kind == "wallet" and cents
    }
    back = Cents(min(state.floated, standing.balance(till.cash)))
    moved = tuple(_expiring(state, wallets, back))
    return Decided((facts.closed(at=standing.at, expired=wallets, returned=back),), moved)


def _expiring(state: NightState, wallets: dict[str, Cents], back: Cents) -> Iterator[Transfer]:
    till, why = state.till, f"{state.event} closed"
    for player, cents in sorted(wallets.items()):
        yield move(till.wallet(player), till.expired, cents, f"{why}: expired")
    if back:
        yield move(till.float, till.cash, back, f"{why}: float")


def _owing(state: NightState, standing: Standing) -> Refusal | None:
    """What must be settled before a night can close."""
    for account, cents in standing.balances(state.till.unit).items():
        if account.kind in ("rack", "held") and cents:
            table = account.name.partition("/")[0]
            lies = "lies on the layout of" if account.kind == "held" else "is in the rack of"
            message = f"{spoken(cents)} {lies} table {table}; settle and retire it first"
            return Refusal(Code.NOT_NOW, message)
    return unpaid(state, standing.balance)


TOURNAMENT = get_args(tournament_commands.Command)

HANDLERS: dict[type, tuple[tuple[Phase, ...], Callable[[NightState, Any, Standing], Answer]]] = {
    commands.Make: (("none",), _make),
    commands.Open: (("made",), _open),
    commands.BringFloat: (("made", "open"), counter.bring_float),
    commands.Sell: (("open",), counter.sell),
    commands.Redeem: (("open",), counter.redeem),
    commands.Undo: (("made", "open"), counter.undo),
    commands.AdmitTable: (("made", "open"), _admit),
    commands.Interrupt: (("open",), _interrupt),
    commands.Close: (("open",), _close),
}
