"""Registers red dog for the tests in this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.red_dog import FAMILY

import pitbook
from pitbook.sheets.family_registry import known_families, register
from pitbook.sheets.model import Sheet

SHEET = Path(__file__).parent / "red-dog.toml"


@pytest.fixture(autouse=True)
def register_red_dog() -> Iterator[None]:
    register(FAMILY)
    yield
    del known_families()[FAMILY.name]


@pytest.fixture
def sheet() -> Sheet:
    return pitbook.load(str(SHEET))
