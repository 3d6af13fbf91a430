"""What stands over and under an export: whose it is, of when, and whether it adds up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from pitbook.cli.audit.journal import Journal, Subtotal
from pitbook.cli.language import worded
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
    within: Interval
    generated: str
    version: str
    entries: int
    transfers: int
    subtotals: dict[Account, Subtotal]
    closing: HouseStatement

    @property
    def off(self) -> list[Account]:
        """Accounts whose opening balance and movements do not come to the closing one."""
        return [account for account, one in self.subtotals.items() if _due(account, one)]

    def document(self) -> dict[str, Any]:
        """The statement as JSON; amounts are in dollars or chips, with two decimals."""
        accounts = [
            {"unit": account.unit, "account": str(account), "normal": account.normal}
            | {title: money(getattr(one, title)) for title in TITLES}
            for account, one in self.subtotals.items()
        ]
        return {
            "format": FORMAT,
            "operator": self.operator,
            "from": self.within.start,
            "to": self.within.end,
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
            "reconciles": not self.off,
        }

    def told(self) -> Iterator[str]:
        """The statement for a person, in lines of 80 columns where names allow."""
        yield from _headed(dict(self._heads()))
        yield from self._table()
        yield from self._owners()
        yield ""
        names = [printable(f"{one} in {one.unit}") for one in self.off]
        yield say("cli.statement.off", accounts=names) if names else say("cli.statement.reconciled")

    def _heads(self) -> Iterator[tuple[str, str]]:
        whose = printable(self.operator) if self.operator else say("cli.statement.not-named")
        yield "operator", whose
        yield "from", self.within.start or say("cli.statement.beginning")
        yield "to", self.within.end or say("cli.statement.end")
        yield "generated", say("cli.statement.made", at=self.generated, version=self.version)
        done = {"entries": self.entries, "transfers": self.transfers}
        yield "activity", say("cli.statement.done", **done)

    def _units(self) -> Iterator[tuple[str, int, int]]:
        for unit, group in groupby(self.subtotals.items(), key=lambda item: item[0].unit):
            sums = [one for _, one in group]
            yield unit, sum(one.debits for one in sums), sum(one.credits for one in sums)

    def _table(self) -> Iterator[str]:
        for unit, debited, credited in self._units():
            mine = ((one, sums) for one, sums in self.subtotals.items() if one.unit == unit)
            rows = [(printable(str(one)), *map(money, sums)) for one, sums in mine]
            total = (_titled("total"), "", money(debited), money(credited), "")
            yield ""
            yield from _aligned([(unit, *map(_titled, TITLES)), *rows, total])

    def _owners(self) -> Iterator[str]:
        """Lines that split the closing dollars by owner."""
        if not self.closing.money.owed:
            return
        yield ""
        yield say("cli.statement.owners")
        lines = self.closing.owner_lines()
        yield from _aligned([(worded(line.title), money(line.amount)) for line in lines])


def statement(
    journal: Journal, ledger: Ledger, within: Interval, operator: str | None, *, now: str
) -> IntervalReport:
    """The statement of a journal whose rows are through."""
    from importlib.metadata import version  # noqa: PLC0415  Slow, and needed here alone.

    software, subtotals = f"pitbook {version('pitbook')}", journal.subtotals()
    closing = {account: subtotal.closing for account, subtotal in subtotals.items()}
    owners = statement_of(ledger, closing, at=now)
    counts = (journal.entries, journal.transfers, subtotals)
    return IntervalReport(operator or None, within, now, software, *counts, owners)


def _headed(heads: dict[str, str]) -> Iterator[str]:
    titles = [worded(say("cli.statement.head", head=name)) for name in heads]
    width = max(map(len, titles))
    for title, text in zip(titles, heads.values(), strict=True):
        yield f"{title:<{width}}  {worded(text)}"


def _aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Names to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *figures in rows:
        cells = [f"{one:>{width}}" for one, width in zip(figures, widths[1:], strict=True)]
        yield "  ".join((f"{name:<{widths[0]}}", *cells)).rstrip()


def _titled(column: str) -> str:
    return worded(say("cli.statement.column", column=column))


def _due(account: Account, one: Subtotal) -> int:
    moved = one.debits - one.credits
    return one.opening + (moved if account.normal == "debit" else -moved) - one.closing
