"""A clock that a test sets: so many seconds ahead of the real one, as a file says."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

FILE = "SIMULATED_CLOCK"


def now() -> datetime:
    """The simulated time; used by a house that was started with this clock."""
    return datetime.now(UTC) + timedelta(seconds=float(Path(os.environ[FILE]).read_text()))
