"""The tournament clock: its reading follows from the time and a few numbers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from pitbook.house.nights.tournament.schedule import Schedule

ZERO = timedelta(0)


class Adjustment(NamedTuple):
    """Time added to a level or a break."""

    level: int
    is_break: bool
    time: timedelta


class TournamentClock(NamedTuple):
    """The clock had played `elapsed` at `since`, with `break_left` of an extra break remaining."""

    elapsed: timedelta
    since: datetime | None  # None: paused.
    break_left: timedelta = ZERO
    adjustments: tuple[Adjustment, ...] = ()  # Time added to levels and breaks, or removed.


class Stretch(NamedTuple):
    """A level or a break on the timeline."""

    level: int
    is_break: bool
    begins: timedelta
    ends: timedelta


class ClockReading(NamedTuple):
    level: int
    on_break: bool
    left: timedelta  # Of this level or break.
    running: bool
    over: bool  # The last level is over.
    next_break: timedelta | None  # Play until the next break on the timeline; None: no more.


def timeline(schedule: Schedule, adjustments: tuple[Adjustment, ...] = ()) -> tuple[Stretch, ...]:
    """The levels and breaks in order. There is no break after the last level."""
    stretches, position = [], ZERO
    extra_time: dict[tuple[int, bool], timedelta] = {}
    for adjustment in adjustments:
        stretch_key = adjustment.level, adjustment.is_break
        extra_time[stretch_key] = extra_time.get(stretch_key, ZERO) + adjustment.time
    for number, level in enumerate(schedule.levels, start=1):
        last = number == len(schedule.levels)
        for minutes, is_break in ((level.minutes, False), (level.break_after, True)):
            if minutes and not (is_break and last):
                ends = (
                    position + timedelta(minutes=minutes) + extra_time.get((number, is_break), ZERO)
                )
                stretches.append(Stretch(number, is_break, position, ends))
                position = ends
    return tuple(stretches)


def reading(schedule: Schedule, clock: TournamentClock | None, now: datetime) -> ClockReading:
    """The clock at a time; before it starts, the first level in full."""
    clock = clock or TournamentClock(ZERO, None)
    elapsed, break_left = _time_elapsed(clock, now)
    stretches = timeline(schedule, clock.adjustments)
    current = next((stretch for stretch in stretches if elapsed < stretch.ends), stretches[-1])
    over = elapsed >= current.ends
    running = clock.since is not None and not over
    left = break_left or max(ZERO, current.ends - elapsed)
    return ClockReading(
        current.level,
        current.is_break or bool(break_left),
        left,
        running,
        over,
        _time_to_break(stretches, elapsed),
    )


def start_clock(now: datetime) -> TournamentClock:
    """A clock that starts the first level."""
    return TournamentClock(ZERO, now)


def pause_clock(clock: TournamentClock, now: datetime) -> TournamentClock:
    elapsed, break_left = _time_elapsed(clock, now)
    return TournamentClock(elapsed, None, break_left, clock.adjustments)


def resume_clock(clock: TournamentClock, now: datetime) -> TournamentClock:
    return clock._replace(since=now)


def start_break(clock: TournamentClock, now: datetime, minutes: int) -> TournamentClock:
    """The clock with an extra break that starts now."""
    elapsed, _ = _time_elapsed(clock, now)
    return TournamentClock(elapsed, now, timedelta(minutes=minutes), clock.adjustments)


def adjust_clock(
    schedule: Schedule, clock: TournamentClock, now: datetime, by: timedelta
) -> TournamentClock:
    """The clock with time added to the current level or break, or removed. A paused clock stays
    paused.
    """
    elapsed, break_left = _time_elapsed(clock, now)
    since = None if clock.since is None else now
    if break_left:
        return TournamentClock(elapsed, since, break_left + by, clock.adjustments)
    stretches = timeline(schedule, clock.adjustments)
    current = next((stretch for stretch in stretches if elapsed < stretch.ends), stretches[-1])
    return TournamentClock(
        elapsed,
        since,
        break_left,
        (*clock.adjustments, Adjustment(current.level, current.is_break, by)),
    )


def jump_to_level(
    schedule: Schedule, clock: TournamentClock, now: datetime, level: int
) -> TournamentClock:
    """The clock at the start of a level; a running clock keeps running."""
    stretches = timeline(schedule, clock.adjustments)
    begins = next(stretch.begins for stretch in stretches if stretch.level == level)
    return TournamentClock(
        begins, None if clock.since is None else now, adjustments=clock.adjustments
    )


def _time_elapsed(clock: TournamentClock, now: datetime) -> tuple[timedelta, timedelta]:
    """The time played on the timeline, and the time left of an extra break."""
    since_then = ZERO if clock.since is None else max(ZERO, now - clock.since)
    return clock.elapsed + max(ZERO, since_then - clock.break_left), max(
        ZERO, clock.break_left - since_then
    )


def _time_to_break(stretches: tuple[Stretch, ...], elapsed: timedelta) -> timedelta | None:
    return next(
        (
            stretch.begins - elapsed
            for stretch in stretches
            if stretch.is_break and elapsed < stretch.begins
        ),
        None,
    )
