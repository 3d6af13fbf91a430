"""Queries about money: transfers between accounts, and past balances."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select

from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.queries import Interval, Snapshot, Span, Streams
from pitbook.money import Cents

TIES = 50  # Entries with the same time.
_S, _E, _P, _A = schema.stream.c, schema.entry.c, schema.posting.c, schema.account.c


class NamedAccounts(NamedTuple):
    """Accounts of one kind with a name, or with that name at the end of a path."""

    kind: str
    name: str

    @property
    def condition(self) -> ColumnElement[bool]:
        """The SQL condition that selects them."""
        elsewhere = _A.name.endswith(f"/{self.name}", autoescape=True)
        return and_(_A.kind == self.kind, or_(_A.name == self.name, elsewhere))


def totals_by_kind(snapshot: Snapshot, span: Span) -> Counter[tuple[str, str]]:
    """Cents moved from one kind of account to another; a transfer's two postings are adjacent."""
    debit, credit = schema.posting.alias("debit"), schema.posting.alias("credit")
    payer, payee = schema.account.alias("payer"), schema.account.alias("payee")
    next_posting = and_(
        credit.c.stream == debit.c.stream,
        credit.c.seq == debit.c.seq,
        credit.c.number == debit.c.number + 1,
    )
    query = (
        select(payer.c.kind, payee.c.kind, func.sum(credit.c.amount))
        .select_from(schema.entry)
        .join(debit, and_(debit.c.stream == _E.stream, debit.c.seq == _E.seq))
        .join(credit, next_posting)
        .join(payer, payer.c.id == debit.c.account)
        .join(payee, payee.c.id == credit.c.account)
        .where(*span.conditions, debit.c.number % 2 == 0)
        .group_by(payer.c.kind, payee.c.kind)
    )
    return Counter(
        {
            (payer_kind, payee_kind): int(cents)
            for payer_kind, payee_kind, cents in snapshot.connection.execute(query)
        }
    )


def balances_of_kind(
    snapshot: Snapshot, kind: str, until: str | None, streams: Streams
) -> Counter[tuple[str, str]]:
    """Balances of a kind of account at a time, by name and unit, if only these streams move them.

    Computed from today's balances, less what moved since.
    """
    query = select(_A.name, _A.unit, _A.balance).where(_A.kind == kind)
    balances = Counter(
        {(row[0], row[1]): int(row[2]) for row in snapshot.connection.execute(query)}
    )
    for span in [] if until is None else snapshot.spans(Interval(until, None), streams):
        moved_since = (
            select(_A.name, _A.unit, func.sum(_P.amount))
            .select_from(schema.entry)
            .join(schema.posting, and_(_P.stream == _E.stream, _P.seq == _E.seq))
            .join(schema.account, _A.id == _P.account)
            .where(*span.conditions, _A.kind == kind)
            .group_by(_A.name, _A.unit)
        )
        balances.subtract(
            {(row[0], row[1]): int(row[2]) for row in snapshot.connection.execute(moved_since)}
        )
    return balances


def change_of_kind(snapshot: Snapshot, kind: str, span: Span, *, first: int, before: int) -> int:
    """Cents that a stream moved into accounts of a kind, from entry `first` up to `before`."""
    query = (
        select(func.coalesce(func.sum(_P.amount), 0))
        .join(schema.account, _A.id == _P.account)
        .where(_P.stream == span.id, _P.seq >= first, _P.seq < before)
        .where(_A.kind == kind)
    )
    return int(snapshot.connection.execute(query).scalar_one())


def balance_before(
    snapshot: Snapshot, account: Account, stream: str, *, before: int, at: str
) -> Cents:
    """An account's balance before an entry; other streams are ordered by recorded time."""
    in_stream = _S.name == stream
    query = (
        select(func.coalesce(func.sum(_P.amount), 0))
        .join(schema.account, _A.id == _P.account)
        .join(schema.entry, and_(_E.stream == _P.stream, _E.seq == _P.seq))
        .join(schema.stream, _S.id == _P.stream)
        .where(
            *_is_account(account),
            or_(and_(in_stream, _E.seq < before), and_(~in_stream, _E.at <= at)),
        )
    )
    return Cents(int(snapshot.connection.execute(query).scalar_one()))


