"""Fixtures for documents: families that an example registers are removed afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitbook.sheets.family_registry import known_families


@pytest.fixture(autouse=True)
def restore_families() -> Iterator[None]:
    original = dict(known_families())
    yield
    known_families().clear()
    known_families().update(original)
