"""58 Pa. Code 657a: Crazy 4 Poker."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import nets, play_round, start_table

from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

CRAZY = "pennsylvania/crazy-4-poker"
BELOW, LOW = "Qc Jd 9h 7s 2c", "Kc 9d 7h 3s 2c"


@pytest.mark.parametrize(
    ("hand", "most"),
    [
        ("As Ad 3h 5s 7d", 3),
        ("As Kd Qh 9s 7d", 1),
        ("Ks Kd 3h 5s 7d", 1),
        ("2s 2d 3h 3s 7d", 3),  # Two pair,
        ("As 2d 3h 4s 9d", 3),  # a straight,
        ("2s 2d 2h 4s 9d", 3),  # and all that is more.
    ],
)
def test_657a_11_more_than_the_ante_needs_a_pair_of_aces(hand: str, most: int) -> None:
    table = start_table(CRAZY, hand, BELOW, ante=10)
    assert table.plays == {"fold", *(f"{times}x" for times in range(1, most + 1))}
    for play in ("2x", "3x"):
        if int(play[0]) > most:
            refusal = table.refusal(play)
            assert (refusal.code, refusal.clause) == (Code.HAND_TOO_LOW, "657a.11")
    assert table.refusal("4x").code in (Code.UNKNOWN_PLAY, Code.ABOVE_MAXIMUM)


def test_657a_7_the_super_bonus_equals_the_ante() -> None:
    (seat,) = (
        start_table(CRAZY, "As Ad 3h 5s 7d", BELOW, ante=15).apply(Decide(1, "3x")).round.seats
    )
    assert seat.main == (("ante", 1500), ("super-bonus", 1500), ("play", 4500))


@pytest.mark.parametrize(
    ("hand", "dealer", "ante", "bet", "bonus"),
    [
        ("Ks Qd Jh 5s 3d", BELOW, "0.00", "10.00", "0.00"),
        ("Qs Jh 9d 7c 3d", BELOW, "0.00", "10.00", "0.00"),  # A tie of four cards.
        ("Js 9s 8h 5s 3d", BELOW, "0.00", "10.00", "-10.00"),  # Worse: the bonus is compared.
        ("As Qd Jh 5s 3d", "Qc Js Td 8h 7c", "0.00", "10.00", "0.00"),  # The best hand below,
        ("As Qd Jh 5s 3d", "Kc 6d 4h 3s 2c", "10.00", "10.00", "0.00"),  # the worst that plays.
        ("As Qd Jh 5s 3d", LOW, "10.00", "10.00", "0.00"),
        ("Ks 9s 7d 3d 2d", LOW, "0.00", "0.00", "0.00"),
        ("Qs Jd 9s 5s 3d", LOW, "-10.00", "-10.00", "-10.00"),
    ],
)
def test_657a_11_king_high_qualifies(
    hand: str, dealer: str, ante: str, bet: str, bonus: str
) -> None:
    wager_nets = nets(play_round(CRAZY, hand, dealer, "", "1x", ante=10))
    assert wager_nets == {"ante": ante, "play": bet, "super-bonus": bonus}


def test_657a_11_a_fold_loses_ante_super_bonus_and_queens_up() -> None:
    round = play_round(CRAZY, "As Ad 3h 5s 7d", "", "", "fold", ante=10, queens_up=5)
    assert nets(round) == {"ante": "-10.00", "super-bonus": "-10.00", "queens-up": "-5.00"}
    assert round.board == ()


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2s 2d 2h 2c 9h", "Ad Kd Qd Jd 9s"),
        ("2s 3s 4s 5s 9h", "Ad Ac Ah Kd 9d"),
        ("2s 2d 2h 4c 9h", "Ad Kd Qd 9d 3c"),
        ("2s 3s 4s 6s 9h", "Ad Kc Qh Jd 9d"),
        ("2s 3d 4h 5c 9h", "Ad Ac Kh Kd 9d"),
        ("2s 2d 3h 3c 9h", "Ad Ac Kh Qd 9d"),
        ("2s 3d 4h 5c 9h", "Ad 2c 3h 4d 9d"),
        ("As Ah Kd 4c 2h", "Ad Ac Qh Jd 9d"),
    ],
)
def test_657a_6_the_best_four_of_five_cards(better: str, worse: str) -> None:
    assert nets(play_round(CRAZY, better, worse, "", "1x", ante=10))["ante"] == "10.00"
    assert nets(play_round(CRAZY, worse, better, "", "1x", ante=10))["ante"] == "-10.00"


def test_657a_6_the_fifth_card_is_ignored() -> None:
    wager_nets = nets(play_round(CRAZY, "As Kd Qh 9s 8d", "Ac Kh Qd 9c 2s", "", "1x", ante=10))
    assert (wager_nets["ante"], wager_nets["play"]) == ("0.00", "0.00")


SUPER = [
    ("As Ad Ah Ac 2s", "200", 50),
    ("Ks Kd Kh Kc 2s", "30", 50),
    ("5s 6s 7s 8s 2d", "15", 40),
    ("As 2s 3s 4s 9d", "15", 40),
    ("6s 6d 6h 8s 2d", "2", 8),
    ("5s 6s 7s 9s 2d", "1.5", 4),
    ("5s 6d 7s 8s 2d", "1", 3),
    ("As 2d 3s 4s 9d", "1", 3),
]


@pytest.mark.parametrize(("hand", "bonus", "up"), SUPER)
@pytest.mark.parametrize("dealer", ["Qc Jd 9h 7h 3c", "Tc Td Th Tc 3c"])
def test_657a_12_a_straight_is_paid_whatever_the_dealer_holds(
    hand: str, bonus: str, up: int, dealer: str
) -> None:
    dealer = dealer.replace("Tc Td Th Tc", "Tc Td Th Ts")
    wager_nets = nets(play_round(CRAZY, hand, dealer, "", "1x", ante=10, queens_up=5))
    assert wager_nets["super-bonus"] == f"{float(bonus) * 10:.2f}"
    assert wager_nets["queens-up"] == f"{5 * up}.00"


@pytest.mark.parametrize(
    ("hand", "up"),
    [
        ("2s 2d 3h 3s 7d", 2),
        ("Qs Qd 3h 5s 7d", 1),
        ("As Ad 3h 5s 7d", 1),
        ("Js Jc 3h 5s 7d", -1),
        ("As Kd 3h 5s 7d", -1),
    ],
)
def test_657a_12_queens_up(hand: str, up: int) -> None:
    wager_nets = nets(play_round(CRAZY, hand, BELOW, "", "1x", ante=10, queens_up=5))
    assert wager_nets["queens-up"] == f"{5 * up}.00"


@pytest.mark.parametrize(
    ("hand", "bonus"), [("As Ad 3h 5s 7d", "0.00"), ("3s 3d 4h 6s 7d", "-10.00")]
)
def test_657a_12_less_than_a_straight_pushes_unless_the_hand_loses(hand: str, bonus: str) -> None:
    assert (
        nets(play_round(CRAZY, hand, "Kc Kd 7h 3c 2c", "", "1x", ante=10))["super-bonus"] == bonus
    )
