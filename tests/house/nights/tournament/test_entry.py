"""Entry: names, extras, sales periods, refunds and check-in."""

from __future__ import annotations

import pytest
from tests.house.nights.tournament.step_lines import (
    RULES,
    Evening,
    T,
    counts,
    enter_players,
    schedule,
    start_play,
)

from pitbook.house.nights.decision_types import Decision
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.decide import TournamentAccounts, decide
from pitbook.house.nights.tournament.entry import left_to_spend
from pitbook.money import Cents
from pitbook.rules.refusals import Code


def test_a_buy_in_goes_to_prizes_and_charity_and_buys_chips() -> None:
    evening = enter_players("ann")
    assert (evening.cash, evening.prizes, evening.charity_balance) == ("50.00", "40.00", "10.00")
    assert evening.has(TournamentAccounts(T).wallet("ann")) == "1000.00"
    assert evening.has(TournamentAccounts(T).issued) == "1000.00"


def test_buy_in_without_a_fee_is_all_prize_money() -> None:
    evening = enter_players("ann", buy_in={"costs": "50", "chips": "1000"})
    assert (evening.prizes, evening.charity_balance) == ("50.00", "0.00")


def test_fee_may_be_the_whole_buy_in() -> None:
    evening = enter_players("ann", buy_in={"costs": "50", "fee": "50", "chips": "1000"})
    assert (evening.prizes, evening.charity_balance) == ("0.00", "50.00")


@pytest.mark.parametrize("name", ["t1", "gala.", "gala", "other.t1", "gala.T 1", "gala.a.b", ""])
def test_a_tournament_is_named_after_its_event(name: str) -> None:
    refusal = Evening().no(do.SetUp(name, schedule()))
    assert refusal.code is Code.UNKNOWN_PLACE
    assert "Example: gala.t1" in refusal.message


def test_tournament_setup_comes_first_and_once() -> None:
    assert "Create it first" in Evening().no(do.Enter(T, "ann")).message
    assert "already" in enter_players().no(do.SetUp(T, schedule())).message


@pytest.mark.parametrize("player", ["", "  ", "a\nb", "x" * 201])
def test_player_needs_a_name(player: str) -> None:
    assert "is not a valid name" in enter_players().no(do.Enter(T, player)).message


def test_entering_twice_or_after_the_first_card_is_refused() -> None:
    evening = start_play("ann", "bob")
    assert "already" in evening.no(do.Enter(T, "ann")).message
    assert "are closed" in evening.no(do.Enter(T, "cal")).message


def test_house_without_a_higher_limit() -> None:
    no_large_tournament = RULES.higher_spending.model_copy(update={"per_event": 0})  # type: ignore[union-attr]
    for higher in (None, no_large_tournament):
        set_up = do.SetUp(T, schedule(higher_limit=True))
        answer = Evening().ask_with(set_up, higher_spending=higher)
        assert "no higher spending limit (OMS-12)" in str(answer)


def test_extras_are_sold_according_to_the_schedule() -> None:
    extra = {"costs": "1", "chips": "10", "player_max": 2, "until_level": 1, "chips_max": "999.99"}
    evening = start_play("ann", "bob", re_buy=extra, add_on=None)
    assert "or less" in evening.no(do.ReBuy(T, "ann")).message
    evening.do(do.CountChips(T, 1, counts(ann="999.99")), do.ReBuy(T, "ann"))
    evening.do(do.CountChips(T, 1, counts(ann="0")), do.ReBuy(T, "ann"))
    evening.do(do.CountChips(T, 1, counts(ann="0")))
    assert "the maximum of" in evening.no(do.ReBuy(T, "ann")).message
    assert evening.no(do.AddOn(T, "ann")).code is Code.NO_RULE
    assert "has not entered" in evening.no(do.ReBuy(T, "zoe")).message


def test_re_buys_begin_with_the_first_card_and_end_with_the_prizes() -> None:
    evening = enter_players("ann", "bob")
    assert "first card" in evening.no(do.ReBuy(T, "ann")).message
    evening.do(do.Announce(T), do.DrawSeats(T), do.Start(T), do.ReBuy(T, "ann"), do.PostPrizes(T))
    assert "have ended" in evening.no(do.ReBuy(T, "ann")).message
    assert "have ended" in evening.no(do.AddOn(T, "ann")).message


def test_spending_elsewhere_in_the_night_counts() -> None:
    evening = enter_players("ann")
    floor = evening.floor()._replace(spent=lambda _t, _p: Cents(14_000))
    assert left_to_spend(evening.t, "ann", floor) == 1_000
    assert left_to_spend(evening.t, "ann", evening.floor()) == 10_000
    over = floor._replace(spent=lambda _t, _p: Cents(99_999))
    assert left_to_spend(evening.t, "ann", over) == 0
    answer = decide(evening.t, do.Enter(T, "bob"), over)
    assert "bob has $0 left of the $150 spending limit. The buy-in costs $50 (OMS-12)" in str(
        answer
    )


def test_refund_returns_everything_and_frees_the_seat() -> None:
    evening = enter_players("ann", "bob", "cal").do(do.AddOn(T, "ann"), do.DrawSeats(T))
    evening.do(do.Refund(T, "ann"))
    assert (evening.cash, evening.prizes, evening.charity_balance) == ("100.00", "80.00", "20.00")
    assert evening.has(TournamentAccounts(T).wallet("ann")) == "0.00"
    assert sum(map(len, evening.t.tables.values())) == 2
    assert "has not entered" in evening.no(do.Refund(T, "ann")).message
    evening.do(do.Enter(T, "ann"))
    assert evening.t.players["ann"].add_ons == 0


def test_house_may_refuse_refunds_or_allow_doubtful_ones() -> None:
    evening = enter_players("ann")
    never = RULES.refunds.model_copy(update={"until": "never"})
    kind = RULES.refunds.model_copy(update={"in_doubt": "given"})
    answer = evening.ask_with(do.Refund(T, "ann"), refunds=never)
    assert "this casino does not give refunds" in str(answer)
    doubtful_answer = evening.ask_with(do.Refund(T, "ann", in_doubt=True), refunds=kind)
    assert isinstance(doubtful_answer, Decision)


def test_an_arrival_is_on_record_once_before_or_after_the_buy_in() -> None:
    evening = enter_players("ann").do(do.CheckIn(T, "ann"), do.CheckIn(T, "bob"))
    assert evening.t.arrived == {"ann": evening.now, "bob": evening.now}
    assert evening.no(do.CheckIn(T, "ann")).code is Code.NOT_NOW
    evening.do(do.Undo(T, evening.t.past[-1][0]))
    assert list(evening.t.arrived) == ["ann"]


@pytest.mark.parametrize("name", ["", " ann", "an\nn", "a/b", "a" * 61])
def test_name_invalid_at_tables_is_refused_at_entry(name: str) -> None:
    for command in (do.Enter(T, name), do.CheckIn(T, name)):
        refusal = enter_players().no(command)
        assert refusal.code is Code.FORBIDDEN
        assert "up to 60 characters without a slash" in refusal.message
    assert enter_players("a" * 60).t.players
