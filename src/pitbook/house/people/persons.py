"""Everyone the house knows by name, with exclusions, breaks and self-set limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitbook.errors import LedgerError, PeopleError
from pitbook.house.ledger.fact_codec import Codec
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
from pitbook.house.people.names import (
    confusable_forms,
    display_name,
    format_error,
    name_error,
    name_key,
    next_mark,
    normalize_name,
)
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import say

FACTS: Codec[Fact] = Codec("the register of persons")


@FACTS.fact("taken-up")
class NamesImported(NamedTuple):
    """Names known before names were recorded."""

    names: tuple[str, ...]


@FACTS.fact("named")
class NameAdded(NamedTuple):
    """A name was recorded."""

    name: str


@FACTS.fact("joined")
class Joined(NamedTuple):
    """A guest's play was linked to a person."""

    guest: str
    name: str


@FACTS.fact("excluded")
class Exclusion(NamedTuple):
    """A person is excluded through a day at the house's time zone, or for good."""

    name: str
    until: str | None
    zone: str
    why: str
    by: str
    at: str

    def holds(self, now: datetime) -> bool:
        """Whether it still applies; the last day is included."""
        if self.until is None:
            return True
        return now.astimezone(ZoneInfo(self.zone)).date() <= date.fromisoformat(self.until)


@FACTS.fact("readmitted")
class Readmitted(NamedTuple):
    """An exclusion was lifted early."""

    name: str
    why: str
    by: str


@FACTS.fact("rest-taken")
class OwnBreak(NamedTuple):
    """A break a person took, until a time or permanently. It cannot be ended early."""

    name: str
    until: str | None
    at: str

    def holds(self, now: datetime) -> bool:
        return self.until is None or now < datetime.fromisoformat(self.until)


@FACTS.fact("limits-set")
class OwnLimits(NamedTuple):
    """A person's own daily limits: loss in cents, and minutes; None means no limit."""

    name: str
    loss: int | None
    minutes: int | None
    at: str


Fact: TypeAlias = NamesImported | NameAdded | Joined | Exclusion | Readmitted | OwnBreak | OwnLimits


FOR_GOOD = "9999"  # Later than any time on record.
MILDER_LIMIT_DELAY = timedelta(days=1)  # A raised or removed limit still applies this long.


class Roster(NamedTuple):
    """Names, exclusions, breaks and limits; the first recorded spelling of a name is kept."""

    names: Mapping[str, str] = {}  # By key.
    spelled: frozenset[str] = frozenset()  # Old ledgers have several spellings of one key.
    alike: Mapping[str, str] = {}  # By confusable form.
    excluded: Mapping[str, Exclusion] = {}  # By key.
    began: bool = False  # Whether older names were imported.
    joined: Mapping[str, str] = {}  # Guests who signed in, and their names.
    rests: Mapping[str, OwnBreak] = {}  # By key.
    limits: Mapping[str, tuple[OwnLimits, ...]] = {}  # By key, oldest first.

    def resolve_name(self, name: str) -> str | Refusal:
        """The recorded spelling of a name, the normalized new name, or why it is refused."""
        if name in self.spelled:
            return name
        if (error := format_error(name)) is not None:
            return Refusal(Code.FORBIDDEN, error)
        if (recorded_name := self.names.get(name_key(name))) is not None:
            return recorded_name
        for form in confusable_forms(name):
            if (other := self.alike.get(form)) is not None:
                return self._looks_like(name, other)
        if (error := name_error(name)) is not None:
            return Refusal(Code.FORBIDDEN, error)
        return normalize_name(name)

    def guests_of(self, name: str) -> list[str]:
        """The guests whose play was linked to this person."""
        return [guest for guest, owner in self.joined.items() if owner == name]

    def knows(self, name: str) -> bool:
        """Whether a name is recorded in exactly this spelling."""
        return name in self.spelled

    def _looks_like(self, name: str, other: str) -> Refusal:
        mark = next_mark(other, frozenset(self.names))
        names = {"name": display_name(name), "other": other, "mark": mark}
        return refuse(Code.FORBIDDEN, "identity.roster.looks-like", **names)


