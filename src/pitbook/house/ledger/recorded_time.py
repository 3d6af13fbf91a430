"""The time recorded with each entry. Order never depends on it; clock changes are recorded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from pitbook.house.ledger.stream_kinds import moves_no_money, register

CLOCK = register("clock", moves_no_money, module=__name__)
CHANGED = "clock-changed"
JUMP_SECONDS = 2.0


class Clock:
    """A wall clock, checked against a monotonic clock."""

    def __init__(
        self, wall: Callable[[], datetime], monotonic: Callable[[], float], last: str | None
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._offset: float | None = None
        self._last = _parse_time(last)
        self._latest_offset: float | None = None

    def read(self) -> tuple[str, float]:
        """The time as text, and how many seconds the wall clock jumped since the last recorded
        reading.
        """
        now = self._wall().astimezone(UTC)
        self._latest_offset = now.timestamp() - self._monotonic()
        return now.isoformat(timespec="microseconds"), self._seconds_jumped(now)

    def mark_recorded(self) -> None:
        """Note that the latest reading is in the ledger."""
        self._offset, self._last = self._latest_offset, None

    def _seconds_jumped(self, now: datetime) -> float:
        """How many seconds the wall clock was set forward or back; 0.0 if it was not."""
        if self._offset is not None and self._latest_offset is not None:
            jump = self._latest_offset - self._offset
            return round(jump, 3) if abs(jump) > JUMP_SECONDS else 0.0
        if self._last is not None and now < self._last:  # Set back while the server was stopped.
            return round((now - self._last).total_seconds(), 3)
        return 0.0


def _parse_time(text: str | None) -> datetime | None:
    """A recorded time; None if it cannot be parsed, which the audit reports."""
    try:
        return datetime.fromisoformat(text or "").astimezone(UTC)
    except ValueError:
        return None


def clock_change(now: str, seconds: float) -> dict[str, str | int]:
    """The fact that records a clock change."""
    return {"fact": CHANGED, "now": now, "milliseconds": round(seconds * 1000)}
