"""Undo: last step first, with its money, and never past a payment."""

from __future__ import annotations

import pytest
from tests.house.nights.tournament.step_lines import (
    T,
    counts,
    enter_players,
    out,
    schedule,
    seat_players,
    start_play,
)

from pitbook.errors import RoundError
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.commands import Command, RoomSeat
from pitbook.house.nights.tournament.state import TicketState, apply
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
    evening = start_play(*FOUR, "eli", "fay", "gus", "hal", enter_until_level=2)
    table = evening.t.players["ann"].table or 0
    command = STEPS[step]
    if isinstance(command, do.CountChips):
        command = command._replace(table=table)
    if isinstance(command, do.Balance):
        command = command._replace(moves=(RoomSeat("ann", 3 - table, 6),))
    before, balances_before = evening.t, dict(evening.balances)
    evening.do(command)
    assert evening.t.past != before.past
    evening.do(do.Undo(T, evening.t.version, "typed wrongly"))
    # OMS-13: that cards were out is the one thing that stays.
    dealt = before.version + 1 if step in ("dealt", "counted", "out") else before.dealt
    # And that tickets of an entry which was taken back are void.
    passes = {"zoe": TicketState(before.version + 2)} if step == "entered" else before.tickets
    assert evening.t == before._replace(version=before.version + 2, dealt=dealt, tickets=passes)
    balances_after = {account: cents for account, cents in evening.balances.items() if cents}
    assert balances_after == {account: cents for account, cents in balances_before.items() if cents}


def test_undoing_every_step_leaves_nothing() -> None:
    evening = seat_players(*FOUR).do(do.Start(T), do.StartClock(T), do.PauseClock(T))
    while evening.t.past:
        evening.do(do.Undo(T, evening.t.past[-1][0]))
    assert (evening.t.status, evening.t.is_large) == ("withdrawn", False)
    assert not any(evening.balances.values())
    assert "Create it first" in evening.no(do.Enter(T, "ann")).message
    evening.do(do.SetUp(T, schedule()), do.Enter(T, "ann"))
    assert list(evening.t.players) == ["ann"]


def test_only_the_last_action_can_be_undone() -> None:
    evening = enter_players("ann", "bob")
    refusal = evening.no(do.Undo(T, 2))
    assert refusal.code is Code.NOT_NOW
    assert "The latest is step 3 (Buy-in: bob)" in refusal.message
    evening.do(do.Undo(T, 3))
    assert "is step 2" in evening.no(do.Undo(T, 3)).message


def test_paid_refund_cannot_be_undone() -> None:
    evening = seat_players(*FOUR).do(do.Refund(T, "ann"))
    refusal = evening.no(do.Undo(T, evening.t.version))
    assert refusal.code is Code.OVER
    assert "ann has already been paid $50" in refusal.message


def test_paid_prize_stays_while_later_actions_are_undone() -> None:
    evening = out(start_play(*FOUR).do(do.PostPrizes(T)), "dee", "cal")
    evening.do(do.PayOut(T, "cal"), do.BeginRound(T, 1))
    evening.do(do.Undo(T, evening.t.version))
    assert (
        "A cash payment cannot be undone" in evening.no(do.Undo(T, evening.t.past[-1][0])).message
    )


def test_a_result_can_be_undone_until_it_is_paid() -> None:
    evening = out(start_play(*FOUR), "dee", "cal", "bob").do(do.Finish(T))
    assert evening.t.status == "finished"
    evening.do(do.Undo(T, evening.t.version))
    assert (evening.t.status, evening.amounts_owed()["cal"]) == ("playing", "32.00")


@pytest.mark.parametrize("of", [1, 3, 99])
def test_undo_fact_of_an_earlier_step_is_invalid(of: int) -> None:
    state = enter_players("ann").t
    with pytest.raises(RoundError, match="is not the latest and cannot be undone"):
        apply(state, facts.Undone(T, of, ""))
    with pytest.raises(RoundError, match="is not the latest and cannot be undone"):
        apply(None, facts.Undone(T, of, ""))
