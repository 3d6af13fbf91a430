"""Queries over entries, time intervals and streams, at one moment."""

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
from pitbook.house.ledger.chain import Entry, canonical, parse_content
from pitbook.house.ledger.clock import CLOCK
from pitbook.house.ledger.database import cause, reading
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


def parse_interval(start: str | None, end: str | None) -> Interval:
    """From one day or time to another; raises LedgerError where that is no interval."""
    first = None if start is None else parse_time(start, days=0)
    last = None if end is None else parse_time(end, days=1)
    if first is not None and last is not None and first >= last:
        raise LedgerError(say("ledger.interval.order", start=start, end=end))
    return Interval(format_time(first) if first else None, format_time(last) if last else None)


def parse_time(text: str, *, days: int) -> datetime:
    """What a text names; a plain date gives its midnight, so many days later."""
    try:
        if len(text) <= len("2026-11-15"):
            midnight = datetime.combine(date.fromisoformat(text), time(), UTC)
            return midnight + timedelta(days=days)
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise LedgerError(say("ledger.interval.no-time", text=text)) from None


def format_time(moment: datetime) -> str:
    """A moment as the book writes it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


PAGE = 5_000
MARGIN = timedelta(hours=1)  # By so much clocks of several machines may differ.
_S, _E, _A = schema.stream.c, schema.entry.c, schema.account.c
_COLUMNS: Sequence[Any] = [_E[one] for one in Entry._fields if one != "stream"]


class Streams(NamedTuple):
    """Some streams: those of these names, those that begin so, and those that do not begin so."""

    names: Collection[str] = ()
    beginning: Collection[str] = ()
    apart_from: Collection[str] = ()

    @property
    def condition(self) -> ColumnElement[bool]:
        """What is true of them alone."""
        apart = [~_begins(one) for one in self.apart_from]
        return or_(
            _S.name.in_(self.names) if self.names else false(),
            *map(_begins, self.beginning),
            and_(*apart) if apart else false(),
        )


def _begins(start: str) -> ColumnElement[bool]:
    return _S.name.startswith(start, autoescape=True)


def _in_unit(unit: str) -> ColumnElement[bool]:
    start = unit.removesuffix("*")
    return _A.unit == unit if start == unit else _A.unit.startswith(start, autoescape=True)


class Span(NamedTuple):
    """The entries of a stream that may lie within an interval, from the first to the last."""

    id: int
    stream: str
    first: int
    last: int
    within: Interval

    def upto(self, last: int) -> Span:
        """The stream from its beginning to an entry, at whatever time."""
        return Span(self.id, self.stream, 1, last, ALWAYS)

    @property
    def conditions(self) -> list[ColumnElement[bool]]:
        """What is true of the entries that do lie within."""
        start, end = self.within
        return [
            _E.stream == self.id,
            _E.seq.between(self.first, self.last),
            *([] if start is None else [_E.at >= start]),
            *([] if end is None else [_E.at < end]),
        ]


def kinds(*facts: str) -> list[str]:
    """The words by which an entry is known that has a fact of one of these kinds."""
    return having("fact", *facts)


def having(field: str, *texts: str) -> list[str]:
    """The words by which an entry is known in which a field has one of these texts."""
    return [f"{canonical(field)}:{canonical(text)}" for text in texts]


def says(entry: Entry, words: Collection[str]) -> bool:
    """Whether an entry that was read has one of some words."""
    return any(word in entry.content for word in words)


@contextmanager
def open_snapshot(engine: Engine) -> Iterator[Snapshot]:
    """The book as it stands now; raises NotNow where it cannot be read."""
    try:
        with reading(engine).connect() as connection:
            yield Snapshot(connection)
    except SQLAlchemyError as error:
        raise NotNow(say("ledger.book.unreadable", why=cause(error))) from error


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The book at one moment; words are looked for in entries as these are written."""

    connection: Connection

    def spans(self, within: Interval, which: Streams) -> list[Span]:
        """Where an interval lies in some streams, by name; those with none of it are left out."""
        asked = select(_S.id, _S.name, _S.seq).where(which.condition).order_by(_S.name)
        found = self.connection.execute(asked).all()
        start, end = (None, None) if self.is_set_back() else _widened(within)
        first = {} if start is None else self.first_at(start, which)
        behind = {} if end is None else self.first_at(end, which)
        made = [
            Span(
                *(row.id, row.name, first.get(row.name, 1)),
                behind.get(row.name, row.seq + 1) - 1,
                within,
            )
            for row in found
        ]
        return [one for one in made if one.first <= one.last]

    def entries(self, span: Span, words: Collection[str] = ()) -> Iterator[Entry]:
        """The entries of a span, or those that have one of some words, in order."""
        asked = self._asked(span, words).order_by(_E.seq)
        rows = self.connection.execute(asked.execution_options(yield_per=PAGE))
        return (Entry(span.stream, *row) for row in rows)

    def newest(self, span: Span, words: Collection[str], count: int) -> Iterator[Entry]:
        """The last entries that have one of some words, newest first; who asks may stop early."""
        asked = self._asked(span, words).order_by(_E.seq.desc()).limit(count)
        return (Entry(span.stream, *row) for row in self.connection.execute(asked).all())

    def latest(self, stream: str, words: Collection[str], *, upto: int) -> Entry | None:
        """The last entry of a stream up to one that has one of some words."""
        asked = select(_S.id).where(_S.name == stream)
        for row in self.connection.execute(asked).all():
            return next(self.newest(Span(row.id, stream, 1, upto, ALWAYS), words, 1), None)
        return None

    def between(self, stream: str, after: int, end: int) -> list[Entry]:
        """The entries of a stream between two, neither of them among these."""
        asked = select(*_COLUMNS).join(schema.stream, _S.id == _E.stream).order_by(_E.seq)
        asked = asked.where(_S.name == stream, _E.seq > after, _E.seq < end)
        return [Entry(stream, *row) for row in self.connection.execute(asked)]

    def counted(self, span: Span, words: Collection[str]) -> tuple[int, int]:
        """How many entries a span has, and how many of them have one of some words."""
        having = case((self._has(words), 1), else_=0)
        asked = select(func.count(), func.coalesce(func.sum(having), 0)).where(*span.conditions)
        count, found = self.connection.execute(asked).one()
        return count, int(found)

    def times(self, span: Span, words: Collection[str]) -> tuple[str, str]:
        """The earliest and the latest time of entries that have one of some words."""
        asked = select(func.min(_E.at), func.max(_E.at)).where(*span.conditions, self._has(words))
        first, last = self.connection.execute(asked).one()
        return first, last

    def ends(self, which: Streams) -> Iterator[tuple[Entry, Entry]]:
        """The first and the last entry of each of some streams, by name."""
        first, last = schema.entry.alias("first"), schema.entry.alias("last")
        both = (one.c[name] for one in (first, last) for name in Entry._fields[1:])
        asked = (
            select(_S.name, *both)
            .select_from(schema.stream)
            .join(first, and_(first.c.stream == _S.id, first.c.seq == 1))
            .join(last, and_(last.c.stream == _S.id, last.c.seq == _S.seq))
            .where(which.condition)
            .order_by(_S.name)
        )
        half = len(_COLUMNS)
        for name, *row in self.connection.execute(asked):
            yield Entry(name, *row[:half]), Entry(name, *row[half:])

    def journal(self) -> Iterator[Entry]:
        """Every entry, stream by stream, in the order of their numbers."""
        asked = (
            select(_S.name, *_COLUMNS)
            .join(schema.stream, _S.id == _E.stream)
            .order_by(_S.name, _E.seq)
        )
        for row in self.connection.execute(asked.execution_options(yield_per=PAGE)):
            yield Entry._make(row)

    def balances(self, *units: str) -> dict[Account, int]:
        """The balance of every account, or of those in some units.

        "event-chip:*" stands for all units that begin so. Raises LedgerError for an account that
        no entry can have made.
        """
        query = select(schema.account)
        if units:
            query = query.where(or_(*map(_in_unit, units)))
        balances: dict[Account, int] = {}
        for row in self.connection.execute(query):
            account = Account(row.unit, row.kind, row.name)
            is_text = all(isinstance(one, str) for one in account)
            if not is_text or account.kind not in NORMAL or type(row.balance) is not int:
                raise LedgerError(say("ledger.account-unread", id=row.id))
            balances[account] = row.balance
        return balances

    def named(self, kind: str, *, apart_from: str) -> list[str]:
        """Whose accounts of a kind there are, the oldest first, in any unit but one."""
        asked = select(_A.name).where(_A.kind == kind, _A.unit != apart_from).order_by(_A.id)
        return list(self.connection.execute(asked).scalars())

    def is_set_back(self) -> bool:
        """Whether a clock was ever set back, so that order in time cannot be relied upon."""
        asked = select(_E.content).join(schema.stream, _S.id == _E.stream).where(_S.name == CLOCK)
        told = (one for (content,) in self.connection.execute(asked) for one in _facts(content))
        return any(fact.get("milliseconds", 0) < 0 for fact in told)

    def first_at(self, at: str, which: Streams) -> dict[str, int]:
        """The first entry of each stream that is not before a time; one behind the last if none."""
        ends: list[Any] = [literal(1, BigInteger).label("low"), (_S.seq + 1).label("high")]
        columns = [_S.id.label("stream"), _S.name.label("name"), *ends]
        search = select(*columns).where(which.condition).cte("search", recursive=True)
        low, high = search.c.low, search.c.high
        middle = (low + high) // 2
        there = select(_E.at).where(_E.stream == search.c.stream, _E.seq == middle)
        when = there.scalar_subquery()
        half = select(
            search.c.stream,
            search.c.name,
            case((when < at, middle + 1), else_=low),
            case((when < at, high), else_=middle),
        ).where(low < high)
        search = search.union_all(half)
        asked = select(search.c.name, search.c.low).where(search.c.low == search.c.high)
        return {row.name: row.low for row in self.connection.execute(asked)}

    def _asked(self, span: Span, words: Collection[str]) -> Select[Any]:
        having = [self._has(words)] if words else []
        return select(*_COLUMNS).where(*span.conditions, *having)

    def _has(self, words: Collection[str]) -> ColumnElement[bool]:
        """Whether an entry's content has one of some words; faster than any LIKE."""
        place = func.instr if self.connection.dialect.name == "sqlite" else func.strpos
        return or_(*(place(_E.content, word) > 0 for word in words))


def _facts(content: str) -> list[dict[str, Any]]:
    facts: list[dict[str, Any]] = parse_content(content)["facts"]
    return facts


def _widened(within: Interval) -> Interval:
    start, end = (None if one is None else datetime.fromisoformat(one) for one in within)
    return Interval(
        None if start is None else format_time(_shifted(start, -MARGIN)),
        None if end is None else format_time(_shifted(end, MARGIN)),
    )


def _shifted(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment + by
    except OverflowError:  # The first and the last hour that there is.
        return moment
