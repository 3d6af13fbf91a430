"""Guests have a number in place of a name: it tells two of them apart, and people nothing."""

from __future__ import annotations

import re

__all__ = ["GUEST", "is_number"]

GUEST = "guest-"  # As such names begin; nobody else can have one.
_NUMBER = re.compile(rf"{GUEST}[0-9a-f]{{8,}}")


def is_number(name: str) -> bool:
    """Whether a name is a guest's number, so that no sentence says it.

    >>> [is_number(one) for one in ("guest-1f5088fa498fcdef", "guest-ann", "ann")]
    [True, False, False]
    """
    return _NUMBER.fullmatch(name) is not None
