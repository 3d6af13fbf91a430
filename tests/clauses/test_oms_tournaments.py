"""OMS-9 to OMS-15: tournaments at Oceanfront Gaming, just below, at and above each limit."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clauses.one_line_rounds import OMS, applied_caps, nets, play_round, seat
from tests.house.nights.kit import RULES
from tests.house.nights.tournament.step_lines import (
    EVENT,
    Evening,
    T,
    counts,
    enter_players,
    out,
    schedule,
)
from tests.house.nights.tournament.step_lines import seat_players as sitting
from tests.house.nights.tournament.step_lines import start_play as playing

from pitbook.house.nights.sheets import level_sheet
from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.board import results
from pitbook.money import dollars, money
from pitbook.rules.refusals import Code, Refusal

FOUR = ("ann", "bob", "cal", "dee")


def test_oms_11_the_cost_is_announced_before_the_deal() -> None:
    evening = enter_players("ann", "bob").do(do.DrawSeats(T))
    refusal = evening.no(do.Start(T))
    assert (refusal.code, refusal.clause) == (Code.NOT_NOW, "OMS-11")
    evening.do(do.Announce(T, brush="eve"), do.Start(T))
    assert evening.t.started


def test_oms_11_the_brush_announces_the_cost_of_buy_in_re_buys_and_add_ons() -> None:
    announcement: Any = enter_players().do(do.Announce(T, brush="eve")).facts[-1]
    assert announcement.brush == "eve"
    assert announcement.words == (
        "Saturday stud: buy-in $50. Re-buy $40, up to 9 per player, through level 1. "
        "Add-on $20, one per player, through level 2."
    )


@pytest.mark.parametrize("costs", ["149.99", "150", "150.01"])
@pytest.mark.parametrize("first", ["50", "100"])
def test_oms_12_a_player_spends_150_at_most(first: str, costs: str) -> None:
    remaining_cost = money(dollars(costs) - dollars(first))
    re_buy = {"costs": remaining_cost, "chips": "1000", "until_level": 1}
    evening = playing("ann", "bob", buy_in={"costs": first, "chips": "1000"}, re_buy=re_buy)
    if costs == "150.01":
        refusal = evening.no(do.ReBuy(T, "ann"))
        assert (refusal.code, refusal.clause) == (Code.ABOVE_MAXIMUM, "OMS-12")
        assert f"ann has ${150 - int(first)} left of the $150" in refusal.message
    else:
        evening.do(do.ReBuy(T, "ann"))
        assert evening.t.players["ann"].spent == dollars(costs)


@pytest.mark.parametrize(("costs", "allowed"), [("149.99", True), ("150", True), ("150.01", False)])
def test_oms_12_no_buy_in_above_150_is_set_up(costs: str, allowed: bool) -> None:
    command = do.SetUp(T, schedule(buy_in={"costs": costs, "chips": "1000"}))
    evening = Evening()
    if allowed:
        evening.do(command, do.Enter(T, "ann"))
    else:
        assert evening.no(command).clause == "OMS-12"


def test_oms_12_buy_in_re_buys_and_add_ons_count_together() -> None:
    evening = playing("ann", "bob").do(do.ReBuy(T, "ann"), do.AddOn(T, "ann"))
    evening.do(do.ReBuy(T, "ann"))  # 50 + 40 + 20 + 40: to the cent.
    refusal = evening.no(do.ReBuy(T, "ann"))
    assert refusal.clause == "OMS-12"
    assert "ann has $0 left of the $150 spending limit. The re-buy costs $40" in refusal.message
    evening.do(do.ReBuy(T, "bob"))


@pytest.mark.parametrize(("costs", "allowed"), [("249.99", True), ("250", True), ("250.01", False)])
def test_oms_12_one_tournament_of_an_event_allows_250(costs: str, allowed: bool) -> None:
    large = schedule(buy_in={"costs": costs, "chips": "1000"}, higher_limit=True)
    evening = Evening()
    if allowed:
        evening.do(do.SetUp(T, large), do.Enter(T, "ann"))
        assert evening.t.is_large
    else:
        assert evening.no(do.SetUp(T, large)).clause == "OMS-12"


@pytest.mark.parametrize(("rest", "allowed"), [("49.99", True), ("50", True), ("50.01", False)])
def test_oms_12_250_includes_re_buys(rest: str, allowed: bool) -> None:
    extra = {"costs": rest, "chips": "1000", "until_level": 1}
    buy_in = {"costs": "200", "chips": "1000"}
    evening = playing("ann", "bob", buy_in=buy_in, re_buy=extra, higher_limit=True)
    if allowed:
        evening.do(do.ReBuy(T, "ann"))
    else:
        refusal = evening.no(do.ReBuy(T, "ann"))
        assert refusal.clause == "OMS-12"
        assert "ann has $50 left of the $250" in refusal.message


def test_oms_12_the_second_tournament_of_250_is_refused() -> None:
    refusal = Evening(large_used=f"{EVENT}.t0").no(do.SetUp(T, schedule(higher_limit=True)))
    assert (refusal.code, refusal.clause) == (Code.ABOVE_MAXIMUM, "OMS-12")
    assert f"{EVENT}.t0" in refusal.message
    Evening(large_used=f"{EVENT}.t0").do(do.SetUp(T, schedule()))


def test_oms_13_refunds_are_given_until_the_first_card() -> None:
    evening = sitting(*FOUR).do(do.AddOn(T, "ann"), do.Refund(T, "ann"), do.Refund(T, "bob"))
    assert (evening.cash, evening.prizes, evening.charity_balance) == ("100.00", "80.00", "20.00")
    evening.do(do.Start(T), do.BeginRound(T, 1))
    refusal = evening.no(do.Refund(T, "cal"))
    assert (refusal.code, refusal.clause) == (Code.NOT_NOW, "OMS-13")


def test_oms_13_no_refund_in_doubt() -> None:
    evening = sitting(*FOUR)
    assert evening.no(do.Refund(T, "ann", in_doubt=True)).clause == "OMS-13"
    evening.do(do.Refund(T, "ann"))
    assert "ann" not in evening.t.players


def test_oms_14_an_hourly_tournament_with_four_left_is_void_and_everything_returns() -> None:
    evening = playing(*FOUR, "eli").do(do.ReBuy(T, "eli"), do.AddOn(T, "ann"))
    out(evening, "eli").do(do.Interrupt(T, "power failure"))
    assert evening.t.status == "void"
    assert evening.amounts_owed() == {
        "ann": "70.00",
        "bob": "50.00",
        "cal": "50.00",
        "dee": "50.00",
        "eli": "90.00",  # Eliminated; the charity's part is returned as well.
    }
    evening.pay()
    assert (evening.cash, evening.prizes, evening.charity_balance) == ("0.00", "0.00", "0.00")
    assert evening.facts[-6].clause == "OMS-14"  # type: ignore[union-attr]


@pytest.mark.parametrize("left", [3, 2])
def test_oms_14_with_three_or_two_left_chips_decide_the_places(left: int) -> None:
    evening = out(playing(*FOUR), *FOUR[left:][::-1])
    chip_counts = counts(ann="100", bob="900", cal="500")[:left]
    evening.do(do.CountChips(T, 1, chip_counts), do.Interrupt(T, "power failure"))
    placed: Any = evening.facts[-1]
    assert (evening.t.status, placed.clause) == ("finished", "OMS-14")
    placing = ["bob", "cal", "ann", "dee"] if left == 3 else ["bob", "ann", "cal", "dee"]
    assert [result.player for result in results(evening.t)] == placing
    assert [money(result.due) for result in results(evening.t)] == [
        "80.00",
        "48.00",
        "32.00",
        "0.00",
    ]
    evening.pay()
    assert (evening.cash, evening.prizes, evening.charity_balance) == ("40.00", "0.00", "40.00")


def test_oms_14_equal_chips_share() -> None:
    evening = out(playing(*FOUR), "dee")
    evening.do(do.CountChips(T, 1, counts(ann="500", bob="900", cal="500")), do.Interrupt(T, "x"))
    assert evening.amounts_owed() == {"bob": "80.00", "ann": "40.00", "cal": "40.00"}
    assert [result.place for result in results(evening.t)] == [1, 2, 2, 4]


def test_oms_15_the_remaining_prize_money_is_divided_evenly() -> None:
    evening = out(playing(*FOUR, kind="multi-table"), "dee")
    evening.do(do.CountChips(T, 1, counts(ann="1", bob="5000")), do.Interrupt(T, "fire"))
    assert evening.amounts_owed() == {"ann": "53.34", "bob": "53.33", "cal": "53.33"}
    divided: Any = evening.facts[-1]
    assert (divided.clause, divided.drawn) == ("OMS-15", (0,))
    evening.pay()
    assert (evening.cash, evening.prizes, evening.charity_balance) == ("40.00", "0.00", "40.00")


def test_oms_15_odd_cents_are_assigned_by_a_recorded_draw() -> None:
    evening = out(playing(*FOUR, kind="multi-table"), "dee")
    evening.draw = lambda n: n - 1
    evening.do(do.Interrupt(T, "fire"))
    assert evening.amounts_owed() == {"ann": "53.33", "bob": "53.33", "cal": "53.34"}
    assert evening.facts[-1].drawn == (2,)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("readable", "agreed", "completed"),
    [
        (True, FOUR, True),
        (True, FOUR[:3], False),
        (False, FOUR, False),
    ],
)
def test_oms_15_a_hand_is_completed_if_readable_and_all_agree(
    readable: bool, agreed: tuple[str, ...], completed: bool
) -> None:
    evening = playing(*FOUR, kind="multi-table").do(do.BeginRound(T, 1), do.Interrupt(T, "fire"))
    evening.do(do.RuleHand(T, 1, readable, agreed))
    ruling: Any = next(fact for fact in evening.facts if isinstance(fact, facts.HandRuled))
    assert ruling.clause == "OMS-15"
    assert evening.t.status == ("interrupted" if completed else "finished")
    if completed:
        evening.do(do.CountChips(T, 1, counts(ann="0", bob="3000")))
        assert evening.amounts_owed() == {"bob": "53.34", "cal": "53.33", "dee": "53.33"}
    else:
        assert evening.amounts_owed() == dict.fromkeys(FOUR, "40.00")


@pytest.mark.parametrize("kind", ["hourly", "multi-table"])
def test_oms_9_and_10_dollar_caps_do_not_apply_to_tournament_chips(kind: str) -> None:
    """The cap is in dollars; tournament chips have no value and are paid in full."""
    assert [(limit.pays_max, limit.clause) for limit in OMS.limits] == [(100_000, "OMS-9")]
    sheet = level_sheet(OMS, schedule(kind=kind), 1, RULES)
    assert not isinstance(sheet, Refusal)
    royal = play_round(sheet, "Qs Js Ts", seat(1, "As Ks", "3x 3x 3x", ante=25))
    assert (nets(royal), applied_caps(royal)) == ({1: "62500.00"}, [])  # 250 to 1 on ten antes.
