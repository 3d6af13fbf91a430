"""A shoe deals every card once in an order set by the key alone, and can be resumed."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import factorial

import pytest

from pitbook.cards import DECK, Card, card, cards, names
from pitbook.errors import CardError
from pitbook.shoe.dealing import Dealing

KEY = bytes(range(32))


def deal_all(shoe: Dealing) -> list[Card]:
    return [shoe.draw() for _ in range(shoe.remaining)]


@pytest.mark.parametrize("decks", [1, 2, 6, 12])
def test_a_shoe_holds_every_card_as_often_as_it_has_decks(decks: int) -> None:
    shoe = Dealing(KEY, decks=decks)
    assert (shoe.remaining, shoe.drawn) == (52 * decks, 0)
    assert Counter(deal_all(shoe)) == Counter(dict.fromkeys(DECK, decks))
    assert (shoe.remaining, shoe.drawn) == (0, 52 * decks)
    with pytest.raises(CardError, match=r"^The shoe is empty\.$"):
        shoe.draw()


def test_every_order_of_the_last_five_comes_from_one_row_of_numbers() -> None:
    """The partial Fisher-Yates is a bijection: 5 x 4 x 3 x 2 x 1 rows, 120 orders."""
    orders: Counter[tuple[Card, ...]] = Counter()
    for row in product(*(range(size) for size in (5, 4, 3, 2, 1))):
        shoe = Dealing(KEY, decks=1, chosen=DECK[:47]).skip(47)
        shoe._numbers = iter(row)
        orders[tuple(deal_all(shoe))] += 1
    assert len(orders) == factorial(5)
    assert set(orders.values()) == {1}
    assert all(sorted(order) == list(DECK[47:]) for order in orders)


def test_a_card_is_drawn_from_its_place_and_the_last_card_takes_that_place() -> None:
    shoe = Dealing(KEY, decks=1)
    shoe._numbers = iter([0, 0, 49, 48])
    assert names(shoe.draw() for _ in range(4)) == "2c As Ad Ac"


@pytest.mark.parametrize("decks", [1, 6])
@pytest.mark.parametrize("count", [0, 1, 17, 51, 52])
def test_shoe_resumes_after_any_number_of_cards(decks: int, count: int) -> None:
    all_cards = deal_all(Dealing(KEY, decks=decks))
    shoe = Dealing(KEY, decks=decks).skip(count)
    assert (shoe.drawn, shoe.remaining) == (count, 52 * decks - count)
    assert deal_all(shoe) == all_cards[count:]


@pytest.mark.parametrize("count", [-1, 43])
def test_more_than_is_left_cannot_be_skipped(count: int) -> None:
    for key in (KEY, None):
        shoe = Dealing(key, decks=1).skip(10)
        with pytest.raises(CardError) as raised:
            shoe.skip(count)
        assert str(raised.value) == f"{count} cards cannot be skipped. The shoe has only 42 left."
        assert shoe.remaining == 42


def test_chosen_cards_come_first_and_the_others_are_shuffled() -> None:
    first = cards("As Kd 7c")
    dealt = deal_all(Dealing(KEY, decks=1, chosen=first))
    assert tuple(dealt[:3]) == first
    assert sorted(dealt) == list(DECK)
    assert dealt[3:] != sorted(dealt[3:])


def test_shuffled_cards_may_come_between_chosen_ones() -> None:
    """Three random community cards, then a chosen hand (CMS-4)."""
    chosen = (None, None, None, card("6s"), card("6h"))
    dealt = deal_all(Dealing(KEY, decks=1, chosen=chosen))
    assert names(dealt[3:5]) == "6s 6h"
    assert sorted(dealt) == list(DECK)
    shuffled_cards = [
        dealt_card for dealt_card in dealt if dealt_card not in (card("6s"), card("6h"))
    ]
    shoe_without_gaps = Dealing(KEY, decks=1, chosen=cards("6s 6h")).skip(2)
    assert shuffled_cards == deal_all(shoe_without_gaps)


def test_chosen_cards_may_come_as_often_as_there_are_decks() -> None:
    twice = cards("As As")
    assert Counter(deal_all(Dealing(KEY, decks=2, chosen=twice))) == dict.fromkeys(DECK, 2)
    for decks, explanation in ((1, "One deck has only 1."), (2, "2 decks have only 2.")):
        with pytest.raises(CardError) as raised:
            Dealing(KEY, decks=decks, chosen=(*twice, None, card("As")))
        assert str(raised.value) == f"As is chosen one time too many. {explanation}"


def test_all_cards_can_be_chosen_and_no_more() -> None:
    assert deal_all(Dealing(KEY, decks=1, chosen=DECK)) == list(DECK)
    with pytest.raises(CardError, match=r"^53 cards are chosen, but the shoe has 52."):
        Dealing(KEY, decks=1, chosen=(*DECK, None))


def test_a_person_deals_without_a_key_and_the_cards_are_only_counted() -> None:
    shoe = Dealing(None, decks=1).skip(5)
    assert (shoe.drawn, shoe.remaining) == (5, 47)
    with pytest.raises(
        CardError,
        match=r"^A dealer deals from this shoe and types the cards. The server cannot draw one.",
    ):
        shoe.draw()
    assert shoe.drawn == 5
