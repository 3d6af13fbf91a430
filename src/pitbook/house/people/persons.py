"""The persons of a house over its book: named once, excluded and readmitted, whoever asks first.

All processes write to one stream, each after reading on, so that of two look-alikes that come at
the same moment one is told of the other.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any
from weakref import WeakKeyDictionary
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitbook.errors import LedgerError, PeopleError
from pitbook.house.ledger.book import Ledger
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.kinds import moves_no_money, register
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.facts import (
    FACTS,
    Exclusion,
    Fact,
    Joined,
    Named,
    OwnLimits,
    Readmitted,
    Rest,
    TakenUp,
)
from pitbook.house.people.names import key
from pitbook.house.people.roster import Door, Roster, document, evolve, restored
from pitbook.house.streams.reading import Keeping, ReadState
from pitbook.house.streams.requests import KnownRequest
from pitbook.house.streams.shell import Shell, Writing
from pitbook.rules.refusals import Refusal
from pitbook.text import say

__all__ = ["STREAM", "ZONE", "Persons", "persons_of"]

STREAM = register("persons", moves_no_money, module=__name__)
ACCOUNTS = "people"  # Where the server's register stands in the same book.
ZONE = "America/New_York"
KEEP_EVERY = 500
RECENT_SECONDS = 1.0  # How soon a table hears of what another process was told.

Deciding = Callable[[Roster], Sequence[Fact]]


class Persons:
    """Everybody whom a book knows; safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        keeping = Keeping(lambda: KEEP_EVERY, _to_keep, lambda kept, _: restored(kept))
        fold = ReadState(ledger, STREAM, Roster(), _read, keeping)
        self._shell = Shell(fold, FACTS)
        self._before: tuple[str, ...] | None = None
        self._read, self._shown = fold.state, fold.state  # With those from before names were kept.
        self._read_at = -RECENT_SECONDS

    def read_on(self) -> Roster:
        """Everybody as the book has it now."""
        with self._shell.lock:
            self._read_at = time.monotonic()
            return self._with_all(self._shell.read_on())

    def _with_all(self, read: Roster) -> Roster:
        """A roster with those who were known before names were kept."""
        if read.began:
            self._shown = read
        elif read is not self._read or self._before is None:
            self._shown = evolve(read, [self._taken_up()])
        self._read = read
        return self._shown

    def recent(self) -> Roster:
        """The same as it was a moment ago: a table asks for every wager, and waits for nobody.

        Where the book cannot be read now, nothing can be written to it either.
        """
        old = time.monotonic() - self._read_at >= RECENT_SECONDS
        if old and self._shell.lock.acquire(blocking=False):
            try:
                with suppress(LedgerError):
                    self.read_on()
            finally:
                self._shell.lock.release()
        return self._shown

    def door(self, now: datetime) -> Door:
        """Who is known and who is shut out, as it was a moment ago."""
        return Door(self.recent(), now)

    def known_as(self, name: str) -> str:
        """The name on record, or a new one; raises PeopleError for one that can be nobody's."""
        return _sound(self.read_on().known_as(name))

    def admit(self, name: str, *, actor: str = "") -> str:
        """The name on record, put there if it is new; raises PeopleError for a look-alike."""

        def decide(roster: Roster) -> Sequence[Fact]:
            made = _sound(roster.known_as(name))
            return [] if roster.knows(made) else [Named(made)]

        self._write(decide, actor=actor)
        return _sound(self._shown.known_as(name))

    def join(self, guest: str, name: str) -> bool:
        """Say once that a guest is somebody with a name; False where it was another's before."""

        def decide(roster: Roster) -> Sequence[Fact]:
            return [] if guest in roster.joined else [Joined(guest, name)]

        self._write(decide, actor=name)
        return self._shown.joined.get(guest) == name

    def exclude(
        self,
        name: str,
        *,
        until: str | None,
        why: str,
        actor: str,
        zone: str = ZONE,
        now: datetime | None = None,
    ) -> Exclusion:
        """Shut somebody out to the end of a day, or for good; an account is not needed."""
        _check_day(until, zone)
        if not why.strip() or not why.isprintable():
            raise PeopleError(say("identity.persons.reason-to-exclude"))
        at = (now or utc_now()).isoformat(timespec="seconds")
        excluded: list[Exclusion] = []

        def decide(roster: Roster) -> Sequence[Fact]:
            who = _sound(roster.known_as(name))
            made = Exclusion(who, until, zone, why, actor, at)
            if until is not None and not made.holds(datetime.fromisoformat(at)):
                raise PeopleError(say("identity.persons.day-is-over", until=until, zone=zone))
            excluded[:] = [made]
            return excluded

        self._write(decide, actor=actor)
        return excluded[0]  # Another process may have ended it by now.

    def readmit(self, name: str, *, why: str, actor: str) -> str:
        """End an exclusion before its day; raises PeopleError where there is none."""
        if not why.strip() or not why.isprintable():
            raise PeopleError(say("identity.persons.reason-to-readmit"))

        if key(actor) == key(name):
            raise PeopleError(say("identity.persons.not-ones-own"))

        def decide(roster: Roster) -> Sequence[Fact]:
            who = _sound(roster.known_as(name))
            if key(who) not in roster.excluded:
                raise PeopleError(say("identity.persons.not-excluded", name=who))
            return [Readmitted(who, why, actor)]

        self._write(decide, actor=actor)
        return self.known_as(name)

    def rest(self, name: str, *, until: datetime | None, now: datetime) -> None:
        """A break by somebody's own hand; it ends at its moment and not before."""
        end = None if until is None else until.isoformat(timespec="seconds")
        made = Rest(name, end, now.isoformat(timespec="seconds"))
        self._write(lambda _: [made], actor=name)

    def limit(self, name: str, *, loss: int | None, minutes: int | None, now: datetime) -> None:
        """What somebody allows themselves a day; less holds at once, more a day later."""
        made = OwnLimits(name, loss, minutes, now.isoformat(timespec="seconds"))
        self._write(lambda _: [made], actor=name)

    def exclusions(self) -> list[Exclusion]:
        """Every exclusion on record, over or not, by name."""
        return sorted(self.read_on().excluded.values(), key=lambda one: one.name)

    # The book ------------------------------------------------------------------------------------

    def _taken_up(self) -> TakenUp:
        """Who was known before names were kept: everybody with an account or a wallet."""
        if self._before is None:
            self._before = tuple(dict.fromkeys(self._known_before()))
        return TakenUp(self._before)

    def _known_before(self) -> Iterator[str]:
        for entry in self._ledger.entries(ACCOUNTS):  # Facts of the server, which stands above.
            yield from (one["name"] for one in entry.facts if one["fact"] == "person-added")
        with self._ledger.moment() as book:
            yield from book.named("wallet", apart_from="play")

    def _write(self, decide: Deciding, *, actor: str) -> None:
        """Append what is decided on the roster as it stands; decided anew if that has changed."""

        def made(read: Roster) -> Writing[Fact] | None:
            facts = decide(self._with_all(read))
            first = [] if read.began else [self._taken_up()]
            return Writing([*first, *facts]) if facts else None

        self._shell.write(made, KnownRequest(actor))
        self.read_on()


def _read(roster: Roster, entries: Iterable[Entry]) -> Roster:
    """The roster after some entries."""
    return evolve(roster, [fact for entry in entries for fact in FACTS.told(entry)])


def _to_keep(roster: Roster) -> dict[str, Any] | None:
    return document(roster) if roster.began else None


_KNOWN: WeakKeyDictionary[Ledger, Persons] = WeakKeyDictionary()
_MEETING = threading.Lock()


def persons_of(ledger: Ledger) -> Persons:
    """The persons of a book, one and the same for all who ask in this process."""
    with _MEETING:
        if ledger not in _KNOWN:
            _KNOWN[ledger] = Persons(ledger)
        return _KNOWN[ledger]


def _sound(name: str | Refusal) -> str:
    if isinstance(name, Refusal):
        raise PeopleError(name.message)
    return name


def _check_day(until: str | None, zone: str) -> None:
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise PeopleError(say("identity.persons.no-zone", zone=zone)) from None
    try:
        right = until is None or date.fromisoformat(until).isoformat() == until
    except ValueError:
        right = False
    if not right:
        raise PeopleError(say("identity.persons.no-day", until=until))
