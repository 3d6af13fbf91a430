"""Seats by lot, tables that are evened out, tables that are given up."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.house.nights.tournament.evening import Evening, T, entered, out, started

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.commands import RoomSeat
from pitbook.house.nights.tournament.seating import balancing, breakable, breaking, tables_needed
from pitbook.rules.refusals import Code

NINE = tuple(f"p{n}" for n in range(1, 10))


def sizes(evening: Evening) -> list[int]:
    return [len(names) for names in evening.t.tables.values()]


@given(st.integers(1, 40), st.integers(2, 9), st.integers(0, 2**32))
def test_a_draw_fills_as_few_tables_as_evenly_as_can_be(many: int, seats: int, seed: int) -> None:
    evening = entered(*(f"p{n}" for n in range(many)), seats=seats)
    evening.draw = random.Random(seed).randrange
    evening.do(do.DrawSeats(T))
    assert len(sizes(evening)) == tables_needed(evening.t) == -(-many // seats)
    assert max(sizes(evening)) - min(sizes(evening)) <= 1
    places = {(one.table, one.seat) for one in evening.t.players.values()}
    assert len(places) == many
    assert all(1 <= (seat or 0) <= seats for _, seat in places)


def test_the_draw_is_on_record_and_gives_the_same_seats_again() -> None:
    evening = entered(*NINE, seats=4)
    luck = random.Random(7)
    evening.draw = luck.randrange
    evening.do(do.DrawSeats(T))
    told = evening.facts[-1]
    again = entered(*NINE, seats=4)
    numbers = iter(told.drawn)  # type: ignore[union-attr]
    again.draw = lambda _: next(numbers)
    again.do(do.DrawSeats(T))
    assert again.t == evening.t


def test_another_number_is_another_seat() -> None:
    first, other = entered(*NINE, seats=4), entered(*NINE, seats=4)
    other.draw = lambda n: n - 1
    assert first.do(do.DrawSeats(T)).t.tables != other.do(do.DrawSeats(T)).t.tables


def test_whoever_comes_late_gets_a_free_seat_or_a_new_table() -> None:
    evening = started("ann", "bob", "cal", seats=2, enter_until_level=1)
    assert sizes(evening) == [2, 1]
    evening.do(do.Enter(T, "dee"), do.DrawSeats(T))
    assert sizes(evening) == [2, 2]
    evening.do(do.Enter(T, "eli"), do.DrawSeats(T))
    assert sizes(evening) == [2, 2, 1]
    assert evening.no(do.DrawSeats(T)).code is Code.NO_SEATS


def test_uneven_tables_are_evened_out() -> None:
    evening = started(*NINE, seats=5)
    gone = evening.t.tables[2][:3]
    out(evening, *gone)
    assert sizes(evening) == [5, 1]
    moves = balancing(evening.t)
    assert len(moves) == 2
    evening.do(do.Balance(T))
    assert evening.facts[-1].moves == moves  # type: ignore[union-attr]
    assert sizes(evening) == [3, 3]
    assert "nobody needs to move" in evening.no(do.Balance(T)).message


def test_a_table_is_given_up_when_the_others_have_room() -> None:
    evening = started(*NINE, seats=5)
    assert breakable(evening.t) is None
    assert "no seats for all" in evening.no(do.BreakTable(T, 1)).message
    out(evening, *evening.t.tables[2])
    assert breakable(evening.t) is None  # It is gone with its players.
    evening = started(*NINE[:7], seats=5)
    out(evening, *evening.t.tables[2][:2])
    assert (sizes(evening), breakable(evening.t)) == ([4, 1], 2)
    evening.do(do.BreakTable(T, 2))
    assert list(evening.t.tables) == [1]
    assert evening.facts[-1].broken == 2  # type: ignore[union-attr]
    assert breaking(evening.t, 1) is None


@pytest.mark.parametrize(
    ("table", "seat", "told"),
    [(1, 1, "cannot both have"), (9, 1, "no seat 1 at table 9"), (1, 6, "no seat 6 at table 1")],
)
def test_moves_by_hand_are_checked(table: int, seat: int, told: str) -> None:
    evening = started(*NINE[:6], seats=5)
    mover = evening.t.tables[2][0]
    assert told in evening.no(do.Balance(T, (RoomSeat(mover, table, seat),))).message


def test_moves_by_hand_are_made() -> None:
    evening = started(*NINE[:6], seats=5)
    one, other = evening.t.tables[1][0], evening.t.tables[2][0]
    swap = (RoomSeat(one, 2, 1), RoomSeat(other, 1, 1))
    evening.do(do.Balance(T, swap))
    assert evening.t.players[one].table == 2
    assert "has not entered" in evening.no(do.Balance(T, (RoomSeat("zoe", 1, 5),))).message
    late = started("ann", "bob", enter_until_level=1).do(do.Enter(T, "cal"))
    assert "no seat to get up from" in late.no(do.Balance(T, (RoomSeat("cal", 1, 5),))).message


def test_nobody_gets_up_during_a_round() -> None:
    evening = started(*NINE[:6], seats=5).do(do.BeginRound(T, 1))
    mover = evening.t.tables[2][0]
    assert "count its chips first" in evening.no(do.Balance(T, (RoomSeat(mover, 1, 5),))).message
    small = started(*NINE[:6], seats=5)
    out(small, small.t.tables[2][0]).do(do.BeginRound(T, 1))
    assert "count its chips first" in small.no(do.BreakTable(T, 2)).message


def test_a_table_given_up_leaves_nobody_behind() -> None:
    evening = started(*NINE[:4], seats=5)
    assert "nobody sits" in evening.no(do.BreakTable(T, 5)).message
    assert "no seats" in evening.no(do.BreakTable(T, 1)).message
    evening = started(*NINE[:6], seats=5)
    first = evening.t.tables[2][0]
    assert "has no other seat" in evening.no(do.BreakTable(T, 2, (RoomSeat(first, 1, 5),))).message
