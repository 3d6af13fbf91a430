"""Clock changes are recorded, and order does not depend on them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, timedelta, timezone

import pytest
from tests.house.ledger.kit import AT, DAWN, NOTED, ManualClock, case_ids

from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.recorded_time import Clock, clock_change
from pitbook.house.ledger.writer import utc_now


def clock_of(manual_clock: ManualClock, last: str | None = None) -> Clock:
    return Clock(manual_clock, manual_clock.monotonic, last)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose local time is not UTC."""
    with monkeypatch.context() as moved:
        moved.setenv("TZ", "EST5")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("elsewhere")
def test_clock_reads_utc(manual_clock: ManualClock) -> None:
    manual_clock.now = DAWN.astimezone(timezone(timedelta(hours=-5)))
    assert clock_of(manual_clock).read() == (AT, 0.0)
    manual_clock.now += timedelta(microseconds=1)
    assert clock_of(manual_clock).read()[0] == "2026-01-01T00:00:00.000001+00:00"


@pytest.mark.usefixtures("elsewhere")
def test_now_is_in_utc() -> None:
    assert utc_now().tzinfo is UTC


# Seconds by which it was set, and what is said about it.
SET = [
    (0.0, 0.0),
    (2.0, 0.0),
    (-2.0, 0.0),
    (2.001, 2.001),
    (2.0006, 2.001),
    (-2.001, -2.001),
    (3600.0, 3600.0),
    (-86_400.5, -86_400.5),
]


@pytest.mark.parametrize(("by", "seconds"), SET)
def test_changed_clock_is_recorded(manual_clock: ManualClock, by: float, seconds: float) -> None:
    watched = clock_of(manual_clock)
    assert watched.read()[1] == 0.0
    watched.mark_recorded()
    manual_clock.wait(500)
    manual_clock.turn(by)
    assert watched.read()[1] == seconds


def test_unrecorded_clock_change_is_reported_again(manual_clock: ManualClock) -> None:
    watched = clock_of(manual_clock)
    watched.read()
    watched.mark_recorded()
    manual_clock.turn(60)
    assert [watched.read()[1] for _ in range(3)] == [60.0, 60.0, 60.0]
    watched.mark_recorded()
    assert watched.read()[1] == 0.0
    manual_clock.wait(1)
    assert watched.read()[1] == 0.0


@pytest.mark.parametrize(
    ("ago", "seconds"), [(10.0, 0.0), (0.0, 0.0), (-0.25, -0.25), (-3600.0004, -3600.0)]
)
def test_clock_set_back_while_stopped_is_detected(
    manual_clock: ManualClock, ago: float, seconds: float
) -> None:
    last = (DAWN - timedelta(seconds=ago)).isoformat()
    watched = clock_of(manual_clock, last)
    assert watched.read()[1] == seconds
    watched.mark_recorded()
    assert watched.read()[1] == 0.0


@pytest.mark.parametrize("last", ["", "yesterday", "2026-01-01T25:00", "\u0660"], ids=case_ids())
def test_malformed_recorded_time_is_refused(manual_clock: ManualClock, last: str) -> None:
    assert clock_of(manual_clock, last).read() == (AT, 0.0)


@pytest.mark.usefixtures("elsewhere")
def test_recorded_time_of_another_zone_is_converted(manual_clock: ManualClock) -> None:
    assert clock_of(manual_clock, "2026-01-01T01:00:00+01:00").read()[1] == 0.0
    assert clock_of(manual_clock, "2026-01-01T01:00:01+01:00").read()[1] == -1.0


def test_clock_change_fact_has_both_times() -> None:
    assert clock_change(AT, -2.5) == {"fact": "clock-changed", "now": AT, "milliseconds": -2500}


def test_clock_change_is_recorded_before_the_next_entry(
    ledger: Ledger, manual_clock: ManualClock
) -> None:
    epoch = ledger.claim("table-1")
    manual_clock.wait(10)
    ledger.append("table-1", epoch, [NOTED])
    assert ledger.stream("clock") is None
    manual_clock.turn(-7200)
    receipt = ledger.append("table-1", epoch, [NOTED])
    manual_clock.turn(+7200)
    ledger.append("table-1", epoch, [NOTED])
    ledger.append("table-1", epoch, [NOTED])
    back, forth = ledger.entries("clock")
    assert (receipt.seq, receipt.at) == (3, "2025-12-31T22:00:10.000000+00:00")
    assert back.facts == [
        {"fact": "claimed", "epoch": 1, "prunable": False},
        {"fact": "clock-changed", "now": receipt.at, "milliseconds": -7_200_000},
    ]
    assert forth.facts[1] == {
        "fact": "clock-changed",
        "now": "2026-01-01T00:00:10.000000+00:00",
        "milliseconds": 7_200_000,
    }
    assert verify(ledger).findings == ()


def test_clock_set_back_between_openings_is_recorded(
    sqlite_url: str, manual_clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitbook.house.ledger.writer.time", manual_clock)
    with Ledger.open(sqlite_url, clock=manual_clock) as ledger:
        ledger.claim("older")
        manual_clock.turn(100)
        epoch = ledger.claim("table-1")
    manual_clock.turn(-90)
    with Ledger.open(sqlite_url, clock=manual_clock) as ledger:
        ledger.append("table-1", epoch, [NOTED])
        milliseconds = [entry.facts[1]["milliseconds"] for entry in ledger.entries("clock")]
    assert milliseconds == [100_000, -90_000]


def test_normal_clock_advance_is_not_recorded(sqlite_url: str, manual_clock: ManualClock) -> None:
    with Ledger.open(sqlite_url, clock=manual_clock) as ledger:
        epoch = ledger.claim("table-1")
    manual_clock.turn(100_000)
    with Ledger.open(sqlite_url, clock=manual_clock) as ledger:
        ledger.append("table-1", epoch, [NOTED])
        assert ledger.stream("clock") is None
