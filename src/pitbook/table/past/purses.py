"""Where a player's money has moved, and what it came to: asked of the book once for many rounds."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, and_, func, or_, select

from pitbook.ledger import schema
from pitbook.ledger.accounts import Account
from pitbook.ledger.book import Ledger, Stream
from pitbook.money import Cents
from pitbook.table.past.records import Record, Step, balances, rows, streams_of, tables
from pitbook.table.past.spans import PRACTICE, TABLE, first_at, set_back

__all__ = ["Held", "played_in"]

FRESH_MAX = 20_000  # Entries that are looked through for a player; with more, all is asked again.
PLAYERS_MAX = 1_000
TIES = 50  # Entries at the very same moment.
_S, _E, _P, _A = schema.stream.c, schema.entry.c, schema.posting.c, schema.account.c


class _Known(NamedTuple):
    """The journals in which a player's money has moved, and how far they were looked through."""

    played: frozenset[str]
    upto: dict[str, int]


_KNOWN: WeakKeyDictionary[Ledger, dict[str, _Known]] = WeakKeyDictionary()
_LOCK = Lock()


def played_in(ledger: Ledger, player: str, stream: str | None = None) -> list[Stream]:
    """The tables at which a player's money has moved, or one of them."""
    listed = {one.name: one for one in tables(ledger).values()}
    with _LOCK:
        known = _KNOWN.setdefault(ledger, {}).get(player)
    played = _played(ledger, player, listed, known)
    with _LOCK:
        of_ledger = _KNOWN[ledger]
        if len(of_ledger) >= PLAYERS_MAX:
            of_ledger.clear()
        of_ledger[player] = _Known(played, {name: one.seq for name, one in listed.items()})
    return [listed[name] for name in sorted(played & listed.keys()) if stream in (None, name)]


def _played(
    ledger: Ledger, player: str, listed: dict[str, Stream], known: _Known | None
) -> frozenset[str]:
    if known is None:
        return frozenset(streams_of(ledger, player))
    since = {name: known.upto.get(name, 0) for name in listed.keys() - known.played}
    fresh = {name: seq for name, seq in since.items() if listed[name].seq > seq}
    if sum(listed[name].seq - seq for name, seq in fresh.items()) > FRESH_MAX:
        return frozenset(streams_of(ledger, player))
    return known.played | {name for name in fresh if _moved(ledger, player, name, fresh[name])}


def _moved(ledger: Ledger, player: str, stream: str, after: int) -> bool:
    """Whether money of a player moved behind an entry of a journal."""
    guest = _A.name.endswith(f"/{player}", autoescape=True)
    asked = (
        select(_P.seq)
        .join(schema.stream, _S.id == _P.stream)
        .join(schema.account, _A.id == _P.account)
        .where(_S.name == stream, _P.seq > after, _A.kind == "wallet")
        .where(or_(_A.name == player, guest))
        .limit(1)
    )
    return bool(rows(ledger, asked))


class _Move(NamedTuple):
    """Money of a wallet that moved with an entry."""

    stream: str
    seq: int
    at: str
    amount: int


class Held:
    """What a player's wallets held before and after each round of a page."""

    def __init__(self, ledger: Ledger, records: Sequence[Record], player: str) -> None:
        self._ledger, self._player = ledger, player
        self._moves: dict[Account, tuple[int, list[_Move]]] = {}
        with ledger.engine.connect() as connection:
            if set_back(connection):  # Then times do not say what came first; each is asked for.
                return
        for wallet in {one.wallet(player) for one in records}:
            own = [one for one in records if one.wallet(player) == wallet]
            at = [step.at for one in own if one.touched(player) for step in one.steps]
            if at:
                self._moves[wallet] = _Purse(ledger, wallet).between(min(at), max(at))

    def of(self, record: Record) -> tuple[Cents, Cents]:
        """Before the round touched the wallet, and when the round was through."""
        touched, known = record.touched(self._player), self._moves.get(record.wallet(self._player))
        if not touched or known is None:
            return balances(self._ledger, record, self._player)
        last = next((step for step in record.steps if any(step.of("settled"))), record.steps[-1])
        before = _sum(known, record.stream, touched[0], included=False)
        return before, _sum(known, record.stream, last, included=True)


