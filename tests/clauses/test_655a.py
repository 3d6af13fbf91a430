"""58 Pa. Code 655a: Mississippi Stud."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import lines, nets, play_round, start_table
from tests.clauses.example_hands import FIVE_CARDS, PAIRS, THREE_CARDS
from tests.clauses.one_line_rounds import load

from pitbook.cards import cards
from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

STUD = "pennsylvania/mississippi-stud"
ODDS = {
    "royal-flush": 500,
    "straight-flush": 100,
    "four-of-a-kind": 40,
    "full-house": 10,
    "flush": 6,
    "straight": 4,
    "three-of-a-kind": 3,
    "two-pair": 2,
}
BONUS = {"straight-flush": 40, "three-of-a-kind": 30, "straight": 6, "flush": 3, "pair": 1}


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_655a_1_and_11_a_fold_or_one_to_three_antes_on_each_street(stage: int) -> None:
    table = start_table(STUD, "As Kd", board="2c 3d 4h", ante=10)
    for turned in range(stage):
        assert len(table.round.board) == turned
        table = table.apply(Decide(1, "1x")).turn_due_cards()
    assert table.plays == {"fold", "1x", "2x", "3x"}
    assert table.refusal("4x").code is Code.ABOVE_MAXIMUM
    assert table.refusal("0x").code is Code.UNKNOWN_PLAY
    assert table.refusal("check").code is Code.UNKNOWN_PLAY
    assert table.refusal("4x").clause == "655a.1"


def test_655a_6_an_ace_ends_a_straight() -> None:
    low = play_round(STUD, "As 2d", "", "3h 4c 5s", "1x 1x 1x", ante=5)
    middle = play_round(STUD, "Ks Ad", "", "2h 3c 4s", "1x 1x 1x", ante=5)
    assert (str(lines(low)["ante"].odds), lines(middle)["ante"].odds) == ("4:1", None)


@pytest.mark.parametrize(
    ("play", "lost"),
    [
        ("fold", {"ante": "-10.00"}),
        ("2x fold", {"ante": "-10.00", "3rd-street": "-20.00"}),
        ("2x 1x fold", {"ante": "-10.00", "3rd-street": "-20.00", "4th-street": "-10.00"}),
    ],
)
def test_655a_11_a_fold_loses_every_main_wager_but_not_the_bonus(
    play: str, lost: dict[str, str]
) -> None:
    board = "7c 7d 9h"
    assert nets(play_round(STUD, "As Kd", "", board, play, ante=10)) == lost
    bonus_win = {"three-card-bonus": "5.00"}
    assert (
        nets(play_round(STUD, "As Kd", "", board, play, ante=10, three_card_bonus=5))
        == lost | bonus_win
    )
    dead = nets(play_round(STUD, "As Kd", "", "7c 8d Th", play, ante=10, three_card_bonus=5))
    assert dead["three-card-bonus"] == "-5.00"


def test_655a_11_folded_cards_are_tucked_under_the_bonus() -> None:
    table = start_table(STUD, "As Kd", board="7c 7d 9h", ante=10, three_card_bonus=5)
    table = table.apply(Decide(1, "fold"))
    (seat,) = table.round.seats
    assert table.round.game.tucked_under(seat) == "three-card-bonus"


@pytest.mark.parametrize(("hand", "board", "kind"), FIVE_CARDS)
def test_655a_12_the_pay_table(hand: str, board: str, kind: str) -> None:
    wager_nets = nets(play_round(STUD, hand, "", board, "3x 2x 1x", ante=5))
    odds = ODDS.get(kind, -1)
    stakes = {"ante": 5, "3rd-street": 15, "4th-street": 10, "5th-street": 5}
    assert wager_nets == {wager: f"{stake * odds}.00" for wager, stake in stakes.items()}


@pytest.mark.parametrize(("rank", "hand", "board"), PAIRS)
def test_655a_12_jacks_win_sixes_push_lower_pairs_lose(rank: str, hand: str, board: str) -> None:
    odds = 1 if rank in "JQKA" else 0 if rank in ("6", "7", "8", "9", "10") else -1
    wager_nets = nets(play_round(STUD, hand, "", board, "1x 1x 1x", ante=5))
    assert set(wager_nets.values()) == {f"{5 * odds}.00"}


@pytest.mark.parametrize(("board", "kind"), THREE_CARDS)
def test_655a_12_the_bonus_looks_at_the_community_cards(board: str, kind: str) -> None:
    hand = "6h 6c" if "6" not in board else "Jh Jc"
    wager_nets = nets(play_round(STUD, hand, "", board, "1x 1x 1x", ante=5, three_card_bonus=7))
    assert wager_nets["three-card-bonus"] == f"{7 * BONUS.get(kind, -1)}.00"


def test_655a_12_no_limit_is_posted() -> None:
    round = play_round(STUD, "As Ks", "", "Qs Js Ts", "3x 3x 3x", ante=500)
    assert round.applied_caps == ()
    assert nets(round)["5th-street"] == "750000.00"


def test_655a_9_two_cards_each_then_three_in_common() -> None:
    sheet = load(STUD)
    assert (sheet.hand_cards, sheet.board_cards, sheet.deal.at_a_time) == (2, 3, 1)
    table = start_table(STUD, "As Kd", board="2c 3d 4h", ante=10)
    assert table.round.seats[0].cards == cards("As Kd")
    assert (table.round.board, table.round.board_laid) == ((), 3)
