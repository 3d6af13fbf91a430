"""Three Card Poker: qualification, comparison and bonuses."""

from __future__ import annotations

import pytest
from tests.rules.families.versus.rounds import line, nets, play_round

THREE = "pennsylvania/three-card-poker"


@pytest.mark.parametrize(
    ("cards", "dealer", "ante", "play"),
    [
        ("As 8d 7c", "Js 9d 8c", 1000, 0),  # Jack high does not qualify.
        ("2s 3d 5c", "Js 9d 8c", 1000, 0),  # Not even against a worse hand.
        ("As 8d 7c", "Qs 3d 2c", 1000, 1000),  # Queen high does.
        ("Qs 4d 2h", "Qd 3c 2c", 1000, 1000),  # Kickers count,
        ("Qs 3h 2h", "Qd 3c 2c", 0, 0),  # and suits do not.
        ("Qs 3h 2h", "Qd 4c 2c", -1000, -1000),
        ("2s 2h 5h", "Ad Kc Jc", 1000, 1000),
        ("Ah 2h 4h", "Ad 2c 3c", -1000, -1000),  # A straight beats a flush.
    ],
)
def test_three_card_poker_ante_and_play(cards: str, dealer: str, ante: int, play: int) -> None:
    assert nets(play_round(THREE, cards, dealer, "1x")) == {"ante": ante, "play": play}


@pytest.mark.parametrize(
    ("cards", "bonus"), [("9s 8d 7c", 1000), ("5s 5d 5c", 4000), ("9s 8s 7s", 5000)]
)
@pytest.mark.parametrize("dealer", ["Js 6d 2h", "Qh 6d 2h", "Ah Ad Ac"])
def test_the_ante_bonus_is_paid_whatever_the_dealer_holds(
    cards: str, bonus: int, dealer: str
) -> None:
    round = play_round(THREE, cards, dealer, "1x")
    assert nets(round)["ante-bonus"] == bonus
    assert line(round, "ante-bonus").stake == 0


def test_a_fold_loses_ante_and_pair_plus_but_not_the_six_card_bonus() -> None:
    round = play_round(THREE, "2s 2h 5h", "2d 3c 4c", "fold", pair_plus="5", six_card_bonus="5")
    assert nets(round) == {"ante": -1000, "pair-plus": -500, "six-card-bonus": 2500}


def test_the_six_card_bonus_takes_the_best_five_of_both_hands() -> None:
    round = play_round(THREE, "Ts Js Qs", "Ks As 2c", "1x", six_card_bonus="1")
    assert line(round, "six-card-bonus").outcome == "royal-flush"
    assert nets(round)["six-card-bonus"] == 100_000
