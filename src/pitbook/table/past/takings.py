"""What each table took, by interval: drop, win, hold, fills and credits, and whether it adds up.

Players buy in at the cage, so no box hangs under a table: its drop is the money that was wagered
there and stood, neither taken back nor void, its win what the rack gained from the players, its
hold win over drop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from sqlalchemy import Connection, and_, case, func, select
from sqlalchemy.exc import SQLAlchemyError

from pitbook.errors import LedgerError
from pitbook.ledger import schema
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import read
from pitbook.ledger.database import cause, reading
from pitbook.ledger.interval import Interval
from pitbook.money import money
from pitbook.table.acts.taken_back import stakes_back
from pitbook.table.facts import Json
from pitbook.table.live.house import TABLE
from pitbook.table.past.spans import Span, entries, has, spans

__all__ = ["NO_ACTIVITY", "Taking", "summed", "takings"]

NO_ACTIVITY = "no activity"
AMOUNTS = ("opening", "fills", "credits", "drop", "win", "closing")
RETIRED = '"fact":"retired"'
RETURNED = (" taken back", " void")  # So end the reasons of such transfers.
_S, _E, _P, _A = schema.stream.c, schema.entry.c, schema.posting.c, schema.account.c
_HERE = _S.name.startswith(TABLE, autoescape=True)


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
    before = {} if within.start is None else _racks(connection, within.start)
    until = _racks(connection, within.end)
    moved = {span.stream: _moved(connection, span) for span in spans(connection, within, _HERE)}
    for name, unit in _open(connection, within):
        rack = (name, unit)
        taking = moved.get(f"{TABLE}{name}", Taking(name, unit))
        ends = {"opening": before.get(rack, 0), "closing": until.get(rack, 0)}
        yield taking._replace(table=name, unit=unit, **ends)


def _moved(connection: Connection, span: Span) -> Taking:
    """What passed at a table: its transfers are known by the accounts they go between."""
    passed = _passed(connection, span)
    settled = case((has(connection, '"fact":"settled"'), 1), else_=0)
    asked = select(func.count(), func.coalesce(func.sum(settled), 0)).where(*span.conditions)
    count, rounds = connection.execute(asked).one()
    return Taking(
        None,
        "",
        fills=passed["house", "rack"],
        credits=passed["rack", "house"],
        drop=passed["wallet", "held"] - _returned(connection, span),
        win=passed["held", "rack"] - passed["rack", "wallet"] + _undone(passed),
        rounds=rounds,
        entries=count,
    )


def _undone(passed: Counter[tuple[str, str]]) -> int:
    """What was settled and taken back: wins that came back, less stakes that went back."""
    return passed["wallet", "rack"] - passed["rack", "held"]


def _passed(connection: Connection, span: Span) -> Counter[tuple[str, str]]:
    """Cents from one kind of account to another; a transfer's two postings stand together."""
    debit, credit = schema.posting.alias("debit"), schema.posting.alias("credit")
    payer, payee = schema.account.alias("payer"), schema.account.alias("payee")
    other = and_(
        credit.c.stream == debit.c.stream,
        credit.c.seq == debit.c.seq,
        credit.c.number == debit.c.number + 1,
    )
    asked = (
        select(payer.c.kind, payee.c.kind, func.sum(credit.c.amount))
        .select_from(schema.entry)
        .join(debit, and_(debit.c.stream == _E.stream, debit.c.seq == _E.seq))
        .join(credit, other)
        .join(payer, payer.c.id == debit.c.account)
        .join(payee, payee.c.id == credit.c.account)
        .where(*span.conditions, debit.c.number % 2 == 0)
        .group_by(payer.c.kind, payee.c.kind)
    )
    return Counter({(one, two): int(cents) for one, two, cents in connection.execute(asked)})


def _returned(connection: Connection, span: Span) -> int:
    """Wagers that did not stand: taken back before the deal, or void."""
    words = has(connection, *(f'{why}"' for why in RETURNED))
    returned = 0
    for entry in entries(connection, span, words):
        back = [one for one in entry.transfers if one.why.endswith(RETURNED)]
        # From a wallet to the layout for the second time: the hand is settled anew.
        ways = (("held", "wallet"), ("wallet", "held"))
        returned += sum(one.amount for one in back if (one.debit.kind, one.credit.kind) in ways)
        returned += sum(stakes_back(fact) for fact in entry.facts if fact["fact"] == "taken-back")
    return returned


def _racks(connection: Connection, until: str | None) -> dict[tuple[str, str], int]:
    """What each table's rack held at a time: what it holds now, less what has moved since."""
    asked = select(_A.name, _A.unit, _A.balance).where(_A.kind == "rack")
    held = Counter({(row[0], row[1]): int(row[2]) for row in connection.execute(asked)})
    later = [] if until is None else spans(connection, Interval(until, None), _HERE)
    for span in later:
        since = (
            select(_A.name, _A.unit, func.sum(_P.amount))
            .select_from(schema.entry)
            .join(schema.posting, and_(_P.stream == _E.stream, _P.seq == _E.seq))
            .join(schema.account, _A.id == _P.account)
            .where(*span.conditions, _A.kind == "rack")
            .group_by(_A.name, _A.unit)
        )
        held.subtract({(row[0], row[1]): int(row[2]) for row in connection.execute(since)})
    return held


def _open(connection: Connection, within: Interval) -> Iterator[tuple[str, str]]:
    """The tables that were set up before the end and not closed for good before the start."""
    first, last = schema.entry.alias("first"), schema.entry.alias("last")
    asked = (
        select(first.c.at, first.c.content, last.c.at, last.c.content)
        .select_from(schema.stream)
        .join(first, and_(first.c.stream == _S.id, first.c.seq == 1))
        .join(last, and_(last.c.stream == _S.id, last.c.seq == _S.seq))
        .where(_HERE)
        .order_by(_S.name)
    )
    for opened, opening, ended, ending in connection.execute(asked):
        is_gone = RETIRED in ending and within.place(ended) < 0
        if within.place(opened) <= 0 and not is_gone:
            told = (fact for fact in read(opening)["facts"] if fact["fact"] == "table-opened")
            yield from ((fact["table"], fact["unit"]) for fact in told)
