"""The document of a shoe that opens card by card, read with suspicion, as `revealed` reads its own.

A card is opened by its salt and path, or with the whole deck; it is closed where neither is there.
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
from pitbook.shoe.revealed import NAMED, READERS, is_hex, read_drawn, read_name
from pitbook.shoe.tree import SALT_BYTES
from pitbook.text import say, sentence_of

FIELDS = ("format", NAMED, "shoe", "drawn", "cards", "round")
DECK_FIELD = "deck"  # For an auditor: every card with its salt.
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
        """How many cards it holds."""
        return len(DECK) * self.decks


class DealtCard(NamedTuple):
    """A card of the deal: its position in the deck, and what opens it, if it is opened."""

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
    """What a JSON document opens; raises ShoeError with one sentence."""
    if set(document) - {DECK_FIELD} != set(FIELDS):
        raise ShoeError(say("shoe.proof.fields", format=CARD_FORMAT, fields=FIELDS))
    shoe = _shoe(document["shoe"])
    drawn = read_drawn(document["drawn"])
    before = sum(one.cards for one in shoe.past)
    if drawn != before:
        raise ShoeError(say("shoe.proof.drawn", drawn=drawn, before=before))
    cards = document["cards"]
    if not isinstance(cards, list) or drawn + len(cards) > shoe.size:
        raise ShoeError(say("shoe.proof.cards", most=shoe.size - drawn))
    deck = _deck(document[DECK_FIELD], shoe) if DECK_FIELD in document else None
    laid = tuple(_laid(one, shoe) for one in cards)
    named = read_name(document[NAMED])
    return OpenedRound(shoe, drawn, laid, deck, document["round"], named)


def _shoe(document: Any) -> OpenedShoe:
    if not isinstance(document, dict) or set(document) != set(SHOE_FIELDS):
        raise ShoeError(say("shoe.proof.shoe-fields", format=CARD_FORMAT, fields=SHOE_FIELDS))
    if document["kind"] != "committed":
        kind = printable(show_value(document["kind"]))
        raise ShoeError(say("shoe.proof.not-cardwise", kind=kind))
    plain = ("id", "kind", "decks", "commitment", "seat_seeds")
    read = {field: READERS[field](document[field], "committed") for field in plain}
    past = document["past"]
    if not isinstance(past, list) or len(past) > len(DECK) * read["decks"]:
        raise ShoeError(say("shoe.proof.past"))
    return OpenedShoe(**read, past=tuple(_past(one) for one in past))


def _past(document: Any) -> Past:
    if not isinstance(document, dict) or set(document) != set(PAST_FIELDS):
        raise ShoeError(say("shoe.proof.past-fields", fields=PAST_FIELDS))
    cards, seeds = document["cards"], document["seat_seeds"]
    # A deal of none takes no card from anybody: a house could try such pasts out unseen.
    if type(cards) is not int or not 1 <= cards <= len(DECK) * 12:
        raise ShoeError(say("shoe.proof.past-cards", cards=show_value(cards)))
    return Past(cards, seeds_of(READERS["seat_seeds"](seeds, "committed")))


def _laid(document: Any, shoe: OpenedShoe) -> DealtCard:
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
    hashes = tuple(_bytes(one, 32, "path") for one in path)
    return DealtCard(position, _card(document["card"]), _salt(document["salt"]), hashes)


def _deck(document: Any, shoe: OpenedShoe) -> SaltedDeck:
    if not isinstance(document, list) or len(document) != shoe.size:
        raise ShoeError(say("shoe.proof.deck", size=shoe.size))
    if not all(isinstance(one, list) and len(one) == 2 for one in document):
        raise ShoeError(say("shoe.proof.salted", example='["As", "5f0c..."]'))
    cards = tuple(_card(one) for one, _ in document)
    return SaltedDeck(shoe.id, cards, tuple(_salt(one) for _, one in document))


def _card(value: Any) -> Card:
    try:
        return card(value if isinstance(value, str) else show_value(value))
    except CardError as error:
        raise ShoeError(say("shoe.proof.of", field="cards", why=sentence_of(error))) from None


def _salt(value: Any) -> bytes:
    return _bytes(value, SALT_BYTES, "salt")


def _bytes(value: Any, size: int, what: str) -> bytes:
    if not is_hex(value, size):
        told = {"value": printable(show_value(value)), "what": what, "digits": 2 * size}
        raise ShoeError(say("shoe.proof.hex", **told))
    return bytes.fromhex(value)
