"""Spots of a game with cards dealt later: a player holds only those dealt so far."""

from __future__ import annotations

import pytest
from tests.rules.toy_games import war

from pitbook.cards import cards
from pitbook.exact.spots import Spot, SpotError, check_spot


def test_cards_dealt_later_are_not_held_yet() -> None:
    spot = Spot(cards("9c"), cards("9d"))
    assert check_spot(war(), spot) is spot


@pytest.mark.parametrize(
    ("hole", "message"),
    [("9c 2d", "A player has 1 card, not 2."), ("", "A player has 1 card, not 0.")],
)
def test_wrong_number_of_cards_is_refused(hole: str, message: str) -> None:
    with pytest.raises(SpotError, match=message):
        check_spot(war(), Spot(cards(hole), cards("9d")))
