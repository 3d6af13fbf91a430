"""Ledger queries: intervals, patterns and stream selections."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.errors import LedgerError
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.queries import (
    ALL_TIME,
    MARGIN,
    Interval,
    Span,
    Streams,
    fact_patterns,
    field_patterns,
    format_time,
    matches_any,
)

NIGHT = datetime(2026, 11, 15, 18, tzinfo=UTC)
TABLES = Streams(prefixes=("table/",))


class Hand:
    """A clock that a test sets; it may move forward freely."""

    def __init__(self) -> None:
        self.at = NIGHT

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'book.db'}"
    given: str = request.getfixturevalue("postgres")
    return given


def write_tables(ledger: Ledger, clock: Hand, luck: random.Random) -> dict[str, list[str]]:
    """Write three tables and another stream, hours apart; returns the entry times."""
    names = ("table/one", "table/two", "table/three", "cage")
    epochs = {name: ledger.claim(name) for name in names}
    for number in range(200):
        clock.at += timedelta(minutes=luck.randint(0, 60))
        name = luck.choice(names)
        ledger.append(name, epochs[name], [{"fact": "noted", "number": number}])
    return {name: [entry.at for entry in ledger.entries(name)] for name in names}


def read_interval(ledger: Ledger, within: Interval) -> tuple[dict[str, list[str]], list[Span]]:
    with ledger.snapshot() as book:
        spans = book.spans(within, TABLES)
        times_by_stream = {
            span.stream: [entry.at for entry in book.entries(span)] for span in spans
        }
        return times_by_stream, spans


@pytest.mark.long
def test_interval_query_returns_exactly_its_entries(
    url: str, request: pytest.FixtureRequest
) -> None:
    luck, clock = random.Random(f"{request.config.getoption('--hypothesis-seed')}"), Hand()
    with Ledger(connect(url), clock=clock) as ledger:
        times = write_tables(ledger, clock, luck)
        moments = sorted({at for stream_times in times.values() for at in stream_times})
        ends: list[str | None] = [
            None,
            format_time(NIGHT - MARGIN),
            format_time(clock.at + timedelta(1)),
        ]
        for _ in range(40):
            start, end = (luck.choice([*ends, *moments]) for _ in range(2))
            within = Interval(start, end)
            times_by_stream, spans = read_interval(ledger, within)
            for name in ("table/one", "table/two", "table/three"):
                wanted = [at for at in times[name] if within.place(at) == 0]
                assert times_by_stream.get(name, []) == wanted, within
            assert all(span.stream != "cage" for span in spans)
        day = Interval(moments[-1], None)
        narrow = sum(span.last - span.first + 1 for span in read_interval(ledger, day)[1])
        assert narrow < 20, "an hour before, and not the whole journal"


@pytest.mark.long
def test_interval_query_is_complete_after_a_clock_change(url: str) -> None:
    clock = Hand()
    with Ledger(connect(url), clock=clock) as ledger:
        epoch = ledger.claim("table/one")
        ledger.append("table/one", epoch, [{"fact": "noted"}])
        clock.at -= timedelta(days=2)
        ledger.append("table/one", epoch, [{"fact": "noted"}])
        assert [stream.name for stream in ledger.streams()] == ["clock", "table/one"]
        within = Interval(None, format_time(NIGHT - timedelta(days=1)))
        times_by_stream, _ = read_interval(ledger, within)
        assert times_by_stream == {"table/one": [format_time(clock.at)]}


@pytest.mark.long
def test_open_ended_intervals(url: str) -> None:
    clock = Hand()
    with Ledger(connect(url), clock=clock) as ledger:
        ledger.claim("table/one")
        first = format_time(datetime.min.replace(tzinfo=UTC))
        last = format_time(datetime.max.replace(tzinfo=UTC))
        for within in (ALL_TIME, Interval(first, last)):
            assert read_interval(ledger, within)[0] == {"table/one": [format_time(NIGHT)]}


@pytest.mark.long
def test_text_search_is_literal(url: str) -> None:
    with Ledger(connect(url)) as ledger:
        epoch = ledger.claim("table/one")
        for text in ("50% off", "50_ off", "FILL", "fill", 'a "quote"'):
            ledger.append("table/one", epoch, [{"fact": "noted", "text": text}])
        with ledger.snapshot() as book:
            (span,) = book.spans(ALL_TIME, TABLES)

            def count(*words: str) -> int:
                match_count = len(list(book.entries(span, words)))
                assert book.count_entries(span, words) == (6, match_count)
                assert sum(matches_any(entry, words) for entry in book.entries(span)) == match_count
                return match_count

            assert [count(pattern) for pattern in ("50%", "50_", "fill", "50")] == [1, 1, 1, 2]
            assert count("fill", "FILL") == 2
            assert count(*field_patterns("text", 'a "quote"', "fil")) == 1
            newest = book.last_entries(span, ("off", "fill"), 2)
            assert [entry.facts[0]["text"] for entry in newest] == ["fill", "50_ off"]
            earlier = book.last_entries(span.upto(4), ("off", "fill"), 2)
            assert [entry.facts[0]["text"] for entry in earlier] == ["50_ off", "50% off"]


@pytest.mark.long
def test_streams_are_listed_by_name_and_prefix(url: str) -> None:
    with Ledger(connect(url)) as ledger:
        for name in ("cage", "night/gala", "table/one", "table/two", "practice/1"):
            ledger.claim(name)
        with ledger.snapshot() as book:

            def stream_names(which: Streams) -> list[str]:
                return [span.stream for span in book.spans(ALL_TIME, which)]

            assert stream_names(Streams()) == []
            assert stream_names(Streams(("cage", "nobody's"))) == ["cage"]
            assert stream_names(Streams(prefixes=("table/", "night/"))) == [
                *("night/gala", "table/one", "table/two")
            ]
            assert stream_names(Streams(excluded_prefixes=("table/", "practice/"))) == [
                "cage",
                "night/gala",
            ]
            both = Streams(("table/two",), excluded_prefixes=("table/", "practice/", "night/"))
            assert stream_names(both) == ["cage", "table/two"]


@pytest.mark.long
def test_entries_between_two_positions_and_the_latest_of_a_kind(url: str) -> None:
    with Ledger(connect(url)) as ledger:
        epoch = ledger.claim("table/one")
        for number in range(5):
            kind = "odd" if number % 2 else "even"
            ledger.append("table/one", epoch, [{"fact": kind, "number": number}])
        with ledger.snapshot() as book:
            assert [entry.seq for entry in book.between("table/one", 2, 5)] == [3, 4]
            assert book.between("table/two", 0, 9) == []
            whole = list(ledger.entries("table/one"))
            assert book.latest("table/one", fact_patterns("odd"), upto=6) == whole[4]
            assert book.latest("table/one", fact_patterns("odd"), upto=4) == whole[2]
            assert book.latest("table/one", fact_patterns("odd"), upto=2) is None
            assert book.latest("table/two", fact_patterns("odd"), upto=6) is None
            assert list(book.first_and_last(TABLES)) == [(whole[0], whole[-1])]
            assert list(book.journal()) == whole


def test_unreadable_ledger_raises(tmp_path: Path) -> None:
    with Ledger(connect(f"sqlite:///{tmp_path / 'book.db'}")) as ledger:
        with ledger.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE entry RENAME TO gone")
        with (
            pytest.raises(LedgerError, match="The ledger cannot be read"),
            ledger.snapshot() as book,
        ):
            book.is_clock_set_back()
