"""Small capitals, which Unicode's list of look-alikes leaves out for the most part, are letters."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from pitbook.house.people.names import confusable_forms, name_key

CAPITAL = "LATIN LETTER SMALL CAPITAL "


@pytest.mark.long
def test_a_name_in_small_capitals_looks_like_the_same_in_others() -> None:
    names = ((chr(one), unicodedata.name(chr(one), "")) for one in range(sys.maxunicode))
    found = {one: name.removeprefix(CAPITAL) for one, name in names if name.startswith(CAPITAL)}
    plain = {one: letter.lower() for one, letter in found.items() if len(letter) == 1}
    assert len(plain) > 20
    for one, letter in plain.items():
        assert confusable_forms(f"a{one}n") & confusable_forms(f"a{letter}n"), (one, letter)
        assert confusable_forms(f"{one}nn") & confusable_forms(f"{letter.upper()}nn"), (one, letter)
    assert name_key("\u1d00nn") != name_key("ann"), (
        "two ways to write, refused and not taken for one"
    )
    assert not confusable_forms("\u1d00nn") & confusable_forms("bnn")
