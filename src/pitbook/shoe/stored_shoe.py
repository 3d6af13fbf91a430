"""A stored shoe: all that a table needs to continue, without any card still to come."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from pitbook.cards import Card, card, name
from pitbook.errors import ShoeError
from pitbook.shoe.commitments import DECKS_MAX, SaltedDeck, deck_of, shuffle_deck
from pitbook.shoe.crypto import Vault, deal_key
from pitbook.shoe.dealing import (
    ChosenCards,
    Dealing,
    Past,
    positions,
    seed_bytes,
    seeds_of,
    without,
)
from pitbook.text import say
from pitbook.text.user_input import show_value

ShoeKind = Literal["committed", "system", "seeded", "typed", "arranged"]
Shuffle = Literal["automatic", "hand", "house-blackjack"]

SEED_BYTES = 32
PACKS_MAX = 52
TIMES_MAX = 10
COMMITTING = ("committed", "arranged")
CARD_FORMAT = 2  # Of a committed shoe and its proofs: the commitment covers each card.
GAP = "--"

_HASH = re.compile(r"[0-9a-f]{64}")


class ShoeRecord(NamedTuple):
    """The public part of a shoe; the seed and any chosen cards are only in `sealed`."""

    id: str
    kind: ShoeKind
    decks: int
    commitment: str | None
    sealed: str | None
    pack: int = 1
    shuffle: Shuffle = "automatic"
    times: int = 1

    @property
    def opens_by_card(self) -> bool:
        """Whether the commitment covers each card of the deck instead of the seed."""
        return self.kind == "committed"

    def document(self) -> dict[str, Any]:
        """The record as JSON; only a committed shoe has a format."""
        fields = self._asdict()
        return {**fields, "format": CARD_FORMAT} if self.opens_by_card else fields

    @classmethod
    def of(cls, document: Any) -> ShoeRecord:
        """Parse a record from JSON; raises ShoeError."""
        if not isinstance(document, dict) or set(document) - {"format"} != set(cls._fields):
            raise ShoeError(say("shoe.record.fields", fields=[*cls._fields]))
        fields = {name: document[name] for name in cls._fields}
        checked = _require_valid(cls(**fields))
        if document.get("format") != (CARD_FORMAT if checked.opens_by_card else None):
            format_shown = show_value(document.get("format"))
            raise ShoeError(
                say("shoe.record.odd", value=format_shown, field="format", kind=checked.kind)
            )
        return checked


def new_shoe(
    kind: ShoeKind,
    *,
    id: str,  # noqa: A002  The shoe's id.
    decks: int,
    vault: Vault,
    seed: str | None = None,
    first: Sequence[Card | None] = (),
    pack: int = 1,
    shuffle: Shuffle = "automatic",
    times: int = 1,
) -> ShoeRecord:
    """A new shoe; `seed` is for a seeded one, `first` for an arranged one (None: any card)."""
    if (seed is None) == (kind == "seeded"):
        raise ShoeError(say("shoe.record.seeded"))
    if bool(first) != (kind == "arranged"):
        raise ShoeError(say("shoe.record.arranged"))
    unsealed = ShoeRecord(id, kind, decks, None, None, pack, shuffle, times)
    _require_valid(unsealed, _PLAIN)
    if kind == "typed":
        return unsealed
    without(first, decks=decks)
    seed_value = secrets.token_bytes(SEED_BYTES) if seed is None else seed_bytes(seed)
    if unsealed.opens_by_card:
        committed_record = unsealed._replace(
            commitment=deck_of(seed_value, shoe=id, decks=decks).commitment
        )
        return committed_record._replace(
            sealed=vault.seal(seed_value, _seal_context(committed_record))
        )
    secret = secret_of(seed_value, tuple(first))
    committed = commitment_of(secret) if kind == "arranged" else None
    return unsealed._replace(commitment=committed, sealed=vault.seal(secret, id))


def dealing(record: ShoeRecord, vault: Vault, seat_seeds: Mapping[int, str]) -> Dealing:
    """The shoe's cards from the first on; always the same ones."""
    assert not record.opens_by_card
    if record.kind == "typed":
        return Dealing(None, decks=record.decks)
    seed, chosen_cards = _unseal(record, vault)
    key = deal_key(seed, shoe=record.id, seat_seeds=seat_seeds)
    return Dealing(key, decks=record.decks, chosen=chosen_cards)


