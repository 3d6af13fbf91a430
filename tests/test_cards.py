"""Cards in and out of text."""

from __future__ import annotations

import pytest

from pitbook.cards import DECK, RANKS, SUITS, card, cards, name, names, rank, suit
from pitbook.errors import CardError, PitbookError


def test_a_deck_has_52_cards_that_round_trip() -> None:
    assert len({name(each_card) for each_card in DECK}) == 52
    assert [card(name(each_card)) for each_card in DECK] == list(DECK) == list(range(52))


def test_a_number_is_rank_times_four_plus_suit() -> None:
    for each_card in DECK:
        assert name(each_card) == RANKS[rank(each_card)] + SUITS[suit(each_card)]
        assert each_card == rank(each_card) * 4 + suit(each_card)
    assert (name(DECK[0]), name(DECK[-1])) == ("2c", "As")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Qs", "Qs"),
        ("qS", "Qs"),
        ("10d", "Td"),
        ("10D", "Td"),
        ("td", "Td"),
        ("T♦", "Td"),
        ("10♢", "Td"),
        ("A♠", "As"),
        ("2♥", "2h"),
        ("9♣", "9c"),
        (" 2h ", "2h"),
    ],
)
def test_spellings_of_a_card(text: str, expected: str) -> None:
    assert name(card(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Q",
        "s",
        "sQ",
        "1s",
        "0s",
        "11s",
        "10",
        "100s",
        "1d0",
        "Qx",
        "Qss",
        "Q s",
        "٣s",
        "♠",
    ],
)
def test_invalid_cards_are_refused(text: str) -> None:
    with pytest.raises(CardError) as error:
        card(text)
    assert str(error.value) == (
        f'"{text}" is not a card; write rank and suit as in "Qs", "Td" or "2h"'
    )
    assert isinstance(error.value, PitbookError)


def test_several_cards_keep_their_order() -> None:
    assert names(cards("As, 10d 7♣\n2h")) == "As Td 7c 2h"
    assert cards("") == ()
    with pytest.raises(CardError, match=r'^"Kx" is not a card'):
        cards("As Kx")
