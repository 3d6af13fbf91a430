"""Small capitals, most of which Unicode's list of lookalikes leaves out, count as letters."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from pitbook.house.people.names import confusable_forms, name_key

CAPITAL = "LATIN LETTER SMALL CAPITAL "


@pytest.mark.long
def test_small_capitals_look_like_normal_letters() -> None:
    names = (
        (chr(codepoint), unicodedata.name(chr(codepoint), ""))
        for codepoint in range(sys.maxunicode)
    )
    small_capitals = {
        letter: name.removeprefix(CAPITAL) for letter, name in names if name.startswith(CAPITAL)
    }
    plain = {
        small_capital: letter.lower()
        for small_capital, letter in small_capitals.items()
        if len(letter) == 1
    }
    assert len(plain) > 20
    for small_capital, letter in plain.items():
        assert confusable_forms(f"a{small_capital}n") & confusable_forms(f"a{letter}n"), (
            small_capital,
            letter,
        )
        assert confusable_forms(f"{small_capital}nn") & confusable_forms(f"{letter.upper()}nn"), (
            small_capital,
            letter,
        )
    assert name_key("\u1d00nn") != name_key("ann"), (
        "two ways to write, refused and not taken for one"
    )
    assert not confusable_forms("\u1d00nn") & confusable_forms("bnn")
