"""Reads the whole book and believes none of it: every hash, sum and head is worked out again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from sqlalchemy import Connection, Integer, Result, Row, Select, exists, select, type_coerce
from sqlalchemy.exc import SQLAlchemyError

from pitbook.errors import LedgerError
from pitbook.ledger import schema
from pitbook.ledger.accounts import MAY_OWE, Account, changes
from pitbook.ledger.batch import KEPT, TAKEN_OVER
from pitbook.ledger.book import Ledger, state_of
from pitbook.ledger.chain import GENESIS, Entry, sealed
from pitbook.ledger.checkpoints import Checkpoint, chained
from pitbook.ledger.database import cause, reading
from pitbook.ledger.prune import PRUNED
from pitbook.money import money

__all__ = ["Finding", "Verdict", "verify"]

PAGE = 5_000
_S, _E, _P, _A = schema.stream.c, schema.entry.c, schema.posting.c, schema.account.c
_STREAMS = select(
    *(_S.id, _S.name, _S.epoch, _S.seq, _S.head),
    type_coerce(_S.prunable, Integer).label("prunable"),  # As it is written, not as it reads.
).order_by(_S.id)
_DAMAGE = (LedgerError, TypeError, ValueError, KeyError, AttributeError)


class Finding(NamedTuple):
    """Something in the book that is not as it was written."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Verdict(NamedTuple):
    """What was read, and what is wrong with it."""

    streams: int
    entries: int
    checkpoints: int
    units: dict[str, int]
    findings: tuple[Finding, ...]


class _Read:
    """What the entries add up to, as far as they are read."""

    def __init__(self, checkpoints: Sequence[Checkpoint]) -> None:
        self.hashes: dict[tuple[str, int], str | None] = {
            (name, seq): None for one in checkpoints for name, seq, _ in one.heads
        }
        self.balances: dict[Account, int] = defaultdict(int)
        self.pruned: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.kept: dict[str, int] = {}
        self.streams: set[str] = set()
        self.entries = 0


def verify(
    ledger: Ledger, checkpoints: Sequence[Checkpoint] = (), *, key: str | None = None
) -> Verdict:
    """Every entry, balance, head and checkpoint checked; no findings: the book is sound."""
    read = _Read(checkpoints)
    findings: list[Finding] = []
    try:
        with reading(ledger.engine).connect() as connection:
            findings.extend(_book(read, connection))
    except SQLAlchemyError as error:
        findings.append(Finding("the database", f"cannot be read on: {cause(error)}"))
    except _DAMAGE as error:
        findings.append(Finding("the database", f"holds a value of the wrong kind: {error}"))
    findings.extend(_heads(read, checkpoints, key))
    counted = (len(read.streams), read.entries, len(checkpoints), _totals(read.balances))
    return Verdict(*counted, tuple(findings))


def _book(read: _Read, connection: Connection) -> Iterator[Finding]:
    accounts = {
        row.id: Account(row.unit, row.kind, row.name)
        for row in connection.execute(select(schema.account))
    }
    for row in connection.execute(_STREAMS).all():
        with closing(_Postings(connection, row.id, accounts)) as postings:
            yield from _stream(read, connection, row, postings)
    yield from _strays(connection)
    yield from _balances(read, connection)
    yield from _kept(read, connection)


def _stream(
    read: _Read, connection: Connection, stream: Row[Any], postings: _Postings
) -> Iterator[Finding]:
    read.streams.add(stream.name)
    last = Entry(stream.name, 0, "", 0, "", None, None, "", "", GENESIS)
    prunable: Any = stream.prunable
    for row in _paged(connection, _ENTRIES.where(_E.stream == stream.id)):
        entry = Entry._make((stream.name, *row))
        where = f"{entry.stream} {entry.seq}"
        claims: list[Any] = []
        try:
            claims = _told(read, entry)
            yield from _moved(read, entry, postings, where)
        except _DAMAGE as error:
            yield Finding(where, f"cannot be read: {error}")
        prunable = claims[-1] if claims else prunable
        yield from _linked(entry, last, len(claims), where)
        _passed(read, entry)
        last = entry
    yield from _ended(stream, last, prunable, postings)


def _told(read: _Read, entry: Entry) -> list[Any]:
    """What each claim in the entry says of pruning; the book's other own facts are noted."""
    claims: list[Any] = []
    for fact in entry.facts:
        if fact["fact"] == TAKEN_OVER:
            claims.append(fact["prunable"])
        elif fact["fact"] == KEPT:
            read.kept[entry.stream] = entry.seq
        elif fact["fact"] == PRUNED and entry.stream == PRUNED:
            read.pruned[fact["stream"]].append((entry.seq, fact["seq"]))
    return claims


def _linked(entry: Entry, last: Entry, claims: int, where: str) -> Iterator[Finding]:
    if entry.seq != last.seq + 1:
        yield Finding(where, f"entry {last.seq + 1} is missing before it")
    if entry.previous != last.hash:
        yield Finding(where, "it does not follow the entry before it")
    if sealed(entry) != entry.hash:
        yield Finding(where, "it was changed: its hash is another")
    if entry.epoch != last.epoch + claims:
        yield Finding(where, f"it has epoch {entry.epoch}, but {last.epoch + claims} is in force")


