"""Proofs that somebody made up: no table writes them, and whoever reads one is told what it is."""

from __future__ import annotations

import copy
from itertools import islice
from typing import Any

import pytest
from tests.clauses.table import LAS
from tests.shoe.test_cardwise import AUDITOR, PLAYER, VAULT
from tests.shoe.test_closed_settlement import closed, found_in, with_stax
from tests.shoe.test_proof import bent

from pitbook.cards import DECK, card, name
from pitbook.errors import RoundError, ShoeError
from pitbook.shoe.deck import SaltedDeck
from pitbook.shoe.opening import opening
from pitbook.shoe.order import positions, seeds_of
from pitbook.shoe.proof import verify
from pitbook.shoe.record import ShoeRecord, fresh
from pitbook.shoe.tree import path

Json = dict[str, Any]
ACTIONS = PLAYER["round"]["actions"]
SEEDS = seeds_of({int(seat): seed for seat, seed in PLAYER["shoe"]["seat_seeds"].items()})
CLOSED = [n for n, one in enumerate(PLAYER["cards"]) if "card" not in one]  # Bob's, who folded.
FULL = SaltedDeck(
    AUDITOR["shoe"]["id"],
    [card(one) for one, _ in AUDITOR["deck"]],
    [bytes.fromhex(salt) for _, salt in AUDITOR["deck"]],
)


def opened(deck: SaltedDeck, position: int) -> Json:
    """What opens a card, as the house alone can write it."""
    steps = [one.hex() for one in path(deck.tree, position)]
    salt = deck.salts[position].hex()
    return {"position": position, "card": name(deck.cards[position]), "salt": salt, "path": steps}


# Cards --------------------------------------------------------------------------------------------


def test_a_card_that_the_deck_holds_too_often_is_named_though_it_was_committed_to() -> None:
    """A house that fixed a deck of aces has broken no hash and no order; its reader counts."""
    aces = SaltedDeck(FULL.shoe, [card("As")] * 52, FULL.salts)
    order = positions(aces.commitment, SEEDS, size=52)
    laid = [
        {"position": one} if n in CLOSED else opened(aces, one)
        for n, one in enumerate(islice(order, len(PLAYER["cards"])))
    ]
    made = bent(bent(PLAYER, "cards", to=laid), "shoe", "commitment", to=aces.commitment)
    found = verify(made).differences
    assert [one.message for one in found if one.code == "deck"] == ["As is dealt 5 times"]
    assert {one.code for one in found} == {"deck", "card"}


def test_a_deck_of_the_auditors_file_is_full() -> None:
    cards = [card("As") if one == card("2h") else one for one in FULL.cards]
    made = bent(AUDITOR, "deck", to=[[name(one), "00" * 32] for one in cards])
    found = {one.code: one.message for one in verify(made).differences}
    assert found["deck"] == "this is no full deck; it holds 2h 0 times, As 2 times"
    assert "does not have the hash" in found["commitment"]


@pytest.mark.parametrize("number", CLOSED)
def test_a_card_that_the_round_keeps_closed_is_not_opened_beside_it(number: int) -> None:
    """It is the card that was dealt; but nobody is told of a hand that this reader may not see."""
    card_of_bob = opened(FULL, PLAYER["cards"][number]["position"])
    (found,) = verify(bent(PLAYER, "cards", number, to=card_of_bob)).differences
    assert (found.code, found.place, found.number) == ("closed", "seat 2", CLOSED.index(number) + 1)
    assert found.message.endswith(": it is opened, and the round keeps it closed")


def test_a_card_that_the_round_names_is_opened() -> None:
    position = PLAYER["cards"][0]["position"]
    (found,) = verify(bent(PLAYER, "cards", 0, to={"position": position})).differences
    told = "card 1 of the community cards: the record says Ad; nothing opens it"
    assert (found.code, found.message) == ("closed", told)


@pytest.mark.parametrize("named", ["Kh", None])
def test_no_more_cards_are_turned_at_a_place_than_were_dealt_there(named: str | None) -> None:
    last = max(n for n, one in enumerate(ACTIONS) if one.get("place") == 2)
    more = [*ACTIONS[: last + 1], {**ACTIONS[last], "card": named}, *ACTIONS[last + 1 :]]
    with pytest.raises(RoundError, match="no card lies face down there"):
        verify(bent(PLAYER, "round", "actions", to=more))


