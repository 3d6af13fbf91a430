"""UTC: Ultimate Three Card Poker."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import nets, play_round, start_table

from pitbook.cards import cards
from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

ULTIMATE = "classic/ultimate-three-card-poker"
BELOW, LOW = "Jc 9d 2h", "Qc 3d 2h"


def test_utc_1_three_cards_are_ranked_as_in_three_card_poker() -> None:
    wager_nets = nets(play_round(ULTIMATE, "2c 2d 2s", "Ac Kd Qh", "", "1x", ante=10))
    assert wager_nets == {"ante": "10.00", "blind": "60.00", "play": "10.00"}


def test_utc_4_one_dealer_card_is_face_up() -> None:
    table = start_table(ULTIMATE, "Ks 8d 5h", BELOW, ante=10)
    assert (table.round.board, table.round.board_laid) == (cards("Jc"), 3)


@pytest.mark.parametrize(
    ("hand", "plays"),
    [
        ("Ks 8d 5h", {"fold", "1x"}),
        ("As Kd Jh", {"fold", "1x"}),
        ("2s 2d 3h", {"fold", "1x", "3x"}),
        ("5s 3s 2s", {"fold", "1x", "3x"}),
        ("As Ad Ah", {"fold", "1x", "3x"}),
    ],
)
def test_utc_5_three_antes_need_a_pair(hand: str, plays: set[str]) -> None:
    table = start_table(ULTIMATE, hand, BELOW, ante=10)
    assert table.plays == plays
    if "3x" not in plays:
        assert (table.refusal("3x").code, table.refusal("3x").clause) == (
            Code.HAND_TOO_LOW,
            "UTC-5",
        )
    assert table.refusal("2x").code in (Code.UNKNOWN_PLAY, Code.ABOVE_MAXIMUM)
    (seat,) = table.apply(Decide(1, "1x")).round.seats
    assert seat.main == (("ante", 1000), ("blind", 1000), ("play", 1000))


def test_utc_5_a_fold_loses_ante_and_blind() -> None:
    round = play_round(ULTIMATE, "As Ad Ah", "Jc", "", "fold", ante=10)
    assert nets(round) == {"ante": "-10.00", "blind": "-10.00"}
    assert round.board == cards("Jc")


@pytest.mark.parametrize(
    ("hand", "dealer", "ante", "blind", "bet"),
    [
        ("Ks 8d 5h", BELOW, "0.00", "0.00", "10.00"),
        ("Ts 8d 5h", BELOW, "0.00", "-10.00", "-10.00"),  # Below queen high the dealer still wins.
        ("Jd 9h 2s", BELOW, "0.00", "0.00", "0.00"),
        ("Ks 8d 5h", "Jc Td 8h", "0.00", "0.00", "10.00"),  # The best hand below.
        ("Ks 8d 5h", LOW, "10.00", "0.00", "10.00"),
        ("Qd 3h 2s", LOW, "0.00", "0.00", "0.00"),
        ("Js 8d 5h", LOW, "-10.00", "-10.00", "-10.00"),
    ],
)
def test_utc_6_and_7_without_queen_high_only_the_ante_pushes(
    hand: str, dealer: str, ante: str, blind: str, bet: str
) -> None:
    wager_nets = nets(play_round(ULTIMATE, hand, dealer, "", "1x", ante=10))
    assert wager_nets == {"ante": ante, "blind": blind, "play": bet}


BLIND = [
    ("As Ks Qs", "100"),
    ("Ks Qs Js", "8"),
    ("As 2s 3s", "8"),
    ("7s 7d 7h", "6"),
    ("7s 8d 9h", "1.5"),
    ("2s 7s 9s", "1"),
    ("As Ad 2s", "0"),
    ("As Kd 2s", "0"),
]


@pytest.mark.parametrize(("hand", "odds"), BLIND)
@pytest.mark.parametrize(("dealer", "ante"), [("Jc 9c 4d", "0.00"), ("Qc 4c 3d", "10.00")])
def test_utc_8_the_blind_is_paid_by_the_hand_that_wins(
    hand: str, odds: str, dealer: str, ante: str
) -> None:
    wager_nets = nets(play_round(ULTIMATE, hand, dealer, "", "1x", ante=10))
    assert wager_nets == {"ante": ante, "blind": f"{float(odds) * 10:.2f}", "play": "10.00"}


def test_utc_8_the_blind_is_not_paid_on_a_loss_or_tie() -> None:
    lost = nets(play_round(ULTIMATE, "7s 8d 9h", "8c 9d Th", "", "3x", ante=10))
    assert lost == {"ante": "-10.00", "blind": "-10.00", "play": "-30.00"}
    tied = nets(play_round(ULTIMATE, "7s 8d 9h", "7c 8h 9d", "", "3x", ante=10))
    assert tied == {"ante": "0.00", "blind": "0.00", "play": "0.00"}
