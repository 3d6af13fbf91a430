"""Properties of games and sheets of any family."""

from __future__ import annotations

import pytest
from tests.rules.random_rounds import known_sheets

from pitbook import load
from pitbook.rules.game import compile_game

STUD, HI_LO = "catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo"


def test_board_open_in_play() -> None:
    assert compile_game(load(STUD)).board_open_in_play
    assert not compile_game(load(HI_LO)).board_open_in_play


def test_board_is_a_hand() -> None:
    assert compile_game(load(HI_LO)).board_is_a_hand
    assert not compile_game(load(STUD)).board_is_a_hand


def test_a_sheet_says_whether_its_game_compares_hands() -> None:
    for sheet in known_sheets():
        assert sheet.compares_hands == bool(compile_game(sheet).duels), sheet.id


def test_a_street_stud_sheet_names_its_bets_as_its_game_names_the_stages() -> None:
    for sheet in known_sheets():
        if sheet.family == "street-stud":
            titles = [(bet.id, bet.title) for bet in sheet.named_bets()]
            assert titles == [(stage.id, stage.title) for stage in compile_game(sheet).stages]


@pytest.mark.parametrize("name", [STUD, HI_LO, "louisiana-stud/standard"])
def test_every_looks_at_of_side_wagers_has_words(name: str) -> None:
    sheet = load(name)
    assert sheet.side
    assert {side.looks_at for side in sheet.side.values()} <= set(sheet.looks_at)


@pytest.mark.parametrize(
    ("name", "pieces_times", "whole"),
    [
        (STUD, [3, 3, 3], [3, 3, 3]),
        (HI_LO, [1], [1]),
        ("oceanfront/mississippi-stud", [1] * 3, [3] * 3),
    ],
)
def test_oms_8_a_bet_in_pieces_counts_one_ante_per_piece(
    name: str, pieces_times: list[int], whole: list[int]
) -> None:
    sheet = load(name)
    times_by_sheet = [
        [bet.times for bet in variant.further_bets()] for variant in (sheet, sheet.without_pieces())
    ]
    assert times_by_sheet == [pieces_times, whole]
    assert sheet.without_pieces().without_pieces() == sheet.without_pieces()


def test_play_labels() -> None:
    game = compile_game(load(HI_LO))
    assert [play.label for play in game.plays(0)] == ["Low", "High", "Low, double", "High, double"]
    assert [play.label for play in compile_game(load(STUD)).plays(0)] == ["Fold", "1x", "2x", "3x"]
