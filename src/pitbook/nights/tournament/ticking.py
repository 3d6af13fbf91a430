"""Commands to the clock; between them it runs by itself, level after level."""

from __future__ import annotations

from pitbook.game.refusals import Code, Refusal, refused
from pitbook.nights.tournament import commands, facts
from pitbook.nights.tournament.clock import reading
from pitbook.nights.tournament.facts import Fact
from pitbook.nights.tournament.floor import Floor
from pitbook.nights.tournament.state import Tournament

__all__ = ["break_now", "next_level", "pause", "resume", "start"]

BREAK_MINUTES_MAX = 600
Answer = list[Fact] | Refusal


def start(was: Tournament, _: commands.StartClock, floor: Floor) -> Answer:
    """The first level begins."""
    if was.clock is not None:
        return refused(Code.NOT_NOW, "nights.clock.started-before", tournament=was.tournament)
    if not was.started:
        return refused(Code.NOT_NOW, "nights.clock.with-first-card", tournament=was.tournament)
    return [facts.ClockStarted(was.tournament, floor.now)]


def pause(was: Tournament, _: commands.PauseClock, floor: Floor) -> Answer:
    """The clock stands still."""
    if was.clock is None or was.clock.since is None:
        return refused(Code.NOT_NOW, "nights.clock.not-running", tournament=was.tournament)
    return [facts.ClockPaused(was.tournament, floor.now)]


def resume(was: Tournament, _: commands.ResumeClock, floor: Floor) -> Answer:
    """The clock goes on."""
    if was.clock is None or was.clock.since is not None:
        return refused(Code.NOT_NOW, "nights.clock.not-paused", tournament=was.tournament)
    return [facts.ClockResumed(was.tournament, floor.now)]


def next_level(was: Tournament, _: commands.NextLevel, floor: Floor) -> Answer:
    """The next level begins before its time."""
    if was.clock is None:
        return refused(Code.NOT_NOW, "nights.clock.not-started", tournament=was.tournament)
    level = reading(was.schedule, was.clock, floor.now).level + 1
    if level > len(was.schedule.levels):
        last = {"level": level - 1, "tournament": was.tournament}
        return refused(Code.NOT_NOW, "nights.clock.last-level", **last)
    return [facts.LevelBegun(was.tournament, floor.now, level)]


def break_now(was: Tournament, command: commands.Break, floor: Floor) -> Answer:
    """A break that the schedule does not have."""
    if was.clock is None or was.clock.since is None:
        return refused(Code.NOT_NOW, "nights.clock.no-break-needed", tournament=was.tournament)
    if not 1 <= command.minutes <= BREAK_MINUTES_MAX:
        return refused(Code.NOT_A_STEP, "nights.clock.break-lasts", most=BREAK_MINUTES_MAX)
    return [facts.BreakBegun(was.tournament, floor.now, command.minutes)]
