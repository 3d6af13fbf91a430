"""The document that proves a round: builds it, and parses and validates it.

One kind reveals a whole shoe by its seed. The other opens a round card by card, by salt and path or
with the whole deck; without either, a card stays closed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, get_args

from pitbook.cards import DECK, Card, card, name
from pitbook.errors import CardError, ShoeError
from pitbook.shoe.commitments import DECKS_MAX, SALT_BYTES, SaltedDeck, path
from pitbook.shoe.crypto import Vault, deal_key
from pitbook.shoe.dealing import ChosenCards, Dealing, Past, Seeds, positions, seeds_of, without
from pitbook.shoe.stored_shoe import (
    CARD_FORMAT,
    COMMITTING,
    SEED_BYTES,
    ShoeKind,
    ShoeRecord,
    arranged_cards,
    deck,
    reveal,
)
from pitbook.text import say, sentence_of
from pitbook.text.user_input import did_you_mean, printable, show_value

# Parse a revealed shoe ----------------------------------------------------------------------------


FORMAT = 1
NAMED = "round_id"
REVEALED_FIELDS = ("format", "shoe", "drawn", "round", NAMED)
REVEALED_SHOE_FIELDS = ("id", "kind", "decks", "commitment", "seed", "seat_seeds")
SEAT_MAX = 12
TEXT_MAX = 120

_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_NUMBER = re.compile(r"[1-9][0-9]?")


class RevealedShoe(NamedTuple):
    """A shoe with its seed."""

    id: str
    kind: ShoeKind
    decks: int
    commitment: str | None
    seed: bytes
    seat_seeds: Mapping[int, str]
    chosen: ChosenCards

    def dealing(self) -> Dealing:
        """The shoe's cards from the first on."""
        key = deal_key(self.seed, shoe=self.id, seat_seeds=self.seat_seeds)
        return Dealing(key, decks=self.decks, chosen=self.chosen)


class Proof(NamedTuple):
    """A revealed shoe, the number of cards drawn before, the stored round and its id."""

    shoe: RevealedShoe
    drawn: int
    round: Any
    round_id: str


def parse_revealed_proof(document: Any) -> Proof:
    """Parse a JSON document; raises ShoeError."""
    if not isinstance(document, dict) or "format" not in document:
        raise ShoeError(say("shoe.proof.round-fields", fields=REVEALED_FIELDS))
    format = document["format"]  # noqa: A001  The file's field name.
    if type(format) is not int or format != FORMAT:  # Other formats have other fields.
        raise ShoeError(
            say("shoe.proof.format", format=show_value(format), first=FORMAT, second=CARD_FORMAT)
        )
    if set(document) != set(REVEALED_FIELDS):
        raise ShoeError(say("shoe.proof.round-fields", fields=REVEALED_FIELDS))
    drawn, round_id = read_drawn(document["drawn"]), read_round_id(document[NAMED])
    return Proof(_read_revealed_shoe(document["shoe"]), drawn, document["round"], round_id)


def read_drawn(value: Any) -> int:
    """Read the number of cards dealt before; raises ShoeError."""
    if type(value) is not int or value < 0:
        raise ShoeError(say("shoe.proof.drawn-number", value=show_value(value)))
    return value


def read_round_id(value: Any) -> str:
    """Read the round's id; raises ShoeError."""
    if value is None:
        raise ShoeError(say("shoe.proof.which-round", named=NAMED))
    if not isinstance(value, str) or not 0 < len(value) <= TEXT_MAX or not value.isprintable():
        raise ShoeError(say("shoe.proof.one-line", field=NAMED, value=printable(show_value(value))))
    return value


