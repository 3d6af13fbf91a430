"""Fields of a schedule written as TOML are read back as the same fields."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pitbook.house.nights.house_rules import write_toml
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
def test_fields_survive_a_round_trip_through_toml(fields: dict[str, object]) -> None:
    assert tomllib.loads(write_toml(fields)) == fields


@pytest.mark.parametrize("text", samples().values(), ids=samples())
def test_samples_survive_a_round_trip(text: str) -> None:
    fields, findings = read_loosely(text)
    assert fields is not None
    assert findings == ()
    assert read_loosely(write_toml(fields)) == (fields, ())


def test_none_values_are_left_out() -> None:
    fields = {"title": None, "buy_in": {"costs": "60", "fee": None}, "shares": [50, None]}
    assert tomllib.loads(write_toml(fields)) == {"buy_in": {"costs": "60"}, "shares": [50]}
