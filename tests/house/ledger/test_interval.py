"""The days of a report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pitbook.errors import LedgerError
from pitbook.house.ledger.queries import ALL_TIME, Interval, format_time, parse_interval, parse_time

DAY = "2026-11-15T00:00:00.000000+00:00"
NEXT = "2026-11-16T00:00:00.000000+00:00"


def test_plain_date_covers_the_whole_day() -> None:
    assert parse_interval("2026-11-15", "2026-11-15") == Interval(DAY, NEXT)
    assert parse_interval(None, None) == ALL_TIME == Interval(None, None)
    assert parse_interval("2026-11-15", None) == Interval(DAY, None)
    assert parse_interval(None, "2026-11-15") == Interval(None, NEXT)


def test_time_is_in_utc_by_default() -> None:
    assert parse_time("2026-11-15T18:30", days=1) == datetime(2026, 11, 15, 18, 30, tzinfo=UTC)
    assert format_time(parse_time("2026-11-15T02:00+02:00", days=0)) == DAY
    west = timezone(timedelta(hours=-5))
    assert format_time(datetime(2026, 11, 14, 19, tzinfo=west)) == DAY


@pytest.fixture
def in_iowa(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose local time is six hours behind UTC."""
    monkeypatch.setenv("TZ", "CST6")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("in_iowa")
def test_days_and_times_are_utc_in_any_local_zone() -> None:
    assert parse_interval("2026-11-15", "2026-11-15") == Interval(DAY, NEXT)
    assert parse_interval("2026-11-15T00:00", "2026-11-16T00:00") == Interval(DAY, NEXT)
    for text in ("2026-11-15", "2026-11-15T18:30", "2026-11-15T18:30-06:00"):
        assert parse_time(text, days=0).tzinfo is UTC


def test_time_is_before_within_or_after_an_interval() -> None:
    within = Interval(DAY, NEXT)
    assert [within.place(at) for at in ("2026-11-14", DAY, "2026-11-15T23", NEXT)] == [-1, 0, 0, 1]
    assert ALL_TIME.place("") == 0
    assert Interval(DAY, None).place("2999") == 0
    assert Interval(None, NEXT).place("1999") == 0


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "2026-11-15T99:00", "9999-12-31"])
def test_invalid_date_gives_an_error_message(text: str) -> None:
    with pytest.raises(LedgerError) as no:
        parse_time(text, days=1)
    assert str(no.value) == (
        f'"{text}" is not a date or time. Write it like 2026-11-15 or 2026-11-15T18:30.'
    )


@pytest.mark.parametrize(("start", "end"), [("2026-02-01", "2026-01-31"), (DAY, DAY)])
def test_an_interval_has_its_start_before_its_end(start: str, end: str) -> None:
    with pytest.raises(LedgerError) as no:
        parse_interval(start, end)
    assert str(no.value) == f"{start} is not before {end}. Swap them."
