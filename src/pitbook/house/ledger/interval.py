"""The days of a report, in UTC: a plain date is a whole day, a time is a moment."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from pitbook.errors import LedgerError
from pitbook.text import say


class Interval(NamedTuple):
    """From the first moment on and before the second; None is as far as the book goes."""

    start: str | None
    end: str | None

    def place(self, at: str) -> int:
        """-1 for a time before it, 0 within, 1 after; times on record compare as texts."""
        if self.start is not None and at < self.start:
            return -1
        return int(self.end is not None and at >= self.end)


ALWAYS = Interval(None, None)


def between(start: str | None, end: str | None) -> Interval:
    """From one day or time to another; raises LedgerError where that is no interval."""
    first = None if start is None else moment(start, days=0)
    last = None if end is None else moment(end, days=1)
    if first is not None and last is not None and first >= last:
        raise LedgerError(say("ledger.interval.order", start=start, end=end))
    return Interval(stamp(first) if first else None, stamp(last) if last else None)


def moment(text: str, *, days: int) -> datetime:
    """What a text names; a plain date gives its midnight, so many days later."""
    try:
        if len(text) <= len("2026-11-15"):
            midnight = datetime.combine(date.fromisoformat(text), time(), UTC)
            return midnight + timedelta(days=days)
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise LedgerError(say("ledger.interval.no-time", text=text)) from None


def stamp(moment: datetime) -> str:
    """A moment as the book writes it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
