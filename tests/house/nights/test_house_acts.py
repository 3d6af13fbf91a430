"""Every choice of the shipped house file acts: changed, it changes what somebody sees or gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_origin

import pytest
from tests.house.nights.flips import (
    DOCUMENT,
    Leaf,
    leaves,
    others,
    read,
    sound,
    unwritten,
    with_value,
)
from tests.house.nights.scenes import looks_like, observed

from pitbook.house.nights import house_rules

EVERY = leaves()
NAMED = [str(leaf) for leaf in EVERY]


def marked(mark: str) -> pytest.MarkDecorator:
    some = [leaf for leaf in EVERY if leaf.mark == mark]
    return pytest.mark.parametrize("leaf", some, ids=map(str, some))


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return observed(house_rules.load("oceanfront"), tmp_path_factory.mktemp("shipped"))


@pytest.mark.long
@marked("acts")
def test_another_value_changes_what_somebody_sees(
    leaf: Leaf, shipped: dict[str, Any], tmp_path: Path
) -> None:
    made = sound(leaf)
    assert made, f"{leaf} cannot be chosen otherwise; mark it as stated, or take it out"
    for number, other in enumerate(made):
        same = looks_like(shipped, other, tmp_path / str(number))
        assert not same, f"{leaf} changes nothing"


@marked("stated")
def test_what_is_stated_cannot_be_stated_otherwise(leaf: Leaf) -> None:
    for value in others(leaf):
        found = read(with_value(leaf, value)).findings
        assert [one.level for one in found] == ["error"], f"{leaf} = {value} is read as if it held"


@marked("descriptive")
def test_only_free_words_are_marked_as_descriptive(leaf: Leaf) -> None:
    assert leaf.kinds == (str,), f"{leaf} is a choice and no description"
    assert get_origin(leaf.kinds[0]) is None


def test_words_that_describe_change_nothing_that_is_observed(
    shipped: dict[str, Any], tmp_path: Path
) -> None:
    """The scenes do not show the file itself, or every value would seem to act."""
    document = DOCUMENT
    for leaf in EVERY:
        if leaf.mark == "descriptive":
            document = with_value(leaf, "other" if leaf.path == ("id",) else "Other.", document)
    other = read(document).table
    assert other is not None
    assert house_rules.digest(other) != house_rules.digest(house_rules.load("oceanfront"))
    assert observed(other, tmp_path) == shipped


def test_every_field_of_the_schema_stands_in_the_file() -> None:
    """What a file may leave out is changed nowhere here, so that nothing is left out."""
    left_out = [one for one in unwritten() if not one.endswith(".ours")]  # Marks, no rules.
    assert left_out == ["source.dated", "bets.live-poker"]


def test_the_file_is_walked_whole() -> None:
    assert len(EVERY) == len(set(NAMED)) > 60
    assert read(DOCUMENT).table == house_rules.load("oceanfront")
