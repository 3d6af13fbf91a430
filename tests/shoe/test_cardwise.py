"""Proof format 2 byte by byte: the tree, the order of the deal, and published documents."""

from __future__ import annotations

import copy
import json
from collections import Counter
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.lanes import spread
from tests.shoe.forged_decks import forge_deal
from tests.shoe.test_no_proof import ODD, places
from tests.shoe.test_proof import with_value

from pitbook.cards import DECK, card, names
from pitbook.errors import PitbookError, ShoeError
from pitbook.shoe.commitments import (
    SaltedDeck,
    commitment,
    deck_of,
    describe_miscounts,
    leaf,
    levels,
    path,
    root,
)
from pitbook.shoe.crypto import Vault
from pitbook.shoe.dealing import Past, history, positions
from pitbook.shoe.stored_shoe import ShoeRecord, deck, new_shoe
from pitbook.shoe.verify import verify

Json = dict[str, Any]
PUBLISHED = Path(__file__).parents[2] / "frontend" / "src" / "verify" / "proofs" / "cards"
PLAYER_PROOF, AUDITOR_PROOF = (
    json.loads((PUBLISHED / f"stud-of-{whose}.json").read_text())
    for whose in ("a-player", "the-auditor")
)
VAULT = Vault(b"v" * 32)


@pytest.mark.parametrize(
    "file", sorted(PUBLISHED.iterdir()), ids=lambda proof_path: proof_path.stem
)
def test_published_documents_still_verify(file: Path) -> None:
    """The page's own verifier is tested with the same files."""
    verdict = verify(json.loads(file.read_text(encoding="utf-8")))
    assert verdict.differences == ()
    assert verdict.opens_by_card


def test_bytes_of_format_2_do_not_change() -> None:
    salted_deck = deck_of(bytes(32), shoe="table 4/19", decks=1)
    assert names(salted_deck.cards[:8]) == BYTES["deck"]
    assert salted_deck.salts[0].hex() == BYTES["salt"]
    assert salted_deck.commitment == BYTES["commitment"]
    past = (Past(7, ((1, "ann's own"), (2, "é"))),)
    assert history(salted_deck.commitment, past) == BYTES["history"]
    order = positions(salted_deck.commitment, ((1, "x"),), size=52, past=past)
    assert list(islice(order, 12)) == BYTES["order"]


BYTES: Json = {
    "deck": "8d 6c Jh Jd Kc 2s Ad Ac",
    "salt": "ba57ab707a2d3a5b28374e445a3a279fb5ce16bb78bd89f843948f844ffcc236",
    "commitment": "c95df5c0240999ee72d08422180dca24317a7d1019a6a4d0d857da026aa5e958",
    "history": "84793def1ec203396eb116f01c1c12b91dd0725117a36c2ee9b90a1342bbb10c",
    "order": [16, 17, 6, 25, 7, 18, 1, 2, 45, 4, 44, 12],
}


