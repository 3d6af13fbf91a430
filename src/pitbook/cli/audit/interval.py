"""The days of a report, in UTC: a plain date is a whole day, a time is a moment."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

import typer

__all__ = ["Interval", "interval", "stamp"]


class Interval(NamedTuple):
    """From the first moment on and before the second; None is as far as the book goes."""

    start: str | None
    end: str | None

    def place(self, at: str) -> int:
        """-1 for a time before it, 0 within, 1 after; times on record compare as texts."""
        if self.start is not None and at < self.start:
            return -1
        return int(self.end is not None and at >= self.end)


def interval(start: str | None, end: str | None) -> Interval:
    """What --from and --to name; misuse where they name nothing, or no time at all."""
    first = None if start is None else _moment(start, "--from", days=0)
    last = None if end is None else _moment(end, "--to", days=1)
    if first is not None and last is not None and first >= last:
        raise typer.BadParameter(
            f"{start} is not before {end}; exchange --from and --to", param_hint="--from"
        )
    return Interval(stamp(first) if first else None, stamp(last) if last else None)


def stamp(moment: datetime) -> str:
    """A moment as the book writes it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _moment(text: str, option: str, *, days: int) -> datetime:
    """A plain date gives its midnight, so many days later."""
    try:
        if len(text) <= len("2026-11-15"):
            midnight = datetime.combine(date.fromisoformat(text), time(), UTC)
            return midnight + timedelta(days=days)
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise typer.BadParameter(
            f'"{text}" is no day or time; write it as in 2026-11-15 or 2026-11-15T18:30',
            param_hint=option,
        ) from None
