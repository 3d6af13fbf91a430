"""Decide commands to a night."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypeAlias, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitbook.errors import PitbookError
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.nights import chip_sales, commands, facts
from pitbook.house.nights.decision_types import (
    Decision,
    DecisionOrRefusal,
    NightContext,
    TournamentContext,
)
from pitbook.house.nights.facts import Fact, NightClosed, Unclaimed
from pitbook.house.nights.house_rules import HouseRules, load_stored_rules
from pitbook.house.nights.resolve_names import exclusion_refusal, resolve_names
from pitbook.house.nights.sheets import after_hours_refusal, derive, limit_violations
from pitbook.house.nights.state import CORRECTABLE, NightPhase, NightState
from pitbook.house.nights.tournament import commands as tournament_commands
from pitbook.house.nights.tournament.commands import Command as TournamentCommand
from pitbook.house.nights.tournament.decide import decide as decide_tournament_command
from pitbook.house.nights.transfers import in_night_units, transfers_for
from pitbook.house.people.names import name_key
from pitbook.house.table.stored_sheets import dump_sheet, game_of
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say, sentence_of
from pitbook.text.user_input import title_error

EVENT = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
EVENT_MAX = 40


def make(state: NightState, command: commands.Make, context: NightContext) -> DecisionOrRefusal:
    """OMS-19: an event names its charity, its license and its date."""
    if not EVENT.fullmatch(command.event) or len(command.event) > EVENT_MAX:
        return refuse(Code.NO_RULE, "nights.doors.no-id", event=command.event)
    try:
        rules = load_stored_rules(command.house)
    except PitbookError as error:
        return Refusal(Code.NO_RULE, sentence_of(error))
    problem = (
        _description_problem(command)
        or _name_problem(command._asdict())
        or _past_date_problem(command, context)
    )
    return _refuse(problem, rules) if problem else Decision((facts.NightCreated(*command),))


def correct(
    state: NightState, command: commands.Correct, context: NightContext
) -> DecisionOrRefusal:
    """Correct a night, under the rules for creating one today."""
    before = {name: getattr(state, name) for name in CORRECTABLE}
    corrections = {name: getattr(command, name) for name in CORRECTABLE}
    after = before | {name: text for name, text in corrections.items() if text is not None}
    if after == before:
        return refuse(Code.NOT_NOW, "nights.doors.so-already", event=state.event)
    corrected_make = commands.Make(
        state.event, **after, house=state.house, rehearsal=state.rehearsal
    )
    changed_texts = {name: text for name, text in after.items() if text != before[name]}
    if (
        problem := _name_problem(changed_texts)
        or _description_problem(corrected_make)
        or _past_date_problem(corrected_make, context)
    ):
        return _refuse(problem, state.rules)
    if (refusal := _second_large_refusal(state, context)) is not None:
        return refusal
    fact = facts.NightCorrected(**after, before=before, at=context.at, by=context.actor)
    return Decision((fact,))


def open_night(
    state: NightState, command: commands.Open, context: NightContext
) -> DecisionOrRefusal:
    """Open the night on its gaming date; a rehearsal opens on any day."""
    today = _local_date(state.zone, context)
    if state.rehearsal or today == state.gaming_date:
        return Decision((facts.NightOpened(context.at),))
    key = "nights.doors.day-is-over" if today > state.gaming_date else "nights.doors.other-day"
    fields = {"event": state.event, "day": state.gaming_date, "today": today, "zone": state.zone}
    return _refuse(say(key, **fields), state.rules, Code.NOT_NOW)


def _name_problem(fields: Mapping[str, Any]) -> Sentence | None:
    """Why a new charity or license is refused. Odd names already on record may stay."""
    present = (field for field in ("charity", "licence") if field in fields)
    problems = (title_error(field, fields[field]) for field in present)
    return next(filter(None, problems), None)


def _description_problem(command: commands.Make) -> Sentence | None:
    """What is invalid in a night's date or time zone."""
    if not _is_day(command.gaming_date):
        return say("nights.doors.no-day", day=command.gaming_date)
    try:
        ZoneInfo(command.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return say("nights.doors.no-zone", zone=command.zone)
    return None


def _past_date_problem(command: commands.Make, context: NightContext) -> Sentence | None:
    today = _local_date(command.zone, context)
    if command.rehearsal or command.gaming_date >= today:
        return None
    return say("nights.doors.past", day=command.gaming_date, today=today, zone=command.zone)


def _second_large_refusal(state: NightState, context: NightContext) -> Refusal | None:
    """OMS-12: a correction must not give an event a second tournament above the limit."""
    higher, other = state.rules.tournaments.higher_spending, context.large_elsewhere
    large = next(
        (name for name, tournament in state.tournaments.items() if tournament.is_large), None
    )
    if higher is None or other is None or large is None:
        return None
    fields = {"most": higher.player_max, "other": other, "large": large}
    return refuse(Code.ABOVE_MAXIMUM, "nights.doors.two-are-large", higher.clause, **fields)


def _is_day(text: str) -> bool:
    """Whether a text is an ISO date in its canonical form, so dates compare as text."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _local_date(zone: str, context: NightContext) -> str:
    return context.now.astimezone(ZoneInfo(zone)).date().isoformat()


def _refuse(message: Sentence, rules: HouseRules, code: Code = Code.NO_RULE) -> Refusal:
    return Refusal(code, message, rules.proceeds.clause)


def decide_tournament(
    state: NightState, command: TournamentCommand, context: NightContext
) -> Decision | Refusal:
    """A tournament's decision, as facts of the night's stream."""
    event, _, short_name = command.tournament.partition(".")
    if event != state.event or not short_name:
        fields = {"tournament": command.tournament, "event": state.event}
        return refuse(Code.NO_RULE, "nights.night.no-tournament", **fields)
    answer = decide_tournament_command(
        state.tournaments.get(command.tournament), command, _tournament_context(state, context)
    )
    if isinstance(answer, Refusal):
        return answer
    return Decision(
        answer.facts, tuple(in_night_units(state, transfer) for transfer in answer.transfers)
    )


def running_refusal(state: NightState) -> Refusal | None:
    """Refuse to close while a tournament runs. Its final commands work at any hour."""
    for name, tournament in state.tournaments.items():
        if tournament.players and tournament.status in RUNNING:
            fields = {"tournament": name, "status": tournament.status}
            return refuse(Code.NOT_NOW, "nights.night.not-ended", **fields)
    return None


def unpaid_money(state: NightState) -> tuple[Unclaimed, ...]:
    """Prizes, shares and refunds that tournaments still owe, by player."""
    return tuple(
        Unclaimed(name, player, entrant.owed)
        for name, tournament in state.tournaments.items()
        for player, entrant in tournament.players.items()
        if entrant.owed
    )


def _tournament_context(state: NightState, context: NightContext) -> TournamentContext:
    def spent(tournament: str, player: str) -> Cents:
        """OMS-12: what one person spent, under every spelling on old records."""
        tournament_state = state.tournaments.get(tournament)
        entrants = tournament_state.players.items() if tournament_state else ()
        return Cents(
            sum(entrant.spent for name, entrant in entrants if name_key(name) == name_key(player))
        )

    large = (
        name for name, tournament_state in state.tournaments.items() if tournament_state.is_large
    )
    return TournamentContext(
        event=state.event,
        rules=state.rules.tournaments,
        now=context.now,
        draw=context.draw,
        spent=spent,
        large_used=next(large, context.large_elsewhere),
        actor=context.actor,
    )


RUNNING = ("open", "playing", "interrupted")


TABLE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)

Command: TypeAlias = commands.Command | tournament_commands.Command


def decide(state: NightState, command: Command, context: NightContext) -> DecisionOrRefusal:
    """The facts that a command leads to, or a refusal; the state stays unchanged."""
    if (refusal := _phase_refusal(state, command, context)) is not None:
        return refusal
    if isinstance(resolved := resolve_names(command, context.access_list), Refusal):
        return resolved
    if (refusal := exclusion_refusal(state, resolved, context.access_list)) is not None:
        return refusal
    if isinstance(resolved, TOURNAMENT_COMMANDS):
        return decide_tournament(state, resolved, context)
    return HANDLERS[type(resolved)][1](state, resolved, context)


def _phase_refusal(state: NightState, command: Command, context: NightContext) -> Refusal | None:
    """Refuse a command that the night's phase or hour does not allow."""
    phases = _allowed_phases(state, command)
    if state.phase in phases:
        starts_something = state.phase == "open" and not _ends_something(state, command)
        return after_hours_refusal(state, context.now) if starts_something else None
    if state.phase == "none":
        return refuse(Code.NOT_NOW, "nights.night.none")
    if "none" in phases:
        return refuse(Code.NOT_NOW, "nights.night.id-taken", event=state.event)
    if state.phase == "closed":
        return _closed_refusal(state)
    if state.phase == "made":
        fields = {"event": state.event, "day": state.gaming_date}
        return refuse(Code.NOT_NOW, "nights.night.not-open", **fields)
    return _open_already(state, command)


def _open_already(state: NightState, command: Command) -> Refusal:
    if isinstance(command, commands.PayUnclaimed):
        return refuse(Code.NOT_NOW, "nights.night.still-open", event=state.event)
    late = isinstance(command, commands.Correct)
    key = "nights.night.correct-before" if late else "nights.night.open-already"
    return refuse(Code.NOT_NOW, key, event=state.event)


def _ends_something(state: NightState, command: Command) -> bool:
    """Whether a command is accepted after hours: it finishes play or pays what is due.

    Undoing a slip of chips is not, since it would sell or redeem them.
    """
    if isinstance(command, commands.Undo):
        slip = state.slip(command.slip)
        return slip is None or slip.what == "float"
    return isinstance(command, AFTER_HOURS)


def _allowed_phases(state: NightState, command: Command) -> tuple[NightPhase, ...]:
    if isinstance(command, TOURNAMENT_COMMANDS):
        return ("made", "open") if isinstance(command, BEFORE_OPENING) else ("open",)
    if isinstance(command, commands.BringFloat) and state.unclaimed:
        return ("made", "open", "closed")  # Unclaimed money must be in the drawer to be paid.
    return HANDLERS[type(command)][0]


def _closed_refusal(state: NightState) -> Refusal:
    """OMS-17: the day of issue ends when the event closes."""
    key = "nights.night.closed-unclaimed" if state.unclaimed else "nights.night.closed"
    fields = {"event": state.event, "at": state.closed_at, "day": state.gaming_date}
    return refuse(Code.OVER, key, state.rules.chips.day_ends.clause, **fields)


def _admit(
    state: NightState, command: commands.AdmitTable, context: NightContext
) -> DecisionOrRefusal:
    """OMS-10: admit a sheet within the limits as it is, another only as a derived sheet."""
    if not TABLE.fullmatch(command.table):
        return refuse(Code.NO_RULE, "nights.night.no-table-name", table=command.table)
    if command.table in state.tables:
        fields = {"event": state.event, "table": command.table}
        return refuse(Code.NOT_NOW, "nights.night.table-there", **fields)
    try:
        base = game_of(command.sheet).sheet
    except PitbookError as error:
        return Refusal(Code.NO_RULE, sentence_of(error))
    violations = limit_violations(base, state.rules)
    if not command.derived and command.limits is None:
        if violations:
            return _derive_first_refusal(violations[0], len(violations))
        return _admit_decision(command, command.sheet)
    derived = derive(base, state.rules, command.limits, cut=command.derived)
    if isinstance(derived, Refusal):
        return derived
    return _admit_decision(command, dump_sheet(derived.sheet), derived.limits, derived.differences)


def _derive_first_refusal(first: Refusal, count: int) -> Refusal:
    fields = {"why": first.message, "more": count - 1}
    return refuse(first.code, "nights.night.as-derived", first.clause, **fields)


def _admit_decision(
    command: commands.AdmitTable,
    sheet: Json,
    limits: Json | None = None,
    differences: Iterable[Json] = (),
) -> Decision:
    base = command.sheet
    base_sheet = base if base["hash"] != sheet["hash"] else None
    details = (sheet, base["hash"], limits, tuple(differences), base_sheet)
    return Decision((facts.TableAdmitted(command.table, *details),))


def _interrupt(
    state: NightState, command: commands.Interrupt, context: NightContext
) -> DecisionOrRefusal:
    if not command.why.strip():
        return refuse(Code.UNKNOWN_REASON, "nights.night.give-reason")
    return Decision((facts.NightInterrupted(command.why, context.at, context.actor, command.dead),))


def _close(state: NightState, command: commands.Close, context: NightContext) -> DecisionOrRefusal:
    """Close the night once racks are returned and tournaments are over.

    Chips expire (OMS-18), the float is returned, and unpaid money is kept by player name.
    """
    if (refusal := _unsettled_refusal(state, context)) is not None:
        return refusal
    unclaimed = unpaid_money(state)
    accounts = state.accounts
    wallets = {
        account.name: cents
        for account, cents in context.balances(accounts.unit).items()
        if account.kind == "wallet" and cents
    }
    drawer = context.balance(accounts.cash) - sum(debt.amount for debt in unclaimed)
    float_back = Cents(max(0, min(state.floated, drawer)))
    fact = facts.NightClosed(context.at, dict(sorted(wallets.items())), float_back, unclaimed)
    return Decision((fact,), transfers_for(state, fact))


def _unsettled_refusal(state: NightState, context: NightContext) -> Refusal | None:
    """What must be settled before a night can close."""
    for account, cents in context.balances(state.accounts.unit).items():
        if account.kind in ("rack", "held") and cents:
            table = account.name.partition("/")[0]
            fields = {"amount": cents, "where": account.kind, "table": table}
            return refuse(Code.NOT_NOW, "nights.night.chips-out", **fields)
    return running_refusal(state)


TOURNAMENT_COMMANDS = get_args(tournament_commands.Command)

# Allowed before the night opens.
BEFORE_OPENING = (
    tournament_commands.SetUp,
    tournament_commands.Register,
    tournament_commands.Unregister,
)

# Allowed after hours: they finish play and pay what is due.
AFTER_HOURS = (
    commands.BringFloat,
    commands.Interrupt,
    commands.Close,
    *tournament_commands.INTERNAL_COMMANDS,
    *tournament_commands.TICKET_COMMANDS,
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
    tuple[tuple[NightPhase, ...], Callable[[NightState, Any, NightContext], DecisionOrRefusal]],
] = {
    commands.Make: (("none",), make),
    commands.Correct: (("made",), correct),
    commands.Open: (("made",), open_night),
    commands.BringFloat: (("made", "open"), chip_sales.bring_float),
    commands.Sell: (("open",), chip_sales.sell),
    commands.Redeem: (("open",), chip_sales.redeem),
    commands.Undo: (("made", "open"), chip_sales.undo),
    commands.AdmitTable: (("open",), _admit),
    commands.Interrupt: (("open",), _interrupt),
    commands.Close: (("made", "open"), _close),
    commands.PayUnclaimed: (("closed",), chip_sales.pay_unclaimed),
}


def is_consistent_close(state: NightState, fact: Fact, holds: Mapping[Account, int]) -> bool:
    """Whether a fact closes a night as the rules require, given the night's own transfers.

    The streams of its tables record what players won and lost there. Without tables, chips are
    where the cage left them.
    """
    if not isinstance(fact, NightClosed):
        return True
    wallets = _recorded_chips(state, fact) if state.tables else _wallet_chips(state, holds)
    context = NightContext(
        now=datetime.fromisoformat(fact.at),
        actor="",
        balance=lambda account: Cents(holds.get(account, 0)),
        balances=lambda _: wallets,
        draw=lambda _: 0,
    )
    answer = decide(state, commands.Close(), context)
    return isinstance(answer, Decision) and answer.facts == (fact,)


def _recorded_chips(state: NightState, fact: NightClosed) -> dict[Account, Cents]:
    """The chips that a closing records; only players who bought chips can have any."""
    buyers = {slip.player for slip in state.slips if slip.what == "sold"}
    expired = fact.expired
    return {state.accounts.wallet(player): expired[player] for player in buyers & expired.keys()}


def _wallet_chips(state: NightState, holds: Mapping[Account, int]) -> dict[Account, Cents]:
    return {
        account: Cents(cents)
        for account, cents in holds.items()
        if account.unit == state.accounts.unit
    }
