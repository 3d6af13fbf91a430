"""Processes of one house of which nobody sleeps, however busy the machine is that runs the tests.

Whoever is silent for ten seconds loses the tables; a starved machine makes anybody wait so long.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pitbook.house.web import leases

PATIENT = 300.0
AWAKE: dict[str, Any] = {"pitbook.house.web.leases.SILENT_SECONDS": PATIENT}  # For `born`.


@contextmanager
def awake() -> Iterator[None]:
    """In this process, for connections that are made meanwhile."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(leases, "SILENT_SECONDS", PATIENT)
        yield