@pytest.mark.long
def test_more_closed_cards_than_the_decks_hold_are_a_sentence() -> None:
    """Five are named here, so 47 are left; the 48th has no card that could lie there."""
    (first, *_) = [n for n, one in enumerate(ACTIONS) if one["do"] == "turn" and not one["card"]]
    for many, sentence in (
        (47, "no card lies face down there"),
        (48, "more cards are closed than the decks hold"),
        (len(DECK) * 100, "more cards are closed than the decks hold"),
    ):
        hidden = [ACTIONS[first]] * (many - len(CLOSED))
        with pytest.raises(RoundError, match=sentence):
            verify(
                bent(PLAYER, "round", "actions", to=[*ACTIONS[:first], *hidden, *ACTIONS[first:]])
            )


# The document -------------------------------------------------------------------------------------


def test_a_proof_says_which_round_it_is_of() -> None:
    """One that does not could be shown for any round of the evening."""
    with pytest.raises(ShoeError) as refused:
        verify(bent(PLAYER, "round_id", to=None))
    assert str(refused.value) == "round_id: a proof says which round it is of, as t1-000004"


FIELDS = "a stored round has the fields format, engine, sheet, actions, settlement"


@pytest.mark.parametrize(
    ("round", "sentence"),
    [
        (None, FIELDS),
        ([], FIELDS),
        ({}, FIELDS),
        ({**PLAYER["round"], "more": 1}, FIELDS),
        ({**PLAYER["round"], "actions": None}, "actions must be a list"),
        ({**PLAYER["round"], "actions": {}}, "actions must be a list"),
        ({**PLAYER["round"], "actions": "turn"}, "actions must be a list"),
        (
            {**PLAYER["round"], "actions": None, "engine": 2},
            "engine 2 is not known; this is engine 1",
        ),
    ],
)
def test_a_round_that_is_none_has_the_sentence_that_it_has_everywhere(
    round: Any, sentence: str
) -> None:
    with pytest.raises(RoundError) as refused:
        verify(bent(PLAYER, "round", to=round))
    assert str(refused.value) == sentence


def without(part: Json, field: str) -> Json:
    return {key: value for key, value in part.items() if key != field}


SETTLED = closed(with_stax(LAS))
SEATS = SETTLED["settlement"]["seats"]
ANN, BOB = SEATS
BOTH = [f"seat {seat} does not come to what is stored for it" for seat in (1, 2)]


@pytest.mark.parametrize(
    ("seats", "wrong"),
    [
        (None, BOTH),
        (7, BOTH),
        ([None], BOTH),
        ([ANN], BOTH[1:]),
        ([ANN, without(BOB, "seat")], BOTH[1:]),
        ([ANN, without(BOB, "lines")], BOTH[1:]),
        ([ANN, {**BOB, "lines": None}], BOTH[1:]),
        ([ANN, {**BOB, "lines": [without(one, "odds") for one in BOB["lines"]]}], BOTH[1:]),
    ],
)
def test_a_settlement_that_leaves_out_a_closed_hand_is_found(seats: Any, wrong: list[str]) -> None:
    """Bob's STAX wager looks at cards that the reader may not see; nothing is stored to fit."""
    assert found_in(SETTLED) == []
    assert found_in(bent(SETTLED, "settlement", "seats", to=seats)) == wrong


def test_a_settlement_that_pays_a_closed_hand_twice_is_found() -> None:
    twice = bent(SETTLED, "settlement", "seats", to=[ANN, BOB, BOB])
    assert found_in(twice) == BOTH[1:]


def test_a_settlement_without_seats_is_found() -> None:
    bare = without(SETTLED["settlement"], "seats")
    assert found_in(bent(SETTLED, "settlement", to=bare)) == BOTH


# The house's own record ---------------------------------------------------------------------------


def told(record: ShoeRecord) -> Json:
    round = copy.deepcopy(PLAYER["round"])
    return opening(record, VAULT, seeds=SEEDS, past=(), round=round, round_id="t1-000001")


def test_a_shoe_whose_seed_was_exchanged_opens_for_nobody() -> None:
    """Whoever has the house's key can seal another seed; its deck was promised to nobody."""
    record = fresh("committed", id="x", decks=1, vault=VAULT)
    assert told(record)["shoe"]["commitment"] == record.commitment
    sealed = VAULT.seal(bytes(32), f"{record.id} {record.commitment}")
    with pytest.raises(ShoeError) as refused:
        told(record._replace(sealed=sealed))
    assert str(refused.value) == 'shoe "x" holds another deck than the one it is committed to'
