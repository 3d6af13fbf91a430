"""Spots of a game in which cards come later: a player holds what has been dealt by then."""

from __future__ import annotations

import pytest
from tests.rules.rounds.toys import war

from pitbook.cards import cards
from pitbook.exact.spots import Spot, SpotError, check_spot


def test_the_cards_of_a_war_are_not_held_before_it() -> None:
    spot = Spot(cards("9c"), cards("9d"))
    assert check_spot(war(), spot) is spot


@pytest.mark.parametrize(
    ("own", "said"),
    [("9c 2d", "a player holds 1 card, not 2"), ("", "a player holds 1 card, not 0")],
)
def test_another_number_of_cards_is_refused(own: str, said: str) -> None:
    with pytest.raises(SpotError, match=said):
        check_spot(war(), Spot(cards(own), cards("9d")))
