"""Decide commands to the clock of a tournament."""

from __future__ import annotations

from datetime import timedelta

from pitbook.house.nights.context import Floor
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.state import Tournament
from pitbook.rules.refusals import Code, refuse

BREAK_MINUTES_MAX = 600
ADJUST_SECONDS_MAX = 3_600
LEFT_MAX = timedelta(hours=24)
MESSAGE_MAX = 120  # Letters that a wall can show.
MESSAGE_MINUTES_MAX = 600


def start(was: Tournament, _: commands.StartClock, floor: Floor) -> FactsOrRefusal:
    """The first level begins."""
    if was.clock is not None:
        return refuse(Code.NOT_NOW, "nights.clock.started-before", tournament=was.tournament)
    if not was.started:
        return refuse(Code.NOT_NOW, "nights.clock.with-first-card", tournament=was.tournament)
    return [facts.ClockStarted(was.tournament, floor.now)]


def pause(was: Tournament, _: commands.PauseClock, floor: Floor) -> FactsOrRefusal:
    """The clock stands still."""
    if was.clock is None or was.clock.since is None:
        return refuse(Code.NOT_NOW, "nights.clock.not-running", tournament=was.tournament)
    return [facts.ClockPaused(was.tournament, floor.now)]


def resume(was: Tournament, _: commands.ResumeClock, floor: Floor) -> FactsOrRefusal:
    """The clock goes on."""
    if was.clock is None or was.clock.since is not None:
        return refuse(Code.NOT_NOW, "nights.clock.not-paused", tournament=was.tournament)
    return [facts.ClockResumed(was.tournament, floor.now)]


def next_level(was: Tournament, _: commands.NextLevel, floor: Floor) -> FactsOrRefusal:
    """The next level begins before its time."""
    if was.clock is None:
        return refuse(Code.NOT_NOW, "nights.clock.not-started", tournament=was.tournament)
    level = reading(was.schedule, was.clock, floor.now).level + 1
    if level > len(was.schedule.levels):
        last = {"level": level - 1, "tournament": was.tournament}
        return refuse(Code.NOT_NOW, "nights.clock.last-level", **last)
    return [facts.LevelBegun(was.tournament, floor.now, level)]


def previous_level(was: Tournament, _: commands.PreviousLevel, floor: Floor) -> FactsOrRefusal:
    """A level that was begun by mistake, or too soon: the one before begins anew."""
    if was.clock is None:
        return refuse(Code.NOT_NOW, "nights.clock.not-started", tournament=was.tournament)
    shown = reading(was.schedule, was.clock, floor.now)
    level = shown.level if shown.on_break else shown.level - 1
    if not level:
        return refuse(Code.NOT_NOW, "nights.clock.first-level", tournament=was.tournament)
    return [facts.LevelBegun(was.tournament, floor.now, level)]


def adjust(was: Tournament, command: commands.AdjustClock, floor: Floor) -> FactsOrRefusal:
    """A minute more, or one less; what is left of a level never ends by it."""
    if was.clock is None:
        return refuse(Code.NOT_NOW, "nights.clock.not-started", tournament=was.tournament)
    if not 1 <= abs(command.seconds) <= ADJUST_SECONDS_MAX:
        return refuse(Code.NOT_A_STEP, "nights.clock.adjusts", most=ADJUST_SECONDS_MAX)
    shown = reading(was.schedule, was.clock, floor.now)
    if shown.over or shown.left + timedelta(seconds=command.seconds) <= timedelta(0):
        return refuse(Code.NOT_NOW, "nights.clock.too-little-left", tournament=was.tournament)
    if shown.left + timedelta(seconds=command.seconds) > LEFT_MAX:
        return refuse(Code.NOT_A_STEP, "nights.clock.too-long", tournament=was.tournament)
    return [facts.ClockAdjusted(was.tournament, floor.now, command.seconds)]


def message(was: Tournament, command: commands.Message, floor: Floor) -> FactsOrRefusal:
    """What the room shall read; it goes by itself when its time is over."""
    text = command.text.strip()
    if len(text) > MESSAGE_MAX or not text.isprintable():
        return refuse(Code.NO_RULE, "nights.clock.message-length", most=MESSAGE_MAX)
    if not 0 <= command.stays <= MESSAGE_MINUTES_MAX:
        return refuse(Code.NOT_A_STEP, "nights.clock.message-stays", most=MESSAGE_MINUTES_MAX)
    if not text and was.message_at(floor.now) is None:
        return refuse(Code.NOT_NOW, "nights.clock.no-message", tournament=was.tournament)
    return [facts.Messaged(was.tournament, floor.now, text, command.stays)]


def break_now(was: Tournament, command: commands.Break, floor: Floor) -> FactsOrRefusal:
    """A break that the schedule does not have."""
    if was.clock is None or was.clock.since is None:
        return refuse(Code.NOT_NOW, "nights.clock.no-break-needed", tournament=was.tournament)
    if not 1 <= command.minutes <= BREAK_MINUTES_MAX:
        return refuse(Code.NOT_A_STEP, "nights.clock.break-lasts", most=BREAK_MINUTES_MAX)
    return [facts.BreakBegun(was.tournament, floor.now, command.minutes)]
