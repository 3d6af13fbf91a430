"""The time that goes on record. Order never depends on it, and a changed clock is an event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from pitbook.house.ledger.stream_kinds import moves_no_money, register

CLOCK = register("clock", moves_no_money, module=__name__)
CHANGED = "clock-changed"
JUMP_SECONDS = 2.0


class Clock:
    """A wall clock, watched by one that nobody can set."""

    def __init__(
        self, wall: Callable[[], datetime], steady: Callable[[], float], last: str | None
    ) -> None:
        self._wall, self._steady = wall, steady
        self._offset: float | None = None
        self._last = _time(last)
        self._seen: float | None = None

    def read(self) -> tuple[str, float]:
        """The time as text, and by how many seconds the clock was set since it was last read."""
        now = self._wall().astimezone(UTC)
        self._seen = now.timestamp() - self._steady()
        return now.isoformat(timespec="microseconds"), self._jump(now)

    def noted(self) -> None:
        """What was read is on record now."""
        self._offset, self._last = self._seen, None

    def _jump(self, now: datetime) -> float:
        if self._offset is not None and self._seen is not None:
            by = self._seen - self._offset
            return round(by, 3) if abs(by) > JUMP_SECONDS else 0.0
        if self._last is not None and now < self._last:  # Set back while nobody was looking.
            return round((now - self._last).total_seconds(), 3)
        return 0.0


def _time(text: str | None) -> datetime | None:
    """A time on record; one that cannot be read is for the audit to find."""
    try:
        return datetime.fromisoformat(text or "").astimezone(UTC)
    except ValueError:
        return None


def changed(now: str, seconds: float) -> dict[str, str | int]:
    """The fact that the clock was set."""
    return {"fact": CHANGED, "now": now, "milliseconds": round(seconds * 1000)}
