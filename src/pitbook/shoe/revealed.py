"""Parses and validates the document of a revealed round; each wrong field has its own message."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

from pitbook.cards import Card, card
from pitbook.errors import CardError, ShoeError
from pitbook.sheets.findings import did_you_mean, printable, show_value
from pitbook.shoe.dealing import ChosenCards, Dealing, without
from pitbook.shoe.record import CARD_FORMAT, COMMITTING, SEED_BYTES, ShoeKind
from pitbook.shoe.stream import deal_key
from pitbook.shoe.tree import DECKS_MAX
from pitbook.text import say, sentence_of

FORMAT = 1
NAMED = "round_id"
FIELDS = ("format", "shoe", "drawn", "round", NAMED)
SHOE_FIELDS = ("id", "kind", "decks", "commitment", "seed", "seat_seeds")
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


def parse(document: Any) -> Proof:
    """Parse a JSON document; raises ShoeError."""
    if not isinstance(document, dict) or "format" not in document:
        raise ShoeError(say("shoe.proof.round-fields", fields=FIELDS))
    format = document["format"]  # noqa: A001  The file's field name.
    if type(format) is not int or format != FORMAT:  # Other formats have other fields.
        raise ShoeError(
            say("shoe.proof.format", format=show_value(format), first=FORMAT, second=CARD_FORMAT)
        )
    if set(document) != set(FIELDS):
        raise ShoeError(say("shoe.proof.round-fields", fields=FIELDS))
    drawn, round_id = read_drawn(document["drawn"]), read_round_id(document[NAMED])
    return Proof(_shoe(document["shoe"]), drawn, document["round"], round_id)


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


def _shoe(document: Any) -> RevealedShoe:
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
    fields = (*SHOE_FIELDS, "chosen") if kind == "arranged" else SHOE_FIELDS
    if set(document) != set(fields):
        raise ShoeError(say("shoe.proof.kind-fields", kind=kind, fields=fields))
    values = {field: READERS[field](document[field], kind) for field in fields}
    shoe = RevealedShoe(**{"chosen": (), **values})
    try:
        without(shoe.chosen, decks=shoe.decks)
    except CardError as error:
        raise ShoeError(say("shoe.proof.of", field="shoe.chosen", why=sentence_of(error))) from None
    return shoe


def _id(value: Any, kind: str) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= TEXT_MAX or not value.isprintable():
        raise ShoeError(
            say("shoe.proof.one-line", field="shoe.id", value=printable(show_value(value)))
        )
    return value


def _kind(value: Any, kind: str) -> str:
    return kind


def _decks(value: Any, kind: str) -> int:
    if type(value) is not int or not 1 <= value <= DECKS_MAX:
        raise ShoeError(say("shoe.proof.decks", value=show_value(value), most=DECKS_MAX))
    return value


def _commitment(value: Any, kind: str) -> str | None:
    if value is None and kind not in COMMITTING:
        return None
    if kind not in COMMITTING:
        raise ShoeError(say("shoe.proof.commitment-none", kind=kind))
    if not is_hex(value, 32):
        raise ShoeError(say("shoe.proof.commitment", value=show_value(value)))
    return str(value)


def _seed(value: Any, kind: str) -> bytes:
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
    return tuple(_card(card_name) for card_name in value)


def _card(value: Any) -> Card | None:
    if value is None:
        return None
    try:
        return card(value if isinstance(value, str) else show_value(value))
    except CardError as error:
        raise ShoeError(say("shoe.proof.of", field="shoe.chosen", why=sentence_of(error))) from None


READERS: dict[str, Callable[[Any, str], Any]] = {
    "id": _id,
    "kind": _kind,
    "decks": _decks,
    "commitment": _commitment,
    "seed": _seed,
    "seat_seeds": _seat_seeds,
    "chosen": _chosen_cards,
}
