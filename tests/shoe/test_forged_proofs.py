"""Forged proofs, which no table writes, are detected."""

from __future__ import annotations

import copy
from itertools import islice
from typing import Any

import pytest
from tests.clauses.one_line_rounds import LAS
from tests.shoe.test_cardwise import AUDITOR_PROOF, PLAYER_PROOF, VAULT
from tests.shoe.test_closed_settlement import hide_bob, round_with_stax, settlement_messages
from tests.shoe.test_proof import with_value

from pitbook.cards import DECK, card, name
from pitbook.errors import RoundError, ShoeError
from pitbook.shoe.commitments import SaltedDeck, path
from pitbook.shoe.dealing import positions, seeds_of
from pitbook.shoe.proof import build_card_proof
from pitbook.shoe.stored_shoe import ShoeRecord, new_shoe
from pitbook.shoe.verify import verify

Json = dict[str, Any]
ACTIONS = PLAYER_PROOF["round"]["actions"]
SEEDS = seeds_of({int(seat): seed for seat, seed in PLAYER_PROOF["shoe"]["seat_seeds"].items()})
# Bob's, who folded.
CLOSED = [n for n, dealt in enumerate(PLAYER_PROOF["cards"]) if "card" not in dealt]
FULL = SaltedDeck(
    AUDITOR_PROOF["shoe"]["id"],
    [card(entry) for entry, _ in AUDITOR_PROOF["deck"]],
    [bytes.fromhex(salt) for _, salt in AUDITOR_PROOF["deck"]],
)


def opening_of(deck: SaltedDeck, position: int) -> Json:
    """The opening of a card, which only the server can write."""
    steps = [sibling.hex() for sibling in path(deck.tree, position)]
    salt = deck.salts[position].hex()
    return {"position": position, "card": name(deck.cards[position]), "salt": salt, "path": steps}


# Cards --------------------------------------------------------------------------------------------


def test_committed_deck_with_too_many_aces_is_found() -> None:
    """A deck of aces breaks no hash and no order, but the reader counts the cards."""
    aces = SaltedDeck(FULL.shoe, [card("As")] * 52, FULL.salts)
    order = positions(aces.commitment, SEEDS, size=52)
    dealt_cards = [
        {"position": position} if n in CLOSED else opening_of(aces, position)
        for n, position in enumerate(islice(order, len(PLAYER_PROOF["cards"])))
    ]
    forged = with_value(
        with_value(PLAYER_PROOF, "cards", to=dealt_cards), "shoe", "commitment", to=aces.commitment
    )
    differences = verify(forged).differences
    assert [difference.message for difference in differences if difference.code == "deck"] == [
        "As is dealt 5 times."
    ]
    assert {difference.code for difference in differences} == {"deck", "card"}


def test_a_deck_of_the_auditors_file_is_full() -> None:
    cards = [card("As") if deck_card == card("2h") else deck_card for deck_card in FULL.cards]
    forged = with_value(
        AUDITOR_PROOF, "deck", to=[[name(deck_card), "00" * 32] for deck_card in cards]
    )
    messages = {difference.code: difference.message for difference in verify(forged).differences}
    assert messages["deck"] == "The deck is not full. It has 2h 0 times, As 2 times."
    assert "The deck does not match the published commitment" in messages["commitment"]


@pytest.mark.parametrize("number", CLOSED)
def test_closed_card_must_not_be_opened(number: int) -> None:
    """It is the card that was dealt, but the reader may not see that hand."""
    card_of_bob = opening_of(FULL, PLAYER_PROOF["cards"][number]["position"])
    (difference,) = verify(with_value(PLAYER_PROOF, "cards", number, to=card_of_bob)).differences
    assert (difference.code, difference.place, difference.number) == (
        "closed",
        "seat 2",
        CLOSED.index(number) + 1,
    )
    assert difference.message.endswith(": it is revealed, but this round keeps it hidden")


def test_a_card_that_the_round_names_is_opened() -> None:
    position = PLAYER_PROOF["cards"][0]["position"]
    (difference,) = verify(
        with_value(PLAYER_PROOF, "cards", 0, to={"position": position})
    ).differences
    message = (
        "card 1 of the community cards: the record has Ad, but the proof does not reveal the card"
    )
    assert (difference.code, difference.message) == ("closed", message)


