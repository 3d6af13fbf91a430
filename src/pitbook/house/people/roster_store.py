"""The roster in the ledger: record and look up names, exclusions, breaks and self-set limits."""

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
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.ledger.streams import (
    PendingWrite,
    RequestKey,
    SnapshotPolicy,
    StreamReader,
    StreamWriter,
)
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.names import name_key
from pitbook.house.people.roster import (
    FACTS,
    Exclusion,
    Fact,
    Joined,
    NameAdded,
    NamesImported,
    OwnBreak,
    OwnLimits,
    Readmitted,
    Roster,
    apply_events,
    dump_roster,
    load_roster,
)
from pitbook.rules.refusals import Refusal
from pitbook.text import say

STREAM = register("persons", moves_no_money, module=__name__)
ACCOUNTS_STREAM = "people"  # The accounts' stream in the same ledger.
ZONE = "America/New_York"
SNAPSHOT_EVERY = 500
RECENT_SECONDS = 1.0  # Delay until other processes' changes apply here.
Decide = Callable[[Roster], Sequence[Fact]]


class Persons:
    """Everyone a ledger knows by name. Thread-safe."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        policy = SnapshotPolicy(
            lambda: SNAPSHOT_EVERY, _snapshot, lambda snapshot, _: load_roster(snapshot)
        )
        reader = StreamReader(ledger, STREAM, Roster(), _apply_entries, policy)
        self._writer = StreamWriter(reader, FACTS)
        self._before: tuple[str, ...] | None = None
        # Includes names from before names were recorded.
        self._read, self._shown = reader.state, reader.state
        self._read_at = -RECENT_SECONDS

    def catch_up(self) -> Roster:
        """The roster as recorded in the ledger now."""
        with self._writer.lock:
            self._read_at = time.monotonic()
            return self._with_all(self._writer.catch_up())

    def _with_all(self, roster: Roster) -> Roster:
        """The roster including names known before names were recorded."""
        if roster.began:
            self._shown = roster
        elif roster is not self._read or self._before is None:
            self._shown = apply_events(roster, [self._import_names()])
        self._read = roster
        return self._shown

    def recent(self) -> Roster:
        """The roster as of about a second ago, without waiting: tables check it for every wager.

        If the ledger cannot be read, nothing can be written to it either.
        """
        old = time.monotonic() - self._read_at >= RECENT_SECONDS
        if old and self._writer.lock.acquire(blocking=False):
            try:
                with suppress(LedgerError):
                    self.catch_up()
            finally:
                self._writer.lock.release()
        return self._shown

    def access_list(self, now: datetime) -> AccessList:
        """The roster as of about a second ago."""
        return AccessList(self.recent(), now)

    def resolve_name(self, name: str) -> str:
        """The recorded or normalized name; raises PeopleError if it is refused."""
        return _require_name(self.catch_up().resolve_name(name))

    def admit(self, name: str, *, actor: str = "") -> str:
        """Record a name unless it is known, and return it; raises PeopleError for a look-alike."""

        def decide(roster: Roster) -> Sequence[Fact]:
            recorded_name = _require_name(roster.resolve_name(name))
            return [] if roster.knows(recorded_name) else [NameAdded(recorded_name)]

        self._write(decide, actor=actor)
        return _require_name(self._shown.resolve_name(name))

    def join(self, guest: str, name: str) -> bool:
        """Link a guest's play to a person; False if it belongs to someone else."""

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
        """Exclude a person through a day, or for good; no account is needed."""
        _check_day(until, zone)
        if not why.strip() or not why.isprintable():
            raise PeopleError(say("identity.persons.reason-to-exclude"))
        at = (now or utc_now()).isoformat(timespec="seconds")
        excluded: list[Exclusion] = []

        def decide(roster: Roster) -> Sequence[Fact]:
            person = _require_name(roster.resolve_name(name))
            exclusion = Exclusion(person, until, zone, why, actor, at)
            if until is not None and not exclusion.holds(datetime.fromisoformat(at)):
                raise PeopleError(say("identity.persons.day-is-over", until=until, zone=zone))
            excluded[:] = [exclusion]
            return excluded

        self._write(decide, actor=actor)
        return excluded[0]  # Another process may have lifted it already.

    def readmit(self, name: str, *, why: str, actor: str) -> str:
        """Lift an exclusion; raises PeopleError if there is none."""
        if not why.strip() or not why.isprintable():
            raise PeopleError(say("identity.persons.reason-to-readmit"))

        if name_key(actor) == name_key(name):
            raise PeopleError(say("identity.persons.not-ones-own"))

        def decide(roster: Roster) -> Sequence[Fact]:
            person = _require_name(roster.resolve_name(name))
            if name_key(person) not in roster.excluded:
                raise PeopleError(say("identity.persons.not-excluded", name=person))
            return [Readmitted(person, why, actor)]

        self._write(decide, actor=actor)
        return self.resolve_name(name)

    def take_break(self, name: str, *, until: datetime | None, now: datetime) -> None:
        end = None if until is None else until.isoformat(timespec="seconds")
        break_ = OwnBreak(name, end, now.isoformat(timespec="seconds"))
        self._write(lambda _: [break_], actor=name)

    def set_limits(
        self, name: str, *, loss: int | None, minutes: int | None, now: datetime
    ) -> None:
        """Set a person's own daily limits."""
        limits = OwnLimits(name, loss, minutes, now.isoformat(timespec="seconds"))
        self._write(lambda _: [limits], actor=name)

    def exclusions(self) -> list[Exclusion]:
        """All exclusions on record by name, expired ones too."""
        return sorted(self.catch_up().excluded.values(), key=lambda exclusion: exclusion.name)

    # The ledger ----------------------------------------------------------------------------------

    def _import_names(self) -> NamesImported:
        """Everyone with an account or a wallet before names were recorded."""
        if self._before is None:
            self._before = tuple(dict.fromkeys(self._unregistered_names()))
        return NamesImported(self._before)

    def _unregistered_names(self) -> Iterator[str]:
        """Names of accounts and wallets, which may be older than the roster."""
        # Raw facts: accounts are in a higher layer.
        for entry in self._ledger.entries(ACCOUNTS_STREAM):
            yield from (fact["name"] for fact in entry.facts if fact["fact"] == "person-added")
        with self._ledger.snapshot() as book:
            yield from book.account_names("wallet", apart_from="play")

    def _write(self, decide: Decide, *, actor: str) -> None:
        """Append what `decide` returns; decide again if the roster has changed."""

        def decide_or_skip(read: Roster) -> PendingWrite[Fact] | None:
            facts = decide(self._with_all(read))
            first = [] if read.began else [self._import_names()]
            return PendingWrite([*first, *facts]) if facts else None

        self._writer.write(decide_or_skip, RequestKey(actor))
        self.catch_up()


def _apply_entries(roster: Roster, entries: Iterable[Entry]) -> Roster:
    return apply_events(roster, [fact for entry in entries for fact in FACTS.load_entry(entry)])


def _snapshot(roster: Roster) -> dict[str, Any] | None:
    return dump_roster(roster) if roster.began else None


_INSTANCES: WeakKeyDictionary[Ledger, Persons] = WeakKeyDictionary()
_INSTANCES_LOCK = threading.Lock()


def get_persons(ledger: Ledger) -> Persons:
    """The persons of a ledger, one instance per process."""
    with _INSTANCES_LOCK:
        if ledger not in _INSTANCES:
            _INSTANCES[ledger] = Persons(ledger)
        return _INSTANCES[ledger]


def _require_name(name: str | Refusal) -> str:
    if isinstance(name, Refusal):
        raise PeopleError(name.message)
    return name


def _check_day(until: str | None, zone: str) -> None:
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise PeopleError(say("identity.persons.no-zone", zone=zone)) from None
    try:
        valid = until is None or date.fromisoformat(until).isoformat() == until
    except ValueError:
        valid = False
    if not valid:
        raise PeopleError(say("identity.persons.no-day", until=until))
