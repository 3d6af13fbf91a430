"""OMS-14 and OMS-15: a place that was earned before the lights went out is paid as a place."""

from __future__ import annotations

import pytest
from tests.house.nights.tournament.step_lines import Evening, T, counts, out, start_play

from pitbook.house.nights.tournament import commands as do
from pitbook.house.nights.tournament.board import results
from pitbook.money import money

FIVE = ("ann", "bob", "cal", "dee", "eli")
TERMS = {
    "buy_in": {"costs": "50", "chips": "1000"},
    "prizes": [{"entrants": 2, "shares": [100]}, {"entrants": 3, "shares": [60, 30, 10]}],
}


def playing(kind: str, *, posted: bool = False) -> Evening:
    """Five entrants who play for $250: 150, 75 and 25."""
    evening = start_play(*FIVE, kind=kind, **TERMS)
    return evening.do(do.PostPrizes(T)) if posted else evening


def dues(evening: Evening) -> dict[str, str]:
    return {result.player: money(result.due) for result in results(evening.t) if result.due}


@pytest.mark.parametrize("posted", [False, True])
def test_oms_15_a_player_placed_before_the_interruption_keeps_the_prize(posted: bool) -> None:
    evening = out(playing("multi-table", posted=posted), "eli", "dee", "cal")
    evening.do(do.Interrupt(T, "power failure"))
    assert dues(evening) == {"cal": "25.00", "ann": "112.50", "bob": "112.50"}
    assert [result.place for result in results(evening.t)] == [1, 1, 3, 4, 5]
    evening.pay()
    assert (evening.cash, evening.prizes) == ("0.00", "0.00")


@pytest.mark.parametrize("posted", [False, True])
def test_oms_15_player_busted_in_the_completed_hand_is_placed(posted: bool) -> None:
    evening = out(playing("multi-table", posted=posted), "eli", "dee")
    evening.do(do.BeginRound(T, 1), do.Interrupt(T, "power failure"))
    evening.do(do.RuleHand(T, 1, readable=True, agreed=("ann", "bob", "cal")))
    evening.do(do.CountChips(T, 1, counts(ann="2500", bob="2500", cal="0")))
    assert dues(evening) == {"cal": "25.00", "ann": "112.50", "bob": "112.50"}
    evening.pay()


def test_oms_15_prize_paid_earlier_is_not_paid_again() -> None:
    evening = out(playing("multi-table", posted=True), "eli", "dee", "cal")
    evening.do(do.PayOut(T, "cal"), do.Interrupt(T, "power failure"))
    assert evening.amounts_owed() == {"ann": "112.50", "bob": "112.50"}
    evening.pay()
    assert (evening.cash, evening.prizes) == ("0.00", "0.00")


def test_oms_15_two_eliminated_together_share_third_and_fourth() -> None:
    evening = out(playing("multi-table"), "eli")
    evening.do(do.Eliminate(T, ("cal", "dee")), do.Interrupt(T, "power failure"))
    assert dues(evening) == {"cal": "12.50", "dee": "12.50", "ann": "112.50", "bob": "112.50"}


def test_oms_15_remaining_players_share_everything_if_nobody_was_placed() -> None:
    evening = playing("multi-table").do(do.Interrupt(T, "power failure"))
    assert dues(evening) == dict.fromkeys(FIVE, "50.00")


@pytest.mark.parametrize("posted", [False, True])
def test_oms_14_void_tournament_awards_no_places(posted: bool) -> None:
    evening = out(playing("hourly", posted=posted), "eli").do(do.Interrupt(T, "power failure"))
    assert evening.t.status == "void"
    assert dues(evening) == dict.fromkeys(FIVE, "50.00")
    assert {result.place for result in results(evening.t)} == {None}
    evening.pay()
    assert (evening.cash, evening.prizes) == ("0.00", "0.00")


@pytest.mark.parametrize("posted", [False, True])
@pytest.mark.parametrize("left", [3, 2])
def test_oms_14_with_three_or_fewer_left_earlier_places_keep_their_prizes(
    posted: bool, left: int
) -> None:
    evening = out(playing("hourly", posted=posted), *("eli", "dee", "cal")[: 5 - left])
    chip_counts = counts(ann="100", bob="900", cal="500")[:left]
    evening.do(do.CountChips(T, 1, chip_counts), do.Interrupt(T, "power failure"))
    three = {"bob": "150.00", "cal": "75.00", "ann": "25.00"}
    assert dues(evening) == (
        three if left == 3 else {"bob": "150.00", "ann": "75.00", "cal": "25.00"}
    )
