"""Undo: backwards, one at a time, with the money; and never past money that has left."""

from __future__ import annotations

import pytest
from tests.house.nights.tournament.evening import T, counts, entered, out, schedule, seated, started

from pitbook.errors import RoundError
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.commands import Command, RoomSeat
from pitbook.house.nights.tournament.state import Pass, evolve
from pitbook.rules.refusals import Code

FOUR = ("ann", "bob", "cal", "dee")
STEPS: dict[str, Command] = {
    "announced": do.Announce(T),
    "re-bought": do.ReBuy(T, "ann"),
    "added on": do.AddOn(T, "bob"),
    "entered": do.Enter(T, "zoe"),
    "paused": do.PauseClock(T),
    "next level": do.NextLevel(T),
    "break": do.Break(T, 5),
    "adjusted": do.AdjustClock(T, 60),
    "message": do.Message(T, "Dinner is served"),
    "registered": do.Register(T, ("ivy", "Jo")),
    "dealt": do.BeginRound(T, 2),
    "counted": do.CountChips(T, 1, counts(ann="700")),
    "out": do.Eliminate(T, ("ann", "bob")),
    "moved": do.Balance(T, (RoomSeat("ann", 2, 6),)),
    "posted": do.PostPrizes(T),
}


@pytest.mark.parametrize("step", STEPS)
def test_every_floor_action_can_be_undone(step: str) -> None:
    evening = started(*FOUR, "eli", "fay", "gus", "hal", enter_until_level=2)
    table = evening.t.players["ann"].table or 0
    command = STEPS[step]
    if isinstance(command, do.CountChips):
        command = command._replace(table=table)
    if isinstance(command, do.Balance):
        command = command._replace(moves=(RoomSeat("ann", 3 - table, 6),))
    was, had = evening.t, dict(evening.balances)
    evening.do(command)
    assert evening.t.past != was.past
    evening.do(do.Undo(T, evening.t.version, "typed wrongly"))
    # OMS-13: that cards were out is the one thing that stays.
    dealt = was.version + 1 if step in ("dealt", "counted", "out") else was.dealt
    # And that tickets of an entry which was taken back are void.
    passes = {"zoe": Pass(was.version + 2)} if step == "entered" else was.passes
    assert evening.t == was._replace(version=was.version + 2, dealt=dealt, passes=passes)
    moved = {one: held for one, held in evening.balances.items() if held}
    assert moved == {one: held for one, held in had.items() if held}


def test_all_the_way_back_nothing_is_left() -> None:
    evening = seated(*FOUR).do(do.Start(T), do.StartClock(T), do.PauseClock(T))
    while evening.t.past:
        evening.do(do.Undo(T, evening.t.past[-1][0]))
    assert (evening.t.status, evening.t.is_large) == ("withdrawn", False)
    assert not any(evening.balances.values())
    assert "set it up" in evening.no(do.Enter(T, "ann")).message
    evening.do(do.SetUp(T, schedule()), do.Enter(T, "ann"))
    assert list(evening.t.players) == ["ann"]


def test_only_the_last_is_undone() -> None:
    evening = entered("ann", "bob")
    refused = evening.no(do.Undo(T, 2))
    assert refused.code is Code.NOT_NOW
    assert "that is 3, tournament-sold" in refused.message
    evening.do(do.Undo(T, 3))
    assert "that is 2" in evening.no(do.Undo(T, 3)).message


def test_a_refund_that_was_paid_stays() -> None:
    evening = seated(*FOUR).do(do.Refund(T, "ann"))
    refused = evening.no(do.Undo(T, evening.t.version))
    assert refused.code is Code.OVER
    assert "$50 was paid to ann; money that has left cannot be undone" in refused.message


def test_a_prize_that_was_paid_stays_and_what_came_later_does_not() -> None:
    evening = out(started(*FOUR).do(do.PostPrizes(T)), "dee", "cal")
    evening.do(do.PayOut(T, "cal"), do.BeginRound(T, 1))
    evening.do(do.Undo(T, evening.t.version))
    assert "money that has left" in evening.no(do.Undo(T, evening.t.past[-1][0])).message


def test_a_result_can_be_undone_until_it_is_paid() -> None:
    evening = out(started(*FOUR), "dee", "cal", "bob").do(do.Finish(T))
    assert evening.t.status == "finished"
    evening.do(do.Undo(T, evening.t.version))
    assert (evening.t.status, evening.owed()["cal"]) == ("playing", "32.00")


@pytest.mark.parametrize("of", [1, 3, 99])
def test_a_record_that_undoes_what_is_not_last_is_no_record(of: int) -> None:
    state = entered("ann").t
    with pytest.raises(RoundError, match="not the last"):
        evolve(state, facts.Undone(T, of, ""))
    with pytest.raises(RoundError, match="not the last"):
        evolve(None, facts.Undone(T, of, ""))
