"""The table streams that moved a player's money, remembered between requests."""

from __future__ import annotations

from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from pitbook.house.ledger.ledger import Ledger, Stream
from pitbook.house.ledger.money_queries import NamedAccounts, streams_moving
from pitbook.house.table.round_records import streams_of_player, table_streams

FRESH_MAX = 20_000  # Entries checked for a player before everything is queried again.
PLAYERS_MAX = 1_000


class _KnownStreams(NamedTuple):
    """The streams that moved a player's money, and how far they were checked."""

    played: frozenset[str]
    upto: dict[str, int]


_KNOWN: WeakKeyDictionary[Ledger, dict[str, _KnownStreams]] = WeakKeyDictionary()
_LOCK = Lock()


def streams_played(ledger: Ledger, player: str, stream: str | None = None) -> list[Stream]:
    """The tables that moved a player's money, or one of them."""
    listed = {stream.name: stream for stream in table_streams(ledger).values()}
    with _LOCK:
        cached = _KNOWN.setdefault(ledger, {}).get(player)
    played = _find_streams(ledger, player, listed, cached)
    with _LOCK:
        of_ledger = _KNOWN[ledger]
        if len(of_ledger) >= PLAYERS_MAX:
            of_ledger.clear()
        of_ledger[player] = _KnownStreams(
            played, {name: stream.seq for name, stream in listed.items()}
        )
    return [listed[name] for name in sorted(played & listed.keys()) if stream in (None, name)]


def _find_streams(
    ledger: Ledger, player: str, listed: dict[str, Stream], cached: _KnownStreams | None
) -> frozenset[str]:
    if cached is None:
        return frozenset(streams_of_player(ledger, player))
    seq_by_name = {name: cached.upto.get(name, 0) for name in listed.keys() - cached.played}
    new_seqs = {name: seq for name, seq in seq_by_name.items() if listed[name].seq > seq}
    if sum(listed[name].seq - seq for name, seq in new_seqs.items()) > FRESH_MAX:
        return frozenset(streams_of_player(ledger, player))
    return cached.played | {
        name for name in new_seqs if _has_moved(ledger, player, name, new_seqs[name])
    }


def _has_moved(ledger: Ledger, player: str, stream: str, after: int) -> bool:
    """Whether a stream moved a player's money after an entry."""
    with ledger.snapshot() as snapshot:
        return bool(
            streams_moving(snapshot, NamedAccounts("wallet", player), stream=stream, after=after)
        )
