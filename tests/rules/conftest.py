"""Under mutation testing, sets the private attribute of tests that mutmut 3.8 expects."""

from __future__ import annotations

import os

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # pytest 9.2 dropped Node._nodeid, by which mutmut maps tests to functions.
    if "MUTANT_UNDER_TEST" in os.environ:
        for item in items:
            item.__dict__["_nodeid"] = item.nodeid
