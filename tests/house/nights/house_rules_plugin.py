"""A pytest plugin that reads the bundled houses from another folder."""

from __future__ import annotations

import os
from pathlib import Path

from pitbook.house.nights import house_rules

HOUSES = "PITBOOK_TEST_HOUSES"


def pytest_configure() -> None:
    """Before collection, since tests load the house on import."""
    house_rules.BUNDLED = Path(os.environ[HOUSES])
