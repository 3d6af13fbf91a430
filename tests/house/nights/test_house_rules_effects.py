"""Every choice in the shipped house file changes something visible."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_origin

import pytest
from tests.house.nights.rule_changes import (
    DOCUMENT,
    Leaf,
    leaves,
    missing_fields,
    other_values,
    parse_document,
    valid_variants,
    with_value,
)
from tests.house.nights.scenes import looks_like, observe

from pitbook.house.nights import house_rules

EVERY = leaves()
NAMED = [str(leaf) for leaf in EVERY]


def parametrize_leaves(mark: str) -> pytest.MarkDecorator:
    leaves_with_mark = [leaf for leaf in EVERY if leaf.mark == mark]
    return pytest.mark.parametrize("leaf", leaves_with_mark, ids=map(str, leaves_with_mark))


@pytest.fixture(scope="module")
def shipped_scenes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return observe(house_rules.load("oceanfront"), tmp_path_factory.mktemp("shipped"))


@pytest.mark.long
@parametrize_leaves("acts")
def test_changed_house_rule_changes_what_users_see(
    leaf: Leaf, shipped_scenes: dict[str, Any], tmp_path: Path
) -> None:
    variants = valid_variants(leaf)
    assert variants, f"{leaf} cannot be chosen otherwise; mark it as stated, or take it out"
    for number, other in enumerate(variants):
        same = looks_like(shipped_scenes, other, tmp_path / str(number))
        assert not same, f"{leaf} changes nothing"


@parametrize_leaves("stated")
def test_fixed_values_cannot_be_changed(leaf: Leaf) -> None:
    for value in other_values(leaf):
        findings = parse_document(with_value(leaf, value)).findings
        assert [finding.level for finding in findings] == ["error"], (
            f"{leaf} = {value} is read as if it held"
        )


@parametrize_leaves("descriptive")
def test_only_free_text_is_marked_as_descriptive(leaf: Leaf) -> None:
    assert leaf.kinds == (str,), f"{leaf} is a choice and no description"
    assert get_origin(leaf.kinds[0]) is None


def test_descriptive_text_changes_nothing_observable(
    shipped_scenes: dict[str, Any], tmp_path: Path
) -> None:
    """Scenes must not show the file itself, or every value would seem to matter."""
    document = DOCUMENT
    for leaf in EVERY:
        if leaf.mark == "descriptive":
            document = with_value(leaf, "other" if leaf.path == ("id",) else "Other.", document)
    other = parse_document(document).table
    assert other is not None
    assert house_rules.digest(other) != house_rules.digest(house_rules.load("oceanfront"))
    assert observe(other, tmp_path) == shipped_scenes


def test_file_contains_every_field_of_the_schema() -> None:
    """Fields left out of the file would not be covered by these tests."""
    # Marks, no rules.
    left_out = [field for field in missing_fields() if not field.endswith(".ours")]
    assert left_out == ["source.dated", "bets.live-poker"]


def test_every_leaf_of_the_file_is_found() -> None:
    assert len(EVERY) == len(set(NAMED)) > 60
    assert parse_document(DOCUMENT).table == house_rules.load("oceanfront")
