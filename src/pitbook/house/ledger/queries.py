"""Queries over entries, time intervals and streams, on one snapshot of the ledger."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    Select,
    and_,
    case,
    false,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.exc import SQLAlchemyError

from pitbook.errors import LedgerError, NotNow
from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import NORMAL, Account
from pitbook.house.ledger.database import error_text, for_reading
from pitbook.house.ledger.hash_chain import Entry, canonical, parse_content
from pitbook.house.ledger.recorded_time import CLOCK
from pitbook.text import say


class Interval(NamedTuple):
    """From the first time up to, not including, the second; None means unbounded."""

    start: str | None
    end: str | None

    def place(self, at: str) -> int:
        """-1 for a time before the interval, 0 within it, 1 after it."""
        if self.start is not None and at < self.start:
            return -1
        return int(self.end is not None and at >= self.end)


ALL_TIME = Interval(None, None)


def parse_interval(start: str | None, end: str | None) -> Interval:
    """An interval between two days or times; raises LedgerError if it is invalid."""
    first = None if start is None else parse_time(start, days=0)
    last = None if end is None else parse_time(end, days=1)
    if first is not None and last is not None and first >= last:
        raise LedgerError(say("ledger.interval.order", start=start, end=end))
    return Interval(format_time(first) if first else None, format_time(last) if last else None)


def parse_time(text: str, *, days: int) -> datetime:
    """A time from text; a plain date means midnight UTC plus `days`."""
    try:
        if len(text) <= len("2026-11-15"):
            midnight = datetime.combine(date.fromisoformat(text), time(), UTC)
            return midnight + timedelta(days=days)
        parsed = datetime.fromisoformat(text)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise LedgerError(say("ledger.interval.no-time", text=text)) from None


def format_time(at: datetime) -> str:
    """A time in the ledger's format."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


PAGE = 5_000
MARGIN = timedelta(hours=1)  # Clocks of several machines may differ by this much.
_S, _E, _A = schema.stream.c, schema.entry.c, schema.account.c
_COLUMNS: Sequence[Any] = [_E[column] for column in Entry._fields if column != "stream"]


class Streams(NamedTuple):
    """A selection of streams: by name, by prefix, or by excluded prefixes."""

    names: Collection[str] = ()
    prefixes: Collection[str] = ()
    excluded_prefixes: Collection[str] = ()

    @property
    def condition(self) -> ColumnElement[bool]:
        """The SQL condition that selects them."""
        conditions = [~_has_prefix(prefix) for prefix in self.excluded_prefixes]
        return or_(
            _S.name.in_(self.names) if self.names else false(),
            *map(_has_prefix, self.prefixes),
            and_(*conditions) if conditions else false(),
        )


def _has_prefix(prefix: str) -> ColumnElement[bool]:
    return _S.name.startswith(prefix, autoescape=True)


def _in_unit(unit: str) -> ColumnElement[bool]:
    prefix = unit.removesuffix("*")
    return _A.unit == unit if prefix == unit else _A.unit.startswith(prefix, autoescape=True)


class Span(NamedTuple):
    """The range of a stream's entries that may be within an interval."""

    id: int
    stream: str
    first: int
    last: int
    within: Interval

    def upto(self, last: int) -> Span:
        """The stream from its first entry to another, at any time."""
        return Span(self.id, self.stream, 1, last, ALL_TIME)

    @property
    def conditions(self) -> list[ColumnElement[bool]]:
        """The SQL conditions for the entries within the interval."""
        start, end = self.within
        return [
            _E.stream == self.id,
            _E.seq.between(self.first, self.last),
            *([] if start is None else [_E.at >= start]),
            *([] if end is None else [_E.at < end]),
        ]


def fact_patterns(*facts: str) -> list[str]:
    """Text patterns that find entries with a fact of one of these kinds."""
    return field_patterns("fact", *facts)


def field_patterns(field: str, *texts: str) -> list[str]:
    """Text patterns that find entries in which a field has one of these texts."""
    return [f"{canonical(field)}:{canonical(text)}" for text in texts]


