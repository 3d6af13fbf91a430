"""Parses and validates the document of a shoe that opens card by card.

A card is opened by its salt and path, or with the whole deck; without either it stays closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitbook.cards import DECK, Card, card
from pitbook.errors import CardError, ShoeError
from pitbook.sheets.findings import printable, show_value
from pitbook.shoe.deck import SaltedDeck
from pitbook.shoe.order import Past, seeds_of
from pitbook.shoe.record import CARD_FORMAT
from pitbook.shoe.revealed import NAMED, READERS, is_hex, read_drawn, read_round_id
from pitbook.shoe.tree import SALT_BYTES
from pitbook.text import say, sentence_of

FIELDS = ("format", NAMED, "shoe", "drawn", "cards", "round")
DECK_FIELD = "deck"  # For auditors: every card with its salt.
SHOE_FIELDS = ("id", "kind", "decks", "commitment", "past", "seat_seeds")
PAST_FIELDS = ("cards", "seat_seeds")
OPEN, CLOSED = ("position", "card", "salt", "path"), ("position",)
PATH_MAX = 16


class OpenedShoe(NamedTuple):
    """A shoe, and the seeds of its deals so far."""

    id: str
    kind: str
    decks: int
    commitment: str
    past: tuple[Past, ...]
    seat_seeds: Mapping[int, str]

    @property
    def size(self) -> int:
        """Number of cards in the shoe."""
        return len(DECK) * self.decks


class DealtCard(NamedTuple):
    """A dealt card: its position in the deck, and its opening if it is opened."""

    position: int
    card: Card | None = None
    salt: bytes = b""
    path: tuple[bytes, ...] = ()


class OpenedRound(NamedTuple):
    """A round with the cards that its reader may see."""

    shoe: OpenedShoe
    drawn: int
    cards: tuple[DealtCard, ...]
    deck: SaltedDeck | None
    round: Any
    round_id: str


def parse(document: dict[str, Any]) -> OpenedRound:
    """Parse a JSON document; raises ShoeError."""
    if set(document) - {DECK_FIELD} != set(FIELDS):
        raise ShoeError(say("shoe.proof.fields", format=CARD_FORMAT, fields=FIELDS))
    shoe = _shoe(document["shoe"])
    drawn = read_drawn(document["drawn"])
    before = sum(past_deal.cards for past_deal in shoe.past)
    if drawn != before:
        raise ShoeError(say("shoe.proof.drawn", drawn=drawn, before=before))
    cards = document["cards"]
    if not isinstance(cards, list) or drawn + len(cards) > shoe.size:
        raise ShoeError(say("shoe.proof.cards", most=shoe.size - drawn))
    deck = _deck(document[DECK_FIELD], shoe) if DECK_FIELD in document else None
    dealt_cards = tuple(_dealt_card(entry, shoe) for entry in cards)
    round_id = read_round_id(document[NAMED])
    return OpenedRound(shoe, drawn, dealt_cards, deck, document["round"], round_id)


def _shoe(document: Any) -> OpenedShoe:
    if not isinstance(document, dict) or set(document) != set(SHOE_FIELDS):
        raise ShoeError(say("shoe.proof.shoe-fields", format=CARD_FORMAT, fields=SHOE_FIELDS))
    if document["kind"] != "committed":
        kind = printable(show_value(document["kind"]))
        raise ShoeError(say("shoe.proof.not-cardwise", kind=kind))
    plain = ("id", "kind", "decks", "commitment", "seat_seeds")
    values = {field: READERS[field](document[field], "committed") for field in plain}
    past = document["past"]
    if not isinstance(past, list) or len(past) > len(DECK) * values["decks"]:
        raise ShoeError(say("shoe.proof.past"))
    return OpenedShoe(**values, past=tuple(_past(past_deal) for past_deal in past))


def _past(document: Any) -> Past:
    if not isinstance(document, dict) or set(document) != set(PAST_FIELDS):
        raise ShoeError(say("shoe.proof.past-fields", fields=PAST_FIELDS))
    cards, seeds = document["cards"], document["seat_seeds"]
    # A past deal without cards would let the server try out different pasts unnoticed.
    if type(cards) is not int or not 1 <= cards <= len(DECK) * 12:
        raise ShoeError(say("shoe.proof.past-cards", cards=show_value(cards)))
    return Past(cards, seeds_of(READERS["seat_seeds"](seeds, "committed")))


def _dealt_card(document: Any, shoe: OpenedShoe) -> DealtCard:
    fields = set(document) if isinstance(document, dict) else set()
    if fields not in (set(OPEN), set(CLOSED)):
        raise ShoeError(say("shoe.proof.card-fields", fields=OPEN))
    position = document["position"]
    if type(position) is not int or not 0 <= position < shoe.size:
        raise ShoeError(
            say("shoe.proof.position", position=show_value(position), last=shoe.size - 1)
        )
    if len(fields) == 1:
        return DealtCard(position)
    path = document["path"]
    if not isinstance(path, list) or len(path) > PATH_MAX:
        raise ShoeError(say("shoe.proof.path"))
    hashes = tuple(_bytes(digest, 32, "path") for digest in path)
    return DealtCard(position, _card(document["card"]), _salt(document["salt"]), hashes)


def _deck(document: Any, shoe: OpenedShoe) -> SaltedDeck:
    if not isinstance(document, list) or len(document) != shoe.size:
        raise ShoeError(say("shoe.proof.deck", size=shoe.size))
    if not all(isinstance(entry, list) and len(entry) == 2 for entry in document):
        raise ShoeError(say("shoe.proof.salted", example='["As", "5f0c..."]'))
    cards = tuple(_card(card_name) for card_name, _ in document)
    return SaltedDeck(shoe.id, cards, tuple(_salt(salt) for _, salt in document))


def _card(value: Any) -> Card:
    try:
        return card(value if isinstance(value, str) else show_value(value))
    except CardError as error:
        raise ShoeError(say("shoe.proof.of", field="cards", why=sentence_of(error))) from None


def _salt(value: Any) -> bytes:
    return _bytes(value, SALT_BYTES, "salt")


def _bytes(value: Any, size: int, what: str) -> bytes:
    if not is_hex(value, size):
        details = {"value": printable(show_value(value)), "what": what, "digits": 2 * size}
        raise ShoeError(say("shoe.proof.hex", **details))
    return bytes.fromhex(value)
