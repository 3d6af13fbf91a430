"""Reading hands of versus games, and when the dealer's hand is turned."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.families.versus.rounds import line, nets, play_round

import pitbook
from pitbook.cards import cards
from pitbook.money import Cents
from pitbook.rules.game import Seat, compile_game

THREE, ULTIMATE = "pennsylvania/three-card-poker", "pennsylvania/ultimate-texas-holdem"
HIGH_ACE: dict[str, Any] = {"payouts.ace_in_straights": "high"}


@pytest.mark.parametrize(
    ("changes", "hand", "result"),
    [
        ({}, "As 2d 3c", "win"),
        (HIGH_ACE, "As 2d 3c", "lose"),
        ({}, "As Kd Jc", "lose"),  # The highest hand without a pair, which ranks one higher
        (HIGH_ACE, "As Kd Jc", "lose"),  # if A-2-3 is a hand without a pair too;
        ({}, "2s 2d 3c", "win"),  # and the lowest with one.
        (HIGH_ACE, "2s 2d 3c", "win"),
    ],
)
def test_gen_1_a_house_may_let_an_ace_be_low_in_a_straight(
    changes: dict[str, Any], hand: str, result: str
) -> None:
    round = play_round(pitbook.changed(THREE, changes), hand, "9s 9h 2h", "1x", pair_plus="5")
    assert line(round, "pair-plus").result == result


@pytest.mark.parametrize(("changes", "ante", "six"), [({}, -1000, 5000), (HIGH_ACE, 1000, -500)])
def test_gen_1_the_ace_rule_applies_to_the_dealer_and_to_both_hands(
    changes: dict[str, Any], ante: int, six: int
) -> None:
    sheet, sides = pitbook.changed(THREE, changes), {"six_card_bonus": "5"}
    assert nets(play_round(sheet, "Qs Qd 2c", "As 2d 3h", "1x"))["ante"] == ante
    dealer_wheel = play_round(sheet, "5s 4d 9c", "As 2d 3h", "1x", **sides)
    assert line(dealer_wheel, "six-card-bonus").net == six


def test_the_lowest_hand_is_compared_if_the_dealer_always_plays() -> None:
    wagers = ("ante", "wagers.play")
    settled: dict[str, Any] = {f"{wager}.settles.below": None for wager in wagers}
    always = pitbook.changed(THREE, {"dealer": None, **settled})
    assert nets(play_round(always, "As Kd Jc", "2s 3h 5d", "1x")) == {"ante": 1000, "play": 1000}


def test_both_hands_are_combined_only_for_a_wager_that_uses_them() -> None:
    board, dealer = cards("2c 5d 9h Js Kd"), cards("Qs Qh")
    *read, both = compile_game(pitbook.load(ULTIMATE)).read(cards("As Ah"), board, dealer)
    assert None not in read
    assert both is None


@pytest.mark.parametrize("when", ["always", "if-needed"])
def test_gen_5_a_house_may_always_turn_the_dealers_hand(when: str) -> None:
    game = compile_game(pitbook.changed(THREE, {"fold.dealer_when_all_fold": when}))
    assert game.board_always is (when == "always")


@pytest.mark.parametrize(
    ("folded", "side", "looks"),
    [(False, (), True), (True, (), False), (True, ("trips",), True)],
)
def test_a_hand_is_needed_while_it_has_a_live_wager(
    folded: bool, side: tuple[str, ...], looks: bool
) -> None:
    stakes = tuple((wager, Cents(500)) for wager in side)
    seat = Seat(1, "", (("ante", Cents(1000)),), stakes, folded=folded)
    assert compile_game(pitbook.load(ULTIMATE)).looks_at_hand(seat) is looks


def test_gen_3_a_counted_stake_is_deducted_from_every_win() -> None:
    counted = pitbook.changed(THREE, {"payouts.stake_counted": True})
    assert nets(play_round(counted, "As Kd Jc", "Qs 9h 5d", "1x")) == {"ante": 0, "play": 0}


@pytest.mark.parametrize(
    ("tie", "winner"), [("lose", "dealer"), ("push", "push"), ("1:1", "player")]
)
def test_the_ante_decides_who_wins_a_tie(tie: str, winner: str) -> None:
    (duel,) = compile_game(pitbook.changed(THREE, {"ante.settles.tie": tie})).duels
    assert duel.ties == winner
