"""The tournament clock: what it shows at a moment follows from the moment and a few numbers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from pitbook.house.nights.tournament.schedule import Schedule

ZERO = timedelta(0)


class Added(NamedTuple):
    """Time that a level or a break has beside its own."""

    level: int
    is_break: bool
    time: timedelta


class TournamentClock(NamedTuple):
    """`at` of the programme has been played at `since`; then `rest` of an extra break is left."""

    at: timedelta
    since: datetime | None  # None: it stands still.
    rest: timedelta = ZERO
    added: tuple[Added, ...] = ()  # What levels and breaks got longer by, or shorter.


class Stretch(NamedTuple):
    """A level or a break of the programme."""

    level: int
    is_break: bool
    begins: timedelta
    ends: timedelta


class ClockReading(NamedTuple):
    """What the clock shows."""

    level: int
    on_break: bool
    left: timedelta  # Of this level or break.
    running: bool
    over: bool  # The last level has been played.
    next_break: timedelta | None  # Play until the next break of the programme; None: no more.


def programme(schedule: Schedule, added: tuple[Added, ...] = ()) -> tuple[Stretch, ...]:
    """The levels and breaks in order; a break behind the last level is never reached."""
    found, now = [], ZERO
    more: dict[tuple[int, bool], timedelta] = {}
    for one in added:
        of = one.level, one.is_break
        more[of] = more.get(of, ZERO) + one.time
    for number, level in enumerate(schedule.levels, start=1):
        last = number == len(schedule.levels)
        for minutes, is_break in ((level.minutes, False), (level.break_after, True)):
            if minutes and not (is_break and last):
                ends = now + timedelta(minutes=minutes) + more.get((number, is_break), ZERO)
                found.append(Stretch(number, is_break, now, ends))
                now = ends
    return tuple(found)


def reading(schedule: Schedule, clock: TournamentClock | None, now: datetime) -> ClockReading:
    """What the clock shows at a moment; before it is started, the first level as it will be."""
    clock = clock or TournamentClock(ZERO, None)
    at, rest = _stands(clock, now)
    stretches = programme(schedule, clock.added)
    here = next((one for one in stretches if at < one.ends), stretches[-1])
    over = at >= here.ends
    running = clock.since is not None and not over
    left = rest or max(ZERO, here.ends - at)
    return ClockReading(
        here.level, here.is_break or bool(rest), left, running, over, _to_break(stretches, at)
    )


def started(now: datetime) -> TournamentClock:
    """The clock at the beginning of the first level."""
    return TournamentClock(ZERO, now)


def paused(clock: TournamentClock, now: datetime) -> TournamentClock:
    """The clock, standing still."""
    at, rest = _stands(clock, now)
    return TournamentClock(at, None, rest, clock.added)


def resumed(clock: TournamentClock, now: datetime) -> TournamentClock:
    """The clock, going on from where it stood."""
    return clock._replace(since=now)


def rested(clock: TournamentClock, now: datetime, minutes: int) -> TournamentClock:
    """The clock with an extra break that begins now."""
    at, _ = _stands(clock, now)
    return TournamentClock(at, now, timedelta(minutes=minutes), clock.added)


def adjusted(
    schedule: Schedule, clock: TournamentClock, now: datetime, by: timedelta
) -> TournamentClock:
    """The clock with a longer level or break, or a shorter one; where it stands it stays."""
    at, rest = _stands(clock, now)
    since = None if clock.since is None else now
    if rest:
        return TournamentClock(at, since, rest + by, clock.added)
    stretches = programme(schedule, clock.added)
    here = next((one for one in stretches if at < one.ends), stretches[-1])
    return TournamentClock(at, since, rest, (*clock.added, Added(here.level, here.is_break, by)))


def at_level(
    schedule: Schedule, clock: TournamentClock, now: datetime, level: int
) -> TournamentClock:
    """The clock at the beginning of a level; it runs if it ran."""
    stretches = programme(schedule, clock.added)
    begins = next(one.begins for one in stretches if one.level == level)
    return TournamentClock(begins, None if clock.since is None else now, added=clock.added)


def _stands(clock: TournamentClock, now: datetime) -> tuple[timedelta, timedelta]:
    """How much of the programme is played, and what is left of an extra break."""
    gone = ZERO if clock.since is None else max(ZERO, now - clock.since)
    return clock.at + max(ZERO, gone - clock.rest), max(ZERO, clock.rest - gone)


def _to_break(stretches: tuple[Stretch, ...], at: timedelta) -> timedelta | None:
    return next((one.begins - at for one in stretches if one.is_break and at < one.begins), None)
