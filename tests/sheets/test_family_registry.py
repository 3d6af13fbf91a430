"""Registration of families: complete, and with unique names."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.red_dog import FAMILY

from pitbook.errors import SheetError
from pitbook.sheets import family_registry
from pitbook.sheets.family_registry import Family, find_family, known_families, models, register
from pitbook.sheets.findings import SheetInvalid
from pitbook.sheets.load import parse
from pitbook.sheets.model import Sheet

ROOT = Path(__file__).parents[2]


class IncompleteSheet(Sheet):
    """A sheet class without the required attributes."""

    family: Literal["silent"]


@pytest.fixture
def any_family() -> Family:
    return next(iter(known_families().values()))


def test_families_are_found_by_their_names() -> None:
    assert list(models()) == list(known_families())
    assert all(find_family(name) is family for name, family in known_families().items())
    assert find_family("no-such") is None


def test_a_family_is_registered_once(any_family: Family) -> None:
    register(any_family)
    with pytest.raises(ValueError, match=f'there is a family "{any_family.name}" already'):
        register(replace(any_family))


def test_an_incomplete_family_is_refused(any_family: Family) -> None:
    silent: Any = IncompleteSheet
    with pytest.raises(ValueError, match="do not say board_card, board_word, looks_at, main_id"):
        register(replace(any_family, name="silent", sheet=silent))
    assert find_family("silent") is None


def test_a_family_with_another_name_than_its_sheets_is_refused(any_family: Family) -> None:
    with pytest.raises(ValueError, match=f'"other" has sheets whose family is \'{any_family.name}'):
        register(replace(any_family, name="other"))
    assert find_family("other") is None


def test_a_broken_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("broken", "no_such_package:FAMILY", family_registry.GROUP)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point])
    family_registry._load_families.cache_clear()
    with pytest.raises(SheetError, match='"broken" of no_such_package:FAMILY cannot be loaded'):
        family_registry.known_families()
    monkeypatch.undo()
    assert len(family_registry.known_families()) > 1


def test_a_sheet_is_read_again_after_its_family_is_registered() -> None:
    path = ROOT / "tests" / "red_dog" / "red-dog.toml"
    with pytest.raises(SheetInvalid, match='There is no family "red-dog"'):
        parse(path)
    family_registry.register(FAMILY)
    try:
        assert parse(path).family == FAMILY.name
    finally:
        del family_registry.known_families()[FAMILY.name]
    with pytest.raises(SheetInvalid, match='There is no family "red-dog"'):
        parse(path)


@pytest.mark.long
def test_listing_sheets_compiles_none() -> None:
    code = "import sys, pitbook.rules.families; print('pitbook.rules.game' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"
