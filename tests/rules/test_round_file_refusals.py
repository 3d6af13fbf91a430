"""Refusals of `settle`, each with one clear sentence."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clauses.one_line_rounds import (
    CMS,
    LAS,
    LAS_STAX,
    MHL,
    OMS,
    round_document,
    seat,
    without_fields,
)

import pitbook
from pitbook.errors import PitbookError, RoundError, SheetUnknown

JACKS = seat(1, "Jc Jd", "1x 1x 1x", ante=10)
NINE = seat(1, "2c 3d 4h", "low", bet=10)
DEALER = "4c 5d 6h 8s 9c"


def refusal(document: Any) -> str:
    """The error message: one line, without a chained cause."""
    with pytest.raises(PitbookError) as error:
        pitbook.settle(document).document()
    assert error.value.__cause__ is None
    sentence = str(error.value)
    assert "\n" not in sentence
    return sentence


SIX = [seat(n, "Ac Ac Ac", "low", bet=5) for n in (1, 2)]
REFUSALS: list[tuple[Any, str]] = [
    # A card too often for the decks.
    (round_document(CMS, "2h 4s Jc", JACKS), "Jc appears 2 times; one deck has 1 (GEN-9)"),
    (round_document(MHL, "Ac 5d 6h 8s 9c", *SIX), "Ac appears 7 times; 6 decks have 6 (GEN-9)"),
    # Unknown seat, unknown wager.
    (
        round_document(CMS, "", seat(7, None, "fold", ante=5)),
        "There is no seat 7. Choose 1 to 6 (CMS-2)",
    ),
    (
        round_document(CMS, "", seat(0, None, "fold", ante=5)),
        "There is no seat 0. Choose 1 to 6 (CMS-2)",
    ),
    (
        round_document(CMS, "", seat(1, None, "fold", ante=5, thre_card_bonus=5)),
        'There is no bet "thre-card-bonus". Did you mean "three-card-bonus"?',
    ),
    (
        round_document(OMS, "", seat(1, None, "fold", ante=2, stax=5)),
        'There is no bet "stax". Did you mean "ante"?',
    ),
    (
        round_document(CMS, "", seat(1, None, "fold", ante=5), seat(1, None, "fold", ante=5)),
        "seat 1 appears twice; one player per position",
    ),
    (
        round_document(CMS, "2h 4s Tc", JACKS, voided=[{"seat": 2, "reason": "information"}]),
        "voided: seat 2 is empty",
    ),
    (
        round_document(CMS, "2h 4s Tc", JACKS, voided=[{"seat": 1, "reason": "supervisor"}] * 2),
        "voided: seat 1 is named twice",
    ),
    # Bets outside the limits.
    (
        round_document(CMS, "", seat(1, None, "fold", ante=4)),
        "Ante: $4 at seat 1 is below the minimum. Bet $5 to $500 (CMS-2)",
    ),
    (
        round_document(CMS, "", seat(1, None, "fold", ante=501)),
        "Ante: $501 at seat 1 is above the maximum. Bet $5 to $500 (CMS-2)",
    ),
    (
        round_document(LAS, "", seat(1, None, "fold", ante=5, stax=101)),
        "5 Card Poker STAX: $101 at seat 1 is above the maximum. Bet $1 to $100 (LAS-2)",
    ),
    (
        round_document(MHL, "", seat(1, None, "low", bet=5, poker_bonus=0)),
        "Poker Bonus: $0 at seat 1 is below the minimum. Bet $1 to $100 (MHL-4)",
    ),
    # No whole dollar.
    (
        round_document(CMS, "", seat(1, None, "fold") | {"wagers": {"ante": "5.50"}}),
        "Ante: $5.50 at seat 1 is not a whole dollar. Bet $5 or $6 (GEN-12)",
    ),
    # 4x with a maximum of 3x, and unknown words.
    (
        round_document(CMS, "", seat(1, None, "4x", ante=5)),
        "4x is more than 3x, the maximum for the Flop bet (CMS-5)",
    ),
    (
        round_document(CMS, "", seat(1, None, "0x", ante=5)),
        "0x is not a bet here. The Flop bet is fold or 1x or 2x or 3x (CMS-5)",
    ),
    (
        round_document(CMS, "", seat(1, None, "flod", ante=5)),
        '"flod" is not a play here. Did you mean "fold"? (CMS-5)',
    ),
    (
        round_document(MHL, DEALER, seat(1, "2c 3d 4h", "lo", bet=5)),
        '"lo" is not a declaration. Did you mean "low"? (MHL-6)',
    ),
    # Three spots, spots apart.
    (
        round_document(MHL, DEALER, *(seat(n, "2c 3d 4h", "low", "ann", bet=5) for n in (1, 2, 3))),
        "ann already has seats 1 and 2. The maximum is two seats. Leave one first (MHL-15)",
    ),
    (
        round_document(MHL, DEALER, *(seat(n, "2c 3d 4h", "low", "ann", bet=5) for n in (1, 3))),
        "ann's seats 1 and 3 are not next to each other. Choose neighboring seats (MHL-15)",
    ),
    (
        round_document(MHL, DEALER, *(seat(n, "2c 3d 4h", "low", "ann", bet=5) for n in (1, 6))),
        "ann's seats 1 and 6 are not next to each other. Choose neighboring seats (MHL-15)",
    ),
    (
        round_document(CMS, "", *(seat(n, None, "fold", "ann", ante=5) for n in (1, 2))),
        "ann already has seat 1. The maximum is one seat. Leave it first (CMS-14)",
    ),
    *(
        (
            round_document(
                CMS, "", seat(1, None, "fold", "a", ante=5), seat(2, None, "fold", A, ante=5)
            ),
            "a already has seat 1. The maximum is one seat. Leave it first (CMS-14)",
        )
        for A in ("A", " a ", "ａ")
    ),
    # Play after a fold, too few or too many decisions.
    (round_document(CMS, "", seat(1, None, "fold 1x", ante=5)), "seat 1 has plays after folding"),
    (
        round_document(CMS, "2h 4s Tc", seat(1, "Jc Jd", "1x 1x", ante=5)),
        "seat 1 has 2 plays and still has to decide: fold, 1x, 2x or 3x",
    ),
    (
        round_document(CMS, "2h 4s Tc", seat(1, "Jc Jd", "", ante=5)),
        "seat 1 has 0 plays and still has to decide: fold, 1x, 2x or 3x",
    ),
    (
        round_document(CMS, "2h 4s Tc", seat(1, "Jc Jd", "1x 1x 1x 1x", ante=5)),
        "seat 1 has 4 plays; 3 can be made",
    ),
    (
        round_document(MHL, DEALER, seat(1, "2c 3d 4h", "low low", bet=5)),
        "seat 1 has 2 plays; 1 can be made",
    ),
    # A community card missing that a live wager needs.
    (
        round_document(CMS, "2h 4s", JACKS),
        "a community card is missing: 2 of 3 are given and a live wager needs the next",
    ),
    (
        without_fields(
            ["community"],
            round_document(CMS, "", seat(1, None, "fold", ante=5, three_card_bonus=1)),
        ),
        "a community card is missing: 0 of 3 are given and a live wager needs the next",
    ),
    (
        without_fields(["dealer"], round_document(MHL, "", NINE)),
        "a dealer card is missing: 0 of 5 are given and a live wager needs the next",
    ),
    (
        round_document(CMS, "2h 4s Tc", seat(1, None, "1x 1x 1x", ante=5)),
        "seat 1 has no cards, and a live wager looks at them",
    ),
    (
        round_document(LAS, "7s 7d 8c", seat(1, None, "fold", ante=5, stax=1)),
        "seat 1 has no cards, and a live wager looks at them",
    ),
    # A side wager without the main wager, a required one left out, no wager at all.
    (
        round_document(CMS, "", seat(1, None, "fold", three_card_bonus=5)),
        "Seat 1 needs the Ante before the 3 Card Bonus (GEN-12)",
    ),
    (
        round_document(LAS_STAX, "", seat(1, None, "fold", ante=5)),
        "Seat 1 needs a bet on 5 Card Poker STAX to be dealt in (LAS-2)",
    ),
    (
        round_document(CMS, "", seat(1, None, "fold")),
        "seat 1 has no ante wager; leave the seat out",
    ),
    # Invalid amounts.
    (
        round_document(CMS, "", seat(1, None, "fold") | {"wagers": {"ante": "-5"}}),
        'seat 1, ante: "-5" is not an amount. It must not be negative.',
    ),
    (
        round_document(CMS, "", seat(1, None, "fold") | {"wagers": {"ante": "5.001"}}),
        'seat 1, ante: "5.001" is not an amount. Amounts cannot include fractions of a cent. '
        'For thousands write "5001".',
    ),
    (
        round_document(CMS, "", seat(1, None, "fold") | {"wagers": {"ante": "ten"}}),
        'seat 1, ante: "ten" is not an amount. Write it like "10" or "10.00".',
    ),
    # Invalid cards, and boards of another game.
    (
        round_document(CMS, "", seat(1, "Xx Ks", "fold", ante=5)),
        'seat 1: "Xx" is not a card; write rank and suit as in "Qs", "Td" or "2h"',
    ),
    (
        round_document(CMS, "", JACKS) | {"dealer": []},
        '"dealer" has no place in this game; write "community"',
    ),
    (
        round_document(MHL, "", NINE) | {"community": []},
        '"community" has no place in this game; write "dealer"',
    ),
    # A rule that the sheet lacks.
    (
        round_document(MHL, DEALER, NINE, voided=[{"seat": 1, "reason": "information"}]),
        "These rules have no rule on sharing information. A supervisor may void the hand.",
    ),
]


@pytest.mark.parametrize(("document", "sentence"), REFUSALS, ids=[text for _, text in REFUSALS])
def test_refused_with_one_clear_sentence(document: Any, sentence: str) -> None:
    assert refusal(document) == sentence


def test_an_unknown_sheet_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(SheetUnknown) as error:
        pitbook.settle(
            round_document(CMS, "2h 4s Tc", JACKS) | {"sheet": "catfish-bend/missisippi-stud"}
        ).document()
    assert str(error.value) == (
        'There is no sheet "catfish-bend/missisippi-stud". '
        'Did you mean "catfish-bend/mississippi-stud"?'
    )


def test_a_sheet_before_its_first_day_is_refused() -> None:
    with pytest.raises(SheetUnknown, match="effective from 2018-03-12"):
        pitbook.settle(
            round_document(CMS, "2h 4s Tc", JACKS)
            | {"sheet": "catfish-bend/mississippi-stud@2018-03-11"}
        ).document()
    assert pitbook.settle(
        round_document(CMS, "2h 4s Tc", JACKS)
        | {"sheet": "catfish-bend/mississippi-stud@2018-03-12"}
    ).document()


def test_a_refused_file_is_a_round_error() -> None:
    with pytest.raises(RoundError):
        pitbook.settle(REFUSALS[0][0]).document()
