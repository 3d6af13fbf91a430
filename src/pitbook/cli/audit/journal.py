"""The journal of an interval, row by row, with the balances before and after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, balance_changes
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.queries import Interval, Snapshot
from pitbook.money import money
from pitbook.text import say, sentence_of


class JournalRow(NamedTuple):
    """One fact or one transfer of a ledger entry."""

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
    """An account's opening balance, debits, credits and closing balance, in cents."""

    opening: int = 0
    debits: int = 0
    credits: int = 0
    closing: int = 0


class Journal:
    """One pass over a snapshot of the ledger; the subtotals are valid after the rows are read."""

    def __init__(self, snapshot: Snapshot, interval: Interval) -> None:
        self._snapshot, self._interval = snapshot, interval
        self._opening: dict[Account, int] = defaultdict(int)
        self._debits: dict[Account, int] = defaultdict(int)
        self._credits: dict[Account, int] = defaultdict(int)
        self._later: dict[Account, int] = defaultdict(int)
        self.entries = self.transfers = 0

    def rows(self) -> Iterator[JournalRow]:
        """The rows of the interval, stream by stream, in order of sequence number."""
        for entry in self._snapshot.journal():
            place = self._interval.place(entry.at)
            try:
                if place == 0:
                    yield from self._rows_of(entry)
                else:
                    self._add_changes(entry, self._opening if place < 0 else self._later)
            except (LedgerError, KeyError, TypeError, AttributeError) as error:
                details = {"seq": entry.seq, "stream": entry.stream, "why": sentence_of(error)}
                raise LedgerError(say("cli.audit.entry-unread", **details)) from error

    def subtotals(self) -> dict[Account, Subtotal]:
        """The accounts that held or moved money."""
        balances = self._snapshot.balances()
        accounts = sorted({*balances, *self._opening, *self._debits, *self._credits})
        sums = {account: self._subtotal(account, balances.get(account, 0)) for account in accounts}
        return {account: subtotal for account, subtotal in sums.items() if any(subtotal)}

    def _subtotal(self, account: Account, balance: int) -> Subtotal:
        """The subtotal of an account. The closing balance is the stored one, so the totals check
        it.
        """
        totals = self._debits[account], self._credits[account]
        return Subtotal(self._opening[account], *totals, balance - self._later[account])

    def _rows_of(self, entry: Entry) -> Iterator[JournalRow]:
        self.entries += 1
        entry_columns = (*entry[:4], entry.actor, entry.request)
        for fact in entry.facts:
            detail = {key: value for key, value in fact.items() if key != "fact"}
            yield JournalRow(*entry_columns, "fact", fact["fact"], *(None,) * 5, detail, entry.hash)
        for transfer in entry.transfers:
            self.transfers += 1
            self._debits[transfer.debit] += transfer.amount
            self._credits[transfer.credit] += transfer.amount
            transfer_columns = (
                transfer.debit.unit,
                str(transfer.debit),
                str(transfer.credit),
                money(transfer.amount),
            )
            yield JournalRow(
                *entry_columns, "transfer", None, transfer.why, *transfer_columns, None, entry.hash
            )

    def _add_changes(self, entry: Entry, changes_by_account: dict[Account, int]) -> None:
        for transfer in entry.transfers:
            for account, change in balance_changes(transfer):
                changes_by_account[account] += change


@contextmanager
def journal(ledger: Ledger, interval: Interval) -> Iterator[Journal]:
    """The journal of an interval, as a context."""
    with ledger.snapshot() as snapshot:
        yield Journal(snapshot, interval)
