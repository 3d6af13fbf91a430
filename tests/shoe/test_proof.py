"""A revealed round can be dealt again, and every change is reported with its place and cards."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, LAS_STAX, MHL, OMS
from tests.shoe.dealt_rounds import SEATS, VAULT, DealtRound, deal_round, shoe_of
from tests.shoe.test_packs import with_cut_card

from pitbook.cards import DECK, card, name
from pitbook.errors import ShoeError
from pitbook.rules.actions import Expose, Misdeal
from pitbook.sheets.model import Sheet
from pitbook.shoe.proof import build_revealed_proof
from pitbook.shoe.stored_shoe import ShoeRecord, dealing, reveal
from pitbook.shoe.verdict import DealDifference
from pitbook.shoe.verify import verify

Json = dict[str, Any]


def proof_of(record: ShoeRecord, round: DealtRound, drawn: int = 0) -> Json:
    document = build_revealed_proof(
        record, VAULT, seat_seeds=SEATS, drawn=drawn, round=round.stored, round_id="t1-000001"
    )
    return json.loads(json.dumps(document))  # type: ignore[no-any-return]


def proof(sheet: Sheet = CMS, *plays: str) -> Json:
    record = shoe_of(sheet)
    return proof_of(record, deal_round(sheet, record, *(plays or ("3x", "fold"))))


def with_value(document: Any, first: str | int, *path: str | int, to: Any) -> Any:
    """A copy of the document with another value at one place."""
    changed = copy.copy(document)
    changed[first] = with_value(document[first], *path, to=to) if path else to
    return changed


def turns(document: Json) -> list[int]:
    return [n for n, action in enumerate(document["round"]["actions"]) if action["do"] == "turn"]


@pytest.mark.parametrize(
    "sheet", [CMS, OMS, LAS, LAS_STAX, MHL], ids=lambda tested_sheet: tested_sheet.id
)
@pytest.mark.parametrize("seats", [1, 3, 6])
def test_round_of_every_sheet_deals_again(sheet: Sheet, seats: int) -> None:
    play = "low" if sheet is MHL else "1x"
    verdict = verify(proof(sheet, *[play] * seats))
    assert verdict.differences == ()
    assert len(verdict.hands) == seats + 1
    assert all(hand.unturned == 0 for hand in verdict.hands)


def test_document_is_complete() -> None:
    record = shoe_of(CMS)
    document = proof_of(record, deal_round(CMS, record, "1x"))
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
    round = deal_round(CMS, record, "1x", "fold")
    verdict = verify(proof_of(record, round))
    board, ann, bob = verdict.hands
    assert (board.place, ann.place, bob.place) == ("the community cards", "seat 1", "seat 2")
    assert board.turned == tuple(round.hidden[0])
    assert ann.turned == tuple(round.hidden[1])
    assert (bob.turned, bob.unturned) == ((), 2)
    assert verdict.differences == ()


def test_each_changed_card_is_named_with_its_place_and_number() -> None:
    document = proof(CMS, "1x", "1x")
    named_cards = [document["round"]["actions"][n]["card"] for n in turns(document)]
    free = next(name(free_card) for free_card in DECK if name(free_card) not in named_cards)
    by_place = {}
    for n in turns(document):
        action = document["round"]["actions"][n]
        changed = with_value(document, "round", "actions", n, "card", to=free)
        (card_differs, *others) = verify(
            with_value(changed, "round", "settlement", to=None)
        ).differences
        assert [difference.code for difference in others] == ["settlement"]
        by_place[card_differs.place, card_differs.number] = card_differs
        assert card_differs == DealDifference(
            "card",
            f"Card {card_differs.number} of {card_differs.place}: the record has {free}, "
            f"but the shoe deals {action['card']}.",
            None,
            card_differs.place,
            card_differs.number,
            free,
            action["card"],
        )
    seats = [(f"seat {seat}", number) for seat in (1, 2) for number in (1, 2)]
    board = [("the community cards", number) for number in (1, 2, 3)]
    assert sorted(by_place) == sorted([*seats, *board])


def test_two_cards_in_the_wrong_order_are_both_named() -> None:
    document = proof(CMS, "1x")
    first_turn, second_turn, *_ = turns(document)
    actions = document["round"]["actions"]
    changed = with_value(
        document, "round", "actions", first_turn, "card", to=actions[second_turn]["card"]
    )
    changed = with_value(
        changed, "round", "actions", second_turn, "card", to=actions[first_turn]["card"]
    )
    differences = verify(changed).differences
    assert [(difference.place, difference.number) for difference in differences] == [
        ("seat 1", 1),
        ("seat 1", 2),
    ]


def test_cards_from_other_places_are_turned_in_the_order_in_which_they_were_dealt() -> None:
    """MHL-5 deals three at a time; cards are compared at their place, not in shoe order."""
    assert verify(proof(MHL, "low", "high", "low")).differences == ()


def test_an_exposed_card_is_compared_as_well() -> None:
    record = shoe_of(CMS)
    round = DealtRound(CMS, dealing(record, VAULT, SEATS)).deal(1)
    round.do(Expose(1, round.hidden[1][0]))
    round.do(Misdeal("a boxed card"))
    document = proof_of(record, round)
    verdict = verify(document)
    assert verdict.differences == ()
    assert [(hand.place, len(hand.turned), hand.unturned) for hand in verdict.hands] == [
        ("the community cards", 0, 3),
        ("seat 1", 1, 1),
    ]
    at = next(
        n for n, action in enumerate(document["round"]["actions"]) if action["do"] == "expose"
    )
    other = name(next(other_card for other_card in DECK if other_card not in round.hidden[1]))
    changed = with_value(document, "round", "actions", at, "card", to=other)
    (difference, *_) = verify(changed).differences
    assert (difference.code, difference.place, difference.number, difference.recorded) == (
        "card",
        "seat 1",
        1,
        other,
    )


def test_a_round_that_has_not_ended_can_be_dealt_again() -> None:
    record = shoe_of(CMS)
    round = DealtRound(CMS, dealing(record, VAULT, SEATS)).deal(2)
    round.turn(1)
    verdict = verify(proof_of(record, round))
    assert verdict.differences == ()
    assert [hand.unturned for hand in verdict.hands] == [3, 1, 2]


def test_a_seed_that_was_not_committed_to_is_found() -> None:
    document = proof(CMS, "1x")
    other = shoe_of(CMS)
    (difference,) = verify(
        with_value(document, "shoe", "commitment", to=other.commitment)
    ).differences
    sentence = "The seed does not match the shoe's published commitment."
    assert difference == DealDifference("commitment", sentence)
    codes = [
        difference.code
        for difference in verify(
            with_value(document, "shoe", "seed", to=reveal(other, VAULT))
        ).differences
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
def test_changed_input_of_the_deal_is_found(path: tuple[str, ...], value: Any) -> None:
    """Seven cards agree by chance once in 10^11."""
    differences = verify(with_value(proof(CMS, "1x", "1x"), *path, to=value)).differences
    assert "card" in {difference.code for difference in differences}


def test_seats_are_taken_in_seat_order_however_the_file_lists_them() -> None:
    document = proof(CMS, "1x")
    listed = {"2": "7", "1": "ann's own"}
    assert verify(with_value(document, "shoe", "seat_seeds", to=listed)).differences == ()


def test_another_number_of_decks_is_found_with_its_clause() -> None:
    differences = verify(with_value(proof(CMS, "1x"), "shoe", "decks", to=2)).differences
    sentence = "The shoe has 2 decks, but the sheet requires 1."
    assert differences[0] == DealDifference("decks", sentence, "CMS-3")


def test_changed_settlement_is_found() -> None:
    document = proof(CMS, "1x")
    (difference,) = verify(
        with_value(document, "round", "settlement", "house_net", to="0.01")
    ).differences
    sentence = "the replay does not give the settlement that is stored"
    assert difference == DealDifference("settlement", sentence)


def test_a_settlement_that_is_left_out_is_found() -> None:
    document = proof(CMS, "1x")
    (difference,) = verify(with_value(document, "round", "settlement", to=None)).differences
    sentence = "The round is over, but its settlement is missing."
    assert difference == DealDifference("settlement", sentence)
    del document["round"]["settlement"]
    assert verify(document).differences == (difference,)


@pytest.mark.long
def test_rounds_of_one_shoe_deal_again_up_to_the_cut_card() -> None:
    sheet = with_cut_card(60)
    record = shoe_of(sheet)
    drawn = 0
    while drawn < 312 - 60:
        round = deal_round(sheet, record, "low", "high", "low", drawn=drawn)
        verdict = verify(proof_of(record, round, drawn))
        assert (verdict.differences, verdict.drawn) == ((), drawn)
        drawn += 14
    late_round = deal_round(sheet, record, "low", drawn=drawn)
    (difference,) = verify(proof_of(record, late_round, drawn)).differences
    sentence = f"{drawn} cards were dealt before, but the sheet requires a fresh shoe by then."
    assert difference == DealDifference("fresh", sentence, "MHL-2")


def test_sheet_with_fresh_cards_requires_a_new_shoe() -> None:
    record = shoe_of(CMS)
    (difference,) = verify(proof_of(record, deal_round(CMS, record, "1x", drawn=5), 5)).differences
    sentence = "5 cards were dealt before, but the sheet requires a fresh shoe by then."
    assert difference == DealDifference("fresh", sentence, "CMS-3")


def test_an_arranged_shoe_is_dealt_again_with_its_chosen_cards() -> None:
    first = (None, None, None, card("6s"), card("6h"))  # CMS-4: the board is dealt first.
    record = shoe_of(CMS, "arranged", first=first)
    round = deal_round(CMS, record, "1x")
    document = proof_of(record, round)
    assert document["shoe"]["chosen"] == [None, None, None, "6s", "6h"]
    verdict = verify(document)
    assert verdict.differences == ()
    assert verdict.hands[1].turned == (card("6s"), card("6h"))
    other = with_value(document, "shoe", "chosen", to=[None, None, None, "6h", "6s"])
    assert [difference.code for difference in verify(other).differences] == [
        "commitment",
        "card",
        "card",
    ]


def test_a_seeded_shoe_is_dealt_again_without_a_commitment() -> None:
    record = shoe_of(CMS, "seeded", seed="friday")
    document = proof_of(record, deal_round(CMS, record, "1x"))
    assert document["shoe"]["commitment"] is None
    assert document["shoe"]["seed"] == b"friday".hex()
    assert verify(document).differences == ()


@pytest.mark.parametrize("kind", ["system", "typed"])
def test_a_shoe_that_reveals_nothing_makes_no_document(kind: Any) -> None:
    with pytest.raises(
        ShoeError, match=f'Shoe "table 4/19" is of kind {kind}, which never reveals its seed'
    ):
        build_revealed_proof(
            shoe_of(CMS, kind), VAULT, seat_seeds={}, drawn=0, round={}, round_id="x"
        )
