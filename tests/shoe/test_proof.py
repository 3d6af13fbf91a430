"""A revealed round deals again, and whatever was bent is named: the place, the card, both names."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from tests.clauses.table import CMS, LAS, LAS_STAX, MHL, OMS
from tests.shoe.dealt import SEATS, VAULT, Dealt, dealt, shoe_of
from tests.shoe.test_packs import cut

from pitbook.cards import DECK, card, name
from pitbook.errors import ShoeError
from pitbook.rules.actions import Expose, Misdeal
from pitbook.sheets.model import Sheet
from pitbook.shoe.proof import revealed, verify
from pitbook.shoe.record import ShoeRecord, dealing, reveal
from pitbook.shoe.verdict import DealDifference

Json = dict[str, Any]


def proof_of(record: ShoeRecord, round: Dealt, drawn: int = 0) -> Json:
    document = revealed(
        record, VAULT, seat_seeds=SEATS, drawn=drawn, round=round.stored, round_id="t1-000001"
    )
    return json.loads(json.dumps(document))  # type: ignore[no-any-return]


def proof(sheet: Sheet = CMS, *plays: str) -> Json:
    record = shoe_of(sheet)
    return proof_of(record, dealt(sheet, record, *(plays or ("3x", "fold"))))


def bent(document: Any, first: str | int, *path: str | int, to: Any) -> Any:
    """The document with another value at a place; the rest is shared with the first."""
    changed = copy.copy(document)
    changed[first] = bent(document[first], *path, to=to) if path else to
    return changed


def turns(document: Json) -> list[int]:
    return [n for n, one in enumerate(document["round"]["actions"]) if one["do"] == "turn"]


@pytest.mark.parametrize("sheet", [CMS, OMS, LAS, LAS_STAX, MHL], ids=lambda one: one.id)
@pytest.mark.parametrize("seats", [1, 3, 6])
def test_a_round_of_every_sheet_deals_again(sheet: Sheet, seats: int) -> None:
    play = "low" if sheet is MHL else "1x"
    verdict = verify(proof(sheet, *[play] * seats))
    assert verdict.differences == ()
    assert len(verdict.hands) == seats + 1
    assert all(hand.unturned == 0 for hand in verdict.hands)


def test_the_document_holds_what_anyone_needs() -> None:
    record = shoe_of(CMS)
    document = proof_of(record, dealt(CMS, record, "1x"))
    assert list(document) == ["format", "shoe", "drawn", "round", "round_id"]
    assert (document["format"], document["drawn"]) == (1, 0)
    assert document["shoe"] == {
        "id": "table 4/19",
        "kind": "arranged",
        "decks": 1,
        "commitment": record.commitment,
        "seed": reveal(record, VAULT),
        "seat_seeds": {"1": "ann's own", "2": "7"},
        "chosen": [None],
    }


def test_gen_14_a_folded_hand_is_dealt_again_but_never_named() -> None:
    record = shoe_of(CMS)
    round = dealt(CMS, record, "1x", "fold")
    verdict = verify(proof_of(record, round))
    board, ann, bob = verdict.hands
    assert (board.place, ann.place, bob.place) == ("the community cards", "seat 1", "seat 2")
    assert board.turned == tuple(round.hidden[0])
    assert ann.turned == tuple(round.hidden[1])
    assert (bob.turned, bob.unturned) == ((), 2)
    assert verdict.differences == ()


def test_each_card_that_was_bent_is_named_with_its_place_and_number() -> None:
    document = proof(CMS, "1x", "1x")
    named = [document["round"]["actions"][n]["card"] for n in turns(document)]
    free = next(name(one) for one in DECK if name(one) not in named)
    told = {}
    for n in turns(document):
        action = document["round"]["actions"][n]
        changed = bent(document, "round", "actions", n, "card", to=free)
        (card_differs, *more) = verify(bent(changed, "round", "settlement", to=None)).differences
        assert [one.code for one in more] == ["settlement"]
        told[card_differs.place, card_differs.number] = card_differs
        assert card_differs == DealDifference(
            "card",
            f"card {card_differs.number} of {card_differs.place}: recorded {free}, "
            f"the shoe deals {action['card']}",
            None,
            card_differs.place,
            card_differs.number,
            free,
            action["card"],
        )
    seats = [(f"seat {seat}", number) for seat in (1, 2) for number in (1, 2)]
    board = [("the community cards", number) for number in (1, 2, 3)]
    assert sorted(told) == sorted([*seats, *board])


def test_two_cards_in_the_wrong_order_are_both_named() -> None:
    document = proof(CMS, "1x")
    one, other, *_ = turns(document)
    actions = document["round"]["actions"]
    changed = bent(document, "round", "actions", one, "card", to=actions[other]["card"])
    changed = bent(changed, "round", "actions", other, "card", to=actions[one]["card"])
    found = verify(changed).differences
    assert [(one.place, one.number) for one in found] == [("seat 1", 1), ("seat 1", 2)]


def test_cards_from_other_places_are_turned_in_the_order_in_which_they_were_dealt() -> None:
    """MHL-5 deals three at a time; cards are compared at their place, not in the shoe's order."""
    assert verify(proof(MHL, "low", "high", "low")).differences == ()


def test_an_exposed_card_is_compared_as_well() -> None:
    record = shoe_of(CMS)
    round = Dealt(CMS, dealing(record, VAULT, SEATS)).deal(1)
    round.do(Expose(1, round.hidden[1][0]))
    round.do(Misdeal("a boxed card"))
    document = proof_of(record, round)
    verdict = verify(document)
    assert verdict.differences == ()
    assert [(hand.place, len(hand.turned), hand.unturned) for hand in verdict.hands] == [
        ("the community cards", 0, 3),
        ("seat 1", 1, 1),
    ]
    at = next(n for n, one in enumerate(document["round"]["actions"]) if one["do"] == "expose")
    other = name(next(one for one in DECK if one not in round.hidden[1]))
    changed = bent(document, "round", "actions", at, "card", to=other)
    (found, *_) = verify(changed).differences
    assert (found.code, found.place, found.number, found.recorded) == ("card", "seat 1", 1, other)


