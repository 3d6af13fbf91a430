"""Tickets of tournament players: signed codes, and who plays by one."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from weakref import WeakKeyDictionary

from pitbook.errors import LedgerError
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.nights.facts import FACTS, NightClosed
from pitbook.house.nights.state import STREAM, NightState, fold_of, nights
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import OVER, is_final, why_ended
from pitbook.house.people.names import name_key
from pitbook.house.table.state import is_tournament_unit
from pitbook.text import Sentence, say

RECENT_SECONDS = 1.0
CLOSED = FACTS.name(NightClosed)


class Passes:
    """The nights of a book as far as they were read; safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self._nights: dict[str, StreamReader[NightState]] = {}
        self._read_at: dict[str, float] = {}
        self._closed: set[str] = set()

    def catch_up(self, event: str) -> NightState:
        """A night as the book has it now."""
        with self._lock:
            return self._catch_up(event)

    def recent(self, event: str) -> NightState:
        """The same as it was a moment ago; a table waits for nobody who reads."""
        night = self._nights.get(event)
        if night is None or event not in self._read_at:
            return self.catch_up(event)
        known = night.state
        old = time.monotonic() - self._read_at[event] >= RECENT_SECONDS
        if old and known.phase != "closed" and self._lock.acquire(blocking=False):
            try:
                with suppress(LedgerError):  # What cannot be read now cannot be written either.
                    return self._catch_up(event)
            finally:
                self._lock.release()
        return known

    def tournament(self, name: str, *, at_least: int = 0) -> Tournament | None:
        """A tournament by its whole id; read anew where somebody knows a later fact of it."""
        event = name.partition(".")[0]
        found = self.recent(event).tournaments.get(name)
        if at_least > (found.version if found is not None else 0):
            found = self.catch_up(event).tournaments.get(name)
        return found

    def why_ended(self, name: str, player: str, opening: str, *, since: int) -> Sentence | None:
        """Why a browser plays by a ticket no more; `since` is the fact by which it did."""
        one = self.tournament(name, at_least=since)
        if one is None:
            return say("nights.tickets.no-tournament", tournament=name)
        if self.recent(name.partition(".")[0]).phase == "closed":
            return say("nights.tickets.night-closed", tournament=name)
        return why_ended(one, player, opening)

    def plays_by_ticket(self, name: str, player: str) -> bool:
        """Whether a seat of a tournament is taken by a ticket, so that no account has it."""
        one = self.tournament(name)
        if one is None or one.status in OVER or any(player in group for group in one.out):
            return False
        return one.ticket(player).taken

    def in_play(self, name: str) -> str | None:
        """The tournament that knows somebody of that name, however it is written.

        It is under way, or an undo can bring it back: a seat has one bearer throughout.
        """
        wanted = name_key(name)
        for event in nights(self._ledger):
            if self._is_closed(event):
                continue
            for one in self.catch_up(event).tournaments.values():
                if not is_final(one) and wanted in map(name_key, _known_to(one)):
                    return one.tournament
        return None

    def written(self, event: str) -> None:
        """This process has put something on a night's record; who asks by ticket hears of it."""
        if event in self._nights:
            self.catch_up(event)

    def _is_closed(self, event: str) -> bool:
        """Whether a night is over for good; old ones are looked through once, and not played."""
        if event not in self._closed:
            told = (fact for one in self._ledger.entries(f"{STREAM}{event}") for fact in one.facts)
            if any(fact["fact"] == CLOSED for fact in told):
                self._closed.add(event)
        return event in self._closed

    def _catch_up(self, event: str) -> NightState:
        if event not in self._nights:
            self._nights[event] = fold_of(self._ledger, event)
        state = self._nights[event].catch_up()
        self._read_at[event] = time.monotonic()
        return state


def _known_to(one: Tournament) -> Iterator[str]:
    yield from one.players
    yield from one.arrived
    yield from (name for name, known in one.passes.items() if known.taken)


def tournament_in(unit: str) -> str | None:
    """The tournament whose chips a table is played for; None: it is none's.

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


_KNOWN: WeakKeyDictionary[Ledger, Passes] = WeakKeyDictionary()
_MAKING = threading.Lock()


def passes_of(ledger: Ledger) -> Passes:
    """One and the same for everybody who reads a book in this process."""
    with _MAKING:
        return _KNOWN.setdefault(ledger, Passes(ledger))
