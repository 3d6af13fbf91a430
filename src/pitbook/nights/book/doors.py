"""Making a night, putting it right and opening its doors: OMS-19 asks for a charity and a date."""

from __future__ import annotations

import datetime
import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitbook.errors import PitbookError
from pitbook.game.refusals import Code, Refusal
from pitbook.money import spoken
from pitbook.nights.book import commands, facts
from pitbook.nights.book.circumstances import Standing
from pitbook.nights.book.decided import Decided
from pitbook.nights.book.evolve import CORRECTED
from pitbook.nights.book.state import NightState
from pitbook.nights.rules.house_rules import HouseRules, rules_of

__all__ = ["EVENT", "EVENT_MAX", "correct", "make", "open_"]

EVENT = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
EVENT_MAX = 40

Answer = Decided | Refusal


def make(state: NightState, command: commands.Make, standing: Standing) -> Answer:
    """OMS-19: an event names its charity, its licence and its date."""
    if not EVENT.fullmatch(command.event) or len(command.event) > EVENT_MAX:
        message = f'"{command.event}" is no id for a night; as in spring-gala-2026'
        return Refusal(Code.NO_RULE, message)
    try:
        rules = rules_of(command.house)
    except PitbookError as error:
        return Refusal(Code.NO_RULE, str(error))
    wrong = _wrong(command) or _past(command, standing)
    return _no(wrong, rules) if wrong else Decided((facts.NightMade(*command),))


def correct(state: NightState, command: commands.Correct, standing: Standing) -> Answer:
    """What was wrong is put right, as a night that is made now would have it."""
    was = {name: getattr(state, name) for name in CORRECTED}
    given = {name: getattr(command, name) for name in CORRECTED}
    now = was | {name: text for name, text in given.items() if text is not None}
    if now == was:
        return Refusal(Code.NOT_NOW, f"{state.event} is so already; there is nothing to correct")
    again = commands.Make(state.event, **now, house=state.house, rehearsal=state.rehearsal)
    if wrong := _wrong(again) or _past(again, standing):
        return _no(wrong, state.rules)
    if (refusal := _second_large(state, standing)) is not None:
        return refusal
    told = facts.NightCorrected(**now, was=was, at=standing.at, by=standing.actor)
    return Decided((told,))


def open_(state: NightState, command: commands.Open, standing: Standing) -> Answer:
    """The doors open on the gaming date; those of a rehearsal on any day."""
    today = _today(state.zone, standing)
    if state.rehearsal or today == state.gaming_date:
        return Decided((facts.NightOpened(standing.at),))
    remedy = "; correct its date first" if today > state.gaming_date else ""
    is_for = f"{state.event} is licensed for {state.gaming_date}"
    return _no(f"{is_for}; it is {today} in {state.zone}{remedy}", state.rules, Code.NOT_NOW)


def _wrong(command: commands.Make) -> str | None:
    """What of a night's description is no such thing."""
    for what in ("charity", "licence"):
        text = getattr(command, what)
        if not text.strip() or not text.isprintable():
            return f"an event names its {what}; give it in one line of text"
    if not _is_day(command.gaming_date):
        return f'"{command.gaming_date}" is no gaming date; write it as in 2026-11-21'
    try:
        ZoneInfo(command.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return f'"{command.zone}" is no time zone; write it as in America/New_York'
    return None


def _past(command: commands.Make, standing: Standing) -> str | None:
    today = _today(command.zone, standing)
    if command.rehearsal or command.gaming_date >= today:
        return None
    is_over = f"{command.gaming_date} is over: it is {today} in {command.zone}"
    return f"{is_over}; name a day that is to come, or make a rehearsal"


def _second_large(state: NightState, standing: Standing) -> Refusal | None:
    """OMS-12: by a correction, too, an event comes to no second tournament above the limit."""
    higher, other = state.rules.tournaments.higher_spending, standing.large_elsewhere
    large = next((name for name, one in state.tournaments.items() if one.is_large), None)
    if higher is None or other is None or large is None:
        return None
    most = f"one tournament of an event may allow {spoken(higher.player_max)}"
    return Refusal(Code.ABOVE_MAXIMUM, f"{most}: {other} does, and so does {large}", higher.clause)


def _is_day(text: str) -> bool:
    """Whether a text is a day, and written in the one way that other days are compared with."""
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _today(zone: str, standing: Standing) -> str:
    return standing.now.astimezone(ZoneInfo(zone)).date().isoformat()


def _no(message: str, rules: HouseRules, code: Code = Code.NO_RULE) -> Refusal:
    return Refusal(code, message, rules.proceeds.clause)
