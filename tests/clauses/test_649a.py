"""58 Pa. Code 649a: Three Card Poker."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import lines, nets, play_round, start_table
from tests.clauses.example_hands import THREE_CARDS

from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

THREE = "pennsylvania/three-card-poker"
BELOW, LOW = "Jc Td 8h", "Qc 3d 2h"  # The best hand that does not qualify, and the worst that does.


@pytest.mark.parametrize(
    ("hand", "dealer", "ante", "play"),
    [
        ("Kc 8d 5h", BELOW, "10.00", "0.00"),
        ("5c 8d 2s", BELOW, "10.00", "0.00"),  # A worse hand than the dealer's wins too.
        ("Jd Th 8s", BELOW, "10.00", "0.00"),
        ("Kc 8d 5h", LOW, "10.00", "10.00"),
        ("Qd 3h 2s", LOW, "0.00", "0.00"),
        ("Jd 9h 2s", LOW, "-10.00", "-10.00"),
        ("Qd 4h 2s", LOW, "10.00", "10.00"),  # By the second card,
        ("Qd 7h 3s", "Qc 7d 2h", "10.00", "10.00"),  # or the third.
    ],
)
def test_649a_1_and_11_queen_high_qualifies(hand: str, dealer: str, ante: str, play: str) -> None:
    wager_nets = nets(play_round(THREE, hand, dealer, "", "1x", ante=10))
    assert wager_nets == {"ante": ante, "play": play}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2c 3c 4c", "Ac Ad Ah"),
        ("2c 2d 2h", "Ac Kd Qh"),
        ("2s 3d 4h", "Ac 2d 3h"),
        ("Ad 2c 3h", "Ac Kc Jc"),
        ("5c 3c 2c", "Ac Ad Kh"),
        ("2c 2d 3h", "Ac Kd Jh"),
        ("As Ad 3h", "Ac Ah 2h"),
        ("Ac Kc Qc", "Kd Qd Jd"),
        ("2d 3d 4d", "Ac 2c 3c"),
    ],
)
def test_649a_6_ranking_of_three_cards(better: str, worse: str) -> None:
    won = nets(play_round(THREE, better, worse, "", "1x", ante=10))
    lost = nets(play_round(THREE, worse, better, "", "1x", ante=10))
    assert (won["ante"], won["play"]) == ("10.00", "10.00")
    assert (lost["ante"], lost["play"]) == ("-10.00", "-10.00")


def test_649a_6_suits_never_break_ties() -> None:
    wager_nets = nets(play_round(THREE, "Ac Kc Jc", "Ad Kd Jd", "", "1x", ante=10))
    assert wager_nets == {"ante": "0.00", "play": "0.00"}


def test_649a_7_and_11_a_fold_or_a_play_wager_as_high_as_the_ante() -> None:
    table = start_table(THREE, "Kc 8d 5h", BELOW, ante=15)
    assert table.plays == {"fold", "1x"}
    assert table.refusal("2x").code in (Code.ABOVE_MAXIMUM, Code.UNKNOWN_PLAY)
    assert table.refusal("0x").code is Code.UNKNOWN_PLAY
    (seat,) = table.apply(Decide(1, "1x")).round.seats
    assert seat.main == (("ante", 1500), ("play", 1500))


@pytest.mark.parametrize(("hand", "net"), [("7s 7d 2h", "5.00"), ("7s 8d 2h", "-5.00")])
def test_649a_7_pair_plus_may_stand_without_an_ante(hand: str, net: str) -> None:
    table = start_table(THREE, hand, "Jc 9d 3h", pair_plus=5)
    assert table.plays == set()
    assert nets(table.finish()) == {"pair-plus": net}


@pytest.mark.parametrize(("hand", "plus"), [("7s 8s 9s", "-20.00"), ("Kc 8d 5h", "-20.00")])
def test_649a_11_a_fold_loses_ante_and_pair_plus_but_not_the_6_card_bonus(
    hand: str, plus: str
) -> None:
    wagers = {"ante": 10, "pair_plus": 20, "six_card_bonus": 5}
    won = nets(play_round(THREE, hand, "7c 7d 7h", "", "fold", **wagers))
    assert won == {"ante": "-10.00", "pair-plus": plus, "six-card-bonus": won["six-card-bonus"]}
    bonus_net = nets(play_round(THREE, hand, "9c 9d 9h", "", "fold", **wagers))["six-card-bonus"]
    # Four nines, three nines.
    assert bonus_net == {"7s 8s 9s": "250.00", "Kc 8d 5h": "25.00"}[hand]
    assert (
        nets(play_round(THREE, hand, "2c Jd Ah", "", "fold", **wagers))["six-card-bonus"] == "-5.00"
    )


def test_649a_11_the_dealer_s_hand_stays_closed_if_all_fold() -> None:
    round = play_round(THREE, "Kc 8d 5h", "", "", "fold", ante=10, pair_plus=5)
    assert round.board == ()
    assert nets(round) == {"ante": "-10.00", "pair-plus": "-5.00"}


PAIR_PLUS = {"straight-flush": 40, "three-of-a-kind": 30, "straight": 6, "flush": 3, "pair": 1}
ANTE_BONUS = {"straight-flush": 5, "three-of-a-kind": 4, "straight": 1}


@pytest.mark.parametrize(("hand", "kind"), THREE_CARDS)
@pytest.mark.parametrize("dealer", [BELOW, "6c 6d 6h"])
def test_649a_12_pair_plus_and_ante_bonus_ignore_the_dealer_s_hand(
    hand: str, kind: str, dealer: str
) -> None:
    dealer = dealer if not set(hand.split()) & set(dealer.split()) else "Jh 8h 4d"
    wager_nets = nets(play_round(THREE, hand, dealer, "", "1x", ante=10, pair_plus=5))
    assert wager_nets["pair-plus"] == f"{5 * PAIR_PLUS.get(kind, -1)}.00"
    assert wager_nets.get("ante-bonus", "0.00") == f"{10 * ANTE_BONUS.get(kind, 0)}.00"


def test_649a_12_the_ante_bonus_is_paid_to_a_hand_that_loses() -> None:
    wager_nets = nets(play_round(THREE, "7s 8s 9s", "Tc Jc Qc", "", "1x", ante=10))
    assert wager_nets == {"ante": "-10.00", "play": "-10.00", "ante-bonus": "50.00"}


@pytest.mark.parametrize(
    ("hand", "dealer", "odds"),
    [
        ("As Ks Qs", "Js Ts 2d", 1000),
        ("9s Ks Qs", "Js Ts 2d", 200),
        ("As 2s 3s", "4s 5s Kd", 200),
        ("9s 9c 9d", "9h 2s 3d", 50),
        ("9s 9c 9d", "2h 2s 3d", 25),
        ("9s 9c 9d", "2h 2s 2d", 25),
        ("As Ks 9s", "7s 4s 2d", 20),
        ("As Kd Qs", "Js Ts 2d", 10),
        ("As 2d 3s", "4s 5c Kd", 10),
        ("9s 9c 9d", "2h 4s 3d", 5),
        ("9s 9c 2d", "2h 4s 4d", -1),  # Three pairs are two pair.
        ("Ks Ac 2d", "3h 4s 6d", -1),
    ],
)
def test_649a_12_the_6_card_bonus_takes_the_best_five_of_both_hands(
    hand: str, dealer: str, odds: int
) -> None:
    for play in ("1x", "fold"):
        wager_nets = nets(play_round(THREE, hand, dealer, "", play, ante=10, six_card_bonus=2))
        assert wager_nets["six-card-bonus"] == f"{2 * odds}.00"


def test_649a_12_lines_name_the_hand() -> None:
    wager_lines = lines(play_round(THREE, "7s 8s 9s", BELOW, "", "1x", ante=10, pair_plus=5))
    assert wager_lines["pair-plus"].outcome == "straight-flush"
    assert str(wager_lines["ante-bonus"].odds) == "5:1"
