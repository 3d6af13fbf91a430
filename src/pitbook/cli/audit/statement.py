"""The report of an export: operator, interval, totals and reconciliation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from pitbook.cli.audit.journal import Journal, Subtotal
from pitbook.cli.language import localize
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.queries import Interval
from pitbook.house.nights.house_statement import HouseStatement, statement_of
from pitbook.money import money
from pitbook.sheets.findings import printable
from pitbook.text import say

FORMAT = 1
TITLES = ("opening", "debits", "credits", "closing")


class IntervalReport(NamedTuple):
    """A report on an interval, without its rows."""

    operator: str | None
    interval: Interval
    generated: str
    version: str
    entries: int
    transfers: int
    subtotals: dict[Account, Subtotal]
    closing: HouseStatement

    @property
    def unreconciled(self) -> list[Account]:
        """Accounts whose opening balance and movements do not match the closing balance."""
        return [
            account
            for account, subtotal in self.subtotals.items()
            if _discrepancy(account, subtotal)
        ]

    def document(self) -> dict[str, Any]:
        """The statement as JSON; amounts are in dollars or chips, with two decimals."""
        accounts = [
            {"unit": account.unit, "account": str(account), "normal": account.normal}
            | {title: money(getattr(subtotal, title)) for title in TITLES}
            for account, subtotal in self.subtotals.items()
        ]
        return {
            "format": FORMAT,
            "operator": self.operator,
            "from": self.interval.start,
            "to": self.interval.end,
            "generated": self.generated,
            "version": self.version,
            "entries": self.entries,
            "transfers": self.transfers,
            "note": None if self.entries else "no activity",
            "accounts": accounts,
            "units": [
                {"unit": unit, "debits": money(debited), "credits": money(credited)}
                for unit, debited, credited in self._units()
            ],
            "owners": self.closing.owners(),
            "reconciles": not self.unreconciled,
        }

    def lines(self) -> Iterator[str]:
        """The statement as text, in lines of 80 columns if names allow."""
        yield from _header_lines(dict(self._heads()))
        yield from self._table()
        yield from self._owners()
        yield ""
        names = [printable(f"{account} in {account.unit}") for account in self.unreconciled]
        yield say("cli.statement.off", accounts=names) if names else say("cli.statement.reconciled")

    def _heads(self) -> Iterator[tuple[str, str]]:
        operator_name = (
            printable(self.operator) if self.operator else say("cli.statement.not-named")
        )
        yield "operator", operator_name
        yield "from", self.interval.start or say("cli.statement.beginning")
        yield "to", self.interval.end or say("cli.statement.end")
        yield "generated", say("cli.statement.made", at=self.generated, version=self.version)
        counts = {"entries": self.entries, "transfers": self.transfers}
        yield "activity", say("cli.statement.done", **counts)

    def _units(self) -> Iterator[tuple[str, int, int]]:
        for unit, group in groupby(self.subtotals.items(), key=lambda item: item[0].unit):
            sums = [subtotal for _, subtotal in group]
            yield (
                unit,
                sum(subtotal.debits for subtotal in sums),
                sum(subtotal.credits for subtotal in sums),
            )

    def _table(self) -> Iterator[str]:
        for unit, debited, credited in self._units():
            unit_rows = (
                (account, sums) for account, sums in self.subtotals.items() if account.unit == unit
            )
            rows = [(printable(str(account)), *map(money, sums)) for account, sums in unit_rows]
            total = (_column_title("total"), "", money(debited), money(credited), "")
            yield ""
            yield from _align_columns([(unit, *map(_column_title, TITLES)), *rows, total])

    def _owners(self) -> Iterator[str]:
        """Lines that split the closing money by owner."""
        if not self.closing.money.owed:
            return
        yield ""
        yield say("cli.statement.owners")
        lines = self.closing.owner_lines()
        yield from _align_columns([(localize(line.title), money(line.amount)) for line in lines])


def statement(
    journal: Journal, ledger: Ledger, interval: Interval, operator: str | None, *, now: str
) -> IntervalReport:
    """The statement of a journal whose rows have been read."""
    from importlib.metadata import version  # noqa: PLC0415  Slow, and only needed here.

    software, subtotals = f"pitbook {version('pitbook')}", journal.subtotals()
    closing = {account: subtotal.closing for account, subtotal in subtotals.items()}
    owners = statement_of(ledger, closing, at=now)
    counts = (journal.entries, journal.transfers, subtotals)
    return IntervalReport(operator or None, interval, now, software, *counts, owners)


def _header_lines(heads: dict[str, str]) -> Iterator[str]:
    titles = [localize(say("cli.statement.head", head=name)) for name in heads]
    width = max(map(len, titles))
    for title, text in zip(titles, heads.values(), strict=True):
        yield f"{title:<{width}}  {localize(text)}"


def _align_columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Names left-aligned, figures right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures in rows:
        cells = [f"{figure:>{width}}" for figure, width in zip(figures, widths[1:], strict=True)]
        yield "  ".join((f"{name:<{widths[0]}}", *cells)).rstrip()


def _column_title(column: str) -> str:
    return localize(say("cli.statement.column", column=column))


def _discrepancy(account: Account, subtotal: Subtotal) -> int:
    change = subtotal.debits - subtotal.credits
    return subtotal.opening + (change if account.normal == "debit" else -change) - subtotal.closing
