"""A stored shoe deals the same cards to any holder of the secret and reveals them to no one
else.
"""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from typing import Any, get_args

import pytest
from tests.shoe.dealt_rounds import VAULT

from pitbook.cards import DECK, card, cards, name, names
from pitbook.errors import CardError, ShoeError
from pitbook.shoe.crypto import Vault
from pitbook.shoe.stored_shoe import (
    ShoeKind,
    ShoeRecord,
    arranged_cards,
    dealing,
    draw_cards,
    new_shoe,
    reveal,
)
from pitbook.text.user_input import show_value

FIRST = (card("6s"), None, card("6h"))
NEEDED: dict[str, dict[str, Any]] = {
    "seeded": {"seed": "friday night"},
    "arranged": {"first": FIRST},
}
KINDS: tuple[ShoeKind, ...] = get_args(ShoeKind)
DEALING = tuple(kind for kind in KINDS if kind != "typed")
DEALT_BY_SEED = tuple(kind for kind in DEALING if kind != "committed")


def shoe_of_kind(kind: ShoeKind, **options: Any) -> ShoeRecord:
    return new_shoe(kind, id="table 1/7", decks=1, vault=VAULT, **NEEDED.get(kind, {}), **options)


def first_ten(record: ShoeRecord, seats: dict[int, str] | None = None) -> str:
    return names(islice(draw_cards(record, VAULT, seats or {}), 10))


@pytest.mark.parametrize("kind", KINDS)
def test_record_round_trips_through_json(kind: ShoeKind) -> None:
    record = shoe_of_kind(kind, pack=2, shuffle="house-blackjack", times=3)
    restored = ShoeRecord.of(json.loads(json.dumps(record.document())))
    assert restored == record
    assert (restored.pack, restored.shuffle, restored.times) == (2, "house-blackjack", 3)
    plain = shoe_of_kind(kind)
    assert (plain.id, plain.kind, plain.decks) == ("table 1/7", kind, 1)
    assert (plain.pack, plain.shuffle, plain.times) == (1, "automatic", 1)


@pytest.mark.parametrize("kind", DEALT_BY_SEED)
def test_resumed_shoe_deals_the_same_cards(kind: ShoeKind) -> None:
    record = shoe_of_kind(kind)
    first_dealing = dealing(record, VAULT, {1: "mine"})
    assert sorted(all_cards := [first_dealing.draw() for _ in range(52)]) == list(DECK)
    resumed = dealing(ShoeRecord.of(record.document()), Vault(b"v" * 32), {1: "mine"}).skip(20)
    assert [resumed.draw() for _ in range(32)] == all_cards[20:]


@pytest.mark.parametrize("kind", ["committed", "system", "arranged"])
def test_new_shoes_have_different_seeds(kind: ShoeKind) -> None:
    assert first_ten(shoe_of_kind(kind)) != first_ten(shoe_of_kind(kind))


@pytest.mark.parametrize("kind", DEALING)
def test_seats_change_the_deal_with_seeds_of_their_own(kind: ShoeKind) -> None:
    record = shoe_of_kind(kind)
    seeds: tuple[dict[int, str], ...] = ({}, {1: "a"}, {2: "a"}, {1: "b"}, {1: "a", 2: "b"})
    assert len({first_ten(record, seat_seeds) for seat_seeds in seeds}) == 5
    assert first_ten(record, {2: "b", 1: "a"}) == first_ten(record, {1: "a", 2: "b"})


@pytest.mark.parametrize("kind", DEALING)
def test_record_contains_no_card_and_no_seed(kind: ShoeKind) -> None:
    record = shoe_of_kind(kind)
    text = json.dumps(record.document())
    if kind != "system":
        assert reveal(record, VAULT) not in text
    assert "friday night" not in text
    assert b"6s -- 6h".hex() not in text
    plain = record._replace(commitment=None, sealed=None)  # "2c" may be hexadecimal.
    assert not [deck_card for deck_card in DECK if name(deck_card) in json.dumps(plain.document())]


def test_the_commitment_of_an_arranged_shoe_covers_the_chosen_cards() -> None:
    record = shoe_of_kind("arranged")
    seed = bytes.fromhex(reveal(record, VAULT))
    assert len(seed) == 32
    assert record.commitment == hashlib.sha256(seed + b"6s -- 6h").hexdigest()
    assert arranged_cards(record, VAULT) == FIRST
    assert first_ten(record).split()[0::2][:2] == ["6s", "6h"]


def test_other_shoes_have_no_commitment_and_no_chosen_cards() -> None:
    for kind in ("system", "seeded", "typed"):
        assert shoe_of_kind(kind).commitment is None
        assert arranged_cards(shoe_of_kind(kind), VAULT) == ()
    assert arranged_cards(shoe_of_kind("committed"), VAULT) == ()


def test_a_seeded_shoe_deals_the_same_for_ever() -> None:
    assert (
        first_ten(shoe_of_kind("seeded"))
        == first_ten(shoe_of_kind("seeded"))
        == "9d 5d 2c 6s 6h 7d Js 7h 6d 2h"
    )
    assert reveal(shoe_of_kind("seeded"), VAULT) == b"friday night".hex()


def test_a_typed_shoe_has_no_seed_and_deals_nothing() -> None:
    record = shoe_of_kind("typed")
    assert record.sealed is None
    shoe = dealing(record, VAULT, {})
    assert shoe.remaining == 52
    with pytest.raises(CardError, match="A dealer deals from this shoe and types the cards"):
        shoe.draw()


