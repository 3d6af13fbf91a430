"""Cards as text such as "Qs", and as integers from 0 to 51: rank times four plus suit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NewType

from pitbook.errors import CardError
from pitbook.text import say

__all__ = ["DECK", "RANKS", "SUITS", "Card", "card", "cards", "name", "names", "rank", "suit"]

Card = NewType("Card", int)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[Card, ...] = tuple(Card(n) for n in range(52))

_NAMES = tuple(rank_letter + suit_letter for rank_letter in RANKS for suit_letter in SUITS)
_NUMBERS = {text: Card(n) for n, text in enumerate(_NAMES)}
_CARD = re.compile("(?:10|[2-9TJQKA])[cdhs♣♦♥♠♧♢♡♤]", re.IGNORECASE)
_CARDS = re.compile(f"(?:{_CARD.pattern})+", re.IGNORECASE)
_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs")


def card(text: str) -> Card:
    """The card for a text; "10d" and "T♦" are "Td".

    >>> name(card("10♦"))
    'Td'
    """
    plain = text.strip().translate(_SYMBOLS)
    plain = "T" + plain[2:] if plain.startswith("10") else plain
    found_card = _NUMBERS.get(plain[:1].upper() + plain[1:].lower())
    if found_card is None:
        raise CardError(say("cards.no-card", text=text))
    return found_card


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text like "As Kd 7c", in its order; cards of one word need no separator.

    >>> names(cards("AsKd 7c")), names(cards("10♦9c, 2h"))
    ('As Kd 7c', 'Td 9c 2h')
    """
    words = text.replace(",", " ").split()
    return tuple(card(card_text) for word in words for card_text in _split_cards(word))


def _split_cards(word: str) -> list[str]:
    """The cards of a word that consists of cards; otherwise the word."""
    return _CARD.findall(word) if _CARDS.fullmatch(word) else [word]


def name(card: Card) -> str:
    """A card's two letters."""
    return _NAMES[card]


def names(cards: Iterable[Card]) -> str:
    """Several cards as text, as in "As Kd"."""
    return " ".join(_NAMES[each_card] for each_card in cards)


def rank(card: Card) -> int:
    """0 for a two up to 12 for an ace."""
    return card >> 2


def suit(card: Card) -> int:
    """0 to 3: clubs, diamonds, hearts, spades."""
    return card & 3
