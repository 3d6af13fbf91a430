"""The clock's reading at every boundary and in between."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.house.nights.tournament.step_lines import NOON, T, schedule, start_play

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.clock import ClockReading, reading
from pitbook.house.nights.tournament.clock import start_clock as started_clock

# Twenty minutes, a break of five, twenty minutes.


def clock_at(seconds: float) -> ClockReading:
    return reading(schedule(), started_clock(NOON), NOON + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    ("seconds", "level", "on_break", "left"),
    [
        (-1, 1, False, 1200),  # A clock that was set back.
        (0, 1, False, 1200),
        (1199, 1, False, 1),
        (1200, 1, True, 300),
        (1499, 1, True, 1),
        (1500, 2, False, 1200),
        (2699, 2, False, 1),
        (2700, 2, False, 0),
        (9999, 2, False, 0),
    ],
)
def test_levels_and_breaks_follow_each_other(
    seconds: int, level: int, on_break: bool, left: int
) -> None:
    clock_reading = clock_at(seconds)
    assert (clock_reading.level, clock_reading.on_break, clock_reading.left) == (
        level,
        on_break,
        timedelta(seconds=left),
    )
    assert clock_reading.over is (seconds >= 2700)
    assert clock_reading.running is (seconds < 2700)


@pytest.mark.parametrize(("seconds", "left"), [(0, 1200), (1199, 1), (1200, None), (1500, None)])
def test_next_break_is_shown(seconds: int, left: int | None) -> None:
    assert clock_at(seconds).next_break == (None if left is None else timedelta(seconds=left))


def test_level_lasts_until_its_last_microsecond() -> None:
    assert clock_at(1199.999999).left == timedelta(microseconds=1)
    assert not clock_at(1199.999999).on_break


def test_first_level_waits_for_the_start() -> None:
    assert reading(schedule(), None, NOON) == ClockReading(
        1, False, timedelta(minutes=20), False, False, timedelta(minutes=20)
    )


def test_break_after_the_last_level_is_never_reached() -> None:
    short_schedule = schedule(levels=[{"minutes": 1, "break_after": 5}])
    assert reading(short_schedule, started_clock(NOON), NOON + timedelta(minutes=1)).over


def test_pause_does_not_shorten_the_level() -> None:
    evening = start_play("ann", "bob").wait(5).do(do.PauseClock(T)).wait(60)
    clock_reading = reading(evening.t.schedule, evening.t.clock, evening.now)
    assert (clock_reading.left, clock_reading.running) == (timedelta(minutes=15), False)
    evening.do(do.ResumeClock(T)).wait(1)
    clock_reading = reading(evening.t.schedule, evening.t.clock, evening.now)
    assert (clock_reading.left, clock_reading.running) == (timedelta(minutes=14), True)


def test_an_extra_break_ends_by_itself_and_survives_a_pause() -> None:
    evening = (
        start_play("ann", "bob").wait(5).do(do.Break(T, 10)).wait(4).do(do.PauseClock(T)).wait(9)
    )
    clock_reading = reading(evening.t.schedule, evening.t.clock, evening.now)
    assert (clock_reading.on_break, clock_reading.left) == (True, timedelta(minutes=6))
    evening.do(do.ResumeClock(T)).wait(6)
    clock_reading = reading(evening.t.schedule, evening.t.clock, evening.now)
    assert (clock_reading.on_break, clock_reading.level, clock_reading.left) == (
        False,
        1,
        timedelta(minutes=15),
    )


@pytest.mark.parametrize("minutes", [0, 5, 19, 20, 24])
def test_next_level_can_be_called_at_any_time(minutes: int) -> None:
    evening = start_play("ann", "bob").wait(minutes).do(do.NextLevel(T))
    clock_reading = reading(evening.t.schedule, evening.t.clock, evening.now)
    assert (clock_reading.level, clock_reading.on_break, clock_reading.left) == (
        2,
        False,
        timedelta(minutes=20),
    )
    assert "is the last" in evening.no(do.NextLevel(T)).message


def test_level_called_during_a_pause_waits() -> None:
    evening = start_play("ann", "bob").do(do.PauseClock(T), do.NextLevel(T)).wait(7)
    clock_reading = reading(evening.t.schedule, evening.t.clock, evening.now)
    assert (clock_reading.level, clock_reading.running, clock_reading.left) == (
        2,
        False,
        timedelta(minutes=20),
    )


def test_invalid_clock_commands_are_refused() -> None:
    evening = start_play("ann", "bob")
    for command in (do.StartClock(T), do.ResumeClock(T), do.Break(T, 0), do.Break(T, 601)):
        evening.no(command)
    evening.do(do.PauseClock(T))
    for repeated_command in (do.PauseClock(T), do.Break(T, 5)):
        evening.no(repeated_command)


def test_re_buys_and_late_entries_end_after_their_level_and_break() -> None:
    evening = start_play("ann", "bob", enter_until_level=1).wait(24.9)
    evening.do(do.ReBuy(T, "ann"), do.Enter(T, "cal")).wait(0.2)
    assert "have ended" in evening.no(do.ReBuy(T, "ann")).message
    assert "are closed" in evening.no(do.Enter(T, "dee")).message
    evening.do(do.AddOn(T, "ann"))


def test_clock_stops_at_the_end_and_resumes_after_an_undo() -> None:
    evening = start_play("ann", "bob").wait(7).do(do.Eliminate(T, ("bob",)), do.Finish(T)).wait(60)
    clock_reading = reading(evening.t.schedule, evening.t.clock, evening.now)
    assert (clock_reading.running, clock_reading.left) == (False, timedelta(minutes=13))
    evening.do(do.Undo(T, evening.t.past[-1][0]))
    if evening.t.status == "finished":  # The prizes were posted with it.
        evening.do(do.Undo(T, evening.t.past[-1][0]))
    assert reading(evening.t.schedule, evening.t.clock, evening.now).over