def streams_moving(
    snapshot: Snapshot, accounts: NamedAccounts, *, stream: str | None = None, after: int = 0
) -> set[str]:
    """The streams that moved money of these accounts; or one stream, after an entry."""
    query = (
        select(_S.name)
        .join(schema.posting, _P.stream == _S.id)
        .join(schema.account, _A.id == _P.account)
        .where(accounts.condition)
    )
    if stream is None:
        query = query.distinct()
    else:
        query = query.where(_S.name == stream, _P.seq > after).limit(1)
    return set(snapshot.connection.execute(query).scalars())


class AccountMove(NamedTuple):
    """A change of an account's balance by an entry."""

    stream: str
    seq: int
    at: str
    amount: int


class _SeqRange(NamedTuple):
    """Entries of a stream from `low` up to, not including, `high`."""

    id: int
    name: str
    low: int
    high: int
    seq: int


@dataclass(frozen=True, slots=True)
class AccountHistory:
    """One account's history in the streams that may move it."""

    snapshot: Snapshot
    account: Account
    streams: Streams

    def between(self, first: str, last: str) -> tuple[int, list[AccountMove]]:
        """The balance at a first time, and the changes from then until a second."""
        query = select(_A.id, _A.balance).where(*_is_account(self.account))
        account, now = self.snapshot.connection.execute(query).one()
        ranges = self._ranges(first, last)
        moves = [move for seq_range in ranges for move in self._moves(account, seq_range)]
        if sum(seq_range.low for seq_range in ranges) > sum(
            seq_range.seq - seq_range.high for seq_range in ranges
        ):
            moved_after = sum(
                self._sum_moves(account, seq_range, seq_range.high, seq_range.seq + 1)
                for seq_range in ranges
            )
            return int(now) - moved_after - sum(move.amount for move in moves), moves
        return sum(
            self._sum_moves(account, seq_range, 1, seq_range.low) for seq_range in ranges
        ), moves

    def _ranges(self, first: str, last: str) -> list[_SeqRange]:
        """The range of entries between two times, in every stream."""
        low, high = (self.snapshot.first_at(at, self.streams) for at in (first, last))
        query = select(_S.id, _S.name, _S.seq).where(self.streams.condition)
        return [
            _SeqRange(
                row.id, row.name, low[row.name], min(high[row.name] + TIES, row.seq + 1), row.seq
            )
            for row in self.snapshot.connection.execute(query)
        ]

    def _moves(self, account: int, seq_range: _SeqRange) -> list[AccountMove]:
        query = (
            select(_P.seq, _E.at, _P.amount)
            .join(schema.entry, and_(_E.stream == _P.stream, _E.seq == _P.seq))
            .where(*_posting_range(account, seq_range, seq_range.low, seq_range.high))
        )
        rows = self.snapshot.connection.execute(query)
        return [AccountMove(seq_range.name, row.seq, row.at, row.amount) for row in rows]

    def _sum_moves(self, account: int, seq_range: _SeqRange, low: int, high: int) -> int:
        query = select(func.coalesce(func.sum(_P.amount), 0))
        in_range = query.where(*_posting_range(account, seq_range, low, high))
        return int(self.snapshot.connection.execute(in_range).scalar_one())


def _is_account(account: Account) -> list[ColumnElement[bool]]:
    columns = zip((_A.unit, _A.kind, _A.name), account, strict=True)
    return [column == value for column, value in columns]


def _posting_range(
    account: int, seq_range: _SeqRange, low: int, high: int
) -> list[ColumnElement[bool]]:
    # The sum keeps the database from reading all of the account's postings by index.
    return [_P.stream == seq_range.id, _P.seq >= low, _P.seq < high, _P.account + 0 == account]
