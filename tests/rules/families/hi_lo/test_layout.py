"""Hi-lo's layout: the dealer's cards, the boxes for hands, and the printed titles."""

from __future__ import annotations

from typing import Any

import pytest

import pitbook
from pitbook.cards import cards, names
from pitbook.rules.game import Area, Box, compile_game

MHL = "catfish-bend/matchem-hi-lo"
DEALER = cards("Ac As Kd Qd 9h")
LOW, SHARED, HIGH = "Dealer's Lo Hand", "Shared Card", "Dealer's Hi Hand"
APART: dict[str, Any] = {"dealer.shared": "none", "dealer.areas.shared": None}
MIRRORED: dict[str, Any] = {"dealer.laid": "left-to-right"}
TWO_LOW: dict[str, Any] = {"dealer.low": 2}


@pytest.mark.parametrize(
    ("changes", "row", "at", "titles"),
    [
        ({}, "Qd Kd Ac As 9h", 2, (LOW, SHARED, HIGH)),
        (TWO_LOW, "Qd Kd Ac As 9h", 1, (LOW, SHARED, HIGH)),
        (TWO_LOW | MIRRORED, "9h As Ac Kd Qd", 3, (HIGH, SHARED, LOW)),
        (APART, "Qd Kd Ac As 9h", None, (LOW, HIGH)),
        (APART | MIRRORED, "9h As Ac Kd Qd", None, (HIGH, LOW)),
    ],
)
def test_mhl_8_the_dealers_cards_are_laid_out_as_players_see_them(
    changes: dict[str, Any], row: str, at: int | None, titles: tuple[str, ...]
) -> None:
    game = compile_game(pitbook.changed(MHL, changes))
    areas = game.board_areas(DEALER)
    assert areas is not None
    assert (names(areas.row), areas.shared_at) == (row, at)
    assert tuple(area.title for area in areas.in_row) == titles
    assert tuple(area.title for area in game.printed) == titles
    assert sum(area.cards for area in game.printed) == len(DEALER)
    assert [area.shared for area in game.printed] == [title == SHARED for title in titles]


def test_mhl_8_an_area_has_its_cards_and_points() -> None:
    areas = compile_game(pitbook.changed(MHL, TWO_LOW)).board_areas(DEALER)
    assert areas is not None
    assert areas.in_row == (areas.low, areas.shared, areas.high)
    assert areas.low == Area(LOW, cards("Qd Kd"), 0)
    assert areas.shared == Area(SHARED, cards("Kd"), None)
    assert areas.high == Area(HIGH, cards("Kd Ac As 9h"), 31)


def test_mhl_10_a_low_hand_is_laid_across() -> None:
    assert compile_game(pitbook.load(MHL)).boxes == (
        Box("low", "L", "low, across the dealer's cards", across=True),
        Box("high", "H", "high, parallel to the dealer's cards", across=False),
    )
