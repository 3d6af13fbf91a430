"""What the book answers about money: what passed between accounts, where, and what they held."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select

from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.queries import Interval, Snapshot, Span, Streams
from pitbook.money import Cents

TIES = 50  # Entries at the very same moment.
_S, _E, _P, _A = schema.stream.c, schema.entry.c, schema.posting.c, schema.account.c


class AccountsOf(NamedTuple):
    """Accounts of one kind: that of a name, and those of the same name at some place."""

    kind: str
    name: str

    @property
    def condition(self) -> ColumnElement[bool]:
        """What is true of them alone."""
        elsewhere = _A.name.endswith(f"/{self.name}", autoescape=True)
        return and_(_A.kind == self.kind, or_(_A.name == self.name, elsewhere))


def passed(book: Snapshot, span: Span) -> Counter[tuple[str, str]]:
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
    return Counter({(one, two): int(cents) for one, two, cents in book.connection.execute(asked)})


def held_of(
    book: Snapshot, kind: str, until: str | None, which: Streams
) -> Counter[tuple[str, str]]:
    """What accounts of a kind held at a time, by name and unit, where these streams alone move it.

    What they hold now, less what has moved since.
    """
    asked = select(_A.name, _A.unit, _A.balance).where(_A.kind == kind)
    held = Counter({(row[0], row[1]): int(row[2]) for row in book.connection.execute(asked)})
    for span in [] if until is None else book.spans(Interval(until, None), which):
        since = (
            select(_A.name, _A.unit, func.sum(_P.amount))
            .select_from(schema.entry)
            .join(schema.posting, and_(_P.stream == _E.stream, _P.seq == _E.seq))
            .join(schema.account, _A.id == _P.account)
            .where(*span.conditions, _A.kind == kind)
            .group_by(_A.name, _A.unit)
        )
        held.subtract({(row[0], row[1]): int(row[2]) for row in book.connection.execute(since)})
    return held


def held_in(book: Snapshot, kind: str, span: Span, *, first: int, before: int) -> int:
    """What a stream moved into accounts of a kind, from an entry on and before another."""
    asked = (
        select(func.coalesce(func.sum(_P.amount), 0))
        .join(schema.account, _A.id == _P.account)
        .where(_P.stream == span.id, _P.seq >= first, _P.seq < before)
        .where(_A.kind == kind)
    )
    return int(book.connection.execute(asked).scalar_one())


def held_by(book: Snapshot, account: Account, stream: str, *, before: int, at: str) -> Cents:
    """What an account held before an entry; other streams are placed by the time on record."""
    here = _S.name == stream
    asked = (
        select(func.coalesce(func.sum(_P.amount), 0))
        .join(schema.account, _A.id == _P.account)
        .join(schema.entry, and_(_E.stream == _P.stream, _E.seq == _P.seq))
        .join(schema.stream, _S.id == _P.stream)
        .where(*_named(account), or_(and_(here, _E.seq < before), and_(~here, _E.at <= at)))
    )
    return Cents(int(book.connection.execute(asked).scalar_one()))


def moved_in(
    book: Snapshot, whose: AccountsOf, *, stream: str | None = None, after: int = 0
) -> set[str]:
    """The streams in which money of these accounts has moved; or one of them, behind an entry."""
    asked = (
        select(_S.name)
        .join(schema.posting, _P.stream == _S.id)
        .join(schema.account, _A.id == _P.account)
        .where(whose.condition)
    )
    if stream is None:
        asked = asked.distinct()
    else:
        asked = asked.where(_S.name == stream, _P.seq > after).limit(1)
    return set(book.connection.execute(asked).scalars())


class AccountMove(NamedTuple):
    """Money of an account that moved with an entry."""

    stream: str
    seq: int
    at: str
    amount: int


class _Part(NamedTuple):
    """Entries of a stream, from the first up to another that is not among them."""

    id: int
    name: str
    low: int
    high: int
    seq: int


@dataclass(frozen=True, slots=True)
class MovedAccount:
    """One account in the streams that may move it."""

    book: Snapshot
    account: Account
    which: Streams

    def between(self, first: str, last: str) -> tuple[int, list[AccountMove]]:
        """What it held before a time, and all that moved from then until another."""
        asked = select(_A.id, _A.balance).where(*_named(self.account))
        account, now = self.book.connection.execute(asked).one()
        parts = self._parts(first, last)
        moves = [move for one in parts for move in self._moves(account, one)]
        if sum(one.low for one in parts) > sum(one.seq - one.high for one in parts):
            behind = sum(self._moved(account, one, one.high, one.seq + 1) for one in parts)
            return int(now) - behind - sum(move.amount for move in moves), moves
        return sum(self._moved(account, one, 1, one.low) for one in parts), moves

    def _parts(self, first: str, last: str) -> list[_Part]:
        """Where the time between lies in every stream."""
        low, high = (self.book.first_at(at, self.which) for at in (first, last))
        asked = select(_S.id, _S.name, _S.seq).where(self.which.condition)
        return [
            _Part(row.id, row.name, low[row.name], min(high[row.name] + TIES, row.seq + 1), row.seq)
            for row in self.book.connection.execute(asked)
        ]

    def _moves(self, account: int, part: _Part) -> list[AccountMove]:
        asked = (
            select(_P.seq, _E.at, _P.amount)
            .join(schema.entry, and_(_E.stream == _P.stream, _E.seq == _P.seq))
            .where(*_within(account, part, part.low, part.high))
        )
        found = self.book.connection.execute(asked)
        return [AccountMove(part.name, row.seq, row.at, row.amount) for row in found]

    def _moved(self, account: int, part: _Part, low: int, high: int) -> int:
        asked = select(func.coalesce(func.sum(_P.amount), 0))
        moved = asked.where(*_within(account, part, low, high))
        return int(self.book.connection.execute(moved).scalar_one())


def _named(account: Account) -> list[ColumnElement[bool]]:
    named = zip((_A.unit, _A.kind, _A.name), account, strict=True)
    return [column == value for column, value in named]


def _within(account: int, part: _Part, low: int, high: int) -> list[ColumnElement[bool]]:
    # A sum, so that the entries are gone through and not all that the account ever did.
    return [_P.stream == part.id, _P.seq >= low, _P.seq < high, _P.account + 0 == account]
