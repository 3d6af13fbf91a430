"""Fields of a schedule written as TOML are read back as the same fields."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pitbook.house.nights.house_rules import written
from pitbook.house.nights.schedule_files import read_loosely, samples

plain = some.booleans() | some.integers(-(2**53), 2**53) | some.text(max_size=12)
value = some.recursive(
    plain,
    lambda inner: (
        some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.long
@given(some.dictionaries(some.text(max_size=6), value, max_size=5))
def test_whatever_a_form_holds_comes_back(fields: dict[str, object]) -> None:
    assert tomllib.loads(written(fields)) == fields


@pytest.mark.parametrize("text", samples().values(), ids=samples())
def test_a_sample_comes_back(text: str) -> None:
    fields, findings = read_loosely(text)
    assert fields is not None
    assert findings == ()
    assert read_loosely(written(fields)) == (fields, ())


def test_what_is_nothing_is_left_out() -> None:
    fields = {"title": None, "buy_in": {"costs": "60", "fee": None}, "shares": [50, None]}
    assert tomllib.loads(written(fields)) == {"buy_in": {"costs": "60"}, "shares": [50]}
