"""CHE: Casino Hold'em."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import nets, play_round, start_table

from pitbook.cards import cards
from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

HOLDEM = "classic/casino-holdem"
DRY = "2c 7d 9h Js Kc"


def test_che_1_the_best_five_of_seven_cards() -> None:
    wager_nets = nets(play_round(HOLDEM, "2s 3d", "Kc Kh", "4c 5h 6s Qd Qh", "2x", ante=10))
    assert wager_nets == {"ante": "10.00", "call": "20.00"}


def test_che_4_two_cards_to_each_and_five_in_common() -> None:
    table = start_table(HOLDEM, "As Qd", "3c 5d", DRY, ante=10)
    assert (table.round.board, table.round.board_laid) == (cards("2c 7d 9h"), 5)
    assert table.round.common[1] == ()  # The dealer's cards are closed.
    over = table.apply(Decide(1, "2x")).finish()
    assert over.common == (cards(DRY), cards("3c 5d"))


def test_che_5_after_the_flop_a_fold_or_a_call_of_two_antes() -> None:
    table = start_table(HOLDEM, "As Qd", "3c 5d", DRY, ante=15)
    assert table.plays == {"fold", "2x"}
    for play in ("1x", "3x", "check", "call"):
        assert table.refusal(play).code in (Code.UNKNOWN_PLAY, Code.ABOVE_MAXIMUM)
    (seat,) = table.apply(Decide(1, "2x")).round.seats
    assert seat.main == (("ante", 1500), ("call", 3000))
    folded = table.apply(Decide(1, "fold")).finish()
    assert nets(folded) == {"ante": "-15.00"}
    assert folded.common == (cards("2c 7d 9h"), ())


@pytest.mark.parametrize(
    ("hand", "dealer", "board", "ante", "call"),
    [
        ("As Qd", "3c 3d", DRY, "10.00", "0.00"),  # A pair of threes does not qualify:
        ("As 5d", "3c 3d", DRY, "10.00", "0.00"),  # whichever hand is ahead.
        ("As Qd", "Ac 5h", DRY, "10.00", "0.00"),
        ("As Ad", "4c 4d", DRY, "10.00", "20.00"),
        ("As Qd", "4c 4d", DRY, "-10.00", "-20.00"),
        ("As Qd", "5c 6d", "4c 4d 9h Js Kc", "10.00", "20.00"),  # On the board as well.
        ("As Qd", "5c 6d", "3c 3d 9h Js Kc", "10.00", "0.00"),
        ("As Qd", "Ac Qh", "4c 4d 9h Js Kc", "0.00", "0.00"),
    ],
)
def test_che_6_and_7_a_pair_of_fours_qualifies(
    hand: str, dealer: str, board: str, ante: str, call: str
) -> None:
    assert nets(play_round(HOLDEM, hand, dealer, board, "2x", ante=10)) == {
        "ante": ante,
        "call": call,
    }


HANDS = [
    ("As Ks", "Qs Js Ts 2c 3c", 100),
    ("9s Ks", "Qs Js Ts 2c 3c", 20),
    ("9s 9d", "9h 9c Ts 2c 3c", 10),
    ("9s 9d", "9h Tc Ts 2c 4c", 3),
    ("As 9s", "Ts 8s 2s 4c 3c", 2),
    ("9s Kd", "Qs Js Ts 2c 3c", 1),
    ("9s 9d", "9h Tc Js 2c 6h", 1),
    ("As Ad", "Th 9c Js 2c 6h", 1),
]


@pytest.mark.parametrize(("hand", "board", "odds"), HANDS)
@pytest.mark.parametrize(("dealer", "call"), [("4d 4h", "20.00"), ("5c 7h", "0.00")])
def test_che_8_the_ante_is_paid_by_the_hand(
    hand: str, board: str, odds: int, dealer: str, call: str
) -> None:
    qualifies = call == "20.00" or board in ("9h Tc Ts 2c 4c", "9h 9c Ts 2c 3c")
    wager_nets = nets(play_round(HOLDEM, hand, dealer, board, "2x", ante=10))
    assert wager_nets == {"ante": f"{10 * odds}.00", "call": "20.00" if qualifies else "0.00"}
