"""Invalid proofs are refused with a message for each wrong field."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS
from tests.shoe.test_proof import proof, with_value

from pitbook.errors import PitbookError, RoundError, ShoeError
from pitbook.shoe.proof import RevealedShoe
from pitbook.shoe.verify import verify

SHOE = (
    "A shoe of kind arranged must have the fields "
    "id, kind, decks, commitment, seed, seat_seeds, chosen."
)
WRONG: list[tuple[tuple[str, ...], Any, str]] = [
    (("format",), 3, "Unknown proof format 3. Known formats are 1 and 2."),
    (("format",), True, "Unknown proof format true. Known formats are 1 and 2."),
    (("drawn",), -1, "drawn: -1 must be a whole number of cards."),
    (("drawn",), 1.0, "drawn: 1.0 must be a whole number of cards."),
    (("drawn",), "0", 'drawn: "0" must be a whole number of cards.'),
    (
        ("drawn",),
        48,
        "48 cards drawn before and 7 dealt are more than the 52 in the shoe.",
    ),
    (("shoe",), None, "shoe.kind: null is not a kind of shoe. It has none."),
    (("shoe",), [], "shoe.kind: null is not a kind of shoe. It has none."),
    (("shoe", "kind"), 5, "shoe.kind: 5 is not a kind of shoe. It has none."),
    (
        ("shoe", "kind"),
        "comitted",
        'shoe.kind: "comitted" is not a kind of shoe. Did you mean "committed"?',
    ),
    (("shoe", "color"), "red", SHOE),
    (
        ("shoe", "kind"),
        "seeded",
        "A shoe of kind seeded must have the fields id, kind, decks, commitment, seed, seat_seeds.",
    ),
    (
        ("shoe", "kind"),
        "committed",
        "A committed shoe reveals card by card. Its proof has format 2.",
    ),
    (
        ("shoe", "kind"),
        "system",
        "A system shoe has no commitment and never reveals its seed, so it proves nothing.",
    ),
    (
        ("shoe", "kind"),
        "typed",
        "A dealer dealt from this shoe by hand, so its cards cannot be dealt again from a seed.",
    ),
    (("shoe", "id"), "", 'shoe.id: "" must be a text of one line'),
    (("shoe", "id"), "x" * 121, f'shoe.id: "{"x" * 56}... must be a text of one line'),
    (("shoe", "id"), 4, "shoe.id: 4 must be a text of one line"),
    (("shoe", "id"), "a\x1b", r'shoe.id: "a\u001b" must be a text of one line'),
    (("shoe", "decks"), 0, "shoe.decks: 0 must be a whole number from 1 to 12."),
    (("shoe", "decks"), 13, "shoe.decks: 13 must be a whole number from 1 to 12."),
    (("shoe", "decks"), True, "shoe.decks: true must be a whole number from 1 to 12."),
    (
        ("shoe", "commitment"),
        None,
        "shoe.commitment: null must be a SHA-256 in 64 hex digits.",
    ),
    (("shoe", "commitment"), "ab", 'shoe.commitment: "ab" must be a SHA-256 in 64 hex digits.'),
    (
        ("shoe", "seed"),
        None,
        "The seed is not revealed yet. It is revealed when the shoe ends.",
    ),
    (("shoe", "seed"), "seed", 'shoe.seed: "seed" must be 64 lower-case hex digits.'),
    (("shoe", "seed"), "ab", 'shoe.seed: "ab" must be 64 lower-case hex digits.'),
    (("shoe", "seed"), 7, "shoe.seed: 7 must be 64 lower-case hex digits."),
    (
        ("shoe", "seed"),
        "AB" * 32,
        f'shoe.seed: "{"AB" * 28}... must be 64 lower-case hex digits.',
    ),
    (
        ("shoe", "seat_seeds"),
        ["x"],
        'shoe.seat_seeds must be an object, such as {"1": "my own seed"}.',
    ),
    *[
        (
            ("shoe", "seat_seeds"),
            {seat: "x"},
            f'shoe.seat_seeds: "{seat}" must be a seat from 1 to 12.',
        )
        for seat in ("0", "13", "01", "one", "", "123", "٣")
    ],
    (
        ("shoe", "seat_seeds"),
        {"1": 5},
        "shoe.seat_seeds: the seed of seat 1 must be text.",
    ),
    (("round",), None, "a stored round has the fields format, engine, sheet, actions, settlement"),
]


@pytest.mark.parametrize(("path", "value", "sentence"), WRONG)
def test_wrong_field_has_its_own_message(path: tuple[str, ...], value: Any, sentence: str) -> None:
    with pytest.raises(PitbookError) as raised:
        verify(with_value(PROOF, *path, to=value))
    assert str(raised.value) == sentence


PROOF = proof(CMS, "1x", "fold")
SEEDED_SHOE = {key: value for key, value in PROOF["shoe"].items() if key != "chosen"}
SEEDED = {**PROOF, "shoe": {**SEEDED_SHOE, "kind": "seeded"}}


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("As", 'shoe.chosen must be a list of cards, such as ["As", null, "Kd"].'),
        ([], 'shoe.chosen must be a list of cards, such as ["As", null, "Kd"].'),
        (
            ["Ax"],
            'shoe.chosen: "Ax" is not a card; write rank and suit as in "Qs", "Td" or "2h"',
        ),
        ([5], 'shoe.chosen: "5" is not a card; write rank and suit as in "Qs", "Td" or "2h"'),
        (["As", "As"], "shoe.chosen: As is chosen one time too many. One deck has only 1."),
        ([None] * 53, "shoe.chosen: 53 cards are chosen, but the shoe has 52."),
    ],
)
def test_wrong_chosen_cards_have_their_own_message(value: Any, sentence: str) -> None:
    with pytest.raises(ShoeError) as raised:
        verify(with_value(PROOF, "shoe", "chosen", to=value))
    assert str(raised.value) == sentence


def test_a_seeded_seed_may_have_any_length_but_is_hexadecimal() -> None:
    with pytest.raises(ShoeError, match=r"shoe.commitment: a seeded shoe has none"):
        verify(SEEDED)
    seeded = with_value(SEEDED, "shoe", "commitment", to=None)
    shoe = verify(with_value(seeded, "shoe", "seed", to="ab")).shoe
    assert isinstance(shoe, RevealedShoe)
    assert shoe.seed == b"\xab"
    with pytest.raises(ShoeError) as raised:
        verify(with_value(seeded, "shoe", "seed", to="abc"))
    assert str(raised.value) == 'shoe.seed: "abc" must be lower-case hex.'


@pytest.mark.parametrize("document", [None, [], "x", 5, {}, {**PROOF, "more": 1}])
def test_document_without_a_revealed_round_is_refused(document: Any) -> None:
    with pytest.raises(ShoeError) as raised:
        verify(document)
    assert str(raised.value) == FIELDS_SENTENCE


def test_a_round_that_the_engine_refuses_is_refused() -> None:
    actions = PROOF["round"]["actions"]
    with pytest.raises(RoundError, match=r"Action 2 \(deal\) is not allowed\. No card is due now"):
        verify(with_value(PROOF, "round", "actions", to=[actions[0], actions[3]]))


FIELDS_SENTENCE = "A revealed round must have the fields format, shoe, drawn, round, round_id."
ODD: tuple[Any, ...] = (None, True, -1, 10**30, 1e308, "", "\ud800", "x" * 10_000, [], [[]], {})
SKIPPED = ("body", "settlement")  # Replays of stored rounds have their own tests.


def places(part: Any) -> list[tuple[str | int, ...]]:
    """The path to every value; only the first dozen actions."""
    inner: list[tuple[str | int, Any]] = list(part.items()) if isinstance(part, dict) else []
    inner += enumerate(part[:12]) if isinstance(part, list) else ()
    return [
        (),
        *(
            (key, *path)
            for key, part_value in inner
            if key not in SKIPPED
            for path in places(part_value)
        ),
    ]


@pytest.mark.parametrize("path", [place for place in places(PROOF) if place], ids=str)
def test_odd_values_raise_only_pitbook_errors(path: tuple[str | int, ...]) -> None:
    for value in ODD:
        with suppress(PitbookError):
            verify(with_value(PROOF, *path, to=value))
