"""What entries add up to, against what the database says of itself: postings, balances, strays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Result, Select, exists, func, select

from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import MAY_OWE, NAME, NORMAL, UNIT, Account
from pitbook.house.ledger.signed import BookFinding
from pitbook.money import money
from pitbook.text import say

PAGE = 5_000
_S, _E = schema.stream.c, schema.entry.c
_P, _A = schema.posting.c, schema.account.c


class Postings:
    """The postings of a stream, read beside its entries."""

    def __init__(self, connection: Connection, stream: int, accounts: dict[int, Account]) -> None:
        asked = select(schema.posting).where(_P.stream == stream).order_by(_P.seq, _P.number)
        self._found = paged(connection, asked)
        self._rows = iter(self._found)
        self._accounts = accounts
        self._next = next(self._rows, None)

    def of(self, seq: int) -> list[tuple[Account | None, int]]:
        """The changes that are posted for an entry; no account where something is wrong."""
        found: list[tuple[Account | None, int]] = []
        while self._next is not None and self._next.seq <= seq:
            row = self._next
            right = (row.seq, row.number) == (seq, len(found))
            found.append((self._accounts.get(row.account) if right else None, row.amount))
            self._next = next(self._rows, None)
        return found

    def left(self) -> int | None:
        """The entry that the first posting left over belongs to."""
        return None if self._next is None else self._next.seq

    def close(self) -> None:
        """Leave the rest unread."""
        self._found.close()


def paged(connection: Connection, asked: Select[Any]) -> Result[Any]:
    """Rows that are read page by page."""
    return connection.execute(asked.execution_options(yield_per=PAGE))


def strays(connection: Connection) -> Iterator[BookFinding]:
    """Rows of streams that are not there."""
    for table in (schema.entry, schema.posting, schema.snapshot):
        known = exists().where(_S.id == table.c.stream)
        asked = select(table.c.stream).where(~known).distinct()
        for row in connection.execute(asked):
            what = say("ledger.sums.stray", row=row[0])
            yield BookFinding(say("ledger.place.table", name=table.name), what)


def repeated(connection: Connection) -> Iterator[BookFinding]:
    """What is to be there once, and is there again: a request that was done twice, say."""
    for alone in ((_S.name,), (_E.request,), (_A.unit, _A.kind, _A.name)):
        asked = select(*alone).where(alone[0].is_not(None)).group_by(*alone)
        for row in connection.execute(asked.having(func.count() > 1)):
            what = say("ledger.sums.twice", row=" ".join(map(str, row)))
            yield BookFinding(say("ledger.place.table", name=alone[0].table), what)


def balances(due: Mapping[Account, int], connection: Connection) -> Iterator[BookFinding]:
    """Accounts that hold something else than their entries come to, or less than nothing."""
    left = dict(due)
    for row in connection.execute(select(schema.account)):
        account = Account(row.unit, row.kind, row.name)
        came = left.pop(account, 0)
        if row.balance != came:
            what = say("ledger.sums.other-sum", balance=money(row.balance), came=money(came))
            yield BookFinding(say("ledger.place.account", account=account, unit=account.unit), what)
        if account not in due and not _can_be(account):
            yield BookFinding(
                say("ledger.place.account", account=account, unit=account.unit),
                say("ledger.sums.impossible"),
            )
        if came < 0 and account.kind not in MAY_OWE:
            yield BookFinding(
                say("ledger.place.account", account=account, unit=account.unit),
                say("ledger.sums.below-zero", came=money(came)),
            )
    for account in left:
        yield BookFinding(
            say("ledger.place.account", account=account, unit=account.unit),
            say("ledger.sums.no-account"),
        )


def _can_be(account: Account) -> bool:
    """Whether an append may have made it; one that is refused leaves its accounts, empty."""
    is_known = account.kind in NORMAL and UNIT.fullmatch(account.unit)
    return bool(is_known and NAME.fullmatch(account.name))


def totals(balances: Mapping[Account, int]) -> dict[str, int]:
    """What stands on the debit side of each unit; by double entry the credit side is the same."""
    totals: dict[str, int] = defaultdict(int)
    for account, balance in balances.items():
        totals[account.unit] += balance if account.normal == "debit" else 0
    return dict(sorted(totals.items()))
