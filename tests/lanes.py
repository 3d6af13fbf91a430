"""Two lanes: what every change waits for, and what runs whole in `make test-slow`.

A sample stays in `make test`, and the same test is thorough in the slow lane: nothing is tried in
one lane alone that the other could not repeat.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

THOROUGH = bool(os.environ.get("PITBOOK_THOROUGH"))  # Set by `make test-slow`.
# With a browser, a server or processes; and what was measured to take its time, which
# `python -m tests.spent FILE --long >tests/long.txt` writes down.
LONG_FOLDERS = ("tests/browser/", "tests/chaos/", "tests/faults/", "tests/fuzz/")
LONG_FIXTURES = {"postgres", "shell"}
# What was dear beside a like of it that stays, one name a line; `make test-slow` runs it.
SLOW_TESTS = frozenset(
    Path(__file__).with_name("slow.txt").read_text(encoding="utf-8").splitlines()
)
LONG_TESTS = frozenset(Path(__file__).with_name("long.txt").read_text(encoding="utf-8").split())


def is_long(item: pytest.Item) -> bool:
    """Whether a test is left out where one waits for every save."""
    name = item.nodeid.partition("[")[0]
    fixtures = set(getattr(item, "fixturenames", ()))
    served = "postgresql" in item.name or bool(fixtures & LONG_FIXTURES)
    return served or name.startswith(LONG_FOLDERS) or name in LONG_TESTS


def examples(quick: int, whole: int) -> int:
    """How many random cases a test tries: `settings(max_examples=examples(20, 400))`.

    The test itself stays in both lanes; a Hypothesis test is marked `random` by itself.
    """
    return whole if THOROUGH else quick


def spread(values: Iterable[Any], keep: int) -> list[Any]:
    """Parameters of which `keep`, evenly spread, stay in `make test`; the others are slow.

    >>> [bool(one.marks) for one in spread(range(6), 2)]
    [False, True, True, False, True, True]
    """
    listed = [one if hasattr(one, "marks") else pytest.param(one) for one in values]
    kept = {index * len(listed) // keep for index in range(keep)}
    return [
        one
        if index in kept
        else pytest.param(*one.values, marks=[*one.marks, pytest.mark.slow], id=one.id)
        for index, one in enumerate(listed)
    ]
