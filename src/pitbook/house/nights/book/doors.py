"""Making a night, putting it right and opening its doors: OMS-19 asks for a charity and a date."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitbook.errors import PitbookError
from pitbook.house.nights.book import commands, facts
from pitbook.house.nights.book.circumstances import Circumstances
from pitbook.house.nights.book.decided import Decided, DecidedOrRefusal
from pitbook.house.nights.book.evolve import CORRECTED
from pitbook.house.nights.book.state import NightState
from pitbook.house.nights.rules.house_rules import HouseRules, rules_of
from pitbook.house.people.names import title_error
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
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _today(zone: str, standing: Circumstances) -> str:
    return standing.now.astimezone(ZoneInfo(zone)).date().isoformat()


def _no(message: Sentence, rules: HouseRules, code: Code = Code.NO_RULE) -> Refusal:
    return Refusal(code, message, rules.proceeds.clause)
