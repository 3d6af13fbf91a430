"""58 Pa. Code 649a: Three Card Poker."""

from __future__ import annotations

import pytest
from tests.clauses.against import begun, lines, nets, played
from tests.clauses.made import THREE_CARDS

from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

THREE = "pennsylvania/three-card-poker"
BELOW, LOW = "Jc Td 8h", "Qc 3d 2h"  # The best hand that does not qualify, and the worst that does.


@pytest.mark.parametrize(
    ("own", "dealer", "ante", "play"),
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
def test_649a_1_and_11_queen_high_qualifies(own: str, dealer: str, ante: str, play: str) -> None:
    found = nets(played(THREE, own, dealer, "", "1x", ante=10))
    assert found == {"ante": ante, "play": play}


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
    won = nets(played(THREE, better, worse, "", "1x", ante=10))
    lost = nets(played(THREE, worse, better, "", "1x", ante=10))
    assert (won["ante"], won["play"]) == ("10.00", "10.00")
    assert (lost["ante"], lost["play"]) == ("-10.00", "-10.00")


def test_649a_6_suits_never_decide() -> None:
    found = nets(played(THREE, "Ac Kc Jc", "Ad Kd Jd", "", "1x", ante=10))
    assert found == {"ante": "0.00", "play": "0.00"}


def test_649a_7_and_11_a_fold_or_a_play_wager_as_high_as_the_ante() -> None:
    table = begun(THREE, "Kc 8d 5h", BELOW, ante=15)
    assert table.plays == {"fold", "1x"}
    assert table.no("2x").code in (Code.ABOVE_MAXIMUM, Code.UNKNOWN_PLAY)
    assert table.no("0x").code is Code.UNKNOWN_PLAY
    (seat,) = table.did(Decide(1, "1x")).round.seats
    assert seat.main == (("ante", 1500), ("play", 1500))


@pytest.mark.parametrize(("own", "net"), [("7s 7d 2h", "5.00"), ("7s 8d 2h", "-5.00")])
def test_649a_7_pair_plus_may_stand_without_an_ante(own: str, net: str) -> None:
    table = begun(THREE, own, "Jc 9d 3h", pair_plus=5)
    assert table.plays == set()
    assert nets(table.over()) == {"pair-plus": net}


@pytest.mark.parametrize(("own", "plus"), [("7s 8s 9s", "-20.00"), ("Kc 8d 5h", "-20.00")])
def test_649a_11_a_fold_takes_ante_and_pair_plus_and_leaves_the_6_card_bonus(
    own: str, plus: str
) -> None:
    wagers = {"ante": 10, "pair_plus": 20, "six_card_bonus": 5}
    won = nets(played(THREE, own, "7c 7d 7h", "", "fold", **wagers))
    assert won == {"ante": "-10.00", "pair-plus": plus, "six-card-bonus": won["six-card-bonus"]}
    made = nets(played(THREE, own, "9c 9d 9h", "", "fold", **wagers))["six-card-bonus"]
    assert made == {"7s 8s 9s": "250.00", "Kc 8d 5h": "25.00"}[own]  # Four nines, three nines.
    assert nets(played(THREE, own, "2c Jd Ah", "", "fold", **wagers))["six-card-bonus"] == "-5.00"


def test_649a_11_nobody_sees_the_dealer_s_hand_where_all_have_folded() -> None:
    round = played(THREE, "Kc 8d 5h", "", "", "fold", ante=10, pair_plus=5)
    assert round.board == ()
    assert nets(round) == {"ante": "-10.00", "pair-plus": "-5.00"}


PAIR_PLUS = {"straight-flush": 40, "three-of-a-kind": 30, "straight": 6, "flush": 3, "pair": 1}
ANTE_BONUS = {"straight-flush": 5, "three-of-a-kind": 4, "straight": 1}


@pytest.mark.parametrize(("own", "made"), THREE_CARDS)
@pytest.mark.parametrize("dealer", [BELOW, "6c 6d 6h"])
def test_649a_12_pair_plus_and_ante_bonus_whatever_the_dealer_has(
    own: str, made: str, dealer: str
) -> None:
    dealer = dealer if not set(own.split()) & set(dealer.split()) else "Jh 8h 4d"
    found = nets(played(THREE, own, dealer, "", "1x", ante=10, pair_plus=5))
    assert found["pair-plus"] == f"{5 * PAIR_PLUS.get(made, -1)}.00"
    assert found.get("ante-bonus", "0.00") == f"{10 * ANTE_BONUS.get(made, 0)}.00"


def test_649a_12_the_ante_bonus_is_paid_to_a_hand_that_loses() -> None:
    found = nets(played(THREE, "7s 8s 9s", "Tc Jc Qc", "", "1x", ante=10))
    assert found == {"ante": "-10.00", "play": "-10.00", "ante-bonus": "50.00"}


@pytest.mark.parametrize(
    ("own", "dealer", "odds"),
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
    own: str, dealer: str, odds: int
) -> None:
    for play in ("1x", "fold"):
        found = nets(played(THREE, own, dealer, "", play, ante=10, six_card_bonus=2))
        assert found["six-card-bonus"] == f"{2 * odds}.00"


def test_649a_12_lines_name_the_hand() -> None:
    found = lines(played(THREE, "7s 8s 9s", BELOW, "", "1x", ante=10, pair_plus=5))
    assert found["pair-plus"].outcome == "straight-flush"
    assert str(found["ante-bonus"].odds) == "5:1"
