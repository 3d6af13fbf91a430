"""Fixtures for night tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.nights.kit import Evening
from tests.house.table.conftest import _every_refusal_in_every_language  # noqa: F401  Told once a run.
from tests.house.web.conftest import (  # noqa: F401
    app,
    client,
    house,
    lines,
    people,
    run,
    server,
    settings,
    signed_in,
)
from tests.memory_folders import copied_ledger, folder_in_memory  # noqa: F401  Books do not wait for the disk.


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    night_setup = Evening(tmp_path / "house")
    yield night_setup
    night_setup.close()
