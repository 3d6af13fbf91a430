"""Under mutation testing, tests carry the private name that mutmut 3.8 looks for in pytest."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # pytest 9.2 dropped Node._nodeid; mutmut still notes by it which test calls which function.
    if "MUTANT_UNDER_TEST" in os.environ:
        for item in items:
            item.__dict__["_nodeid"] = item.nodeid
