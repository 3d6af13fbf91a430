"""The clock board at each stage, and the sample schedules."""

from __future__ import annotations

import pytest
from tests.house.nights.tournament.step_lines import Evening, T, counts, enter_players, start_play

from pitbook.house.nights.api_types import ClockBoard
from pitbook.house.nights.schedule_files import read_schedule, samples
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.board import board, board_version
from pitbook.sheets.findings import SheetInvalid


def board_of(evening: Evening) -> ClockBoard:
    return board(evening.t, evening.now)


def test_board_before_the_first_card_shows_the_first_level() -> None:
    clock_board = board_of(enter_players("ann"))
    assert (
        clock_board["started"],
        clock_board["running"],
        clock_board["level"],
        clock_board["left"],
    ) == (
        False,
        False,
        1,
        1200.0,
    )
    assert (clock_board["players_left"], clock_board["entrants"], clock_board["average_stack"]) == (
        1,
        1,
        "1000.00",
    )
    assert clock_board["prizes"] == []


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
def test_levels_and_breaks_depend_only_on_the_time(
    minutes: float, level: int, on_break: bool, left: float, next_break: float | None
) -> None:
    clock_board = board_of(start_play("ann", "bob").wait(minutes))
    assert (
        clock_board["level"],
        clock_board["on_break"],
        clock_board["left"],
        clock_board["next_break"],
    ) == (
        level,
        on_break,
        left,
        next_break,
    )
    assert clock_board["running"] is True


def test_last_level_ends_without_a_next_level() -> None:
    clock_board = board_of(start_play("ann", "bob").wait(45))
    assert (clock_board["over"], clock_board["running"], clock_board["left"]) == (True, False, 0.0)
    assert clock_board["limits"] == [{"wager": "ante", "min": "50.00", "max": "200.00"}]
    assert clock_board["next_limits"] is None


def test_average_stack_counts_remaining_players_in_whole_cents() -> None:
    evening = start_play("ann", "bob", "cyd")
    evening.do(do.CountChips(T, 1, counts(ann="1000", bob="1000", cyd="1000.01")))
    assert board_of(evening)["average_stack"] == "1000.00"
    evening.do(do.Eliminate(T, ("cyd",)))
    assert (board_of(evening)["average_stack"], board_of(evening)["players_left"]) == ("1000.00", 2)


def test_board_previews_prizes_until_they_are_posted() -> None:
    evening = start_play("ann", "bob", "cyd", "dan")
    assert (board_of(evening)["prizes"], board_of(evening)["posted"]) == (
        ["80.00", "48.00", "32.00"],
        False,
    )
    evening.do(do.PostPrizes(T))
    assert (board_of(evening)["prizes"], board_of(evening)["posted"]) == (
        ["80.00", "48.00", "32.00"],
        True,
    )


def test_board_version_ignores_passing_seconds() -> None:
    evening = start_play("ann", "bob")
    first = board_version(board_of(evening))
    assert board_version(board_of(evening.wait(1))) == first
    for command in (do.PauseClock(T), do.ResumeClock(T), do.Break(T, 5), do.Break(T, 9)):
        before = board_version(board_of(evening))
        assert board_version(board_of(evening.do(command))) != before, command
    before = board_version(board_of(evening))
    assert board_version(board_of(evening.wait(9))) != before  # The break is over by itself.


def test_clock_of_a_finished_tournament_does_not_run() -> None:
    evening = start_play("ann", "bob").do(do.Eliminate(T, ("bob",)), do.Finish(T))
    assert (board_of(evening)["running"], board_of(evening)["average_stack"]) == (False, "0.00")


@pytest.mark.parametrize("name", samples())
def test_template_schedule_is_within_the_usual_spending_limit(name: str) -> None:
    """OMS-12: $150 a player, buy-in, re-buys and add-ons together."""
    schedule = read_schedule(samples()[name])
    extras = [extra for extra in (schedule.re_buy, schedule.add_on) if extra is not None]
    most = schedule.buy_in.costs + sum(extra.costs * extra.player_max for extra in extras)
    assert most <= 150_00
    assert not schedule.higher_limit


def test_schedule_with_crlf_line_ends_is_read() -> None:
    text = samples()["hourly"]
    assert read_schedule(text.replace("\n", "\r\n")) == read_schedule(text)
    with pytest.raises(SheetInvalid, match=r"^schedule\.toml:1:"):
        read_schedule("title")


def test_a_tie_shows_who_won_and_what_was_paid() -> None:
    evening = start_play("ann", "bob", "cal", "dee", ends="clock").wait(60)
    evening.do(do.CountChips(T, 1, counts(ann="900", bob="900", cal="100", dee="50")))
    assert board_of(evening)["results"] == []
    clock_board = board_of(evening.do(do.Finish(T)))
    assert clock_board["prizes"] == ["80.00", "48.00", "32.00"]  # By place; two shared the first.
    assert clock_board["results"] == [
        {"place": 1, "player": "ann", "due": "64.00"},
        {"place": 1, "player": "bob", "due": "64.00"},
        {"place": 3, "player": "cal", "due": "32.00"},
    ]
