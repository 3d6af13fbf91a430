"""A plugin of pytest: the bundled houses are read from another folder."""

from __future__ import annotations

import os
from pathlib import Path

from pitbook.house.nights import house_rules

HOUSES = "PITBOOK_TEST_HOUSES"


def pytest_configure() -> None:
    """Before any test is collected, since tests load the house as they are imported."""
    house_rules.BUNDLED = Path(os.environ[HOUSES])
