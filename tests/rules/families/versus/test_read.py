"""What is read in the hands of a game against the dealer, and when the dealer's is turned."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.families.versus.rounds import line, nets, played

import pitbook
from pitbook.cards import cards
from pitbook.money import Cents
from pitbook.rules.game import Seat, compile_game

THREE, ULTIMATE = "pennsylvania/three-card-poker", "pennsylvania/ultimate-texas-holdem"
HIGH_ACE: dict[str, Any] = {"payouts.ace_in_straights": "high"}


@pytest.mark.parametrize(
    ("changes", "own", "result"),
    [
        ({}, "As 2d 3c", "win"),
        (HIGH_ACE, "As 2d 3c", "lose"),
        ({}, "As Kd Jc", "lose"),  # The highest hand without a pair, which is one higher
        (HIGH_ACE, "As Kd Jc", "lose"),  # where A-2-3 is a hand without a pair too;
        ({}, "2s 2d 3c", "win"),  # and the lowest with one.
        (HIGH_ACE, "2s 2d 3c", "win"),
    ],
)
def test_gen_1_an_ace_is_low_in_a_straight_where_the_house_says_so(
    changes: dict[str, Any], own: str, result: str
) -> None:
    round = played(pitbook.changed(THREE, changes), own, "9s 9h 2h", "1x", pair_plus="5")
    assert line(round, "pair-plus").result == result


@pytest.mark.parametrize(("changes", "ante", "six"), [({}, -1000, 5000), (HIGH_ACE, 1000, -500)])
def test_gen_1_an_ace_is_as_low_in_the_dealers_hand_and_in_both(
    changes: dict[str, Any], ante: int, six: int
) -> None:
    sheet, sides = pitbook.changed(THREE, changes), {"six_card_bonus": "5"}
    assert nets(played(sheet, "Qs Qd 2c", "As 2d 3h", "1x"))["ante"] == ante
    wheel = played(sheet, "5s 4d 9c", "As 2d 3h", "1x", **sides)
    assert line(wheel, "six-card-bonus").net == six


def test_the_lowest_hand_of_all_is_compared_where_the_dealer_always_plays() -> None:
    wagers = ("ante", "wagers.play")
    settled: dict[str, Any] = {f"{wager}.settles.below": None for wager in wagers}
    always = pitbook.changed(THREE, {"dealer": None, **settled})
    assert nets(played(always, "As Kd Jc", "2s 3h 5d", "1x")) == {"ante": 1000, "play": 1000}


def test_both_hands_are_read_together_only_where_a_wager_asks() -> None:
    board, dealer = cards("2c 5d 9h Js Kd"), cards("Qs Qh")
    *read, both = compile_game(pitbook.load(ULTIMATE)).read(cards("As Ah"), board, dealer)
    assert None not in read
    assert both is None


@pytest.mark.parametrize("when", ["always", "if-needed"])
def test_gen_5_the_dealers_hand_is_turned_for_nobody_where_the_house_says_so(when: str) -> None:
    game = compile_game(pitbook.changed(THREE, {"fold.dealer_when_all_fold": when}))
    assert game.board_always is (when == "always")


@pytest.mark.parametrize(
    ("folded", "side", "looks"),
    [(False, (), True), (True, (), False), (True, ("trips",), True)],
)
def test_a_hand_is_looked_at_while_a_wager_on_it_lives(
    folded: bool, side: tuple[str, ...], looks: bool
) -> None:
    stakes = tuple((wager, Cents(500)) for wager in side)
    seat = Seat(1, "", (("ante", Cents(1000)),), stakes, folded=folded)
    assert compile_game(pitbook.load(ULTIMATE)).looks_at_hand(seat) is looks


def test_gen_3_a_stake_that_is_counted_comes_off_every_win() -> None:
    counted = pitbook.changed(THREE, {"payouts.stake_counted": True})
    assert nets(played(counted, "As Kd Jc", "Qs 9h 5d", "1x")) == {"ante": 0, "play": 0}


@pytest.mark.parametrize(
    ("tie", "whose"), [("lose", "dealer"), ("push", "push"), ("1:1", "player")]
)
def test_a_tie_is_for_whom_the_ante_says(tie: str, whose: str) -> None:
    (duel,) = compile_game(pitbook.changed(THREE, {"ante.settles.tie": tie})).duels
    assert duel.ties == whose