def _moved(read: _Read, entry: Entry, postings: _Postings, where: str) -> Iterator[Finding]:
    moved = [change for transfer in entry.transfers for change in changes(transfer)]
    for account, change in moved:
        read.balances[account] += change
    if postings.of(entry.seq) != moved:
        yield Finding(where, "its postings are not those of its transfers")


def _passed(read: _Read, entry: Entry) -> None:
    read.entries += 1
    if (entry.stream, entry.seq) in read.hashes:
        read.hashes[entry.stream, entry.seq] = entry.hash


def _ended(stream: Row[Any], last: Entry, prunable: Any, postings: _Postings) -> Iterator[Finding]:
    if (stream.seq, stream.head, stream.epoch) != (last.seq, last.hash, last.epoch):
        what = f"its head is said to be entry {stream.seq}; the last entry found is {last.seq}"
        yield Finding(stream.name, what)
    if prunable != stream.prunable:
        yield Finding(stream.name, "whether it may be pruned was changed")
    if (seq := postings.left()) is not None:
        yield Finding(stream.name, f"there are postings for entry {seq}, which is not there")


class _Postings:
    """The postings of a stream, read beside its entries."""

    def __init__(self, connection: Connection, stream: int, accounts: dict[int, Account]) -> None:
        asked = select(schema.posting).where(_P.stream == stream).order_by(_P.seq, _P.number)
        self._found = _paged(connection, asked)
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


def _paged(connection: Connection, asked: Select[Any]) -> Result[Any]:
    return connection.execute(asked.execution_options(yield_per=PAGE))


_ENTRIES: Select[Any] = select(
    *(_E.seq, _E.at, _E.epoch, _E.actor, _E.request, _E.body, _E.content, _E.previous, _E.hash)
).order_by(_E.seq)


def _strays(connection: Connection) -> Iterator[Finding]:
    for table in (schema.entry, schema.posting, schema.snapshot):
        known = exists().where(_S.id == table.c.stream)
        asked = select(table.c.stream).where(~known).distinct()
        for row in connection.execute(asked):
            what = f"it has rows of a stream {row[0]} that is not there"
            yield Finding(f"the {table.name} table", what)


def _balances(read: _Read, connection: Connection) -> Iterator[Finding]:
    left = dict(read.balances)
    for row in connection.execute(select(schema.account)):
        account = Account(row.unit, row.kind, row.name)
        due = left.pop(account, 0)
        if row.balance != due:
            what = f"it holds {money(row.balance)}, but its entries come to {money(due)}"
            yield Finding(f"{account} in {account.unit}", what)
        if due < 0 and account.kind not in MAY_OWE:
            yield Finding(f"{account} in {account.unit}", f"it went below zero, to {money(due)}")
    for account in left:
        yield Finding(f"{account} in {account.unit}", "it has entries but is no account")


def _kept(read: _Read, connection: Connection) -> Iterator[Finding]:
    asked = (
        select(_S.name, schema.snapshot.c.seq, schema.snapshot.c.state, _E.content)
        .join(schema.stream, _S.id == schema.snapshot.c.stream)
        .outerjoin(schema.entry, (_E.stream == _S.id) & (_E.seq == schema.snapshot.c.seq))
    )
    for row in connection.execute(asked):
        if read.kept.pop(row.name, None) != row.seq:
            yield Finding(f"{row.name} {row.seq}", "it keeps a state that is not the latest")
        try:
            state_of(row.name, row.state, row.content)
        except _DAMAGE as error:
            yield Finding(f"{row.name} {row.seq}", str(error))
    for name, seq in read.kept.items():
        yield Finding(f"{name} {seq}", "the state that it kept is not there any more")


def _heads(read: _Read, checkpoints: Sequence[Checkpoint], key: str | None) -> Iterator[Finding]:
    if not chained(checkpoints):
        yield Finding("the checkpoints", "one is missing or out of its place")
    for checkpoint in checkpoints:
        where = f"the checkpoint of {checkpoint.at}"
        if not checkpoint.is_signed:
            yield Finding(where, "its signature is not that of its key")
        elif key is not None and checkpoint.key != key:
            yield Finding(where, f"it is signed by {checkpoint.key}, not by the house's key")
        for name, seq, head in checkpoint.heads:
            found = read.hashes[name, seq]
            if not seq or found == head or _was_pruned(read, checkpoint, name, seq):
                continue
            what = "is not there any more" if found is None else "was rewritten"
            yield Finding(where, f'entry {seq} of stream "{name}" {what}')


def _was_pruned(read: _Read, checkpoint: Checkpoint, name: str, seq: int) -> bool:
    """Whether it is on record that a stream of practice went after the checkpoint was signed."""
    before = next((seq for one, seq, _ in checkpoint.heads if one == PRUNED), 0)
    return name in checkpoint.practice and any(
        at > before and last >= seq for at, last in read.pruned[name]
    )


def _totals(balances: dict[Account, int]) -> dict[str, int]:
    """What stands on the debit side of each unit; by double entry the credit side is the same."""
    totals: dict[str, int] = defaultdict(int)
    for account, balance in balances.items():
        totals[account.unit] += balance if account.normal == "debit" else 0
    return dict(sorted(totals.items()))
