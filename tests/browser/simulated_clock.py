"""A test clock: the real time plus the seconds in a file."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

FILE = "SIMULATED_CLOCK"


def now() -> datetime:
    """The simulated time, in a house started with this clock."""
    return datetime.now(UTC) + timedelta(seconds=float(Path(os.environ[FILE]).read_text()))
