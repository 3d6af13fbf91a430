"""Where an interval lies in each stream: found by halving, not by reading the journal through.

Entries follow one another in time, but for a clock that was set back, and that is on record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Connection, case, func, literal, or_, select

from pitbook.ledger import schema
from pitbook.ledger.chain import Entry, read
from pitbook.ledger.clock import CLOCK
from pitbook.ledger.interval import Interval, stamp

__all__ = ["PRACTICE", "TABLE", "Span", "entries", "first_at", "has", "set_back", "spans"]

TABLE, PRACTICE = "table/", "practice/"
PAGE = 5_000
MARGIN = timedelta(hours=1)  # By so much clocks of several machines may differ.
_S, _E = schema.stream.c, schema.entry.c
_COLUMNS: Sequence[Any] = [_E[one] for one in Entry._fields if one != "stream"]


class Span(NamedTuple):
    """The entries of a stream that may lie within an interval, from the first to the last."""

    id: int
    stream: str
    first: int
    last: int
    within: Interval

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


def spans(connection: Connection, within: Interval, which: ColumnElement[bool]) -> list[Span]:
    """The spans of some streams, by name; those without any are left out."""
    found = connection.execute(select(_S.id, _S.name, _S.seq).where(which).order_by(_S.name)).all()
    start, end = (None, None) if set_back(connection) else _widened(within)
    first = {} if start is None else first_at(connection, start, which)
    behind = {} if end is None else first_at(connection, end, which)
    made = [
        Span(row.id, row.name, first.get(row.id, 1), behind.get(row.id, row.seq + 1) - 1, within)
        for row in found
    ]
    return [one for one in made if one.first <= one.last]


def entries(
    connection: Connection, span: Span, *which: ColumnElement[bool], newest: int | None = None
) -> Iterator[Entry]:
    """The entries of a span of which something is true; or the newest of them, newest first."""
    order = _E.seq if newest is None else _E.seq.desc()
    asked = select(*_COLUMNS).where(*span.conditions, *which).order_by(order).limit(newest)
    if newest is not None:  # A few, and who asks may stop at the first.
        return (Entry(span.stream, *row) for row in connection.execute(asked).all())
    rows = connection.execute(asked.execution_options(yield_per=PAGE))
    return (Entry(span.stream, *row) for row in rows)


def has(connection: Connection, *words: str) -> ColumnElement[bool]:
    """Whether an entry's content has one of some words; faster than any LIKE."""
    place = func.instr if connection.dialect.name == "sqlite" else func.strpos
    return or_(*(place(_E.content, word) > 0 for word in words))


def _widened(within: Interval) -> Interval:
    start, end = (None if one is None else datetime.fromisoformat(one) for one in within)
    return Interval(
        None if start is None else stamp(_shifted(start, -MARGIN)),
        None if end is None else stamp(_shifted(end, MARGIN)),
    )


def _shifted(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment + by
    except OverflowError:  # The first and the last hour that there is.
        return moment


def set_back(connection: Connection) -> bool:
    """Whether a clock was ever set back, so that order in time cannot be relied upon."""
    asked = select(_E.content).join(schema.stream, _S.id == _E.stream).where(_S.name == CLOCK)
    facts = (fact for (content,) in connection.execute(asked) for fact in read(content)["facts"])
    return any(fact.get("milliseconds", 0) < 0 for fact in facts)


def first_at(connection: Connection, moment: str, which: ColumnElement[bool]) -> dict[int, int]:
    """The first entry of each stream that is not before a moment; one behind the last if none."""
    ends: list[Any] = [literal(1, BigInteger).label("low"), (_S.seq + 1).label("high")]
    search = select(_S.id.label("stream"), *ends).where(which).cte("search", recursive=True)
    low, high = search.c.low, search.c.high
    middle = (low + high) // 2
    at = select(_E.at).where(_E.stream == search.c.stream, _E.seq == middle).scalar_subquery()
    half = select(
        search.c.stream,
        case((at < moment, middle + 1), else_=low),
        case((at < moment, high), else_=middle),
    ).where(low < high)
    search = search.union_all(half)
    asked = select(search.c.stream, search.c.low).where(search.c.low == search.c.high)
    return {row.stream: row.low for row in connection.execute(asked)}
