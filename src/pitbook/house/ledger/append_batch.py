"""Write a batch of appends in one transaction; each is accepted or refused on its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, delete, exists, func, select

from pitbook.errors import LedgerError, Overdrawn, RequestReused, Superseded
from pitbook.house.ledger import schema
from pitbook.house.ledger.accounts import DRAWER, MAY_OWE, Account, Transfer, balance_changes
from pitbook.house.ledger.database import error_text, failures, for_writing
from pitbook.house.ledger.hash_chain import (
    GENESIS,
    Canonical,
    Entry,
    Fact,
    canonical,
    entry_content,
    entry_hash,
    sha256,
)
from pitbook.house.ledger.sql import Batch, Driver, SqlRows
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.money import CENTS_MAX
from pitbook.text import Sentence, say

if TYPE_CHECKING:
    from pitbook.house.ledger.ledger import Ledger


CLAIMED = "claimed"
ANCHORS = register("checkpoints", moves_no_money, module=__name__)
CHECKPOINTED = "checkpointed"  # The ledger notes each checkpoint in that stream.
SNAPSHOT_STORED = "kept"


class Append(NamedTuple):
    """What to write to a stream; without an epoch the stream is claimed first."""

    stream: str
    epoch: int | None
    facts: Sequence[Fact | Canonical] = ()
    transfers: Sequence[Transfer] = ()
    actor: str = ""
    request: str | None = None
    body: str | None = None
    keep: Fact | Canonical | None = None
    prunable: bool = False
    # Set only by the ledger's own notes; all others get the time of the commit.
    at: str | None = None


class Receipt(NamedTuple):
    """Where an append is in the journal; `again` if an earlier request wrote it."""

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


class _BatchState:
    """The rows that a batch touches, as they will be after the commit."""

    def __init__(self, connection: Connection, appends: Sequence[Append]) -> None:
        self.driver = Driver(connection)
        self.streams, self.receipts, accounts = _load_rows(self.driver, appends)
        self.ids = {account: number for account, (number, _) in accounts.items()}
        self.balances = {account: balance for account, (_, balance) in accounts.items()}
        self.balances_before = dict(self.balances)
        self.entries: list[tuple[Any, ...]] = []
        self.postings: list[tuple[int, ...]] = []
        self.snapshots: dict[int, tuple[int, int, str]] = {}
        self.touched: set[str] = set()

    def add(self, append: Append, at: str) -> Receipt:
        """Add an append to the batch; raises LedgerError and leaves the batch unchanged if it is
        invalid.
        """
        if append.request is not None and append.request in self.receipts:
            return _repeat_receipt(append, *self.receipts[append.request])
        stream = self.streams[append.stream]
        epoch = _next_epoch(append, stream)
        after = _balances_after(append, self.balances)
        state = None if append.keep is None else canonical(append.keep)
        fields = (
            append.stream,
            stream.seq + 1,
            append.at or at,
            epoch,
            append.actor,
            append.request,
            append.body,
            entry_content(_all_facts(append, epoch, stream, state), append.transfers),
            stream.head,
        )
        entry = Entry(*fields, entry_hash(Entry(*fields, "")))
        receipt = Receipt(entry.stream, entry.seq, entry.epoch, entry.hash, entry.at)
        self._write(append, entry, after, state)
        if append.request is not None:
            self.receipts[append.request] = (append.body, receipt)
        return receipt

    def _write(
        self, append: Append, entry: Entry, after: dict[Account, int], state: str | None
    ) -> None:
        stream = self.streams[append.stream]
        self.entries.append((stream.id, *entry[1:]))
        changes = [change for transfer in append.transfers for change in balance_changes(transfer)]
        self.postings += (
            (stream.id, entry.seq, number, self.ids[account], amount)
            for number, (account, amount) in enumerate(changes)
        )
        self.balances.update(after)
        written = _Stream(stream.id, entry.epoch, entry.seq, entry.hash, stream.prunable)
        self.streams[append.stream] = written
        self.touched.add(append.stream)
        if state is not None:
            self.snapshots[stream.id] = (stream.id, entry.seq, state)

    def flush(self) -> None:
        heads = [_head_row(self.streams[name]) for name in sorted(self.touched)]
        snapshots = list(self.snapshots.values())
        if self.entries:
            self.driver.write(
                Batch(self.entries, self.postings, snapshots, heads, self._changed_balances())
            )

    def _changed_balances(self) -> list[tuple[int, int]]:
        return [
            (balance, self.ids[account])
            for account, balance in self.balances.items()
            if balance != self.balances_before[account]
        ]


def write_batch(
    connection: Connection,
    appends: Sequence[Append],
    at: str,
    *,
    balances: dict[Account, int] | None = None,
) -> list[Receipt | LedgerError]:
    """Write a batch within the caller's transaction; returns an answer for each append, in order.

    `balances` receives the balance of every account in the batch, valid after the commit.
    """
    batch = _BatchState(connection, appends)
    answers: list[Receipt | LedgerError] = []
    for append in appends:
        try:
            answers.append(batch.add(append, at))
        except LedgerError as error:
            answers.append(error)
    batch.flush()
    if balances is not None:
        balances.update(batch.balances)
    return answers


def _repeat_receipt(append: Append, body: str | None, receipt: Receipt) -> Receipt:
    if body != append.body:
        raise RequestReused(str(append.request))
    return receipt._replace(again=True)


def _next_epoch(append: Append, stream: _Stream) -> int:
    if append.epoch is None:
        return stream.epoch + 1
    if not stream.epoch:
        raise LedgerError(say("ledger.no-stream", stream=append.stream))
    if append.epoch != stream.epoch:
        details = {"stream": append.stream, "epoch": stream.epoch, "ours": append.epoch}
        raise Superseded(say("ledger.superseded", **details))
    return stream.epoch


def _balances_after(append: Append, balances: dict[Account, int]) -> dict[Account, int]:
    """The balances after the append; raises Overdrawn for the first one below zero."""
    after: dict[Account, int] = {}
    for transfer in append.transfers:
        for account, change in balance_changes(transfer):
            balance = after.get(account, balances[account]) + change
            if balance < 0 and account.kind not in MAY_OWE:
                raise Overdrawn(_overdraft(account, holds=balance - change, amount=-change))
            if abs(balance) > CENTS_MAX:
                raise LedgerError(say("ledger.too-much", account=str(account)))
            after[account] = balance
    return after


def _overdraft(account: Account, *, holds: int, amount: int) -> Sentence:
    """A message that names the place and its owner, such as a cashier's drawer."""
    name = account.name.removeprefix(DRAWER) if account.place == "drawer" else account.name
    details = {"account": str(account), "place": account.place, "name": name}
    return say("ledger.overdrawn", **details, holds=holds, given=amount)


