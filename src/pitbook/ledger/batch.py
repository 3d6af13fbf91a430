"""Many appends in one transaction: each is taken or refused on its own, none is half done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from pitbook.errors import LedgerError, Overdrawn, RequestReused, Superseded
from pitbook.ledger import schema
from pitbook.ledger.accounts import MAY_OWE, Account, Transfer, changes
from pitbook.ledger.chain import GENESIS, Entry, Fact, canonical, content, digest, sealed
from pitbook.money import CENTS_MAX, spoken

TAKEN_OVER = "claimed"
KEPT = "kept"


class Append(NamedTuple):
    """What is to be written to a stream; without an epoch the stream is claimed first."""

    stream: str
    epoch: int | None
    facts: Sequence[Fact] = ()
    transfers: Sequence[Transfer] = ()
    actor: str = ""
    request: str | None = None
    body: str | None = None
    keep: Fact | None = None
    prunable: bool = False


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
        self.connection = connection
        self.streams = _lock_streams(connection, appends)
        self.answered = _answered(connection, appends)
        self.ids, self.balances = _lock_accounts(connection, appends)
        self.before = dict(self.balances)
        self.entries: list[dict[str, Any]] = []
        self.postings: list[dict[str, Any]] = []
        self.snapshots: dict[int, dict[str, Any]] = {}
        self.touched: set[str] = set()

    def take(self, append: Append, at: str) -> Receipt:
        """Add an append to the batch; raises LedgerError, and then nothing has changed."""
        if append.request is not None and append.request in self.answered:
            return _again(append, *self.answered[append.request])
        found = self.streams[append.stream]
        epoch = _epoch(append, found)
        after = _moved(append, self.balances)
        facts = _facts(append, epoch, found)
        entry = Entry(
            append.stream,
            found.seq + 1,
            at,
            epoch,
            append.actor,
            append.request,
            append.body,
            content(facts, append.transfers),
            found.head,
            "",
        )
        entry = entry._replace(hash=sealed(entry))
        self._write(append, found, entry, after)
        return Receipt(entry.stream, entry.seq, epoch, entry.hash, at)

    def _write(
        self, append: Append, found: _Stream, entry: Entry, after: dict[Account, int]
    ) -> None:
        self.entries.append(entry._asdict() | {"stream": found.id})
        moved = [change for transfer in append.transfers for change in changes(transfer)]
        self.postings += (
            _posting(found.id, entry.seq, number, self.ids[account], amount)
            for number, (account, amount) in enumerate(moved)
        )
        self.balances.update(after)
        self.streams[append.stream] = found._replace(
            epoch=entry.epoch, seq=entry.seq, head=entry.hash
        )
        self.touched.add(append.stream)
        if append.keep is not None:
            state = canonical(append.keep)
            self.snapshots[found.id] = {"stream": found.id, "seq": entry.seq, "state": state}
        if append.request is not None:
            receipt = Receipt(entry.stream, entry.seq, entry.epoch, entry.hash, entry.at)
            self.answered[append.request] = (append.body, receipt)

    def flush(self) -> None:
        """Send every row of the batch to the database."""
        connection = self.connection
        if self.entries:
            connection.execute(insert(schema.entry), self.entries)
            connection.execute(_HEADS, [_head(self.streams[name]) for name in sorted(self.touched)])
        if self.postings:
            connection.execute(insert(schema.posting), self.postings)
        if changed := self._changed():
            connection.execute(BALANCES, changed)
        for row in self.snapshots.values():
            connection.execute(_replacing(connection, row))

    def _changed(self) -> list[dict[str, int]]:
        return [
            {"this": self.ids[account], "balance": balance}
            for account, balance in self.balances.items()
            if balance != self.before[account]
        ]


def write(
    connection: Connection, appends: Sequence[Append], at: str
) -> list[Receipt | LedgerError]:
    """Write a batch within the caller's transaction; an answer for each append, in order."""
    book = _Book(connection, appends)
    answers: list[Receipt | LedgerError] = []
    for append in appends:
        try:
            answers.append(book.take(append, at))
        except LedgerError as refused:
            answers.append(refused)
    book.flush()
    return answers


def _again(append: Append, body: str | None, receipt: Receipt) -> Receipt:
    if body != append.body:
        raise RequestReused(
            f'request "{append.request}" came before with another body; '
            "a new request needs an id of its own"
        )
    return receipt._replace(again=True)


def _epoch(append: Append, found: _Stream) -> int:
    if append.epoch is None:
        return found.epoch + 1
    if not found.epoch:
        raise LedgerError(f'there is no stream "{append.stream}"; claim it first')
    if append.epoch != found.epoch:
        raise Superseded(
            f'another process has taken over "{append.stream}" '
            f"(epoch {found.epoch}, not {append.epoch}); nothing was written"
        )
    return found.epoch


