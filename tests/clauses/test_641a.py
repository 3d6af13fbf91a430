"""58 Pa. Code 641a: Four Card Poker."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import nets, play_round, start_table

from pitbook.cards import cards
from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

FOUR = "pennsylvania/four-card-poker"
DEALER = "Kc Jd 9h 7s 4c 2d"


def test_641a_11_a_fold_or_one_to_three_antes() -> None:
    table = start_table(FOUR, "As Qd Jh 5s 3d", DEALER, ante=15)
    assert table.plays == {"fold", "1x", "2x", "3x"}
    assert table.refusal("4x").code in (Code.UNKNOWN_PLAY, Code.ABOVE_MAXIMUM)
    (seat,) = table.apply(Decide(1, "3x")).round.seats
    assert seat.main == (("ante", 1500), ("play", 4500))


def test_641a_10_one_of_six_dealer_cards_is_face_up() -> None:
    table = start_table(FOUR, "As Qd Jh 5s 3d", DEALER, ante=10)
    assert (table.round.board, table.round.board_laid) == (cards("Kc"), 6)


@pytest.mark.parametrize(
    ("hand", "dealer", "won"),
    [
        ("As Qd Jh 5s 3d", DEALER, True),
        ("Ks Js 9d 7d 2h", DEALER, True),  # A tie of four cards is the player's,
        ("Ks Js 9d 7d 3h", "Kc Jd 9h 7s 6c 2d", True),  # whatever the others are.
        ("Ks Js 9d 6d 2h", DEALER, False),
        ("3s 3h 2c 5d 7h", "Qc Jd 9c 7s 4c 2d", True),  # The dealer always plays.
        ("As Kd Qh 9s 8d", "2c 2d 9h 7s 4c Jd", False),
    ],
)
def test_641a_11_the_dealer_always_plays_and_a_tie_is_the_player_s(
    hand: str, dealer: str, won: bool
) -> None:
    sign = "" if won else "-"
    wager_nets = nets(play_round(FOUR, hand, dealer, "", "2x", ante=10))
    assert wager_nets == {"ante": f"{sign}10.00", "play": f"{sign}20.00"}


def test_641a_11_a_fold_loses_ante_and_aces_up() -> None:
    round = play_round(FOUR, "As Ad 3h 5s 7d", "Kc", "", "fold", ante=10, aces_up=5)
    assert nets(round) == {"ante": "-10.00", "aces-up": "-5.00"}
    assert round.board == cards("Kc")
    four = play_round(FOUR, "As Ad Ah Ac 7d", "Kc", "", "fold", ante=10)
    assert nets(four) == {"ante": "-10.00"}  # Without a bonus.


def test_641a_6_the_best_four_of_the_dealer_s_six() -> None:
    wager_nets = nets(play_round(FOUR, "As Ad 3h 5s 7d", "2c 9d 3c 9h 4c 5c", "", "1x", ante=10))
    assert wager_nets["ante"] == "-10.00"  # 2c 3c 4c 5c.


BONUS = [
    ("As Ad Ah Ac 2s", 25, 50),
    ("2s 2d 2h 2c 9s", 25, 50),
    ("5s 6s 7s 8s 2h", 20, 40),
    ("6s 6d 6h 8s 2h", 2, 8),
    ("5s 6s 7s 9s 2h", 0, 5),
    ("5s 6h 7s 8s 2h", 0, 4),
    ("6s 6d 8h 8s 2h", 0, 3),
    ("As Ad 8h 7d 2h", 0, 1),
    ("Ks Kd 8h 7d 2h", 0, -1),
    ("As Kd 8h 7d 2h", 0, -1),
]


@pytest.mark.parametrize(("hand", "automatic", "up"), BONUS)
@pytest.mark.parametrize("dealer", ["Qc Jd 9h 4s 3c 3d", "Tc Td Th Ts 3c 4d"])
def test_641a_12_bonus_and_aces_up_whatever_the_dealer_has(
    hand: str, automatic: int, up: int, dealer: str
) -> None:
    wager_nets = nets(play_round(FOUR, hand, dealer, "", "1x", ante=10, aces_up=5))
    assert wager_nets.get("ante-bonus", "0.00") == f"{10 * automatic}.00"
    assert wager_nets["aces-up"] == f"{5 * up}.00"


def test_641a_12_the_bonus_is_of_the_ante_and_not_of_the_play_wager() -> None:
    at_1x, at_3x = (
        nets(play_round(FOUR, "6s 6d 6h 8s 2h", DEALER, "", play, ante=10)) for play in ("1x", "3x")
    )
    assert at_1x["ante-bonus"] == at_3x["ante-bonus"] == "20.00"


def test_641a_7_aces_up_goes_with_an_ante() -> None:
    (seat,) = start_table(FOUR, "As Qd Jh 5s 3d", DEALER, ante=10, aces_up=100).round.seats
    assert seat.stakes == (("ante", 1000), ("aces-up", 10_000))
