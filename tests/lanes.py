"""Two lanes: what every change waits for, and what runs whole in `make test-slow`.

A sample stays in `make test`, and the same test is thorough in the slow lane: nothing is tried in
one lane alone that the other could not repeat.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

THOROUGH = bool(os.environ.get("PITBOOK_THOROUGH"))  # Set by `make test-slow`.


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
