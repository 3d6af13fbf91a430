"""Where a player's money has moved, and what it came to: asked of the book once for many rounds."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.book import Ledger, Stream
from pitbook.house.ledger.movements import AccountMove, AccountsOf, MovedAccount, moved_in
from pitbook.house.ledger.questions import Streams
from pitbook.house.table.facts import Settled
from pitbook.house.table.past.records import JournalStep, RoundRecord, balances, streams_of, tables
from pitbook.house.table.streams import PRACTICE, TABLE
from pitbook.money import Cents

__all__ = ["WalletsHeld", "played_in"]

FRESH_MAX = 20_000  # Entries that are looked through for a player; with more, all is asked again.
PLAYERS_MAX = 1_000


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
    with ledger.moment() as book:
        return bool(moved_in(book, AccountsOf("wallet", player), stream=stream, after=after))


class WalletsHeld:
    """What a player's wallets held before and after each round of a page."""

    def __init__(self, ledger: Ledger, records: Sequence[RoundRecord], player: str) -> None:
        self._ledger, self._player = ledger, player
        self._moves: dict[Account, tuple[int, list[AccountMove]]] = {}
        with ledger.moment() as book:
            if book.is_set_back():  # Then times do not say what came first; each is asked for.
                return
            for wallet in {one.wallet(player) for one in records}:
                own = [one for one in records if one.wallet(player) == wallet]
                at = [step.at for one in own if one.touched(player) for step in one.steps]
                if at:
                    purse = MovedAccount(book, wallet, _moving(ledger, wallet))
                    self._moves[wallet] = purse.between(min(at), max(at))

    def of(self, record: RoundRecord) -> tuple[Cents, Cents]:
        """Before the round touched the wallet, and when the round was through."""
        touched, known = record.touched(self._player), self._moves.get(record.wallet(self._player))
        if not touched or known is None:
            return balances(self._ledger, record, self._player)
        last = next((step for step in record.steps if any(step.of(Settled))), record.steps[-1])
        before = _sum(known, record.stream, touched[0], included=False)
        return before, _sum(known, record.stream, last, included=True)


def _sum(
    known: tuple[int, list[AccountMove]], stream: str, step: JournalStep, *, included: bool
) -> Cents:
    """All that moved by then; other journals are placed by the time on record."""
    base, moves = known
    upto = step.seq + included
    own = sum(one.amount for one in moves if one.stream == stream and one.seq < upto)
    others = sum(one.amount for one in moves if one.stream != stream and one.at <= step.at)
    return Cents(base + own + others)


def _moving(ledger: Ledger, wallet: Account) -> Streams:
    """Tables at which it was played with, and all that is no table: cage, nights."""
    player = wallet.name.rpartition("/")[2]
    names = [one.name for one in played_in(ledger, player)]
    return Streams(names, apart_from=(TABLE, PRACTICE))
