"""Documents that register a family leave no trace of it for the tests after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitbook.sheets.families import known_families


@pytest.fixture(autouse=True)
def families_as_before() -> Iterator[None]:
    before = dict(known_families())
    yield
    known_families().clear()
    known_families().update(before)
