"""The board on the wall at every moment of an evening, and schedules to begin with."""

from __future__ import annotations

import pytest
from tests.house.nights.tournament.evening import Evening, T, counts, entered, started

from pitbook.house.nights.schedule_files import read_schedule, samples
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.board import board, sign_of_change
from pitbook.house.nights.view_types import ClockBoard
from pitbook.sheets.findings import SheetInvalid


def shown(evening: Evening) -> ClockBoard:
    return board(evening.t, evening.now)


def test_before_the_first_card_the_board_shows_what_is_to_come() -> None:
    told = shown(entered("ann"))
    assert (told["started"], told["running"], told["level"], told["left"]) == (
        False,
        False,
        1,
        1200.0,
    )
    assert (told["players_left"], told["entrants"], told["average_stack"]) == (1, 1, "1000.00")
    assert told["prizes"] == []


@pytest.mark.parametrize(
    ("minutes", "level", "on_break", "left", "next_break"),
    [
        (0, 1, False, 1200.0, 1200.0),
        (19.99, 1, False, 0.6, 0.6),
        (20, 1, True, 300.0, None),
        (25, 2, False, 1200.0, None),
        (44, 2, False, 60.0, None),
    ],
)
def test_levels_and_breaks_follow_from_the_time_alone(
    minutes: float, level: int, on_break: bool, left: float, next_break: float | None
) -> None:
    told = shown(started("ann", "bob").wait(minutes))
    assert (told["level"], told["on_break"], told["left"], told["next_break"]) == (
        level,
        on_break,
        left,
        next_break,
    )
    assert told["running"] is True


def test_the_last_level_ends_and_has_none_behind_it() -> None:
    told = shown(started("ann", "bob").wait(45))
    assert (told["over"], told["running"], told["left"]) == (True, False, 0.0)
    assert told["limits"] == [{"wager": "ante", "min": "50.00", "max": "200.00"}]
    assert told["next_limits"] is None


def test_the_average_is_of_those_still_in_and_leaves_parts_of_a_cent_out() -> None:
    evening = started("ann", "bob", "cyd")
    evening.do(do.CountChips(T, 1, counts(ann="1000", bob="1000", cyd="1000.01")))
    assert shown(evening)["average_stack"] == "1000.00"
    evening.do(do.Eliminate(T, ("cyd",)))
    assert (shown(evening)["average_stack"], shown(evening)["players_left"]) == ("1000.00", 2)


def test_prizes_are_what_they_would_be_until_they_are_posted() -> None:
    evening = started("ann", "bob", "cyd", "dan")
    assert (shown(evening)["prizes"], shown(evening)["posted"]) == (
        ["80.00", "48.00", "32.00"],
        False,
    )
    evening.do(do.PostPrizes(T))
    assert (shown(evening)["prizes"], shown(evening)["posted"]) == (
        ["80.00", "48.00", "32.00"],
        True,
    )


def test_only_seconds_pass_without_a_sign_of_change() -> None:
    evening = started("ann", "bob")
    first = sign_of_change(shown(evening))
    assert sign_of_change(shown(evening.wait(1))) == first
    for command in (do.PauseClock(T), do.ResumeClock(T), do.Break(T, 5), do.Break(T, 9)):
        before = sign_of_change(shown(evening))
        assert sign_of_change(shown(evening.do(command))) != before, command
    before = sign_of_change(shown(evening))
    assert sign_of_change(shown(evening.wait(9))) != before  # The break is over by itself.


def test_a_finished_tournament_has_no_clock_that_runs() -> None:
    evening = started("ann", "bob").do(do.Eliminate(T, ("bob",)), do.Finish(T))
    assert (shown(evening)["running"], shown(evening)["average_stack"]) == (False, "0.00")


@pytest.mark.parametrize("name", samples())
def test_a_schedule_to_begin_with_is_within_the_usual_spending_limit(name: str) -> None:
    """OMS-12: $150 a player, buy-in, re-buys and add-ons together."""
    schedule = read_schedule(samples()[name])
    extras = [one for one in (schedule.re_buy, schedule.add_on) if one is not None]
    most = schedule.buy_in.costs + sum(one.costs * one.player_max for one in extras)
    assert most <= 150_00
    assert not schedule.higher_limit


def test_a_schedule_of_another_system_s_line_ends_is_read_too() -> None:
    text = samples()["hourly"]
    assert read_schedule(text.replace("\n", "\r\n")) == read_schedule(text)
    with pytest.raises(SheetInvalid, match=r"^schedule\.toml:1:"):
        read_schedule("title")


def test_a_tie_shows_who_won_and_what_was_paid() -> None:
    evening = started("ann", "bob", "cal", "dee", ends="clock").wait(60)
    evening.do(do.CountChips(T, 1, counts(ann="900", bob="900", cal="100", dee="50")))
    assert shown(evening)["results"] == []
    told = shown(evening.do(do.Finish(T)))
    assert told["prizes"] == ["80.00", "48.00", "32.00"]  # By place; two shared the first.
    assert told["results"] == [
        {"place": 1, "player": "ann", "due": "64.00"},
        {"place": 1, "player": "bob", "due": "64.00"},
        {"place": 3, "player": "cal", "due": "32.00"},
    ]