def _moved(append: Append, balances: dict[Account, int]) -> dict[Account, int]:
    """The balances that the append leaves; raises Overdrawn at the first one below zero."""
    after: dict[Account, int] = {}
    for transfer in append.transfers:
        for account, change in changes(transfer):
            balance = after.get(account, balances[account]) + change
            if balance < 0 and account.kind not in MAY_OWE:
                raise Overdrawn(
                    f"{account} holds {spoken(balance - change)} and cannot give {spoken(-change)}"
                )
            if abs(balance) > CENTS_MAX:
                raise LedgerError(f"{account} would hold more money than any house")
            after[account] = balance
    return after


def _facts(append: Append, epoch: int, found: _Stream) -> list[Fact]:
    facts = list(append.facts)
    if append.epoch is None:
        facts.insert(0, {"fact": TAKEN_OVER, "epoch": epoch, "prunable": found.prunable})
    if append.keep is not None:
        facts.append({"fact": KEPT, "state": digest(canonical(append.keep))})
    return facts


def _lock_streams(connection: Connection, appends: Sequence[Append]) -> dict[str, _Stream]:
    names = sorted({one.stream for one in appends})
    new = {one.stream: one.prunable for one in appends if one.epoch is None}
    found = _streams(connection, names)
    if missing := [name for name in names if name not in found and name in new]:
        rows = [
            {"name": name, "epoch": 0, "seq": 0, "head": GENESIS, "prunable": new[name]}
            for name in missing
        ]
        connection.execute(_unless_there(connection, schema.stream), rows)
        found = _streams(connection, names)
    nowhere = _Stream(0, 0, 0, GENESIS, False)
    return {name: found.get(name, nowhere) for name in names}


def _streams(connection: Connection, names: Sequence[str]) -> dict[str, _Stream]:
    rows = connection.execute(_STREAMS, {"names": names})
    return {row.name: _Stream(row.id, row.epoch, row.seq, row.head, row.prunable) for row in rows}


def _answered(
    connection: Connection, appends: Sequence[Append]
) -> dict[str, tuple[str | None, Receipt]]:
    requests = sorted({one.request for one in appends if one.request is not None})
    if not requests:
        return {}
    return {
        row.request: (row.body, Receipt(row.name, row.seq, row.epoch, row.hash, row.at))
        for row in connection.execute(_ANSWERED, {"requests": requests})
    }


def _lock_accounts(
    connection: Connection, appends: Sequence[Append]
) -> tuple[dict[Account, int], dict[Account, int]]:
    named = sorted({one for append in appends for each in append.transfers for one in each[:2]})
    if not named:
        return {}, {}
    found = _accounts(connection, named)
    if len(found) < len(named):
        rows = [one._asdict() | {"balance": 0} for one in named if one not in found]
        connection.execute(_unless_there(connection, schema.account), rows)
        found = _accounts(connection, named)
    ids = {account: number for account, (number, _) in found.items()}
    return ids, {account: balance for account, (_, balance) in found.items()}


def _accounts(connection: Connection, named: Sequence[Account]) -> dict[Account, tuple[int, int]]:
    rows = connection.execute(_ACCOUNTS, {"named": [tuple(one) for one in named]})
    return {Account(row.unit, row.kind, row.name): (row.id, row.balance) for row in rows}


def _posting(stream: int, seq: int, number: int, account: int, amount: int) -> dict[str, Any]:
    return {
        "stream": stream,
        "seq": seq,
        "number": number,
        "account": account,
        "amount": amount,
    }


def _head(stream: _Stream) -> dict[str, Any]:
    return {"this": stream.id, "epoch": stream.epoch, "seq": stream.seq, "head": stream.head}


def _unless_there(connection: Connection, table: Any) -> Any:
    """An insert that lets a row stand which another process made first."""
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    return dialect.insert(table).on_conflict_do_nothing()


def _replacing(connection: Connection, row: dict[str, Any]) -> Any:
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    made = dialect.insert(schema.snapshot).values(row)
    return made.on_conflict_do_update(index_elements=["stream"], set_=row)


def _expanding(name: str) -> Any:
    return bindparam(name, expanding=True)


_S, _E, _A = schema.stream.c, schema.entry.c, schema.account.c
# Rows are locked in one order everywhere, so that no two processes wait for each other.
_STREAMS = (
    select(schema.stream).where(_S.name.in_(_expanding("names"))).order_by(_S.id).with_for_update()
)
_ACCOUNTS = (
    select(schema.account)
    .where(tuple_(_A.unit, _A.kind, _A.name).in_(_expanding("named")))
    .order_by(_A.id)
    .with_for_update()
)
_ANSWERED = (
    select(_E.request, _E.body, _E.seq, _E.epoch, _E.hash, _E.at, _S.name)
    .join(schema.stream, _S.id == _E.stream)
    .where(_E.request.in_(_expanding("requests")))
)
_HEADS = (
    update(schema.stream)
    .where(_S.id == bindparam("this"))
    .values(epoch=bindparam("epoch"), seq=bindparam("seq"), head=bindparam("head"))
)
BALANCES = (
    update(schema.account).where(_A.id == bindparam("this")).values(balance=bindparam("balance"))
)

__all__ = ["BALANCES", "KEPT", "TAKEN_OVER", "Append", "Receipt", "write"]
