"""A seeded shoe deals every card once, the same way each time, and favours none."""

from __future__ import annotations

from collections import Counter

import pytest

from pitbook.cards import DECK, names
from pitbook.errors import CardError
from pitbook.shoe.seeded import SeededShoe, fresh_seed

FIRST_FIVE_OF_SEVEN = "4c Kd Tc Ah 7h"


@pytest.mark.parametrize("decks", [1, 2, 6])
def test_a_shoe_holds_every_card_as_often_as_it_has_decks(decks: int) -> None:
    shoe = SeededShoe("any", decks=decks)
    dealt = Counter(shoe.draw() for _ in range(52 * decks))
    assert dealt == Counter(dict.fromkeys(DECK, decks))
    with pytest.raises(CardError, match="the shoe is empty"):
        shoe.draw()


def test_the_same_seed_deals_the_same_cards() -> None:
    first, again, other = (SeededShoe(seed, decks=1) for seed in ("seven", "seven", "eight"))
    dealt = [first.draw() for _ in range(10)]
    assert dealt == [again.draw() for _ in range(10)]
    assert dealt != [other.draw() for _ in range(10)]


def test_the_deal_of_a_seed_never_changes() -> None:
    shoe = SeededShoe("seven", decks=1)
    assert names(shoe.draw() for _ in range(5)) == FIRST_FIVE_OF_SEVEN


def test_no_first_card_is_favoured() -> None:
    rounds = 20_800
    first = Counter(SeededShoe(str(seed), decks=1).draw() for seed in range(rounds))
    expected = rounds / 52
    chi_square = sum((first[card] - expected) ** 2 / expected for card in DECK)
    assert chi_square < 99.6  # One in ten thousand, 51 degrees of freedom.


def test_fresh_seeds_have_256_bits_and_differ() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(bytes.fromhex(seed)) == 32 for seed in seeds)
