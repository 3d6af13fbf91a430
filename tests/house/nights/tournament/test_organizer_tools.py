"""Adjusted levels, board messages, expected players and guest lists."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.house.nights.tournament.step_lines import NOON, Evening, T, schedule, start_play

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.board import board, board_version
from pitbook.house.nights.tournament.clock import ClockReading, reading
from pitbook.house.nights.tournament.player_list_import import ListedName, listed_names
from pitbook.house.nights.tournament.prizes import preview_prizes
from pitbook.money import Cents
from pitbook.rules.payout_caps import shares

MINUTE = timedelta(minutes=1)


def clock_of(evening: Evening) -> ClockReading:
    return reading(evening.t.schedule, evening.t.clock, evening.now)


def test_added_minute_lengthens_the_level_and_shifts_later_ones() -> None:
    evening = start_play("ann", "bob").do(do.AdjustClock(T, 60)).wait(20)
    assert (clock_of(evening).on_break, clock_of(evening).left) == (False, MINUTE)
    evening.wait(1)
    assert (clock_of(evening).on_break, clock_of(evening).left) == (True, 5 * MINUTE)
    evening.do(do.AdjustClock(T, -60)).wait(4)
    assert (clock_of(evening).level, clock_of(evening).left) == (2, 20 * MINUTE)
    evening.do(do.PauseClock(T), do.AdjustClock(T, -60)).wait(9)
    assert (clock_of(evening).running, clock_of(evening).left) == (False, 19 * MINUTE)


def test_extra_break_can_be_lengthened() -> None:
    evening = start_play("ann", "bob").wait(5).do(do.Break(T, 10)).wait(4)
    evening.do(do.AdjustClock(T, 60), do.AdjustClock(T, -120))
    assert (clock_of(evening).on_break, clock_of(evening).left) == (True, 5 * MINUTE)
    evening.wait(5)
    assert (clock_of(evening).on_break, clock_of(evening).left) == (False, 15 * MINUTE)


def test_level_length_changes_are_limited() -> None:
    evening = start_play("ann", "bob").wait(19)
    assert "Start the next level instead" in evening.no(do.AdjustClock(T, -60)).message
    for seconds in (0, 3_601, -3_601):
        evening.no(do.AdjustClock(T, seconds))
    for _ in range(23):
        evening.do(do.AdjustClock(T, 3_600))
    assert "cannot show more than one day" in evening.no(do.AdjustClock(T, 3_600)).message
    finished = start_play("ann", "bob").wait(60)
    evening = Evening().do(do.SetUp(T, schedule()))
    for tournament_setup in (finished, evening):
        tournament_setup.no(do.AdjustClock(T, 60))


@pytest.mark.parametrize(("minutes", "level"), [(20, 1), (24, 1), (25, 1), (44, 1)])
def test_previous_level_restarts_and_a_break_returns_to_its_level(minutes: int, level: int) -> None:
    evening = start_play("ann", "bob").wait(minutes).do(do.PreviousLevel(T))
    assert (clock_of(evening).level, clock_of(evening).left) == (level, 20 * MINUTE)
    assert "first level" in evening.no(do.PreviousLevel(T)).message


def test_message_expires_and_the_board_is_updated() -> None:
    evening = start_play("ann", "bob").do(do.Message(T, " Dinner is served ", 10))
    before = board(evening.t, evening.now)
    assert before["message"] == "Dinner is served"
    assert board(evening.wait(9.9).t, evening.now)["message"] == "Dinner is served"
    after = board(evening.wait(0.1).t, evening.now)
    assert after["message"] is None
    assert board_version(before) != board_version(after)
    evening.no(do.Message(T))
    evening.do(do.Message(T, "Until another")).wait(500)
    assert board(evening.t, evening.now)["message"] == "Until another"
    evening.do(do.Message(T))
    assert board(evening.t, evening.now)["message"] is None
    for odd in (do.Message(T, "x" * 121), do.Message(T, "a\nb"), do.Message(T, "a", -1)):
        evening.no(odd)


def test_registered_player_has_not_paid_until_entering() -> None:
    evening = Evening().do(do.SetUp(T, schedule()), do.Register(T, ("Ann", "bob", "ANN")))
    assert (evening.t.registered, evening.t.players, evening.cash) == (("Ann", "bob"), {}, "0.00")
    evening.no(do.Register(T, ("bob",)))
    evening.no(do.Register(T, ("a/b",)))
    evening.do(do.Enter(T, "Ann"), do.Register(T, ("ann", "cal")))
    assert list(evening.t.registered) == ["bob", "cal"]
    evening.do(do.Unregister(T, "bob"))
    assert list(evening.t.registered) == ["cal"]
    evening.no(do.Unregister(T, "bob"))
    evening.no(do.Register(T, tuple(f"p{number}" for number in range(2_001))))


@pytest.mark.parametrize("through", [False, True])
def test_clock_pauses_or_runs_during_an_outage(through: bool) -> None:
    evening = start_play("ann", "bob").do(do.BeginRound(T, 1)).wait(5)
    stop = do.Stopped(T, NOON + 4 * MINUTE, "power", (1,))
    evening.do(stop).wait(3)
    assert clock_of(evening).left == 16 * MINUTE
    evening.do(do.GoOn(T, through)).wait(1)
    assert clock_of(evening).left == (11 if through else 15) * MINUTE


def test_prizes_are_previewed_to_the_cent() -> None:
    terms = schedule(buy_in={"costs": "50", "fee": "9.99", "chips": "1000"})
    assert preview_prizes(terms, 7) == tuple(shares(7 * 4_001, (50, 30, 20)))
    assert sum(preview_prizes(terms, 7)) == 7 * 4_001
    assert preview_prizes(terms, 1) == (Cents(4_001),)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ann\nbob\n", [ListedName(1, "ann"), ListedName(2, "bob")]),
        ("\ufeffName,Email\r\nAnn  Lee,a@b\r\n\r\n,x\r\nann lee,\r\n", [ListedName(2, "Ann Lee")]),
        ("E-mail;Last name;First name\na@b;Lee;Ann\n", [ListedName(2, "Ann Lee")]),
        ('name\n"Lee, Ann"\n', [ListedName(2, "Lee, Ann")]),
        ("jugador\tmesa\nZoé\t1\n", [ListedName(2, "Zoé")]),
        ("Apellidos;Nombre de pila\nLee;Ana\n", [ListedName(2, "Ana Lee")]),
        ("", []),
        ("name\n", []),
        ('"' + "x" * 200_000 + '"\nann', []),
        ('name\n"Ann\nBob\n', [ListedName(3, "Ann\nBob\n")]),  # A mark that is not closed: no name.
    ],
)
def test_player_list_is_read_from_spreadsheet_files(text: str, names: list[ListedName]) -> None:
    names_read = listed_names(text)
    assert names_read == names or (len(text) > 200_000 and len(names_read) <= 1)
