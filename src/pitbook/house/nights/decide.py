"""Decide commands to a night."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any, TypeAlias, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitbook.errors import PitbookError
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.codec import Json
from pitbook.house.nights import commands, counter, facts
from pitbook.house.nights.context import Circumstances, Floor
from pitbook.house.nights.facts import Decided, DecidedOrRefusal, Fact, NightClosed, Unclaimed
from pitbook.house.nights.house_rules import HouseRules, rules_of
from pitbook.house.nights.names import on_record, shut_out
from pitbook.house.nights.sheets import departures, derive, over
from pitbook.house.nights.state import CORRECTED, NightPhase, NightState
from pitbook.house.nights.tournament import commands as tournament_commands
from pitbook.house.nights.tournament.commands import Command as TournamentCommand
from pitbook.house.nights.tournament.decide import decide as decide_tournament_command
from pitbook.house.nights.tournament.state import status_told
from pitbook.house.nights.transfers import booked, moved
from pitbook.house.people.names import name_key, title_error
from pitbook.house.table.state import dump_sheet, game_of
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say, sentence_of

EVENT = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
EVENT_MAX = 40


def make(state: NightState, command: commands.Make, standing: Circumstances) -> DecidedOrRefusal:
    """OMS-19: an event names its charity, its licence and its date."""
    if not EVENT.fullmatch(command.event) or len(command.event) > EVENT_MAX:
        return refuse(Code.NO_RULE, "nights.doors.no-id", event=command.event)
    try:
        rules = rules_of(command.house)
    except PitbookError as error:
        return Refusal(Code.NO_RULE, sentence_of(error))
    wrong = _wrong(command) or _name_problem(command._asdict()) or _past(command, standing)
    return _no(wrong, rules) if wrong else Decided((facts.NightMade(*command),))


def correct(
    state: NightState, command: commands.Correct, standing: Circumstances
) -> DecidedOrRefusal:
    """What was wrong is put right, as a night that is made now would have it."""
    was = {name: getattr(state, name) for name in CORRECTED}
    given = {name: getattr(command, name) for name in CORRECTED}
    now = was | {name: text for name, text in given.items() if text is not None}
    if now == was:
        return refuse(Code.NOT_NOW, "nights.doors.so-already", event=state.event)
    again = commands.Make(state.event, **now, house=state.house, rehearsal=state.rehearsal)
    changed = {name: text for name, text in now.items() if text != was[name]}
    if wrong := _name_problem(changed) or _wrong(again) or _past(again, standing):
        return _no(wrong, state.rules)
    if (refusal := _second_large(state, standing)) is not None:
        return refusal
    told = facts.NightCorrected(**now, was=was, at=standing.at, by=standing.actor)
    return Decided((told,))


def open_(state: NightState, command: commands.Open, standing: Circumstances) -> DecidedOrRefusal:
    """The doors open on the gaming date; those of a rehearsal on any day."""
    today = _today(state.zone, standing)
    if state.rehearsal or today == state.gaming_date:
        return Decided((facts.NightOpened(standing.at),))
    key = "nights.doors.day-is-over" if today > state.gaming_date else "nights.doors.other-day"
    days = {"event": state.event, "day": state.gaming_date, "today": today, "zone": state.zone}
    return _no(say(key, **days), state.rules, Code.NOT_NOW)


def _name_problem(fields: Mapping[str, Any]) -> Sentence | None:
    """Why a new charity or licence is refused; an odd one that is on record already may stay."""
    given = (field for field in ("charity", "licence") if field in fields)
    problems = (title_error(field, fields[field]) for field in given)
    return next(filter(None, problems), None)


def _wrong(command: commands.Make) -> Sentence | None:
    """What of a night's description is no such thing."""
    if not _is_day(command.gaming_date):
        return say("nights.doors.no-day", day=command.gaming_date)
    try:
        ZoneInfo(command.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return say("nights.doors.no-zone", zone=command.zone)
    return None


def _past(command: commands.Make, standing: Circumstances) -> Sentence | None:
    today = _today(command.zone, standing)
    if command.rehearsal or command.gaming_date >= today:
        return None
    return say("nights.doors.past", day=command.gaming_date, today=today, zone=command.zone)


def _second_large(state: NightState, standing: Circumstances) -> Refusal | None:
    """OMS-12: by a correction, too, an event comes to no second tournament above the limit."""
    higher, other = state.rules.tournaments.higher_spending, standing.large_elsewhere
    large = next((name for name, one in state.tournaments.items() if one.is_large), None)
    if higher is None or other is None or large is None:
        return None
    both = {"most": higher.player_max, "other": other, "large": large}
    return refuse(Code.ABOVE_MAXIMUM, "nights.doors.two-are-large", higher.clause, **both)


def _is_day(text: str) -> bool:
    """Whether a text is a day, and written in the one way that other days are compared with."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _today(zone: str, standing: Circumstances) -> str:
    return standing.now.astimezone(ZoneInfo(zone)).date().isoformat()


def _no(message: Sentence, rules: HouseRules, code: Code = Code.NO_RULE) -> Refusal:
    return Refusal(code, message, rules.proceeds.clause)


def decide_tournament(
    state: NightState, command: TournamentCommand, standing: Circumstances
) -> Decided | Refusal:
    """What a tournament makes of a command, its facts as the night's stream keeps them."""
    event, _, own = command.tournament.partition(".")
    if event != state.event or not own:
        named = {"tournament": command.tournament, "event": state.event}
        return refuse(Code.NO_RULE, "nights.night.no-tournament", **named)
    answer = decide_tournament_command(
        state.tournaments.get(command.tournament), command, _floor(state, standing)
    )
    if isinstance(answer, Refusal):
        return answer
    return Decided(answer.facts, tuple(booked(state, one) for one in answer.transfers))


def not_ended(state: NightState) -> Refusal | None:
    """A night does not close over a tournament that still runs; what ends it works at any hour."""
    for name, one in state.tournaments.items():
        if one.players and one.status in RUNNING:
            runs = {"tournament": name, "status": status_told(one)}
            return refuse(Code.NOT_NOW, "nights.night.not-ended", **runs)
    return None


def owed(state: NightState) -> tuple[Unclaimed, ...]:
    """What tournaments owe, by name: prizes, shares and returns that nobody has come for."""
    return tuple(
        Unclaimed(name, player, entrant.owed)
        for name, one in state.tournaments.items()
        for player, entrant in one.players.items()
        if entrant.owed
    )


def _floor(state: NightState, standing: Circumstances) -> Floor:
    def spent(tournament: str, player: str) -> Cents:
        """OMS-12: what one person spent, under whichever spelling an old book has it."""
        entered = state.tournaments.get(tournament)
        known = entered.players.items() if entered else ()
        return Cents(sum(one.spent for name, one in known if name_key(name) == name_key(player)))

    large = (name for name, one in state.tournaments.items() if one.is_large)
    return Floor(
        event=state.event,
        rules=state.rules.tournaments,
        now=standing.now,
        draw=standing.draw,
        spent=spent,
        large_used=next(large, standing.large_elsewhere),
        actor=standing.actor,
    )


RUNNING = ("open", "playing", "interrupted")


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
    commands.Make: (("none",), make),
    commands.Correct: (("made",), correct),
    commands.Open: (("made",), open_),
    commands.BringFloat: (("made", "open"), counter.bring_float),
    commands.Sell: (("open",), counter.sell),
    commands.Redeem: (("open",), counter.redeem),
    commands.Undo: (("made", "open"), counter.undo),
    commands.AdmitTable: (("open",), _admit),
    commands.Interrupt: (("open",), _interrupt),
    commands.Close: (("made", "open"), _close),
    commands.PayUnclaimed: (("closed",), counter.pay_unclaimed),
}


def could_close(state: NightState, fact: Fact, holds: Mapping[Account, int]) -> bool:
    """Whether a fact closes a night as it must, given what the night itself has moved so far.

    What players won and lost is for the streams of its tables to say; where it had none, chips
    are where the cage left them.
    """
    if not isinstance(fact, NightClosed):
        return True
    wallets = _told(state, fact) if state.tables else _left(state, holds)
    standing = Circumstances(
        now=datetime.fromisoformat(fact.at),
        actor="",
        balance=lambda account: Cents(holds.get(account, 0)),
        balances=lambda _: wallets,
        draw=lambda _: 0,
    )
    answer = decide(state, commands.Close(), standing)
    return isinstance(answer, Decided) and answer.facts == (fact,)


def _told(state: NightState, fact: NightClosed) -> dict[Account, Cents]:
    """The chips that a closing tells of; only who bought some can have any."""
    bought = {slip.player for slip in state.slips if slip.what == "sold"}
    told = fact.expired
    return {state.till.wallet(player): told[player] for player in bought & told.keys()}


def _left(state: NightState, holds: Mapping[Account, int]) -> dict[Account, Cents]:
    return {one: Cents(held) for one, held in holds.items() if one.unit == state.till.unit}
