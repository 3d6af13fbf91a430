"""`pitbook sheets diff`: sentences under headings, or the same as JSON."""

from __future__ import annotations

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, LAS, MHL, OMS, STAX


def test_differences_stand_under_headings(ask: Ask) -> None:
    answer = ask("sheets", "diff", CMS, OMS, columns=120)
    assert answer.code == 0
    headings = [line for line in answer.out.splitlines() if line and line[0] != " "]
    assert headings == [
        *("House", "Cards", "Wagers", "Play", "Pay table", "Side wagers", "Fold", "Limits"),
        *("Settlement", "Irregularities"),
    ]
    for sentence in (
        "Royal flush pays 500:1 at Catfish Bend Casino II and 250:1 at Oceanfront Gaming.",
        "Only Catfish Bend Casino II offers the 3 Card Bonus ($1 to $100).",
        "The Ante is $5 to $500 at Catfish Bend Casino II and $2 to $4 at Oceanfront Gaming.",
    ):
        assert f"  {sentence}\n" in answer.out


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_sentences_are_wrapped_and_indented(ask: Ask, columns: int) -> None:
    lines = ask("sheets", "diff", CMS, MHL, columns=columns).out.splitlines()
    assert max(map(len, lines)) <= columns


def test_equal_sheets_have_no_difference(ask: Ask) -> None:
    assert (
        ask("sheets", "diff", LAS, LAS).out == "No differences. Both sheets have the same rules.\n"
    )
    document = ask("sheets", "diff", LAS, LAS, "--json").document
    assert document == {"a": LAS, "b": LAS, "differences": []}


def test_json_has_field_both_values_and_text(ask: Ask) -> None:
    document = ask("sheets", "diff", LAS, STAX, "--json").document
    assert (document["a"], document["b"]) == (LAS, STAX)
    assert document["differences"][-1] == {
        "field": "side.stax.stake.required",
        "a": False,
        "b": True,
        "words": 'The 5 Card Poker STAX is optional in "Louisiana Stud" '
        'and required in "Louisiana Stud, STAX required".',
    }
