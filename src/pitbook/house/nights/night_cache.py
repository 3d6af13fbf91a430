"""The nights of a ledger as last read: tournaments in play, and who plays by a ticket."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from weakref import WeakKeyDictionary

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import is_tournament_unit
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import StreamReader
from pitbook.house.nights.facts import FACTS, NightClosed
from pitbook.house.nights.state import STREAM, NightState, night_reader, nights
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import ENDED_STATUSES, ended_reason, is_final
from pitbook.house.people.names import name_key
from pitbook.text import Sentence, say

RECENT_SECONDS = 1.0
CLOSED = FACTS.name(NightClosed)


class NightCache:
    """The nights of a ledger as last read. Thread-safe."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self._nights: dict[str, StreamReader[NightState]] = {}
        self._read_at: dict[str, float] = {}
        self._closed: set[str] = set()

    def catch_up(self, event: str) -> NightState:
        """A night's current state."""
        with self._lock:
            return self._catch_up(event)

    def recent(self, event: str) -> NightState:
        """A recent state; readers never block a table."""
        night = self._nights.get(event)
        if night is None or event not in self._read_at:
            return self.catch_up(event)
        state = night.state
        is_stale = time.monotonic() - self._read_at[event] >= RECENT_SECONDS
        if is_stale and state.phase != "closed" and self._lock.acquire(blocking=False):
            try:
                # If the ledger cannot be read, it cannot be written either.
                with suppress(LedgerError):
                    return self._catch_up(event)
            finally:
                self._lock.release()
        return state

    def tournament(self, name: str, *, at_least: int = 0) -> Tournament | None:
        """A tournament by its full id, read again if the caller knows a later fact."""
        event = name.partition(".")[0]
        tournament = self.recent(event).tournaments.get(name)
        if at_least > (tournament.version if tournament is not None else 0):
            tournament = self.catch_up(event).tournaments.get(name)
        return tournament

    def ended_reason(self, name: str, player: str, opening: str, *, since: int) -> Sentence | None:
        """Why a browser may no longer play by a ticket; at version `since` it could."""
        tournament = self.tournament(name, at_least=since)
        if tournament is None:
            return say("nights.tickets.no-tournament", tournament=name)
        if self.recent(name.partition(".")[0]).phase == "closed":
            return say("nights.tickets.night-closed", tournament=name)
        return ended_reason(tournament, player, opening)

    def plays_by_ticket(self, tournament_id: str, player: str) -> bool:
        """Whether a seat is taken by a ticket, so that no account has it."""
        tournament = self.tournament(tournament_id)
        if (
            tournament is None
            or tournament.status in ENDED_STATUSES
            or any(player in group for group in tournament.out)
        ):
            return False
        return tournament.ticket(player).taken

    def in_play(self, name: str) -> str | None:
        """The running tournament with a player of that name, in any spelling.

        A tournament that an undo can restore counts as running: a seat keeps its holder
        throughout.
        """
        key = name_key(name)
        for event in nights(self._ledger):
            if self._is_closed(event):
                continue
            for tournament in self.catch_up(event).tournaments.values():
                if not is_final(tournament) and key in map(name_key, _names_in(tournament)):
                    return tournament.tournament
        return None

    def refresh(self, event: str) -> None:
        """Refresh a night after this process wrote to it."""
        if event in self._nights:
            self.catch_up(event)

    def _is_closed(self, event: str) -> bool:
        """Whether a night is closed permanently; its stream is scanned once."""
        if event not in self._closed:
            stored_facts = (
                fact for entry in self._ledger.entries(f"{STREAM}{event}") for fact in entry.facts
            )
            if any(fact["fact"] == CLOSED for fact in stored_facts):
                self._closed.add(event)
        return event in self._closed

    def _catch_up(self, event: str) -> NightState:
        if event not in self._nights:
            self._nights[event] = night_reader(self._ledger, event)
        state = self._nights[event].catch_up()
        self._read_at[event] = time.monotonic()
        return state


def _names_in(tournament: Tournament) -> Iterator[str]:
    yield from tournament.players
    yield from tournament.arrived
    yield from (name for name, ticket in tournament.tickets.items() if ticket.taken)


def tournament_in(unit: str) -> str | None:
    """The tournament whose chips a table is played for, if any.

    >>> tournament_in("rehearsal-tournament:gala.t1"), tournament_in("event-chip:gala")
    ('gala.t1', None)

    """
    _, _, name = unit.partition(":")
    return name if is_tournament_unit(unit) else None


def is_table_of(tournament: str, table: str) -> bool:
    """Whether a live table is one of a tournament's, by its name.

    >>> is_table_of("gala.t1", "gala.t1-2"), is_table_of("gala.t1", "gala.t1-2-1")
    (True, False)
    """
    name, _, number = table.rpartition("-")
    return name == tournament and number.isdecimal()


_CACHES: WeakKeyDictionary[Ledger, NightCache] = WeakKeyDictionary()
_CACHES_LOCK = threading.Lock()


def night_cache(ledger: Ledger) -> NightCache:
    """The night cache of a ledger, shared within this process."""
    with _CACHES_LOCK:
        return _CACHES.setdefault(ledger, NightCache(ledger))


def charity_names(ledger: Ledger) -> Callable[[str], str]:
    """The charity of an event, by the event's id."""
    nights = night_cache(ledger)
    return lambda event: nights.catch_up(event).charity
