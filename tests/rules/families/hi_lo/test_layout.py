"""Hi-lo's layout: where the dealer's cards and the hands lie, and what is printed there."""

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
def test_mhl_8_the_dealers_cards_lie_as_players_see_them(
    changes: dict[str, Any], row: str, at: int | None, titles: tuple[str, ...]
) -> None:
    game = compile_game(pitbook.changed(MHL, changes))
    laid = game.board_areas(DEALER)
    assert laid is not None
    assert (names(laid.row), laid.shared_at) == (row, at)
    assert tuple(area.title for area in laid.in_row) == titles
    assert tuple(one.title for one in game.printed) == titles
    assert sum(one.cards for one in game.printed) == len(DEALER)
    assert [one.shared for one in game.printed] == [title == SHARED for title in titles]


def test_mhl_8_an_area_tells_its_cards_and_what_they_count() -> None:
    laid = compile_game(pitbook.changed(MHL, TWO_LOW)).board_areas(DEALER)
    assert laid is not None
    assert laid.in_row == (laid.low, laid.shared, laid.high)
    assert laid.low == Area(LOW, cards("Qd Kd"), 0)
    assert laid.shared == Area(SHARED, cards("Kd"), None)
    assert laid.high == Area(HIGH, cards("Kd Ac As 9h"), 31)


def test_mhl_10_a_low_hand_is_laid_across() -> None:
    assert compile_game(pitbook.load(MHL)).boxes == (
        Box("low", "L", "low, across the dealer's cards", across=True),
        Box("high", "H", "high, parallel to the dealer's cards", across=False),
    )
