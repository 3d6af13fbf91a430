"""Commands to the clock; between them it runs by itself, level after level."""

from __future__ import annotations

from pitbook.game.refusals import Code, Refusal
from pitbook.nights.tournament import commands, facts
from pitbook.nights.tournament.asked import not_now
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
        return not_now(f"the clock of {was.tournament} was started before")
    if not was.started:
        return not_now(f"the clock of {was.tournament} is started with or after the first card")
    return [facts.ClockStarted(was.tournament, floor.now)]


def pause(was: Tournament, _: commands.PauseClock, floor: Floor) -> Answer:
    """The clock stands still."""
    if was.clock is None or was.clock.since is None:
        return not_now(f"the clock of {was.tournament} is not running")
    return [facts.ClockPaused(was.tournament, floor.now)]


def resume(was: Tournament, _: commands.ResumeClock, floor: Floor) -> Answer:
    """The clock goes on."""
    if was.clock is None or was.clock.since is not None:
        return not_now(f"the clock of {was.tournament} is not paused")
    return [facts.ClockResumed(was.tournament, floor.now)]


def next_level(was: Tournament, _: commands.NextLevel, floor: Floor) -> Answer:
    """The next level begins before its time."""
    if was.clock is None:
        return not_now(f"the clock of {was.tournament} has not been started")
    level = reading(was.schedule, was.clock, floor.now).level + 1
    if level > len(was.schedule.levels):
        return not_now(f"level {level - 1} is the last of {was.tournament}")
    return [facts.LevelBegun(was.tournament, floor.now, level)]


def break_now(was: Tournament, command: commands.Break, floor: Floor) -> Answer:
    """A break that the schedule does not have."""
    if was.clock is None or was.clock.since is None:
        return not_now(f"the clock of {was.tournament} is not running; no break is needed")
    if not 1 <= command.minutes <= BREAK_MINUTES_MAX:
        return Refusal(Code.NOT_A_STEP, f"a break lasts 1 to {BREAK_MINUTES_MAX} minutes")
    return [facts.BreakBegun(was.tournament, floor.now, command.minutes)]
