"""What whoever works with a game asks it and its sheet, whatever its family."""

from __future__ import annotations

import pytest

from pitbook import load
from pitbook.rules.game import compile_game

STUD, HI_LO = "catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo"


def test_a_board_that_is_opened_between_decisions_is_seen_in_play() -> None:
    assert compile_game(load(STUD)).seen_in_play
    assert not compile_game(load(HI_LO)).seen_in_play


def test_a_board_that_hands_are_compared_with_is_a_hand() -> None:
    assert compile_game(load(HI_LO)).board_is_a_hand
    assert not compile_game(load(STUD)).board_is_a_hand


@pytest.mark.parametrize("name", [STUD, HI_LO, "louisiana-stud/standard"])
def test_the_words_for_what_side_wagers_look_at_cover_every_side_wager(name: str) -> None:
    sheet = load(name)
    assert sheet.side
    assert {side.looks_at for side in sheet.side.values()} <= set(sheet.looks_at)


@pytest.mark.parametrize(
    ("name", "each", "whole"),
    [
        (STUD, [3, 3, 3], [3, 3, 3]),
        (HI_LO, [1], [1]),
        ("oceanfront/mississippi-stud", [1] * 3, [3] * 3),
    ],
)
def test_oms_8_a_bet_in_pieces_is_one_main_wager_a_piece_and_whole_when_undivided(
    name: str, each: list[int], whole: list[int]
) -> None:
    sheet = load(name)
    found = [[one.times for one in like.further_bets()] for like in (sheet, sheet.undivided())]
    assert found == [each, whole]
    assert sheet.undivided().undivided() == sheet.undivided()


def test_a_play_is_labelled_as_a_button_says_it() -> None:
    game = compile_game(load(HI_LO))
    assert [play.label for play in game.plays(0)] == ["Low", "High", "Low, double", "High, double"]
    assert [play.label for play in compile_game(load(STUD)).plays(0)] == ["Fold", "1x", "2x", "3x"]
