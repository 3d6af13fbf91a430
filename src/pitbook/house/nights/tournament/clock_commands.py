"""Decide commands to the clock of a tournament."""

from __future__ import annotations

from datetime import timedelta

from pitbook.house.nights.decision_types import TournamentContext
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.state import Tournament
from pitbook.rules.refusals import Code, refuse

BREAK_MINUTES_MAX = 600
ADJUST_SECONDS_MAX = 3_600
LEFT_MAX = timedelta(hours=24)
MESSAGE_MAX = 120  # Characters that fit on a wall display.
MESSAGE_MINUTES_MAX = 600


def start(
    tournament: Tournament, _: commands.StartClock, context: TournamentContext
) -> FactsOrRefusal:
    if tournament.clock is not None:
        return refuse(Code.NOT_NOW, "nights.clock.started-before", tournament=tournament.tournament)
    if not tournament.started:
        return refuse(
            Code.NOT_NOW, "nights.clock.with-first-card", tournament=tournament.tournament
        )
    return [facts.ClockStarted(tournament.tournament, context.now)]


def pause(
    tournament: Tournament, _: commands.PauseClock, context: TournamentContext
) -> FactsOrRefusal:
    if tournament.clock is None or tournament.clock.since is None:
        return refuse(Code.NOT_NOW, "nights.clock.not-running", tournament=tournament.tournament)
    return [facts.ClockPaused(tournament.tournament, context.now)]


def resume(
    tournament: Tournament, _: commands.ResumeClock, context: TournamentContext
) -> FactsOrRefusal:
    if tournament.clock is None or tournament.clock.since is not None:
        return refuse(Code.NOT_NOW, "nights.clock.not-paused", tournament=tournament.tournament)
    return [facts.ClockResumed(tournament.tournament, context.now)]


def next_level(
    tournament: Tournament, _: commands.NextLevel, context: TournamentContext
) -> FactsOrRefusal:
    """Start the next level early."""
    if tournament.clock is None:
        return refuse(Code.NOT_NOW, "nights.clock.not-started", tournament=tournament.tournament)
    level = reading(tournament.schedule, tournament.clock, context.now).level + 1
    if level > len(tournament.schedule.levels):
        fields = {"level": level - 1, "tournament": tournament.tournament}
        return refuse(Code.NOT_NOW, "nights.clock.last-level", **fields)
    return [facts.LevelBegun(tournament.tournament, context.now, level)]


def previous_level(
    tournament: Tournament, _: commands.PreviousLevel, context: TournamentContext
) -> FactsOrRefusal:
    """Restart the level before this one, or during a break the level before the break."""
    if tournament.clock is None:
        return refuse(Code.NOT_NOW, "nights.clock.not-started", tournament=tournament.tournament)
    clock_reading = reading(tournament.schedule, tournament.clock, context.now)
    level = clock_reading.level if clock_reading.on_break else clock_reading.level - 1
    if not level:
        return refuse(Code.NOT_NOW, "nights.clock.first-level", tournament=tournament.tournament)
    return [facts.LevelBegun(tournament.tournament, context.now, level)]


def adjust(
    tournament: Tournament, command: commands.AdjustClock, context: TournamentContext
) -> FactsOrRefusal:
    """Add or remove time. The level must have time left afterwards."""
    if tournament.clock is None:
        return refuse(Code.NOT_NOW, "nights.clock.not-started", tournament=tournament.tournament)
    if not 1 <= abs(command.seconds) <= ADJUST_SECONDS_MAX:
        return refuse(Code.NOT_A_STEP, "nights.clock.adjusts", most=ADJUST_SECONDS_MAX)
    clock_reading = reading(tournament.schedule, tournament.clock, context.now)
    if clock_reading.over or clock_reading.left + timedelta(seconds=command.seconds) <= timedelta(
        0
    ):
        return refuse(
            Code.NOT_NOW, "nights.clock.too-little-left", tournament=tournament.tournament
        )
    if clock_reading.left + timedelta(seconds=command.seconds) > LEFT_MAX:
        return refuse(Code.NOT_A_STEP, "nights.clock.too-long", tournament=tournament.tournament)
    return [facts.ClockAdjusted(tournament.tournament, context.now, command.seconds)]


def message(
    tournament: Tournament, command: commands.Message, context: TournamentContext
) -> FactsOrRefusal:
    """Post a message for the room for some minutes."""
    text = command.text.strip()
    if len(text) > MESSAGE_MAX or not text.isprintable():
        return refuse(Code.NO_RULE, "nights.clock.message-length", most=MESSAGE_MAX)
    if not 0 <= command.stays <= MESSAGE_MINUTES_MAX:
        return refuse(Code.NOT_A_STEP, "nights.clock.message-stays", most=MESSAGE_MINUTES_MAX)
    if not text and tournament.message_at(context.now) is None:
        return refuse(Code.NOT_NOW, "nights.clock.no-message", tournament=tournament.tournament)
    return [facts.MessagePosted(tournament.tournament, context.now, text, command.stays)]


def break_now(
    tournament: Tournament, command: commands.Break, context: TournamentContext
) -> FactsOrRefusal:
    """Start a break that is not in the schedule."""
    if tournament.clock is None or tournament.clock.since is None:
        return refuse(
            Code.NOT_NOW, "nights.clock.no-break-needed", tournament=tournament.tournament
        )
    if not 1 <= command.minutes <= BREAK_MINUTES_MAX:
        return refuse(Code.NOT_A_STEP, "nights.clock.break-lasts", most=BREAK_MINUTES_MAX)
    return [facts.BreakBegun(tournament.tournament, context.now, command.minutes)]
