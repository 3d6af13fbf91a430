"""Test lanes: `make test` runs a sample of each check, `make test-slow` runs all of it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

THOROUGH = bool(os.environ.get("PITBOOK_THOROUGH"))  # Set by `make test-slow`.
# Every test here needs a browser, a server or several processes, or runs a whole document.
LONG_FOLDERS = ("docs/", "tests/browser/", "tests/chaos/", "tests/faults/", "tests/fuzz/")
LONG_FIXTURES = {"postgres", "postgres_url", "shell"}


def is_long(item: pytest.Item) -> bool:
    """Whether a test needs a browser, a server or a process even without a `long` mark."""
    case = getattr(item, "callspec", None)
    on_postgresql = case is not None and "postgresql" in case.id
    needs_server = on_postgresql or bool(LONG_FIXTURES & set(_fixtures(item)))
    return needs_server or item.nodeid.startswith(LONG_FOLDERS)


def is_slow_case(item: pytest.Item) -> bool:
    """Whether `slow_cases` on the test lists this case's parameter id."""
    case = getattr(item, "callspec", None)
    slow_ids = [case_id for mark in item.iter_markers("slow_cases") for case_id in mark.args]
    return case is not None and case.id in slow_ids


def _fixtures(item: pytest.Item) -> list[str]:
    return getattr(item, "fixturenames", [])


def examples(quick: int, whole: int) -> int:
    """Number of random cases to try: `settings(max_examples=examples(20, 400))`."""
    return whole if THOROUGH else quick


def spread(values: Iterable[Any], keep: int) -> list[Any]:
    """Keep `keep` evenly spaced parameters in `make test` and mark the others slow.

    >>> [bool(param.marks) for param in spread(range(6), 2)]
    [False, True, True, False, True, True]
    """
    params = [value if hasattr(value, "marks") else pytest.param(value) for value in values]
    quick = {index * len(params) // keep for index in range(keep)}
    return [
        param
        if index in quick
        else pytest.param(*param.values, marks=[*param.marks, pytest.mark.slow], id=param.id)
        for index, param in enumerate(params)
    ]