@pytest.mark.parametrize("named", ["Kh", None])
def test_no_more_cards_are_turned_at_a_place_than_were_dealt_there(named: str | None) -> None:
    last = max(n for n, action in enumerate(ACTIONS) if action.get("place") == 2)
    extra_turn = [*ACTIONS[: last + 1], {**ACTIONS[last], "card": named}, *ACTIONS[last + 1 :]]
    with pytest.raises(RoundError, match="There is no face-down card there"):
        verify(with_value(PLAYER_PROOF, "round", "actions", to=extra_turn))


@pytest.mark.long
def test_more_closed_cards_than_the_decks_hold_are_refused() -> None:
    """Five cards are named, so 47 are left; the 48th closed card cannot exist."""
    (first, *_) = [
        n for n, action in enumerate(ACTIONS) if action["do"] == "turn" and not action["card"]
    ]
    for many, sentence in (
        (47, "There is no face-down card there."),
        (48, "More cards are hidden than the decks have."),
        (len(DECK) * 100, "More cards are hidden than the decks have."),
    ):
        hidden = [ACTIONS[first]] * (many - len(CLOSED))
        with pytest.raises(RoundError, match=sentence):
            verify(
                with_value(
                    PLAYER_PROOF,
                    "round",
                    "actions",
                    to=[*ACTIONS[:first], *hidden, *ACTIONS[first:]],
                )
            )


# The document -------------------------------------------------------------------------------------


def test_proof_requires_a_round_id() -> None:
    """A proof without a round id could be shown for any round."""
    with pytest.raises(ShoeError) as raised:
        verify(with_value(PLAYER_PROOF, "round_id", to=None))
    assert str(raised.value) == "round_id: a proof must name its round, such as t1-000004."


FIELDS = "a stored round has the fields format, engine, sheet, actions, settlement"


@pytest.mark.parametrize(
    ("round", "sentence"),
    [
        (None, FIELDS),
        ([], FIELDS),
        ({}, FIELDS),
        ({**PLAYER_PROOF["round"], "more": 1}, FIELDS),
        ({**PLAYER_PROOF["round"], "actions": None}, "actions must be a list"),
        ({**PLAYER_PROOF["round"], "actions": {}}, "actions must be a list"),
        ({**PLAYER_PROOF["round"], "actions": "turn"}, "actions must be a list"),
        (
            {**PLAYER_PROOF["round"], "actions": None, "engine": 2},
            "engine 2 is not known; this is engine 1",
        ),
    ],
)
def test_invalid_round_is_refused(round: Any, sentence: str) -> None:
    with pytest.raises(RoundError) as raised:
        verify(with_value(PLAYER_PROOF, "round", to=round))
    assert str(raised.value) == sentence


def without(part: Json, field: str) -> Json:
    return {key: value for key, value in part.items() if key != field}


SETTLED = hide_bob(round_with_stax(LAS))
SEATS = SETTLED["settlement"]["seats"]
ANN, BOB = SEATS
BOTH = [f"Seat {seat} does not match the stored result." for seat in (1, 2)]


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
        ([ANN, {**BOB, "lines": [without(line, "odds") for line in BOB["lines"]]}], BOTH[1:]),
    ],
)
def test_a_settlement_that_leaves_out_a_closed_hand_is_found(seats: Any, wrong: list[str]) -> None:
    """Bob's STAX wager depends on closed cards, but the stored settlement does not fit."""
    assert settlement_messages(SETTLED) == []
    assert settlement_messages(with_value(SETTLED, "settlement", "seats", to=seats)) == wrong


def test_a_settlement_that_pays_a_closed_hand_twice_is_found() -> None:
    twice = with_value(SETTLED, "settlement", "seats", to=[ANN, BOB, BOB])
    assert settlement_messages(twice) == BOTH[1:]


def test_a_settlement_without_seats_is_found() -> None:
    bare = without(SETTLED["settlement"], "seats")
    assert settlement_messages(with_value(SETTLED, "settlement", to=bare)) == BOTH


# The house's own record ---------------------------------------------------------------------------


def open_round(record: ShoeRecord) -> Json:
    round = copy.deepcopy(PLAYER_PROOF["round"])
    return build_card_proof(record, VAULT, seeds=SEEDS, past=(), round=round, round_id="t1-000001")


def test_shoe_with_an_exchanged_seed_is_refused() -> None:
    """The server's key can seal another seed, but its deck was never committed to."""
    record = new_shoe("committed", id="x", decks=1, vault=VAULT)
    assert open_round(record)["shoe"]["commitment"] == record.commitment
    sealed = VAULT.seal(bytes(32), f"{record.id} {record.commitment}")
    with pytest.raises(ShoeError) as raised:
        open_round(record._replace(sealed=sealed))
    assert str(raised.value) == 'Shoe "x" has a different deck from the one it committed to.'
