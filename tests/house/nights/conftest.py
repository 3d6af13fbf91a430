"""A night that is open, for tests that begin there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.nights.kit import Evening
from tests.house.table.conftest import _every_refusal_in_every_language  # noqa: F401  Told once a run.
from tests.in_memory import copied_book, folder_in_memory  # noqa: F401  Books do not wait for the disk.


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path / "house")
    yield made
    made.close()