def test_every_leaf_of_a_tree_of_any_size_leads_to_its_root_and_to_no_other() -> None:
    for size in (1, 2, 3, 5, 52, 104, 312):
        leaves = [leaf(n, bytes([n % 251]) * 32, DECK[n % 52]) for n in range(size)]
        tree = levels(leaves)
        for n in {0, 1, size // 2, size - 2, size - 1} & {*range(size)}:
            steps = path(tree, n)
            assert root(leaves[n], steps, position=n, size=size) == tree[-1][0]
            assert root(leaves[n], steps, position=n ^ 1, size=size) != tree[-1][0] or size == 1
            assert root(leaves[n], [*steps, bytes(32)], position=n, size=size) is None
            assert root(leaves[n], steps[:-1], position=n, size=size) is None or size == 1
            assert root(leaves[n], steps, position=n + size, size=size) is None


def test_commitment_depends_on_size_and_shoe() -> None:
    top = bytes(32)
    commitments = {commitment(top, size=52, shoe="a"), commitment(top, size=104, shoe="a")}
    assert len(commitments | {commitment(top, size=52, shoe="b")}) == 3


def test_node_does_not_pass_as_a_leaf() -> None:
    """Second preimage: the two hashes below a node are not a card with its salt."""
    leaves = [leaf(n, bytes(32), DECK[n]) for n in range(4)]
    tree = levels(leaves)
    assert tree[1][0] != leaf(0, leaves[0], DECK[0])
    assert root(tree[1][0], [tree[1][1]], position=0, size=4) is None


def test_each_position_occurs_once_and_every_seed_matters() -> None:
    committed = "ab" * 32
    past = (Past(5, ((1, "x"),)), Past(7, ()))
    order = list(positions(committed, ((2, "y"),), size=104, past=past))
    assert sorted(order) == list(range(104))
    assert list(islice(positions(committed, past[0].seeds, size=104), 5)) == order[:5]
    for other in (((2, "z"),), ((3, "y"),), (), ((1, ""), (2, "y"))):
        assert list(positions(committed, other, size=104, past=past))[12:] != order[12:]
        assert list(positions(committed, other, size=104, past=past))[:12] == order[:12]
    earlier = (Past(5, ((1, "other"),)), past[1])
    assert list(positions(committed, ((2, "y"),), size=104, past=earlier))[12:] != order[12:]
    hashes = {history(committed), history(committed, past[:1]), history(committed, past)}
    assert len({*hashes, history(committed, earlier), committed}) == 4


def test_positions_are_as_likely_as_each_other() -> None:
    """Chi-square over the first position of 5,200 seeds: 51 degrees of freedom, above 98 in under 1
    of 10,000.
    """
    first_positions = Counter(
        next(positions("cd" * 32, ((1, str(n)),), size=52)) for n in range(5_200)
    )
    assert sum((first_positions[place] - 100) ** 2 / 100 for place in range(52)) < 98


def test_a_record_is_sealed_to_its_commitment() -> None:
    record = new_shoe("committed", id="x", decks=2, vault=VAULT)
    assert ShoeRecord.of(json.loads(json.dumps(record.document()))) == record
    assert deck(record, VAULT).commitment == record.commitment
    assert describe_miscounts(deck(record, VAULT).cards, decks=2) is None
    other = new_shoe("committed", id="x", decks=2, vault=VAULT)
    with pytest.raises(ShoeError, match="does not open"):
        deck(record._replace(commitment=other.commitment), VAULT)
    system = new_shoe("system", id="x", decks=1, vault=VAULT).document()
    with pytest.raises(ShoeError, match=r"2 cannot be the format of a shoe of kind system."):
        ShoeRecord.of({**system, "format": 2})
    with pytest.raises(ShoeError, match="3 cannot be the format"):
        ShoeRecord.of({**record.document(), "format": 3})


def test_wrong_card_counts_are_described() -> None:
    cards = [*DECK]
    cards[0] = card("As")
    assert describe_miscounts(cards, decks=1) == "2c 0 times, As 2 times"
    assert SaltedDeck("x", cards, [bytes(32)] * 52).commitment


FIELDS = "A proof of format 2 must have the fields format, round_id, shoe, drawn, cards, round."
SHOE = "A shoe of format 2 must have the fields id, kind, decks, commitment, past, seat_seeds."
OPEN = (
    "A revealed card must have the fields position, card, salt, path. A hidden one has "
    "its position."
)
WRONG: list[tuple[tuple[str | int, ...], Any, str]] = [
    (("more",), 1, FIELDS),
    (("shoe",), None, SHOE),
    (("shoe", "seed"), "ab", SHOE),
    (
        ("shoe", "kind"),
        "seeded",
        'shoe.kind: "seeded" shoes do not reveal single cards. Only committed shoes do.',
    ),
    (("shoe", "decks"), 13, "shoe.decks: 13 must be a whole number from 1 to 12."),
    (("shoe", "past"), {}, "shoe.past must be a list of this shoe's earlier deals."),
    (("shoe", "past"), [1], "A deal in shoe.past must have the fields cards, seat_seeds."),
    (
        ("shoe", "past"),
        [{"cards": -1, "seat_seeds": {}}],
        "shoe.past: -1 must be a number of cards, at least 1.",
    ),
    (
        ("shoe", "past"),
        [{"cards": 0, "seat_seeds": {}}],
        "shoe.past: 0 must be a number of cards, at least 1.",
    ),
    (
        ("shoe", "past"),
        [{"cards": 3, "seat_seeds": {}}, {"cards": -3, "seat_seeds": {}}],
        "shoe.past: -3 must be a number of cards, at least 1.",
    ),
    (
        ("shoe", "past"),
        [{"cards": 3, "seat_seeds": {}}],
        "drawn: 0 cards, but the shoe's past has 3.",
    ),
    (("drawn",), 7, "drawn: 7 cards, but the shoe's past has 0."),
    (("cards",), {}, "cards must be a list of at most 52 dealt cards."),
    (("cards",), [], "cards: 0 cards listed, but the deal uses 7."),
    (("cards", 0), 5, OPEN),
    (("cards", 0), {"position": 1, "card": "As"}, OPEN),
    (("cards", 0, "position"), 52, "cards: 52 must be a position from 0 to 51."),
    (("cards", 0, "position"), True, "cards: true must be a position from 0 to 51."),
    (
        ("cards", 0, "card"),
        "Ax",
        'cards: "Ax" is not a card; write rank and suit as in "Qs", "Td" or "2h"',
    ),
    (("cards", 0, "salt"), "ab", '"ab" must be a salt of 64 hex digits.'),
    (("cards", 0, "path"), "ab", "cards: a path must be a list of hashes."),
    (("cards", 0, "path"), ["x"], '"x" must be a path hash of 64 hex digits.'),
    (("deck",), [], "deck must be a list of all 52 cards, each with its salt."),
    (("round_id",), 7, "round_id: 7 must be a text of one line"),
]


@pytest.mark.parametrize(("where", "value", "sentence"), WRONG)
def test_wrong_field_has_its_own_message(
    where: tuple[str | int, ...], value: Any, sentence: str
) -> None:
    with pytest.raises(ShoeError) as raised:
        verify(with_value(PLAYER_PROOF, *where, to=value))
    assert str(raised.value) == sentence


def test_shoe_that_is_fresh_each_round_has_no_past() -> None:
    """A server that could try out different pasts would choose the cards, with or without seeds."""
    assert verify(forge_deal(AUDITOR_PROOF)).differences == ()
    nothing = (Past(0, ((7, "x1"),)),)
    with pytest.raises(ShoeError, match=r"shoe.past: 0 must be a number of cards, at least 1"):
        verify(forge_deal(AUDITOR_PROOF, past=nothing))
    (difference,) = verify(forge_deal(AUDITOR_PROOF, past=(Past(7, ((7, "x1"),)),))).differences
    assert (difference.code, difference.clause) == ("fresh", "CMS-3")


def test_verdict_has_the_history_of_the_seeds() -> None:
    deep = json.loads((PUBLISHED / "hi-lo-deep-in-the-shoe.json").read_text())
    for document, deals in ((PLAYER_PROOF, 0), (deep, 3)):
        verdict, shoe = verify(document), document["shoe"]
        past = [
            Past(deal["cards"], tuple((int(at), text) for at, text in deal["seat_seeds"].items()))
            for deal in shoe["past"]
        ]
        assert verdict.deals == deals
        assert verdict.history == history(shoe["commitment"], tuple(past))
    assert verify(PLAYER_PROOF).history == PLAYER_PROOF["shoe"]["commitment"]


def test_malformed_deck_is_refused() -> None:
    with pytest.raises(ShoeError, match="write a card with its salt"):
        verify(with_value(AUDITOR_PROOF, "deck", 3, to=["As"]))
    with pytest.raises(ShoeError, match="must be a salt"):
        verify(with_value(AUDITOR_PROOF, "deck", 3, 1, to="00"))


def shorten_proof(document: Json) -> Json:
    """A proof with fewer hashes, so that each kind of value is tried once."""
    short = copy.deepcopy(document)
    for dealt in short["cards"][1:]:
        dealt.pop("path", None), dealt.pop("salt", None), dealt.pop("card", None)
    short.pop("deck", None)
    return short


ODD_PLACES = [place for place in places(shorten_proof(PLAYER_PROOF)) if place]


@pytest.mark.parametrize("where", spread(ODD_PLACES, 30), ids=str)
def test_odd_values_raise_only_pitbook_errors(where: tuple[str | int, ...]) -> None:
    for value in ODD:
        with suppress(PitbookError):
            verify(with_value(PLAYER_PROOF, *where, to=value))


@pytest.mark.parametrize("value", [*ODD, [1], [None], {"seats": ODD}, {"seats": [{"seat": []}]}])
def test_odd_settlements_raise_only_pitbook_errors(value: Any) -> None:
    with suppress(PitbookError):
        verify(with_value(PLAYER_PROOF, "round", "settlement", to=value))


def test_changed_settlement_of_an_open_hand_is_found() -> None:
    seats = PLAYER_PROOF["round"]["settlement"]["seats"]
    ann_index = next(n for n, seat_report in enumerate(seats) if seat_report["player"] == "ann")
    (difference,) = verify(
        with_value(PLAYER_PROOF, "round", "settlement", "seats", ann_index, "net", to="1")
    ).differences
    assert difference.message == "Seat 1 does not match the stored result."


def test_cards_in_another_order_of_places_are_refused() -> None:
    actions = PLAYER_PROOF["round"]["actions"]
    deals = [n for n, action in enumerate(actions) if action["do"] == "deal"]
    changed = with_value(PLAYER_PROOF, "round", "actions", deals[0], "place", to=2)
    with pytest.raises(PitbookError, match="The next card goes to the community cards"):
        verify(changed)
