"""Drawing seats, balancing and breaking tables."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.house.nights.tournament.step_lines import Evening, T, enter_players, out, start_play

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.commands import RoomSeat
from pitbook.house.nights.tournament.seating import (
    balance_moves,
    break_moves,
    table_to_break,
    tables_needed,
)
from pitbook.rules.refusals import Code

NINE = tuple(f"p{n}" for n in range(1, 10))


def sizes(evening: Evening) -> list[int]:
    return [len(names) for names in evening.t.tables.values()]


@given(st.integers(1, 40), st.integers(2, 9), st.integers(0, 2**32))
def test_draw_fills_the_fewest_tables_evenly(entrants: int, seats: int, seed: int) -> None:
    evening = enter_players(*(f"p{n}" for n in range(entrants)), seats=seats)
    evening.draw = random.Random(seed).randrange
    evening.do(do.DrawSeats(T))
    assert len(sizes(evening)) == tables_needed(evening.t) == -(-entrants // seats)
    assert max(sizes(evening)) - min(sizes(evening)) <= 1
    places = {(player.table, player.seat) for player in evening.t.players.values()}
    assert len(places) == entrants
    assert all(1 <= (seat or 0) <= seats for _, seat in places)


def test_recorded_draw_reproduces_the_seats() -> None:
    evening = enter_players(*NINE, seats=4)
    luck = random.Random(7)
    evening.draw = luck.randrange
    evening.do(do.DrawSeats(T))
    seats_drawn = evening.facts[-1]
    redrawn = enter_players(*NINE, seats=4)
    numbers = iter(seats_drawn.drawn)  # type: ignore[union-attr]
    redrawn.draw = lambda _: next(numbers)
    redrawn.do(do.DrawSeats(T))
    assert redrawn.t == evening.t


def test_different_draw_gives_different_seats() -> None:
    first, other = enter_players(*NINE, seats=4), enter_players(*NINE, seats=4)
    other.draw = lambda n: n - 1
    assert first.do(do.DrawSeats(T)).t.tables != other.do(do.DrawSeats(T)).t.tables


def test_late_player_gets_a_free_seat_or_a_new_table() -> None:
    evening = start_play("ann", "bob", "cal", seats=2, enter_until_level=1)
    assert sizes(evening) == [2, 1]
    evening.do(do.Enter(T, "dee"), do.DrawSeats(T))
    assert sizes(evening) == [2, 2]
    evening.do(do.Enter(T, "eli"), do.DrawSeats(T))
    assert sizes(evening) == [2, 2, 1]
    assert evening.no(do.DrawSeats(T)).code is Code.NO_SEATS


def test_uneven_tables_are_balanced() -> None:
    evening = start_play(*NINE, seats=5)
    leaving = evening.t.tables[2][:3]
    out(evening, *leaving)
    assert sizes(evening) == [5, 1]
    moves = balance_moves(evening.t)
    assert len(moves) == 2
    evening.do(do.Balance(T))
    assert evening.facts[-1].moves == moves  # type: ignore[union-attr]
    assert sizes(evening) == [3, 3]
    assert "No one has to move" in evening.no(do.Balance(T)).message


def test_table_breaks_when_the_others_have_room() -> None:
    evening = start_play(*NINE, seats=5)
    assert table_to_break(evening.t) is None
    assert (
        "The other tables do not have enough seats to break table"
        in evening.no(do.BreakTable(T, 1)).message
    )
    out(evening, *evening.t.tables[2])
    assert table_to_break(evening.t) is None  # It is gone with its players.
    evening = start_play(*NINE[:7], seats=5)
    out(evening, *evening.t.tables[2][:2])
    assert (sizes(evening), table_to_break(evening.t)) == ([4, 1], 2)
    evening.do(do.BreakTable(T, 2))
    assert list(evening.t.tables) == [1]
    assert evening.facts[-1].broken == 2  # type: ignore[union-attr]
    assert break_moves(evening.t, 1) is None


@pytest.mark.parametrize(
    ("table", "seat", "message"),
    [
        (1, 1, "cannot share table"),
        (9, 1, "Table 9 has no seat 1"),
        (1, 6, "Table 1 has no seat 6"),
    ],
)
def test_moves_by_hand_are_checked(table: int, seat: int, message: str) -> None:
    evening = start_play(*NINE[:6], seats=5)
    mover = evening.t.tables[2][0]
    assert message in evening.no(do.Balance(T, (RoomSeat(mover, table, seat),))).message


def test_moves_by_hand_are_made() -> None:
    evening = start_play(*NINE[:6], seats=5)
    first_player, second_player = evening.t.tables[1][0], evening.t.tables[2][0]
    moves = (RoomSeat(first_player, 2, 1), RoomSeat(second_player, 1, 1))
    evening.do(do.Balance(T, moves))
    assert evening.t.players[first_player].table == 2
    assert "has not entered" in evening.no(do.Balance(T, (RoomSeat("zoe", 1, 5),))).message
    late = start_play("ann", "bob", enter_until_level=1).do(do.Enter(T, "cal"))
    assert "is not seated" in late.no(do.Balance(T, (RoomSeat("cal", 1, 5),))).message


def test_players_do_not_move_during_a_round() -> None:
    evening = start_play(*NINE[:6], seats=5).do(do.BeginRound(T, 1))
    mover = evening.t.tables[2][0]
    assert "Count its chips first" in evening.no(do.Balance(T, (RoomSeat(mover, 1, 5),))).message
    small = start_play(*NINE[:6], seats=5)
    out(small, small.t.tables[2][0]).do(do.BeginRound(T, 1))
    assert "Count its chips first" in small.no(do.BreakTable(T, 2)).message


def test_broken_table_has_no_players() -> None:
    evening = start_play(*NINE[:4], seats=5)
    assert "is empty" in evening.no(do.BreakTable(T, 5)).message
    assert (
        "The other tables do not have enough seats to break table"
        in evening.no(do.BreakTable(T, 1)).message
    )
    evening = start_play(*NINE[:6], seats=5)
    first = evening.t.tables[2][0]
    assert (
        "cannot be broken until"
        in evening.no(do.BreakTable(T, 2, (RoomSeat(first, 1, 5),))).message
    )
