"""Families are registered: each answers every question of a sheet, and has a name to itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from pitbook.sheets.families import Family, known, models, named, register
from pitbook.sheets.model import Sheet


class Silent(Sheet):
    """A sheet that answers nothing."""

    family: Literal["silent"]


@pytest.fixture
def any_family() -> Family:
    return next(iter(known().values()))


def test_families_are_found_by_their_names() -> None:
    assert list(models()) == list(known())
    assert all(named(name) is family for name, family in known().items())
    assert named("no-such") is None


def test_a_family_is_registered_once(any_family: Family) -> None:
    register(any_family)
    with pytest.raises(ValueError, match=f'there is a family "{any_family.name}" already'):
        register(replace(any_family))


def test_a_family_that_leaves_a_question_open_is_refused(any_family: Family) -> None:
    silent: Any = Silent
    with pytest.raises(ValueError, match="do not say board_card, board_word, looks_at, main_id"):
        register(replace(any_family, name="silent", sheet=silent))
    assert named("silent") is None
