"""The journal of an interval, row by row, with the balances before and after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, changes
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.queries import Interval, Snapshot
from pitbook.money import money
from pitbook.text import say, sentence_of


class JournalRow(NamedTuple):
    """One fact or one transfer of an entry."""

    stream: str
    seq: int
    at: str
    epoch: int
    actor: str
    request: str | None
    row: str
    fact: str | None
    why: str | None
    unit: str | None
    debit: str | None
    credit: str | None
    amount: str | None
    detail: dict[str, Any] | None
    hash: str


COLUMNS = JournalRow._fields


class Subtotal(NamedTuple):
    """What an account held before, what moved on each side, and what it held after, in cents."""

    opening: int = 0
    debits: int = 0
    credits: int = 0
    closing: int = 0


class Journal:
    """The book read once, all at one moment; the subtotals hold when the rows are through."""

    def __init__(self, book: Snapshot, within: Interval) -> None:
        self._book, self._within = book, within
        self._opening: dict[Account, int] = defaultdict(int)
        self._debits: dict[Account, int] = defaultdict(int)
        self._credits: dict[Account, int] = defaultdict(int)
        self._later: dict[Account, int] = defaultdict(int)
        self.entries = self.transfers = 0

    def rows(self) -> Iterator[JournalRow]:
        """The rows of the interval, stream by stream, in the order of their numbers."""
        for entry in self._book.journal():
            place = self._within.place(entry.at)
            try:
                if place == 0:
                    yield from self._told(entry)
                else:
                    self._passed(entry, self._opening if place < 0 else self._later)
            except (LedgerError, KeyError, TypeError, AttributeError) as error:
                of = {"seq": entry.seq, "stream": entry.stream, "why": sentence_of(error)}
                raise LedgerError(say("cli.audit.entry-unread", **of)) from error

    def subtotals(self) -> dict[Account, Subtotal]:
        """Each account that held money or saw some move."""
        held = self._book.balances()
        known = sorted({*held, *self._opening, *self._debits, *self._credits})
        sums = {one: self._subtotal(one, held.get(one, 0)) for one in known}
        return {account: one for account, one in sums.items() if any(one)}

    def _subtotal(self, account: Account, held: int) -> Subtotal:
        """The closing balance comes from the account's own row: so the sums are a check."""
        moved = self._debits[account], self._credits[account]
        return Subtotal(self._opening[account], *moved, held - self._later[account])

    def _told(self, entry: Entry) -> Iterator[JournalRow]:
        self.entries += 1
        whose = (*entry[:4], entry.actor, entry.request)
        for fact in entry.facts:
            detail = {key: value for key, value in fact.items() if key != "fact"}
            yield JournalRow(*whose, "fact", fact["fact"], *(None,) * 5, detail, entry.hash)
        for one in entry.transfers:
            self.transfers += 1
            self._debits[one.debit] += one.amount
            self._credits[one.credit] += one.amount
            sides = (one.debit.unit, str(one.debit), str(one.credit), money(one.amount))
            yield JournalRow(*whose, "transfer", None, one.why, *sides, None, entry.hash)

    def _passed(self, entry: Entry, sums: dict[Account, int]) -> None:
        for transfer in entry.transfers:
            for account, change in changes(transfer):
                sums[account] += change


@contextmanager
def journal(ledger: Ledger, within: Interval) -> Iterator[Journal]:
    """The journal of an interval, while it is open."""
    with ledger.moment() as book:
        yield Journal(book, within)
