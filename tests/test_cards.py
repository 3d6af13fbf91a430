"""Cards in and out of text."""

from __future__ import annotations

import pytest

from pitbook.cards import DECK, RANKS, SUITS, card, cards, name, names, rank, suit
from pitbook.errors import CardError, PitbookError


def test_a_deck_is_52_cards_that_read_back() -> None:
    assert len({name(one) for one in DECK}) == 52
    assert [card(name(one)) for one in DECK] == list(DECK) == list(range(52))


def test_a_number_is_rank_times_four_plus_suit() -> None:
    for one in DECK:
        assert name(one) == RANKS[rank(one)] + SUITS[suit(one)]
        assert one == rank(one) * 4 + suit(one)
    assert (name(DECK[0]), name(DECK[-1])) == ("2c", "As")


@pytest.mark.parametrize(
    ("text", "meant"),
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
def test_ways_to_write_a_card(text: str, meant: str) -> None:
    assert name(card(text)) == meant


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
def test_text_that_is_no_card(text: str) -> None:
    with pytest.raises(CardError) as refused:
        card(text)
    assert str(refused.value) == (
        f'"{text}" is no card; write rank and suit as in "Qs", "Td" or "2h"'
    )
    assert isinstance(refused.value, PitbookError)


def test_several_cards_keep_their_order() -> None:
    assert names(cards("As, 10d 7♣\n2h")) == "As Td 7c 2h"
    assert cards("") == ()
    with pytest.raises(CardError, match=r'^"Kx" is no card'):
        cards("As Kx")