def _read_revealed_shoe(document: Any) -> RevealedShoe:
    kind = document.get("kind") if isinstance(document, dict) else None
    if kind == "committed":
        raise ShoeError(say("shoe.proof.committed", format=CARD_FORMAT))
    if not isinstance(kind, str) or kind not in get_args(ShoeKind):
        suggestion = (
            did_you_mean(kind, get_args(ShoeKind))
            if isinstance(kind, str)
            else say("shoe.proof.no-kind")
        )
        raise ShoeError(say("shoe.proof.kind", kind=show_value(kind), known=suggestion))
    if kind in ("system", "typed"):
        raise ShoeError(say("shoe.proof.system" if kind == "system" else "shoe.proof.typed"))
    fields = (*REVEALED_SHOE_FIELDS, "chosen") if kind == "arranged" else REVEALED_SHOE_FIELDS
    if set(document) != set(fields):
        raise ShoeError(say("shoe.proof.kind-fields", kind=kind, fields=fields))
    values = {field: READERS[field](document[field], kind) for field in fields}
    shoe = RevealedShoe(**{"chosen": (), **values})
    try:
        without(shoe.chosen, decks=shoe.decks)
    except CardError as error:
        raise ShoeError(say("shoe.proof.of", field="shoe.chosen", why=sentence_of(error))) from None
    return shoe