def draw_cards(
    record: ShoeRecord, vault: Vault, seat_seeds: Mapping[int, str], past: tuple[Past, ...] = ()
) -> Iterator[Card]:
    """Deal the shoe's cards one by one, whatever its format."""
    if record.opens_by_card:
        assert record.commitment is not None
        seed, _ = _unseal(record, vault)
        cards = shuffle_deck(seed, shoe=record.id, decks=record.decks)
        order = positions(record.commitment, seeds_of(seat_seeds), size=len(cards), past=past)
        return (cards[position] for position in order)
    shoe = dealing(record, vault, seat_seeds)
    return (shoe.draw() for _ in range(shoe.remaining))


def deck(record: ShoeRecord, vault: Vault) -> SaltedDeck:
    """The deck of a shoe that is committed to card by card."""
    assert record.opens_by_card
    return deck_of(_unseal(record, vault)[0], shoe=record.id, decks=record.decks)


def reveal(record: ShoeRecord, vault: Vault) -> str:
    """The seed in hexadecimal, to be revealed when the shoe has ended."""
    if record.kind in ("system", "typed"):
        raise ShoeError(say("shoe.record.not-revealed", id=record.id, kind=record.kind))
    return _unseal(record, vault)[0].hex()


def arranged_cards(record: ShoeRecord, vault: Vault) -> ChosenCards:
    """The cards that an arranged shoe deals first; empty for other shoes."""
    return () if record.kind == "typed" else _unseal(record, vault)[1]


def secret_of(seed: bytes, chosen_cards: ChosenCards) -> bytes:
    """The secret that is sealed and committed to: the seed, then the names of chosen cards."""
    return seed + " ".join(GAP if card is None else name(card) for card in chosen_cards).encode()


def commitment_of(secret: bytes) -> str:
    """The hash published before wagers open."""
    return hashlib.sha256(secret).hexdigest()


def _unseal(record: ShoeRecord, vault: Vault) -> tuple[bytes, ChosenCards]:
    assert record.sealed is not None
    secret = vault.unseal(record.sealed, _seal_context(record))
    if record.opens_by_card:
        return secret, ()
    if record.commitment is not None and commitment_of(secret) != record.commitment:
        raise ShoeError(say("shoe.record.other-seed", id=record.id))
    if record.kind != "arranged":
        return secret, ()
    words = secret[SEED_BYTES:].decode().split()
    return secret[:SEED_BYTES], tuple(None if word == GAP else card(word) for word in words)


def _seal_context(record: ShoeRecord) -> str:
    """The context of a seal: a record with another commitment does not open."""
    return f"{record.id} {record.commitment}" if record.opens_by_card else record.id


def _integer_up_to(maximum: int) -> Callable[[Any, ShoeRecord], bool]:
    return lambda value, _: type(value) is int and 1 <= value <= maximum


def _one_of(words: tuple[str, ...]) -> Callable[[Any, ShoeRecord], bool]:
    return lambda value, _: isinstance(value, str) and value in words


def _is_id(value: Any, _: ShoeRecord) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 120 and value.isprintable()


def _is_commitment(value: Any, record: ShoeRecord) -> bool:
    if record.kind not in COMMITTING:
        return value is None
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def _is_sealed(value: Any, record: ShoeRecord) -> bool:
    return value is None if record.kind == "typed" else isinstance(value, str)


_Checks = dict[str, Callable[[Any, ShoeRecord], bool]]

_PLAIN: _Checks = {
    "id": _is_id,
    "kind": _one_of(get_args(ShoeKind)),
    "decks": _integer_up_to(DECKS_MAX),
    "pack": _integer_up_to(PACKS_MAX),
    "shuffle": _one_of(get_args(Shuffle)),
    "times": _integer_up_to(TIMES_MAX),
}
_ALL: _Checks = {**_PLAIN, "commitment": _is_commitment, "sealed": _is_sealed}


def _require_valid(record: ShoeRecord, checks: _Checks = _ALL) -> ShoeRecord:
    for field, fits in checks.items():
        value = getattr(record, field)
        if not fits(value, record):
            raise ShoeError(
                say("shoe.record.odd", value=show_value(value), field=field, kind=record.kind)
            )
    return record