def _all_facts(
    append: Append, epoch: int, stream: _Stream, state: str | None
) -> list[Fact | Canonical]:
    facts = list(append.facts)
    if append.epoch is None:
        facts.insert(0, {"fact": CLAIMED, "epoch": epoch, "prunable": stream.prunable})
    if state is not None:
        facts.append({"fact": SNAPSHOT_STORED, "state": sha256(state)})
    return facts


def _head_row(stream: _Stream) -> tuple[int, int, str, int]:
    return stream.epoch, stream.seq, stream.head, stream.id


def _load_rows(
    driver: Driver, appends: Sequence[Append]
) -> tuple[
    dict[str, _Stream], dict[str, tuple[str | None, Receipt]], dict[Account, tuple[int, int]]
]:
    """The rows that the batch needs; those it may change are locked."""
    requests = sorted({(append.request,) for append in appends if append.request is not None})
    names = sorted({(append.stream,) for append in appends})
    accounts_used = sorted(
        {account for append in appends for transfer in append.transfers for account in transfer[:2]}
    )
    streams, receipts, account_rows = driver.load(names, requests, accounts_used)
    return (
        _load_streams(driver, appends, names, streams),
        {row[0]: (row[1], Receipt(*row[2:])) for row in receipts},
        _load_accounts(driver, accounts_used, account_rows),
    )


def _load_streams(
    driver: Driver, appends: Sequence[Append], names: SqlRows, rows: SqlRows
) -> dict[str, _Stream]:
    new = {append.stream: append.prunable for append in appends if append.epoch is None}
    if missing := sorted(new.keys() - {row[0] for row in rows}):
        driver.add_streams([(name, GENESIS, new[name]) for name in missing])
        rows = driver.streams(names)
    streams = {row[0]: _Stream._make((*row[1:5], bool(row[5]))) for row in rows}
    return {name: streams.get(name, _NO_STREAM) for (name,) in names}


def _load_accounts(
    driver: Driver, accounts: Sequence[Account], rows: SqlRows
) -> dict[Account, tuple[int, int]]:
    if len(rows) < len(accounts):
        existing = {row[:3] for row in rows}
        driver.add_accounts([account for account in accounts if account not in existing])
        rows = driver.accounts(accounts)
    return {Account(*row[:3]): (row[3], row[4]) for row in rows}


_NO_STREAM = _Stream(0, 0, 0, GENESIS, False)


# Pruning of practice streams.


PRUNED = register("pruned", moves_no_money, module=__name__)
_S, _P, _A = schema.stream.c, schema.posting.c, schema.account.c


def prune(ledger: Ledger, name: str, *, at: str) -> None:
    """Delete a practice stream that left every balance unchanged."""
    try:
        with for_writing(ledger.engine).begin() as connection:
            _prune(connection, name, at)
    except failures(ledger.engine) as error:
        raise LedgerError(say("ledger.prune.failed", name=name, why=error_text(error))) from error


def _prune(connection: Connection, name: str, at: str) -> None:
    query = select(schema.stream).where(_S.name == name).with_for_update()
    stream = connection.execute(query).one_or_none()
    if stream is None or not stream.prunable:
        raise LedgerError(say("ledger.prune.no-practice", name=name))
    in_stream = _P.stream == stream.id
    sums = select(_P.account).where(in_stream).group_by(_P.account).having(func.sum(_P.amount) != 0)
    if connection.execute(sums).first() is not None:
        raise LedgerError(say("ledger.prune.holds-money", name=name))
    touched = connection.execute(select(_P.account).where(in_stream).distinct()).scalars().all()
    fact = {"fact": PRUNED, "stream": name, "seq": stream.seq, "head": stream.head}
    write_batch(connection, [Append(PRUNED, None, (fact,))], at)
    for table in (schema.posting, schema.snapshot, schema.entry):
        connection.execute(delete(table).where(table.c.stream == stream.id))
    connection.execute(delete(schema.stream).where(_S.id == stream.id))
    unused = ~exists().where(_P.account == _A.id)
    connection.execute(delete(schema.account).where(_A.id.in_(touched), unused))