def test_a_round_that_has_not_ended_can_be_dealt_again() -> None:
    record = shoe_of(CMS)
    round = Dealt(CMS, dealing(record, VAULT, SEATS)).deal(2)
    round.turn(1)
    verdict = verify(proof_of(record, round))
    assert verdict.differences == ()
    assert [hand.unturned for hand in verdict.hands] == [3, 1, 2]


def test_a_seed_that_was_not_committed_to_is_found() -> None:
    document = proof(CMS, "1x")
    other = shoe_of(CMS)
    (found,) = verify(bent(document, "shoe", "commitment", to=other.commitment)).differences
    sentence = "the seed does not have the hash that was published as the shoe's commitment"
    assert found == DealDifference("commitment", sentence)
    codes = [
        one.code
        for one in verify(bent(document, "shoe", "seed", to=reveal(other, VAULT))).differences
    ]
    assert codes[0] == "commitment"
    assert "card" in codes


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("shoe", "id"), "table 4/20"),
        (("shoe", "seat_seeds"), {}),
        (("shoe", "seat_seeds"), {"1": "7", "2": "ann's own"}),
        (("drawn",), 1),
    ],
)
def test_whatever_the_cards_depend_on_cannot_be_changed(path: tuple[str, ...], value: Any) -> None:
    """Seven cards would agree by chance once in 10^11."""
    found = verify(bent(proof(CMS, "1x", "1x"), *path, to=value)).differences
    assert "card" in {one.code for one in found}


def test_seats_are_taken_in_seat_order_however_the_file_lists_them() -> None:
    document = proof(CMS, "1x")
    listed = {"2": "7", "1": "ann's own"}
    assert verify(bent(document, "shoe", "seat_seeds", to=listed)).differences == ()


def test_another_number_of_decks_is_found_with_its_clause() -> None:
    found = verify(bent(proof(CMS, "1x"), "shoe", "decks", to=2)).differences
    sentence = "the shoe has 2 decks, the sheet asks for 1"
    assert found[0] == DealDifference("decks", sentence, "CMS-3")


def test_a_settlement_that_was_bent_is_found() -> None:
    document = proof(CMS, "1x")
    (found,) = verify(bent(document, "round", "settlement", "house_net", to="0.01")).differences
    sentence = "the replay does not give the settlement that is stored"
    assert found == DealDifference("settlement", sentence)


def test_a_settlement_that_is_left_out_is_found() -> None:
    document = proof(CMS, "1x")
    (found,) = verify(bent(document, "round", "settlement", to=None)).differences
    sentence = "the round is over, and its settlement is left out"
    assert found == DealDifference("settlement", sentence)
    del document["round"]["settlement"]
    assert verify(document).differences == (found,)


@pytest.mark.long
def test_rounds_of_one_shoe_deal_again_up_to_the_cut_card() -> None:
    sheet = cut(60)
    record = shoe_of(sheet)
    drawn = 0
    while drawn < 312 - 60:
        round = dealt(sheet, record, "low", "high", "low", drawn=drawn)
        verdict = verify(proof_of(record, round, drawn))
        assert (verdict.differences, verdict.drawn) == ((), drawn)
        drawn += 14
    late = dealt(sheet, record, "low", drawn=drawn)
    (found,) = verify(proof_of(record, late, drawn)).differences
    sentence = f"dealt before: {drawn} cards; the sheet asks for a fresh shoe by then"
    assert found == DealDifference("fresh", sentence, "MHL-2")


def test_a_sheet_with_fresh_cards_each_round_lets_no_house_choose_where_to_begin() -> None:
    record = shoe_of(CMS)
    (found,) = verify(proof_of(record, dealt(CMS, record, "1x", drawn=5), 5)).differences
    sentence = "dealt before: 5 cards; the sheet asks for a fresh shoe by then"
    assert found == DealDifference("fresh", sentence, "CMS-3")


def test_an_arranged_shoe_is_dealt_again_with_its_chosen_cards() -> None:
    first = (None, None, None, card("6s"), card("6h"))  # CMS-4: the board is dealt first.
    record = shoe_of(CMS, "arranged", first=first)
    round = dealt(CMS, record, "1x")
    document = proof_of(record, round)
    assert document["shoe"]["chosen"] == [None, None, None, "6s", "6h"]
    verdict = verify(document)
    assert verdict.differences == ()
    assert verdict.hands[1].turned == (card("6s"), card("6h"))
    other = bent(document, "shoe", "chosen", to=[None, None, None, "6h", "6s"])
    assert [one.code for one in verify(other).differences] == ["commitment", "card", "card"]


def test_a_seeded_shoe_is_dealt_again_without_a_commitment() -> None:
    record = shoe_of(CMS, "seeded", seed="friday")
    document = proof_of(record, dealt(CMS, record, "1x"))
    assert document["shoe"]["commitment"] is None
    assert document["shoe"]["seed"] == b"friday".hex()
    assert verify(document).differences == ()


@pytest.mark.parametrize("kind", ["system", "typed"])
def test_a_shoe_that_reveals_nothing_makes_no_document(kind: Any) -> None:
    with pytest.raises(ShoeError, match="reveals no seed"):
        revealed(shoe_of(CMS, kind), VAULT, seat_seeds={}, drawn=0, round={}, round_id="x")
