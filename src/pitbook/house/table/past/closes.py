"""Closes that the house keeps: each day's signed file beside the book, as long as somebody chose.

The book itself is never cut. A file that was removed can be made again from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from pitbook.house.ledger import private
from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.interval import Interval, between, stamp
from pitbook.house.table.past.day_close import closed_day

FOLDER, ENDING = "closes", ".jsonl"
QUIET = timedelta(hours=1)  # By then no hand of the day is in play any more.
FOR_EVER = 0
DAY = timedelta(days=1)


def is_over(day: Interval, now: datetime) -> bool:
    """Whether a day has ended, and long enough ago."""
    return day.end is not None and day.end <= stamp(now - QUIET)


def kept(folder: Folder) -> list[tuple[date, int]]:
    """The days whose close is kept, and the bytes of each; the newest first."""
    return sorted(((day, file.stat().st_size) for day, file in _files(folder)), reverse=True)


def path_of(folder: Folder, day: date) -> Path:
    """Where the close of a day is kept, if it is."""
    return folder.path / FOLDER / f"close-{day}{ENDING}"


def keep(folder: Folder, now: datetime, *, days: int = FOR_EVER) -> list[date]:
    """Close what is over since the last close and drop what is old; the days that were closed.

    Where none is kept yet the first one is yesterday's.
    """
    last = (now - QUIET).astimezone(UTC).date() - DAY
    oldest = date.min if days == FOR_EVER else last - (days - 1) * DAY
    known = [day for day, _ in _files(folder)]
    first = max(max(known) + DAY if known else last, oldest)
    made = [first + number * DAY for number in range((last - first).days + 1)]
    for day in made:
        _write(folder, day, now)
    for day, file in _files(folder):
        if day < oldest:
            file.unlink(missing_ok=True)
    return made


def _files(folder: Folder) -> Iterator[tuple[date, Path]]:
    for file in (folder.path / FOLDER).glob(f"close-*{ENDING}"):
        try:
            yield date.fromisoformat(file.name.removeprefix("close-").removesuffix(ENDING)), file
        except ValueError:
            continue  # Somebody else's.


def _write(folder: Folder, day: date, now: datetime) -> None:
    """Whole or not at all, and its owner's alone."""
    file = path_of(folder, day)
    private.make_folder(file.parent)
    half = file.with_suffix(".part")
    half.unlink(missing_ok=True)
    with private.created(half, kept=True, encoding="utf-8", newline="") as out:
        out.writelines(
            closed_day(folder, between(str(day), str(day)), "jsonl", generated=stamp(now))
        )
    half.rename(file)
