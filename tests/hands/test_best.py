"""The best hand among more cards equals a search of all subsets."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from pitbook.cards import DECK, cards, suit
from pitbook.errors import CardError
from pitbook.hands.kinds import hand_kinds
from pitbook.hands.ranking import best_kind, best_rank, rank_of


@pytest.mark.parametrize(("size", "dealt"), [(3, 3), (4, 5), (4, 6), (5, 6), (5, 7)])
def test_best_hand_is_the_highest_of_all_subsets(size: int, dealt: int) -> None:
    luck = Random(f"{size} of {dealt}")
    for number in range(400):
        deck = [card for card in DECK if number % 2 or suit(card) < 2]  # Half of them of two suits.
        hand = luck.sample(deck, dealt)
        assert best_rank(hand, size) == max(map(rank_of, combinations(hand, size)))


@pytest.mark.parametrize(
    ("text", "size", "kind"),
    [
        ("As Ah Ad Ac 2c", 4, "four-aces"),
        ("9s 8s 7s 6s 9d", 4, "straight-flush"),
        ("Ts Js Qs Ks As 2c 2d", 5, "royal-flush"),
        ("2s 2h 3s 3h 4s 4h 5c", 5, "two-pair"),
        ("As Ks Qs", 3, "mini-royal"),
    ],
)
def test_kind_is_that_of_the_best_hand(text: str, size: int, kind: str) -> None:
    assert hand_kinds(size)[best_kind(cards(text), size)].name == kind


def test_too_few_cards_are_refused() -> None:
    with pytest.raises(CardError, match="2 cards are too few for a hand of 3"):
        best_rank(cards("As Kd"), 3)
