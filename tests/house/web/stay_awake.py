"""Server processes that never count as silent, however slow the test machine is.

A process silent for ten seconds loses its tables, and a busy machine may delay any process that
long.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pitbook.house.web import leases

PATIENT = 300.0
AWAKE: dict[str, Any] = {"pitbook.house.web.leases.SILENT_SECONDS": PATIENT}  # For `spawn`.


@contextmanager
def never_silent() -> Iterator[None]:
    """Lift the limit in this process, for connections made meanwhile."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(leases, "SILENT_SECONDS", PATIENT)
        yield