@pytest.mark.parametrize("kind", ["system", "typed"])
def test_shoe_without_a_revealable_seed_is_refused(kind: ShoeKind) -> None:
    with pytest.raises(ShoeError) as raised:
        reveal(shoe_of_kind(kind), VAULT)
    sentence = f'Shoe "table 1/7" is of kind {kind}, which never reveals its seed.'
    assert str(raised.value) == sentence


def test_a_record_opens_with_its_own_secret_and_under_its_own_id() -> None:
    record = shoe_of_kind("arranged")
    for other, vault in (
        (record, Vault(b"w" * 32)),
        (record._replace(id="table 1/8"), VAULT),
        (record._replace(sealed=shoe_of_kind("arranged").sealed[:-1] + "x"), VAULT),  # type: ignore[index]
    ):
        for act in (lambda r, v: dealing(r, v, {}), reveal, arranged_cards):
            with pytest.raises(ShoeError, match="does not open"):
                act(other, vault)


def test_exchanged_seed_breaks_the_commitment() -> None:
    record, other = shoe_of_kind("arranged"), shoe_of_kind("arranged")
    with pytest.raises(ShoeError) as raised:
        dealing(record._replace(sealed=other.sealed), VAULT, {})
    assert str(raised.value) == (
        'Shoe "table 1/7" has a different seed from the one it committed to.'
    )


def test_chosen_cards_are_held_against_the_decks() -> None:
    twice = cards("As As")
    record = new_shoe("arranged", id="x", decks=2, vault=VAULT, first=twice)
    assert arranged_cards(record, VAULT) == twice
    with pytest.raises(CardError, match=r"As is chosen one time too many. One deck has only 1."):
        new_shoe("arranged", id="x", decks=1, vault=VAULT, first=twice)


@pytest.mark.parametrize("kind", KINDS)
def test_seeds_are_for_seeded_shoes_and_first_cards_for_arranged_ones(kind: ShoeKind) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        (
            {
                "seed": None if kind == "seeded" else "x",
                "first": FIRST if kind == "arranged" else (),
            },
            "A seeded shoe needs a seed. No other shoe has one.",
        ),
        (
            {
                "seed": "x" if kind == "seeded" else None,
                "first": () if kind == "arranged" else FIRST,
            },
            "An arranged shoe needs its first cards. No other shoe has any.",
        ),
    ]
    for options, sentence in wrong:
        with pytest.raises(ShoeError) as raised:
            new_shoe(kind, id="x", decks=1, vault=VAULT, **options)
        assert str(raised.value) == sentence


BAD: list[tuple[str, Any]] = [
    ("id", ""),
    ("id", "x" * 121),
    ("id", "two\nlines"),
    ("id", 7),
    ("kind", "fair"),
    ("kind", None),
    ("decks", 0),
    ("decks", 13),
    ("decks", True),
    ("decks", "1"),
    ("pack", 0),
    ("pack", 53),
    ("shuffle", "riffle"),
    ("times", 0),
    ("times", 11),
]


@pytest.mark.parametrize(("field", "value"), BAD)
def test_invalid_field_is_refused_on_creation_and_on_reading(field: str, value: Any) -> None:
    document = shoe_of_kind("committed").document() | {field: value}
    with pytest.raises(ShoeError, match=f"cannot be the {field} of a shoe"):
        ShoeRecord.of(document)
    if field != "kind":
        fields = {"id": "x", "decks": 1, field: value}
        with pytest.raises(ShoeError, match=f"cannot be the {field} of a shoe"):
            new_shoe("committed", vault=VAULT, **fields)


@pytest.mark.parametrize(
    ("field", "value"),
    [("id", "x" * 120), ("decks", 12), ("pack", 52), ("times", 10), ("shuffle", "hand")],
)
def test_the_largest_values_are_taken(field: str, value: Any) -> None:
    fields = {"id": "x", "decks": 1, field: value}
    record = new_shoe("committed", vault=VAULT, **fields)
    assert getattr(ShoeRecord.of(record.document()), field) == value


def test_seal_and_commitment_go_with_the_kind() -> None:
    for kind in KINDS:
        document = shoe_of_kind(kind).document()
        committed = kind in ("committed", "arranged")
        wrong: list[tuple[str, Any]] = [
            ("commitment", None if committed else "0" * 64),
            ("commitment", "0" * 63),
            ("commitment", "F" * 64),
            ("commitment", 5),
            ("sealed", "x" if kind == "typed" else None),
            ("sealed", 5),
        ]
        for field, value in wrong:
            with pytest.raises(ShoeError) as raised:
                ShoeRecord.of(document | {field: value})
            message = f"{show_value(value)} cannot be the {field} of a shoe of kind {kind}."
            assert str(raised.value) == message


@pytest.mark.parametrize("document", [None, [], "shoe", {}, {"id": "x"}])
def test_document_that_is_not_a_record_is_refused(document: Any) -> None:
    sentence = (
        "A shoe's record must have the fields id, kind, decks, commitment, sealed, pack, "
        "shuffle, times."
    )
    for invalid in (document, {**shoe_of_kind("typed").document(), "color": "red"}):
        with pytest.raises(ShoeError) as raised:
            ShoeRecord.of(invalid)
        assert str(raised.value) == sentence