def _parse_id(value: Any, kind: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= TEXT_MAX or not value.isprintable():
        raise ShoeError(
            say("shoe.proof.one-line", field="shoe.id", value=printable(show_value(value)))
        )
    return value


def _parse_kind(value: Any, kind: str) -> str:
    return kind


def _parse_decks(value: Any, kind: str) -> int:
    if type(value) is not int or not 1 <= value <= DECKS_MAX:
        raise ShoeError(say("shoe.proof.decks", value=show_value(value), most=DECKS_MAX))
    return value


def _parse_commitment(value: Any, kind: str) -> str | None:
    if value is None and kind not in COMMITTING:
        return None
    if kind not in COMMITTING:
        raise ShoeError(say("shoe.proof.commitment-none", kind=kind))
    if not is_hex(value, 32):
        raise ShoeError(say("shoe.proof.commitment", value=show_value(value)))
    return str(value)


def _parse_seed(value: Any, kind: str) -> bytes:
    if value is None:
        raise ShoeError(say("shoe.proof.seed-later"))
    if kind == "seeded":
        if not is_hex(value):
            raise ShoeError(say("shoe.proof.seed-hex", value=show_value(value)))
    elif not is_hex(value, SEED_BYTES):
        digits = 2 * SEED_BYTES
        raise ShoeError(say("shoe.proof.seed", value=show_value(value), digits=digits))
    return bytes.fromhex(value)


def is_hex(value: Any, size: int | None = None) -> bool:
    """Whether a value is this many bytes in lowercase hexadecimal."""
    fits = isinstance(value, str) and _HEX.fullmatch(value) is not None
    return fits and (size is None or len(value) == 2 * size)


def _seat_seeds(value: Any, kind: str) -> dict[int, str]:
    if not isinstance(value, dict):
        raise ShoeError(say("shoe.proof.seat-seeds", example='{"1": "my own seed"}'))
    for seat, text in value.items():
        if not _NUMBER.fullmatch(seat) or int(seat) > SEAT_MAX:
            raise ShoeError(say("shoe.proof.seat", seat=show_value(seat), most=SEAT_MAX))
        if not isinstance(text, str):
            raise ShoeError(say("shoe.proof.seat-seed", seat=seat))
    return {int(seat): text for seat, text in value.items()}


def _chosen_cards(value: Any, kind: str) -> tuple[Card | None, ...]:
    if not isinstance(value, list) or not value:
        raise ShoeError(say("shoe.proof.chosen", example='["As", null, "Kd"]'))
    return tuple(_read_chosen_card(card_name) for card_name in value)


def _read_chosen_card(value: Any) -> Card | None:
    if value is None:
        return None
    try:
        return card(value if isinstance(value, str) else show_value(value))
    except CardError as error:
        raise ShoeError(say("shoe.proof.of", field="shoe.chosen", why=sentence_of(error))) from None


READERS: dict[str, Callable[[Any, str], Any]] = {
    "id": _parse_id,
    "kind": _parse_kind,
    "decks": _parse_decks,
    "commitment": _parse_commitment,
    "seed": _parse_seed,
    "seat_seeds": _seat_seeds,
    "chosen": _chosen_cards,
}


# Parse a proof card by card -----------------------------------------------------------------------


CARD_PROOF_FIELDS = ("format", NAMED, "shoe", "drawn", "cards", "round")
DECK_FIELD = "deck"  # For auditors: every card with its salt.
CARD_SHOE_FIELDS = ("id", "kind", "decks", "commitment", "past", "seat_seeds")
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


def parse_card_proof(document: dict[str, Any]) -> OpenedRound:
    """Parse a JSON document; raises ShoeError."""
    if set(document) - {DECK_FIELD} != set(CARD_PROOF_FIELDS):
        raise ShoeError(say("shoe.proof.fields", format=CARD_FORMAT, fields=CARD_PROOF_FIELDS))
    shoe = _read_card_shoe(document["shoe"])
    drawn = read_drawn(document["drawn"])
    before = sum(past_deal.cards for past_deal in shoe.past)
    if drawn != before:
        raise ShoeError(say("shoe.proof.drawn", drawn=drawn, before=before))
    cards = document["cards"]
    if not isinstance(cards, list) or drawn + len(cards) > shoe.size:
        raise ShoeError(say("shoe.proof.cards", most=shoe.size - drawn))
    deck = _read_deck(document[DECK_FIELD], shoe) if DECK_FIELD in document else None
    dealt_cards = tuple(_dealt_card(entry, shoe) for entry in cards)
    round_id = read_round_id(document[NAMED])
    return OpenedRound(shoe, drawn, dealt_cards, deck, document["round"], round_id)


def _read_card_shoe(document: Any) -> OpenedShoe:
    if not isinstance(document, dict) or set(document) != set(CARD_SHOE_FIELDS):
        raise ShoeError(say("shoe.proof.shoe-fields", format=CARD_FORMAT, fields=CARD_SHOE_FIELDS))
    if document["kind"] != "committed":
        kind = printable(show_value(document["kind"]))
        raise ShoeError(say("shoe.proof.not-cardwise", kind=kind))
    plain = ("id", "kind", "decks", "commitment", "seat_seeds")
    values = {field: READERS[field](document[field], "committed") for field in plain}
    past = document["past"]
    if not isinstance(past, list) or len(past) > len(DECK) * values["decks"]:
        raise ShoeError(say("shoe.proof.past"))
    return OpenedShoe(**values, past=tuple(_parse_past(past_deal) for past_deal in past))


def _parse_past(document: Any) -> Past:
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
    hashes = tuple(_parse_bytes(digest, 32, "path") for digest in path)
    return DealtCard(position, _read_card(document["card"]), _parse_salt(document["salt"]), hashes)


def _read_deck(document: Any, shoe: OpenedShoe) -> SaltedDeck:
    if not isinstance(document, list) or len(document) != shoe.size:
        raise ShoeError(say("shoe.proof.deck", size=shoe.size))
    if not all(isinstance(entry, list) and len(entry) == 2 for entry in document):
        raise ShoeError(say("shoe.proof.salted", example='["As", "5f0c..."]'))
    cards = tuple(_read_card(card_name) for card_name, _ in document)
    return SaltedDeck(shoe.id, cards, tuple(_parse_salt(salt) for _, salt in document))


def _read_card(value: Any) -> Card:
    try:
        return card(value if isinstance(value, str) else show_value(value))
    except CardError as error:
        raise ShoeError(say("shoe.proof.of", field="cards", why=sentence_of(error))) from None


def _parse_salt(value: Any) -> bytes:
    return _parse_bytes(value, SALT_BYTES, "salt")


def _parse_bytes(value: Any, size: int, label: str) -> bytes:
    if not is_hex(value, size):
        details = {"value": printable(show_value(value)), "what": label, "digits": 2 * size}
        raise ShoeError(say("shoe.proof.hex", **details))
    return bytes.fromhex(value)


# Build a proof ------------------------------------------------------------------------------------


Json = dict[str, Any]
Tree = Sequence[Sequence[bytes]]


def build_revealed_proof(
    record: ShoeRecord,
    vault: Vault,
    *,
    seat_seeds: Mapping[int, str],
    drawn: int,
    round: dict[str, Any],
    round_id: str,
) -> dict[str, Any]:
    """The document with which anyone can redeal a stored round after its shoe has ended."""
    shoe: dict[str, Any] = {
        "id": record.id,
        "kind": record.kind,
        "decks": record.decks,
        "commitment": record.commitment,
        "seed": reveal(record, vault),
        "seat_seeds": {str(seat): seat_seeds[seat] for seat in sorted(seat_seeds)},
    }
    if first_cards := arranged_cards(record, vault):
        shoe["chosen"] = [None if card is None else name(card) for card in first_cards]
    return dict(zip(REVEALED_FIELDS, (FORMAT, shoe, drawn, round, round_id), strict=True))


def build_card_proof(
    record: ShoeRecord,
    vault: Vault,
    *,
    seeds: Seeds,
    past: tuple[Past, ...],
    round: Json,
    round_id: str,
    whole: bool = False,
) -> Json:
    """A stored round with openings of the cards it names; `whole` opens the whole shoe.

    A card that the reader may not see is null in the round and stays closed.
    """
    assert record.commitment is not None
    salted_deck, drawn = deck(record, vault), sum(deal.cards for deal in past)
    tree = salted_deck.tree
    if salted_deck.commitment_for(tree) != record.commitment:
        raise ShoeError(say("shoe.record.other-deck", id=record.id))
    order = positions(record.commitment, seeds, size=len(salted_deck.cards), past=past)
    card_names = _card_names(round)
    chosen = list(islice(order, drawn, drawn + len(card_names)))
    cards = [
        {
            "position": position,
            **(_card_opening(salted_deck, tree, position) if card_name and not whole else {}),
        }
        for position, card_name in zip(chosen, card_names, strict=True)
    ]
    return {
        "format": CARD_FORMAT,
        "round_id": round_id,
        "shoe": _shoe_json(record, seeds, past),
        "drawn": drawn,
        "cards": cards,
        **({"deck": _deck_json(salted_deck)} if whole else {}),
        "round": round,
    }


def _card_names(round: Json) -> list[str | None]:
    """The name of each card in the order of the deal; None if the round does not show it."""
    places = _card_places(round)
    names_by_place: dict[Any, Iterator[str | None]] = {
        place: iter(
            [action.get("card") for action in round["actions"] if _shows_card(action, place)]
        )
        for place in set(places)
    }
    return [next(names_by_place[place], None) for place in places]


def _card_places(round: Json) -> list[Any]:
    """The place of each card, in the order of the deal."""
    return [action["place"] for action in round["actions"] if action["do"] == "deal"]


def _shows_card(action: Json, place: Any) -> bool:
    return action["do"] in ("turn", "expose") and action["place"] == place


def _card_opening(salted_deck: SaltedDeck, tree: Tree, position: int) -> Json:
    return {
        "card": name(salted_deck.cards[position]),
        "salt": salted_deck.salts[position].hex(),
        "path": [sibling.hex() for sibling in path(tree, position)],
    }


def _deck_json(salted_deck: SaltedDeck) -> list[list[str]]:
    pairs = zip(salted_deck.cards, salted_deck.salts, strict=True)
    return [[name(card), salt.hex()] for card, salt in pairs]


def _shoe_json(record: ShoeRecord, seeds: Seeds, past: tuple[Past, ...]) -> Json:
    return {
        "id": record.id,
        "kind": record.kind,
        "decks": record.decks,
        "commitment": record.commitment,
        "past": [{"cards": deal.cards, "seat_seeds": _seeds_json(deal.seeds)} for deal in past],
        "seat_seeds": _seeds_json(seeds),
    }


def _seeds_json(seeds: Seeds) -> Mapping[str, str]:
    return {str(seat): text for seat, text in seeds}