def matches_any(entry: Entry, patterns: Collection[str]) -> bool:
    """Whether an entry's content contains one of the patterns."""
    return any(pattern in entry.content for pattern in patterns)


@contextmanager
def open_snapshot(engine: Engine) -> Iterator[Snapshot]:
    """A snapshot of the ledger; raises NotNow if it cannot be read."""
    try:
        with for_reading(engine).connect() as connection:
            yield Snapshot(connection)
    except SQLAlchemyError as error:
        raise NotNow(say("ledger.book.unreadable", why=error_text(error))) from error


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A consistent snapshot of the ledger. Patterns are matched against entries as stored."""

    connection: Connection

    def spans(self, within: Interval, streams: Streams) -> list[Span]:
        """The spans of an interval in some streams, by name; empty ones are left out."""
        query = select(_S.id, _S.name, _S.seq).where(streams.condition).order_by(_S.name)
        rows = self.connection.execute(query).all()
        start, end = (None, None) if self.is_clock_set_back() else _widen_by_margin(within)
        first = {} if start is None else self.first_at(start, streams)
        after = {} if end is None else self.first_at(end, streams)
        spans = [
            Span(
                *(row.id, row.name, first.get(row.name, 1)),
                after.get(row.name, row.seq + 1) - 1,
                within,
            )
            for row in rows
        ]
        return [span for span in spans if span.first <= span.last]

    def entries(self, span: Span, patterns: Collection[str] = ()) -> Iterator[Entry]:
        """The entries of a span in order, or those that match one of the patterns."""
        query = self._entry_query(span, patterns).order_by(_E.seq)
        rows = self.connection.execute(query.execution_options(yield_per=PAGE))
        return (Entry(span.stream, *row) for row in rows)

    def last_entries(self, span: Span, patterns: Collection[str], count: int) -> Iterator[Entry]:
        """The last entries that match one of the patterns, newest first."""
        query = self._entry_query(span, patterns).order_by(_E.seq.desc()).limit(count)
        return (Entry(span.stream, *row) for row in self.connection.execute(query).all())

    def latest(self, stream: str, patterns: Collection[str], *, upto: int) -> Entry | None:
        """The last entry of a stream up to a number that matches one of the patterns."""
        query = select(_S.id).where(_S.name == stream)
        for row in self.connection.execute(query).all():
            return next(
                self.last_entries(Span(row.id, stream, 1, upto, ALL_TIME), patterns, 1), None
            )
        return None

    def between(self, stream: str, after: int, end: int) -> list[Entry]:
        """The entries of a stream between two numbers, both excluded."""
        query = select(*_COLUMNS).join(schema.stream, _S.id == _E.stream).order_by(_E.seq)
        query = query.where(_S.name == stream, _E.seq > after, _E.seq < end)
        return [Entry(stream, *row) for row in self.connection.execute(query)]

    def count_entries(self, span: Span, patterns: Collection[str]) -> tuple[int, int]:
        """The number of entries in a span, and how many match one of the patterns."""
        matches = case((self._contains(patterns), 1), else_=0)
        query = select(func.count(), func.coalesce(func.sum(matches), 0)).where(*span.conditions)
        count, matching = self.connection.execute(query).one()
        return count, int(matching)

    def times(self, span: Span, patterns: Collection[str]) -> tuple[str, str]:
        """The earliest and latest time of entries that match one of the patterns."""
        query = select(func.min(_E.at), func.max(_E.at)).where(
            *span.conditions, self._contains(patterns)
        )
        first, last = self.connection.execute(query).one()
        return first, last

    def first_and_last(self, streams: Streams) -> Iterator[tuple[Entry, Entry]]:
        """The first and last entry of each of some streams, by name."""
        first, last = schema.entry.alias("first"), schema.entry.alias("last")
        columns = (table.c[name] for table in (first, last) for name in Entry._fields[1:])
        query = (
            select(_S.name, *columns)
            .select_from(schema.stream)
            .join(first, and_(first.c.stream == _S.id, first.c.seq == 1))
            .join(last, and_(last.c.stream == _S.id, last.c.seq == _S.seq))
            .where(streams.condition)
            .order_by(_S.name)
        )
        half = len(_COLUMNS)
        for name, *row in self.connection.execute(query):
            yield Entry(name, *row[:half]), Entry(name, *row[half:])

    def journal(self) -> Iterator[Entry]:
        """Every entry, ordered by stream and number."""
        query = (
            select(_S.name, *_COLUMNS)
            .join(schema.stream, _S.id == _E.stream)
            .order_by(_S.name, _E.seq)
        )
        for row in self.connection.execute(query.execution_options(yield_per=PAGE)):
            yield Entry._make(row)

    def balances(self, *units: str) -> dict[Account, int]:
        """The balance of every account, or of those in some units.

        "event-chip:*" selects all units with that prefix. Raises LedgerError for an invalid
        account.
        """
        query = select(schema.account)
        if units:
            query = query.where(or_(*map(_in_unit, units)))
        balances: dict[Account, int] = {}
        for row in self.connection.execute(query):
            account = Account(row.unit, row.kind, row.name)
            is_text = all(isinstance(part, str) for part in account)
            if not is_text or account.kind not in NORMAL or type(row.balance) is not int:
                raise LedgerError(say("ledger.account-unread", id=row.id))
            balances[account] = row.balance
        return balances

    def account_names(self, kind: str, *, apart_from: str) -> list[str]:
        """Names of the accounts of a kind, oldest first, in any unit but one."""
        query = select(_A.name).where(_A.kind == kind, _A.unit != apart_from).order_by(_A.id)
        return list(self.connection.execute(query).scalars())

    def is_clock_set_back(self) -> bool:
        """Whether a clock was ever set back, so that the order of times is unreliable."""
        query = select(_E.content).join(schema.stream, _S.id == _E.stream).where(_S.name == CLOCK)
        facts = (
            fact for (content,) in self.connection.execute(query) for fact in _parse_facts(content)
        )
        return any(fact.get("milliseconds", 0) < 0 for fact in facts)

    def first_at(self, at: str, streams: Streams) -> dict[str, int]:
        """Each stream's first entry not before a time; one past the last if there is none."""
        ends: list[Any] = [literal(1, BigInteger).label("low"), (_S.seq + 1).label("high")]
        columns = [_S.id.label("stream"), _S.name.label("name"), *ends]
        search = select(*columns).where(streams.condition).cte("search", recursive=True)
        low, high = search.c.low, search.c.high
        middle = (low + high) // 2
        entry_time = select(_E.at).where(_E.stream == search.c.stream, _E.seq == middle)
        time_at_middle = entry_time.scalar_subquery()
        half = select(
            search.c.stream,
            search.c.name,
            case((time_at_middle < at, middle + 1), else_=low),
            case((time_at_middle < at, high), else_=middle),
        ).where(low < high)
        search = search.union_all(half)
        query = select(search.c.name, search.c.low).where(search.c.low == search.c.high)
        return {row.name: row.low for row in self.connection.execute(query)}

    def _entry_query(self, span: Span, patterns: Collection[str]) -> Select[Any]:
        conditions = [self._contains(patterns)] if patterns else []
        return select(*_COLUMNS).where(*span.conditions, *conditions)

    def _contains(self, patterns: Collection[str]) -> ColumnElement[bool]:
        """Whether an entry's content contains one of the patterns; faster than LIKE."""
        position = func.instr if self.connection.dialect.name == "sqlite" else func.strpos
        return or_(*(position(_E.content, pattern) > 0 for pattern in patterns))


def _parse_facts(content: str) -> list[dict[str, Any]]:
    facts: list[dict[str, Any]] = parse_content(content)["facts"]
    return facts


def _widen_by_margin(within: Interval) -> Interval:
    start, end = (None if text is None else datetime.fromisoformat(text) for text in within)
    return Interval(
        None if start is None else format_time(_shift_time(start, -MARGIN)),
        None if end is None else format_time(_shift_time(end, MARGIN)),
    )


def _shift_time(at: datetime, delta: timedelta) -> datetime:
    try:
        return at + delta
    except OverflowError:  # The first or last representable hour.
        return at