def _sum(known: tuple[int, list[_Move]], stream: str, step: Step, *, included: bool) -> Cents:
    """All that moved by then; other journals are placed by the time on record."""
    base, moves = known
    upto = step.seq + included
    own = sum(one.amount for one in moves if one.stream == stream and one.seq < upto)
    others = sum(one.amount for one in moves if one.stream != stream and one.at <= step.at)
    return Cents(base + own + others)


class _Purse:
    """One wallet in all journals."""

    def __init__(self, ledger: Ledger, wallet: Account) -> None:
        self._ledger, self._wallet = ledger, wallet

    def between(self, first: str, last: str) -> tuple[int, list[_Move]]:
        """What it held before a moment, and all that moved from then until another."""
        account, now = self._now()
        parts = self._parts(first, last)
        moves = [move for one in parts for move in self._moves(account, one)]
        if sum(one.low for one in parts) > sum(one.seq - one.high for one in parts):
            behind = sum(self._moved(account, one, one.high, one.seq + 1) for one in parts)
            if self._now() == (account, now):  # Else somebody wrote meanwhile.
                return now - behind - sum(move.amount for move in moves), moves
        return sum(self._moved(account, one, 1, one.low) for one in parts), moves

    def _now(self) -> tuple[int, int]:
        named = zip((_A.unit, _A.kind, _A.name), self._wallet, strict=True)
        asked = select(_A.id, _A.balance).where(*(one == value for one, value in named))
        (row,) = rows(self._ledger, asked)
        return row.id, int(row.balance)

    def _parts(self, first: str, last: str) -> list[_Part]:
        """Where the time between lies in every journal with money of this wallet."""
        which = self._which()
        asked = select(_S.id, _S.name, _S.seq).where(which)
        with self._ledger.engine.connect() as connection:
            low, high = (first_at(connection, at, which) for at in (first, last))
            return [
                _Part(one.id, one.name, low[one.id], min(high[one.id] + TIES, one.seq + 1), one.seq)
                for one in connection.execute(asked)
                if one.id in low and one.id in high
            ]

    def _which(self) -> ColumnElement[bool]:
        """Tables at which it was played with, and all that is no table: cage, nights."""
        player = self._wallet.name.rpartition("/")[2]
        names = [one.name for one in played_in(self._ledger, player)]
        apart = and_(~_S.name.startswith(TABLE), ~_S.name.startswith(PRACTICE))
        return or_(_S.name.in_(names), apart)

    def _moves(self, account: int, part: _Part) -> list[_Move]:
        asked = (
            select(_P.seq, _E.at, _P.amount)
            .join(schema.entry, and_(_E.stream == _P.stream, _E.seq == _P.seq))
            .where(*_within(account, part, part.low, part.high))
        )
        found = rows(self._ledger, asked)
        return [_Move(part.name, row.seq, row.at, row.amount) for row in found]

    def _moved(self, account: int, part: _Part, low: int, high: int) -> int:
        asked = select(func.coalesce(func.sum(_P.amount), 0))
        (row,) = rows(self._ledger, asked.where(*_within(account, part, low, high)))
        return int(row[0])


class _Part(NamedTuple):
    """Entries of a journal, from the first up to another that is not among them."""

    id: int
    name: str
    low: int
    high: int
    seq: int


def _within(account: int, part: _Part, low: int, high: int) -> list[ColumnElement[bool]]:
    # A sum, so that the entries are gone through and not all that the account ever did.
    return [_P.stream == part.id, _P.seq >= low, _P.seq < high, _P.account + 0 == account]
