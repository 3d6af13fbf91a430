"""What each table took, by interval: drop, win, hold, fills and credits, and whether it adds up.

Players buy in at the cage, so no box hangs under a table: its drop is the money that was wagered
there and not taken back, its win what the rack gained from the players, its hold win over drop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, func, select
from sqlalchemy.exc import SQLAlchemyError

from pitbook.errors import LedgerError
from pitbook.ledger import schema
from pitbook.ledger.accounts import Transfer
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry
from pitbook.ledger.database import cause, reading
from pitbook.ledger.interval import Interval
from pitbook.money import money
from pitbook.table.facts import Json
from pitbook.table.house import TABLE

__all__ = ["NO_ACTIVITY", "Taking", "summed", "takings"]

NO_ACTIVITY = "no activity"
PAGE = 5_000
_S, _E, _P, _A = schema.stream.c, schema.entry.c, schema.posting.c, schema.account.c
AMOUNTS = ("opening", "fills", "credits", "drop", "win", "closing")


class Taking(NamedTuple):
    """One table's, or a unit's, figures in cents."""

    table: str | None
    unit: str
    opening: int = 0
    fills: int = 0
    credits: int = 0
    drop: int = 0
    win: int = 0
    closing: int = 0
    rounds: int = 0
    entries: int = 0

    @property
    def off(self) -> int:
        """By how much the closing rack is more than opening, fills, credits and win come to."""
        return self.closing - (self.opening + self.fills - self.credits + self.win)

    @property
    def hold(self) -> Fraction | None:
        """The share of the drop that the table kept."""
        return Fraction(self.win, self.drop) if self.drop else None

    def document(self) -> Json:
        """The figures as JSON."""
        hold = self.hold
        return {
            **({} if self.table is None else {"table": self.table}),
            "unit": self.unit,
            **{name: money(getattr(self, name)) for name in AMOUNTS},
            "hold": None if hold is None else str(hold),
            "hold_percent": None if hold is None else round(float(hold) * 100, 4),
            "rounds": self.rounds,
            "reconciles": not self.off,
            "off": money(self.off),
            "note": None if self.entries else NO_ACTIVITY,
        }


def takings(ledger: Ledger, within: Interval) -> list[Taking]:
    """Every table that was open in the interval, by name; read at one moment."""
    try:
        with reading(ledger.engine).connect() as connection:
            return list(_takings(connection, within))
    except SQLAlchemyError as error:
        raise LedgerError(f"the book cannot be read: {cause(error)}") from error


def summed(found: Iterable[Taking]) -> list[Taking]:
    """The subtotals of each unit."""
    sums: dict[str, Taking] = {}
    for one in found:
        total = sums.get(one.unit, Taking(None, one.unit))
        sums[one.unit] = Taking(
            None, one.unit, *(a + b for a, b in zip(total[2:], one[2:], strict=True))
        )
    return [sums[unit] for unit in sorted(sums)]


def _takings(connection: Connection, within: Interval) -> Iterator[Taking]:
    before, until = _racks(connection, within.start), _racks(connection, within.end, always=True)
    moved: dict[str, Taking] = {}
    for entry in _entries(connection, within):
        name = entry.stream.removeprefix(TABLE)
        moved[name] = _with(moved.get(name, Taking(name, "")), entry)
    for name, unit in _open(connection, within):
        rack = (name, unit)
        taking = moved.get(name, Taking(name, unit))
        yield taking._replace(unit=unit, opening=before.get(rack, 0), closing=until.get(rack, 0))


def _with(taking: Taking, entry: Entry) -> Taking:
    for transfer in entry.transfers:
        taking = _moved(taking, transfer)
    settled = sum(fact["fact"] == "settled" for fact in entry.facts)
    return taking._replace(rounds=taking.rounds + settled, entries=taking.entries + 1)


def _moved(taking: Taking, one: Transfer) -> Taking:
    """A table's transfers are known by the accounts they go between."""
    match one.debit.kind, one.credit.kind:
        case "house", "rack":
            return taking._replace(fills=taking.fills + one.amount)
        case "rack", "house":
            return taking._replace(credits=taking.credits + one.amount)
        case "held", "rack":
            return taking._replace(win=taking.win + one.amount)
        case "rack", "wallet":
            return taking._replace(win=taking.win - one.amount)
        case "wallet", "held":
            return taking._replace(drop=taking.drop + one.amount)
        case "held", "wallet" if one.why.endswith("taken back"):
            return taking._replace(drop=taking.drop - one.amount)
    return taking


def _within(within: Interval) -> Sequence[ColumnElement[bool]]:
    start = [] if within.start is None else [_E.at >= within.start]
    return start if within.end is None else [*start, _E.at < within.end]


def _entries(connection: Connection, within: Interval) -> Iterator[Entry]:
    columns = [_S.name if one == "stream" else _E[one] for one in Entry._fields]
    asked = (
        select(*columns)
        .join(schema.stream, _S.id == _E.stream)
        .where(_S.name.startswith(TABLE, autoescape=True), *_within(within))
        .order_by(_S.name, _E.seq)
        .execution_options(yield_per=PAGE)
    )
    return (Entry._make(row) for row in connection.execute(asked))


def _racks(
    connection: Connection, until: str | None, *, always: bool = False
) -> dict[tuple[str, str], int]:
    """What each table's rack held at a time; all that ever moved where there is no end."""
    if until is None and not always:
        return {}
    asked = (
        select(_A.name, _A.unit, func.sum(_P.amount))
        .join(schema.posting, _P.account == _A.id)
        .join(schema.entry, and_(_E.stream == _P.stream, _E.seq == _P.seq))
        .where(_A.kind == "rack", *([] if until is None else [_E.at < until]))
        .group_by(_A.name, _A.unit)
    )
    return {(name, unit): int(held) for name, unit, held in connection.execute(asked)}


def _open(connection: Connection, within: Interval) -> Iterator[tuple[str, str]]:
    """The tables that were set up before the end and not closed for good before the start."""
    closed = _named(connection, _E.content.contains('"fact":"retired"'), before=within.start)
    gone = {one.stream for one in closed}
    for entry in _named(connection, _E.seq == 1, before=within.end, always=True):
        for fact in entry.facts:
            if fact["fact"] == "table-opened" and entry.stream not in gone:
                yield fact["table"], fact["unit"]


def _named(
    connection: Connection, which: ColumnElement[bool], *, before: str | None, always: bool = False
) -> list[Entry]:
    if before is None and not always:
        return []
    columns: list[Any] = [_S.name if one == "stream" else _E[one] for one in Entry._fields]
    until = [] if before is None else [_E.at < before]
    asked = (
        select(*columns)
        .join(schema.stream, _S.id == _E.stream)
        .where(_S.name.startswith(TABLE, autoescape=True), which, *until)
        .order_by(_S.name)
    )
    return [Entry._make(row) for row in connection.execute(asked)]