class AccessList(NamedTuple):
    """The roster at one moment, for decisions about who may play."""

    roster: Roster
    now: datetime

    def resolve_name(self, name: str) -> str | Refusal:
        """The recorded spelling of a name, the normalized new name, or why it is refused."""
        return self.roster.resolve_name(name)

    def exclusion_of(self, name: str) -> Refusal | None:
        """Why a person may not buy in, enter or bet now; guests count as who they signed in as."""
        if (break_ := self.break_of(name)) is not None:
            return _break_refusal(break_)
        exclusion = self._exclusion(name) if self.roster.excluded else None
        if exclusion is None:
            return None
        if exclusion.until is None:
            return refuse(Code.EXCLUDED, "identity.roster.excluded", name=exclusion.name)
        until = {"name": exclusion.name, "until": exclusion.until}
        return refuse(Code.EXCLUDED, "identity.roster.excluded-until", **until)

    def break_of(self, name: str) -> OwnBreak | None:
        """The person's longest current break, under any name."""
        if not self.roster.rests:
            return None
        breaks = (self.roster.rests.get(name_key(each)) for each in self._names(name))
        current = [break_ for break_ in breaks if break_ is not None and break_.holds(self.now)]
        return max(current, key=lambda break_: break_.until or FOR_GOOD, default=None)

    def limits(self, name: str) -> tuple[int | None, int | None]:
        """The person's current limits per day: loss in cents, and minutes.

        A stricter limit applies at once, a milder one a day after it was set.
        """
        if not self.roster.limits:
            return None, None
        since = (self.now - MILDER_LIMIT_DELAY).isoformat()
        limits = [
            limit
            for each in self._names(name)
            for limit in self.roster.limits.get(name_key(each), ())
        ]
        before = [limit for limit in limits if limit.at <= since]
        in_force = [*before[-1:], *(limit for limit in limits if limit.at > since)]
        losses = [limit.loss for limit in in_force if limit.loss is not None]
        minutes = [limit.minutes for limit in in_force if limit.minutes is not None]
        return min(losses, default=None), min(minutes, default=None)

    def _names(self, name: str) -> tuple[str, ...]:
        person = self.roster.joined.get(name, name)
        return (person, *self.roster.guests_of(person))

    def _exclusion(self, name: str) -> Exclusion | None:
        for each in self._names(name):
            exclusion = self.roster.excluded.get(name_key(each))
            if exclusion is not None and exclusion.holds(self.now):
                return exclusion
        return None


def _break_refusal(break_: OwnBreak) -> Refusal:
    if break_.until is None:
        return refuse(Code.EXCLUDED, "identity.roster.rests", player=break_.name)
    until = break_.until[:16].replace("T", " ")
    return refuse(Code.EXCLUDED, "identity.roster.rests-until", player=break_.name, until=until)


OPEN_TO_ALL = AccessList(Roster(), datetime.fromisoformat("0001-01-02T00:00:00+00:00"))


def apply_events(roster: Roster, facts: Iterable[Fact]) -> Roster:
    """The roster after more events of its stream."""
    names, alike = dict(roster.names), dict(roster.alike)
    spelled, excluded = set(roster.spelled), dict(roster.excluded)
    began, joined = roster.began, dict(roster.joined)
    rests, limits = dict(roster.rests), dict(roster.limits)
    for fact in facts:
        for name in _names_in(fact):
            spelled.add(name)
            names.setdefault(name_key(name), name)
            for form in confusable_forms(name):
                alike.setdefault(form, names[name_key(name)])
        match fact:
            case NamesImported():
                began = True
            case Exclusion():
                excluded[name_key(fact.name)] = fact
            case Readmitted():
                excluded.pop(name_key(fact.name), None)
            case Joined():
                joined.setdefault(fact.guest, fact.name)
            case OwnBreak():
                rests[name_key(fact.name)] = _later_break(rests.get(name_key(fact.name)), fact)
            case OwnLimits():
                limits[name_key(fact.name)] = _relevant_limits(
                    (*limits.get(name_key(fact.name), ()), fact)
                )
    return Roster(names, frozenset(spelled), alike, excluded, began, joined, rests, limits)


def _later_break(earlier: OwnBreak | None, later: OwnBreak) -> OwnBreak:
    """The break that ends later, so that a short one cannot shorten a long one."""
    if earlier is None:
        return later
    return max(earlier, later, key=lambda break_: break_.until or FOR_GOOD)


def _relevant_limits(limits: tuple[OwnLimits, ...]) -> tuple[OwnLimits, ...]:
    """The limits that may still apply a day after the latest one was set."""
    since = (datetime.fromisoformat(limits[-1].at) - MILDER_LIMIT_DELAY).isoformat()
    before = [limit for limit in limits if limit.at <= since]
    return (*before[-1:], *(limit for limit in limits if limit.at > since))


def dump_roster(roster: Roster) -> dict[str, Any]:
    """The roster as stored in a snapshot; first spellings come first."""
    first = list(roster.names.values())
    return {
        "names": [*first, *sorted(roster.spelled - set(first))],
        "excluded": [exclusion._asdict() for exclusion in roster.excluded.values()],
        "joined": dict(roster.joined),
        "rests": [break_._asdict() for break_ in roster.rests.values()],
        "limits": [
            limit._asdict() for person_limits in roster.limits.values() for limit in person_limits
        ],
    }


def load_roster(snapshot: Mapping[str, Any]) -> Roster:
    exclusions = [Exclusion(**fields) for fields in snapshot["excluded"]]
    rests = [OwnBreak(**fields) for fields in snapshot.get("rests", ())]
    limits = [OwnLimits(**fields) for fields in snapshot.get("limits", ())]
    names = NamesImported(tuple(snapshot["names"]))
    return apply_events(
        Roster(joined=snapshot.get("joined", {})), [names, *exclusions, *rests, *limits]
    )


def _names_in(fact: Fact) -> tuple[str, ...]:
    match fact:
        case NamesImported():
            return fact.names
        case NameAdded() | Exclusion():
            return (fact.name,)
    return ()


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
