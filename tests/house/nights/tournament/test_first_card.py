"""OMS-13: refunds end with the first card, and no undo brings them back."""

from __future__ import annotations

import pytest
from tests.house.nights.tournament.step_lines import Evening, T, counts, schedule, seat_players

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.commands import Command
from pitbook.rules.refusals import Refusal

FOUR = ("ann", "bob", "cal", "dee")
DEALT: dict[str, tuple[Command, ...]] = {
    "begun": (do.BeginRound(T, 1),),
    "counted": (do.CountChips(T, 1, counts(ann="900")),),
    "out": (do.Eliminate(T, ("dee",)),),
    "at a live table": (do.CardDealt(T, 1),),
}


def undo_last(evening: Evening) -> do.Undo:
    assert evening.t.last is not None
    return do.Undo(T, evening.t.last[0])


def before_the_first_card() -> Evening:
    return seat_players(*FOUR).do(do.Start(T), do.StartClock(T))


def test_oms_13_a_refund_is_given_between_the_start_and_the_first_card() -> None:
    evening = before_the_first_card().do(do.Refund(T, "ann"))
    assert "ann" not in evening.t.players
    assert evening.cash == "150.00"


@pytest.mark.parametrize("situation", DEALT)
def test_oms_13_no_refund_after_the_first_card(situation: str) -> None:
    refusal = before_the_first_card().do(*DEALT[situation]).no(do.Refund(T, "ann"))
    assert refusal.clause == "OMS-13"


@pytest.mark.parametrize("situation", DEALT)
def test_oms_13_undos_cannot_lead_back_to_a_refund(situation: str) -> None:
    evening = before_the_first_card().do(*DEALT[situation])
    cash = evening.cash
    while not isinstance(evening.ask(undo_last(evening)), Refusal):
        evening.do(undo_last(evening))
    assert evening.no(undo_last(evening)).clause == "OMS-13"
    assert evening.no(do.Refund(T, "ann")).clause == "OMS-13"
    assert (evening.cash, evening.t.started) == (cash, True)


def test_oms_13_re_buy_cannot_be_undone_after_play() -> None:
    evening = before_the_first_card().do(do.BeginRound(T, 1), do.ReBuy(T, "ann"))
    evening.do(undo_last(evening), do.ReBuy(T, "ann"))
    evening.do(do.CountChips(T, 1, counts(ann="0")))
    evening.do(undo_last(evening))
    assert evening.no(undo_last(evening)).clause == "OMS-13"


def test_oms_14_everything_returns_before_the_first_card() -> None:
    evening = before_the_first_card().do(do.Interrupt(T, "fire alarm"))
    assert evening.t.status == "void"
    assert evening.amounts_owed() == dict.fromkeys(FOUR, "50.00")


def test_entries_are_open_until_the_first_card() -> None:
    evening = before_the_first_card().do(do.Enter(T, "zoe"), do.DrawSeats(T))
    evening.do(do.BeginRound(T, 1))
    assert "are closed" in evening.no(do.Enter(T, "yan")).message


def test_oms_11_announcement_text_never_replaces_the_cost() -> None:
    evening = seat_players(*FOUR).do(do.Announce(T, brush="eve", words="Welcome, and good luck!"))
    words = evening.facts[-1].words  # type: ignore[union-attr]
    for cost in ("buy-in $50", "Re-buy $40", "Add-on $20"):
        assert cost in words
    assert words.endswith("Welcome, and good luck!")


@pytest.mark.parametrize(
    ("shares", "total"), [((60, 30), 90), ((60, 30, 11), 101), ((5, 3, 2), 10)]
)
def test_prize_shares_must_total_100(shares: tuple[int, ...], total: int) -> None:
    terms = schedule(
        prizes=[{"entrants": 4, "shares": shares}, {"entrants": 2, "shares": [100]}][::-1]
    )
    refusal = Evening().no(do.SetUp(T, terms))
    assert f"{total}%" in refusal.message


def test_oms_13_refund_after_posting_keeps_prizes_payable() -> None:
    evening = before_the_first_card().do(do.PostPrizes(T), do.Refund(T, "dee"))
    evening.do(do.BeginRound(T, 1), do.CountChips(T, 1, counts(ann="3000", bob="0", cal="0")))
    evening.do(do.Eliminate(T, ("bob",)), do.Eliminate(T, ("cal",)), do.Finish(T))
    assert sum(player.due for player in evening.t.players.values()) == evening.t.prize_money
    assert evening.do(do.PayOut(T, "ann")).t.players["ann"].owed == 0


def test_oms_13_last_player_is_refunded_before_the_first_card() -> None:
    evening = before_the_first_card().do(*(do.Refund(T, name) for name in FOUR[1:]))
    refusal = evening.no(do.Finish(T))
    assert refusal.clause == "OMS-13"
    assert "Refund ann, or end it early" in refusal.message
    assert evening.do(do.Refund(T, "ann"), do.Finish(T)).cash == "0.00"


@pytest.mark.parametrize(("words", "brush"), [("a\nb", ""), ("x" * 201, ""), ("", "x\ny")])
def test_oms_11_announcement_addition_is_one_line(words: str, brush: str) -> None:
    refusal = seat_players(*FOUR).no(do.Announce(T, brush=brush, words=words))
    assert "one line of up to 200 characters" in refusal.message
