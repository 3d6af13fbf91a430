"""Write a batch of appends in one transaction; each is accepted or refused on its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, delete, exists, func, select

from pitbook.errors import LedgerError, Overdrawn, RequestReused, Superseded
from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import MAY_OWE, Account, Transfer, changes
from pitbook.house.ledger.chain import (
    GENESIS,
    Canonical,
    Entry,
    Fact,
    canonical,
    content,
    digest,
    entry_hash,
)
from pitbook.house.ledger.database import cause, failures, writing
from pitbook.house.ledger.sql import Batch, Driver, SqlRows
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.money import CENTS_MAX
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.journal import Ledger


TAKEN_OVER = "claimed"
ANCHORS = register("checkpoints", moves_no_money, module=__name__)
CHECKPOINTED = "checkpointed"  # The ledger notes each checkpoint in that stream.
KEPT = "kept"


class Append(NamedTuple):
    """What is to be written to a stream; without an epoch the stream is claimed first."""

    stream: str
    epoch: int | None
    facts: Sequence[Fact | Canonical] = ()
    transfers: Sequence[Transfer] = ()
    actor: str = ""
    request: str | None = None
    body: str | None = None
    keep: Fact | Canonical | None = None
    prunable: bool = False
    at: str | None = None  # Only the book itself says when; all others are told.


class Receipt(NamedTuple):
    """Where an append stands in the journal; `again` when it was written earlier."""

    stream: str
    seq: int
    epoch: int
    hash: str
    at: str
    again: bool = False


class _Stream(NamedTuple):
    id: int
    epoch: int
    seq: int
    head: str
    prunable: bool


class _Book:
    """The rows that a batch touches, as they will be when it is done."""

    def __init__(self, connection: Connection, appends: Sequence[Append]) -> None:
        self.driver = Driver(connection)
        self.streams, self.answered, accounts = _read(self.driver, appends)
        self.ids = {account: number for account, (number, _) in accounts.items()}
        self.balances = {account: balance for account, (_, balance) in accounts.items()}
        self.before = dict(self.balances)
        self.entries: list[tuple[Any, ...]] = []
        self.postings: list[tuple[int, ...]] = []
        self.snapshots: dict[int, tuple[int, int, str]] = {}
        self.touched: set[str] = set()

    def take(self, append: Append, at: str) -> Receipt:
        """Add an append to the batch; raises LedgerError, and then nothing has changed."""
        if append.request is not None and append.request in self.answered:
            return _again(append, *self.answered[append.request])
        found = self.streams[append.stream]
        epoch = _epoch(append, found)
        after = _moved(append, self.balances)
        state = None if append.keep is None else canonical(append.keep)
        kept = (
            append.stream,
            found.seq + 1,
            append.at or at,
            epoch,
            append.actor,
            append.request,
            append.body,
            content(_facts(append, epoch, found, state), append.transfers),
            found.head,
        )
        entry = Entry(*kept, entry_hash(Entry(*kept, "")))
        receipt = Receipt(entry.stream, entry.seq, entry.epoch, entry.hash, entry.at)
        self._write(append, entry, after, state)
        if append.request is not None:
            self.answered[append.request] = (append.body, receipt)
        return receipt

    def _write(
        self, append: Append, entry: Entry, after: dict[Account, int], state: str | None
    ) -> None:
        found = self.streams[append.stream]
        self.entries.append((found.id, *entry[1:]))
        moved = [change for transfer in append.transfers for change in changes(transfer)]
        self.postings += (
            (found.id, entry.seq, number, self.ids[account], amount)
            for number, (account, amount) in enumerate(moved)
        )
        self.balances.update(after)
        now = _Stream(found.id, entry.epoch, entry.seq, entry.hash, found.prunable)
        self.streams[append.stream] = now
        self.touched.add(append.stream)
        if state is not None:
            self.snapshots[found.id] = (found.id, entry.seq, state)

    def flush(self) -> None:
        """Send every row of the batch to the database."""
        heads = [_head(self.streams[name]) for name in sorted(self.touched)]
        kept = list(self.snapshots.values())
        if self.entries:
            self.driver.write(Batch(self.entries, self.postings, kept, heads, self._changed()))

    def _changed(self) -> list[tuple[int, int]]:
        return [
            (balance, self.ids[account])
            for account, balance in self.balances.items()
            if balance != self.before[account]
        ]


def write_batch(
    connection: Connection,
    appends: Sequence[Append],
    at: str,
    *,
    holds: dict[Account, int] | None = None,
) -> list[Receipt | LedgerError]:
    """Write a batch within the caller's transaction; an answer for each append, in order.

    `holds` is told what every account of the batch holds once it is committed.
    """
    book = _Book(connection, appends)
    answers: list[Receipt | LedgerError] = []
    for append in appends:
        try:
            answers.append(book.take(append, at))
        except LedgerError as refused:
            answers.append(refused)
    book.flush()
    if holds is not None:
        holds.update(book.balances)
    return answers


def _again(append: Append, body: str | None, receipt: Receipt) -> Receipt:
    if body != append.body:
        raise RequestReused(str(append.request))
    return receipt._replace(again=True)


def _epoch(append: Append, found: _Stream) -> int:
    if append.epoch is None:
        return found.epoch + 1
    if not found.epoch:
        raise LedgerError(say("ledger.no-stream", stream=append.stream))
    if append.epoch != found.epoch:
        later = {"stream": append.stream, "epoch": found.epoch, "ours": append.epoch}
        raise Superseded(say("ledger.superseded", **later))
    return found.epoch


def _moved(append: Append, balances: dict[Account, int]) -> dict[Account, int]:
    """The balances that the append leaves; raises Overdrawn at the first one below zero."""
    after: dict[Account, int] = {}
    for transfer in append.transfers:
        for account, change in changes(transfer):
            balance = after.get(account, balances[account]) + change
            if balance < 0 and account.kind not in MAY_OWE:
                held = {"account": str(account), "holds": balance - change, "given": -change}
                raise Overdrawn(say("ledger.overdrawn", **held))
            if abs(balance) > CENTS_MAX:
                raise LedgerError(say("ledger.too-much", account=str(account)))
            after[account] = balance
    return after


def _facts(append: Append, epoch: int, found: _Stream, state: str | None) -> list[Fact | Canonical]:
    facts = list(append.facts)
    if append.epoch is None:
        facts.insert(0, {"fact": TAKEN_OVER, "epoch": epoch, "prunable": found.prunable})
    if state is not None:
        facts.append({"fact": KEPT, "state": digest(state)})
    return facts


def _head(stream: _Stream) -> tuple[int, int, str, int]:
    return stream.epoch, stream.seq, stream.head, stream.id


def _read(
    driver: Driver, appends: Sequence[Append]
) -> tuple[
    dict[str, _Stream], dict[str, tuple[str | None, Receipt]], dict[Account, tuple[int, int]]
]:
    """What the batch needs to know; what it may change is locked."""
    requests = sorted({(one.request,) for one in appends if one.request is not None})
    names = sorted({(one.stream,) for one in appends})
    named = sorted({one for append in appends for each in append.transfers for one in each[:2]})
    streams, answered, accounts = driver.known(names, requests, named)
    return (
        _streams(driver, appends, names, streams),
        {row[0]: (row[1], Receipt(*row[2:])) for row in answered},
        _accounts(driver, named, accounts),
    )


def _streams(
    driver: Driver, appends: Sequence[Append], names: SqlRows, rows: SqlRows
) -> dict[str, _Stream]:
    new = {one.stream: one.prunable for one in appends if one.epoch is None}
    if missing := sorted(new.keys() - {row[0] for row in rows}):
        driver.add_streams([(name, GENESIS, new[name]) for name in missing])
        rows = driver.streams(names)
    found = {row[0]: _Stream._make((*row[1:5], bool(row[5]))) for row in rows}
    return {name: found.get(name, _NOWHERE) for (name,) in names}


def _accounts(
    driver: Driver, named: Sequence[Account], rows: SqlRows
) -> dict[Account, tuple[int, int]]:
    if len(rows) < len(named):
        there = {row[:3] for row in rows}
        driver.add_accounts([one for one in named if one not in there])
        rows = driver.accounts(named)
    return {Account(*row[:3]): (row[3], row[4]) for row in rows}


_NOWHERE = _Stream(0, 0, 0, GENESIS, False)


# Pruning of practice streams.


PRUNED = register("pruned", moves_no_money, module=__name__)
_S, _P, _A = schema.stream.c, schema.posting.c, schema.account.c


def prune(ledger: Ledger, name: str, *, at: str) -> None:
    """Delete a practice stream that left no account richer or poorer."""
    try:
        with writing(ledger.engine).begin() as connection:
            _prune(connection, name, at)
    except failures(ledger.engine) as error:
        raise LedgerError(say("ledger.prune.failed", name=name, why=cause(error))) from error


def _prune(connection: Connection, name: str, at: str) -> None:
    asked = select(schema.stream).where(_S.name == name).with_for_update()
    stream = connection.execute(asked).one_or_none()
    if stream is None or not stream.prunable:
        raise LedgerError(say("ledger.prune.no-practice", name=name))
    mine = _P.stream == stream.id
    sums = select(_P.account).where(mine).group_by(_P.account).having(func.sum(_P.amount) != 0)
    if connection.execute(sums).first() is not None:
        raise LedgerError(say("ledger.prune.holds-money", name=name))
    touched = connection.execute(select(_P.account).where(mine).distinct()).scalars().all()
    fact = {"fact": PRUNED, "stream": name, "seq": stream.seq, "head": stream.head}
    write_batch(connection, [Append(PRUNED, None, (fact,))], at)
    for table in (schema.posting, schema.snapshot, schema.entry):
        connection.execute(delete(table).where(table.c.stream == stream.id))
    connection.execute(delete(schema.stream).where(_S.id == stream.id))
    unused = ~exists().where(_P.account == _A.id)
    connection.execute(delete(schema.account).where(_A.id.in_(touched), unused))
