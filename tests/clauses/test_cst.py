"""CST: Caribbean Stud."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import nets, play_round, start_table
from tests.clauses.example_hands import FIVE_CARDS

from pitbook.cards import cards
from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

STUD = "classic/caribbean-stud"
BELOW, LOW = "Ac Qd Jh Ts 9c", "Ac Kd 4h 3s 2c"


def test_cst_4_one_dealer_card_is_face_up() -> None:
    table = start_table(STUD, "Ks Qs 9h 5s 2d", BELOW, ante=10)
    assert (table.round.board, table.round.board_laid) == (cards("Ac"), 5)
    assert table.apply(Decide(1, "2x")).finish().board == cards(BELOW)


def test_cst_5_a_fold_or_a_raise_of_two_antes() -> None:
    table = start_table(STUD, "Ks Qd 9h 5s 2d", BELOW, ante=15)
    assert table.plays == {"fold", "2x"}
    for play in ("1x", "3x", "raise"):
        assert table.refusal(play).code in (Code.ABOVE_MAXIMUM, Code.UNKNOWN_PLAY)
    (seat,) = table.apply(Decide(1, "2x")).round.seats
    assert seat.main == (("ante", 1500), ("raise", 3000))
    assert nets(table.apply(Decide(1, "fold")).finish()) == {"ante": "-15.00"}


def test_cst_5_the_dealer_s_other_cards_stay_closed_after_a_fold() -> None:
    assert play_round(STUD, "Ks Qd 9h 5s 2d", "Ac", "", "fold", ante=10).board == cards("Ac")


@pytest.mark.parametrize(
    ("hand", "dealer", "ante", "bet"),
    [
        ("As Kc Qh Js 8d", BELOW, "10.00", "0.00"),
        ("7s 5d 4h 3s 2d", BELOW, "10.00", "0.00"),  # Wins although worse than the dealer's.
        ("As Qh Jd Tc 9d", BELOW, "10.00", "0.00"),
        ("As Ks 5h 3d 2d", LOW, "10.00", "20.00"),
        ("As Ks 4d 3d 2d", LOW, "0.00", "0.00"),
        ("As Qs Jd 3d 2d", LOW, "-10.00", "-20.00"),
        ("2s 2d 3h 4s 5d", "2c 2h 3d 4c 6c", "-10.00", "-20.00"),
        ("2s 2d 3h 4s 7d", "2c 2h 3d 4c 6c", "10.00", "20.00"),
    ],
)
def test_cst_6_and_7_ace_king_qualifies(hand: str, dealer: str, ante: str, bet: str) -> None:
    assert nets(play_round(STUD, hand, dealer, "", "2x", ante=10)) == {"ante": ante, "raise": bet}


RAISE = {
    "royal-flush": 100,
    "straight-flush": 50,
    "four-of-a-kind": 20,
    "full-house": 7,
    "flush": 5,
    "straight": 4,
    "three-of-a-kind": 3,
    "two-pair": 2,
}


@pytest.mark.parametrize(
    ("hole", "more", "kind"),
    [hand_of_kind for hand_of_kind in FIVE_CARDS if hand_of_kind[2] != "nothing"],
)
def test_cst_8_the_raise_is_paid_by_the_hand_and_the_ante_even_money(
    hole: str, more: str, kind: str
) -> None:
    hand = f"{hole} {more}"
    aces = (
        f"A{suit} K{other} 8{suit} 6{other} 4{suit}" for suit, other in ("cd", "dh", "hs", "sc")
    )
    dealer = next(text for text in aces if not set(cards(hand)) & set(cards(text)))
    wager_nets = nets(play_round(STUD, hand, dealer, "", "2x", ante=10))
    assert wager_nets == {"ante": "10.00", "raise": f"{20 * RAISE[kind]}.00"}


@pytest.mark.parametrize("hand", ["As Kh Qd Jc 9s", "2s 2d 3h 4s 6d", "As Ad 3h 4s 6d"])
def test_cst_8_a_pair_or_less_wins_even_money(hand: str) -> None:
    wager_nets = nets(play_round(STUD, hand, LOW, "", "2x", ante=10))
    assert wager_nets == {"ante": "10.00", "raise": "20.00"}


def test_cst_8_a_royal_flush_wins_only_the_ante_if_the_dealer_does_not_qualify() -> None:
    wager_nets = nets(play_round(STUD, "As Ks Qs Js Ts", "Qc 9d 7h 5s 2c", "", "2x", ante=10))
    assert wager_nets == {"ante": "10.00", "raise": "0.00"}


def test_cst_8_no_limit_is_posted() -> None:
    round = play_round(STUD, "Ks Qs Js Ts 9s", LOW, "", "2x", ante=100)
    assert round.applied_caps == ()
    assert nets(round)["raise"] == "10000.00"
