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
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Codec
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.ledger.stream_reader import SnapshotPolicy, StreamReader
from pitbook.house.ledger.stream_writer import PendingWrite, RequestKey, StreamWriter
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
    """Who was known before names were kept."""

    names: tuple[str, ...]


@FACTS.fact("named")
class NameAdded(NamedTuple):
    """Somebody is known by a name from now on."""

    name: str


@FACTS.fact("joined")
class Joined(NamedTuple):
    """A guest is somebody with a name."""

    guest: str
    name: str


@FACTS.fact("excluded")
class Exclusion(NamedTuple):
    """Somebody is shut out to the end of a day where the house is, or for good."""

    name: str
    until: str | None
    zone: str
    why: str
    by: str
    at: str

    def holds(self, now: datetime) -> bool:
        """Whether it still holds: the day itself is part of it."""
        if self.until is None:
            return True
        return now.astimezone(ZoneInfo(self.zone)).date() <= date.fromisoformat(self.until)


@FACTS.fact("readmitted")
class Readmitted(NamedTuple):
    """An exclusion was ended before its day."""

    name: str
    why: str
    by: str


@FACTS.fact("rest-taken")
class Rest(NamedTuple):
    """Somebody shut themselves out, until a moment or for good; nobody can end it before."""

    name: str
    until: str | None
    at: str

    def holds(self, now: datetime) -> bool:
        """Whether it still holds."""
        return self.until is None or now < datetime.fromisoformat(self.until)


@FACTS.fact("limits-set")
class OwnLimits(NamedTuple):
    """What somebody allows themselves a day: a loss in cents, and minutes; None is no limit."""

    name: str
    loss: int | None
    minutes: int | None
    at: str


Fact: TypeAlias = NamesImported | NameAdded | Joined | Exclusion | Readmitted | Rest | OwnLimits


FOR_GOOD = "9999"  # Behind every moment.
MILDER_LIMIT_DELAY = timedelta(days=1)  # So long a limit stays that is taken away or raised.


class Roster(NamedTuple):
    """Names by what tells people apart; the first that was written is the person's."""

    names: Mapping[str, str] = {}  # By key.
    spelled: frozenset[str] = frozenset()  # Old books have several spellings of one key.
    alike: Mapping[str, str] = {}  # By what a name looks like.
    excluded: Mapping[str, Exclusion] = {}  # By key.
    began: bool = False  # Whether those are on it who were known before names were kept.
    joined: Mapping[str, str] = {}  # Guests who signed in, and as whom.
    rests: Mapping[str, Rest] = {}  # By key: who shut themselves out.
    limits: Mapping[str, tuple[OwnLimits, ...]] = {}  # By key, oldest first: as far as they matter.

    def resolve_name(self, name: str) -> str | Refusal:
        """The name on record of whoever is meant, or a new one; a refusal for a look-alike."""
        if name in self.spelled:
            return name
        if (no := format_error(name)) is not None:
            return Refusal(Code.FORBIDDEN, no)
        if (found := self.names.get(name_key(name))) is not None:
            return found
        for look in confusable_forms(name):
            if (other := self.alike.get(look)) is not None:
                return self._looks_like(name, other)
        if (no := name_error(name)) is not None:
            return Refusal(Code.FORBIDDEN, no)
        return normalize_name(name)

    def guests_of(self, name: str) -> list[str]:
        """As which guests somebody has played before signing in."""
        return [guest for guest, whose in self.joined.items() if whose == name]

    def knows(self, name: str) -> bool:
        """Whether a name is on record as it is written."""
        return name in self.spelled

    def _looks_like(self, name: str, other: str) -> Refusal:
        mark = next_mark(other, frozenset(self.names))
        names = {"name": display_name(name), "other": other, "mark": mark}
        return refuse(Code.FORBIDDEN, "identity.roster.looks-like", **names)


class AccessList(NamedTuple):
    """Who is known and who is shut out at one moment; whoever decides is handed this."""

    roster: Roster
    now: datetime

    def resolve_name(self, name: str) -> str | Refusal:
        """The name on record, a new one, or why it can be nobody's."""
        return self.roster.resolve_name(name)

    def exclusion_of(self, name: str) -> Refusal | None:
        """Why somebody can buy, enter and bet nothing now; a guest who signed in is one person."""
        if (rest := self.break_of(name)) is not None:
            return _break_refusal(rest)
        found = self._exclusion(name) if self.roster.excluded else None
        if found is None:
            return None
        if found.until is None:
            return refuse(Code.EXCLUDED, "identity.roster.excluded", name=found.name)
        until = {"name": found.name, "until": found.until}
        return refuse(Code.EXCLUDED, "identity.roster.excluded-until", **until)

    def break_of(self, name: str) -> Rest | None:
        """The longest break that somebody takes now, under whichever of their names."""
        if not self.roster.rests:
            return None
        own = (self.roster.rests.get(name_key(one)) for one in self._names(name))
        found = [one for one in own if one is not None and one.holds(self.now)]
        return max(found, key=lambda one: one.until or FOR_GOOD, default=None)

    def limits(self, name: str) -> tuple[int | None, int | None]:
        """What somebody allows themselves now: cents of loss, and minutes, a day.

        The strictest of all that was said within a day: more is allowed a day after it was asked.
        """
        if not self.roster.limits:
            return None, None
        since = (self.now - MILDER_LIMIT_DELAY).isoformat()
        said = [
            one for each in self._names(name) for one in self.roster.limits.get(name_key(each), ())
        ]
        before = [one for one in said if one.at <= since]
        counts = [*before[-1:], *(one for one in said if one.at > since)]
        losses = [one.loss for one in counts if one.loss is not None]
        minutes = [one.minutes for one in counts if one.minutes is not None]
        return min(losses, default=None), min(minutes, default=None)

    def _names(self, name: str) -> tuple[str, ...]:
        person = self.roster.joined.get(name, name)
        return (person, *self.roster.guests_of(person))

    def _exclusion(self, name: str) -> Exclusion | None:
        for one in self._names(name):
            found = self.roster.excluded.get(name_key(one))
            if found is not None and found.holds(self.now):
                return found
        return None


def _break_refusal(rest: Rest) -> Refusal:
    if rest.until is None:
        return refuse(Code.EXCLUDED, "identity.roster.rests", player=rest.name)
    until = rest.until[:16].replace("T", " ")
    return refuse(Code.EXCLUDED, "identity.roster.rests-until", player=rest.name, until=until)


OPEN_TO_ALL = AccessList(Roster(), datetime.fromisoformat("0001-01-02T00:00:00+00:00"))


def apply_events(roster: Roster, facts: Iterable[Fact]) -> Roster:
    """The roster after some facts of its stream."""
    names, alike = dict(roster.names), dict(roster.alike)
    spelled, excluded = set(roster.spelled), dict(roster.excluded)
    began, joined = roster.began, dict(roster.joined)
    rests, limits = dict(roster.rests), dict(roster.limits)
    for fact in facts:
        for name in _names_in(fact):
            spelled.add(name)
            names.setdefault(name_key(name), name)
            for look in confusable_forms(name):
                alike.setdefault(look, names[name_key(name)])
        match fact:
            case NamesImported():
                began = True
            case Exclusion():
                excluded[name_key(fact.name)] = fact
            case Readmitted():
                excluded.pop(name_key(fact.name), None)
            case Joined():
                joined.setdefault(fact.guest, fact.name)
            case Rest():
                rests[name_key(fact.name)] = _later_break(rests.get(name_key(fact.name)), fact)
            case OwnLimits():
                limits[name_key(fact.name)] = _relevant_limits(
                    (*limits.get(name_key(fact.name), ()), fact)
                )
    return Roster(names, frozenset(spelled), alike, excluded, began, joined, rests, limits)


def _later_break(one: Rest | None, other: Rest) -> Rest:
    """Of two breaks the one that ends later: a short one does not cut a long one short."""
    if one is None:
        return other
    return max(one, other, key=lambda rest: rest.until or FOR_GOOD)


def _relevant_limits(said: tuple[OwnLimits, ...]) -> tuple[OwnLimits, ...]:
    """What a day back from the last word on still counts."""
    since = (datetime.fromisoformat(said[-1].at) - MILDER_LIMIT_DELAY).isoformat()
    before = [one for one in said if one.at <= since]
    return (*before[-1:], *(one for one in said if one.at > since))


def dump_roster(roster: Roster) -> dict[str, Any]:
    """The roster as the book keeps it; the first spelling of a name stands before the others."""
    first = list(roster.names.values())
    return {
        "names": [*first, *sorted(roster.spelled - set(first))],
        "excluded": [one._asdict() for one in roster.excluded.values()],
        "joined": dict(roster.joined),
        "rests": [one._asdict() for one in roster.rests.values()],
        "limits": [one._asdict() for said in roster.limits.values() for one in said],
    }


def load_roster(kept: Mapping[str, Any]) -> Roster:
    """The roster that was kept."""
    shut = [Exclusion(**one) for one in kept["excluded"]]
    rests = [Rest(**one) for one in kept.get("rests", ())]
    limits = [OwnLimits(**one) for one in kept.get("limits", ())]
    known = NamesImported(tuple(kept["names"]))
    return apply_events(Roster(joined=kept.get("joined", {})), [known, *shut, *rests, *limits])


def _names_in(fact: Fact) -> tuple[str, ...]:
    match fact:
        case NamesImported():
            return fact.names
        case NameAdded() | Exclusion():
            return (fact.name,)
    return ()


STREAM = register("persons", moves_no_money, module=__name__)
ACCOUNTS_STREAM = "people"  # Where the server's register stands in the same book.
ZONE = "America/New_York"
SNAPSHOT_EVERY = 500
RECENT_SECONDS = 1.0  # How soon a table hears of what another process was told.

Decide = Callable[[Roster], Sequence[Fact]]


class Persons:
    """Everybody whom a book knows; safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        policy = SnapshotPolicy(
            lambda: SNAPSHOT_EVERY, _snapshot, lambda kept, _: load_roster(kept)
        )
        reader = StreamReader(ledger, STREAM, Roster(), _apply_entries, policy)
        self._writer = StreamWriter(reader, FACTS)
        self._before: tuple[str, ...] | None = None
        self._read, self._shown = (
            reader.state,
            reader.state,
        )  # With those from before names were kept.
        self._read_at = -RECENT_SECONDS

    def catch_up(self) -> Roster:
        """Everybody as the book has it now."""
        with self._writer.lock:
            self._read_at = time.monotonic()
            return self._with_all(self._writer.catch_up())

    def _with_all(self, read: Roster) -> Roster:
        """A roster with those who were known before names were kept."""
        if read.began:
            self._shown = read
        elif read is not self._read or self._before is None:
            self._shown = apply_events(read, [self._import_names()])
        self._read = read
        return self._shown

    def recent(self) -> Roster:
        """The same as it was a moment ago: a table asks for every wager, and waits for nobody.

        Where the book cannot be read now, nothing can be written to it either.
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
        """Who is known and who is shut out, as it was a moment ago."""
        return AccessList(self.recent(), now)

    def resolve_name(self, name: str) -> str:
        """The name on record, or a new one; raises PeopleError for one that can be nobody's."""
        return _require_name(self.catch_up().resolve_name(name))

    def admit(self, name: str, *, actor: str = "") -> str:
        """The name on record, put there if it is new; raises PeopleError for a look-alike."""

        def decide(roster: Roster) -> Sequence[Fact]:
            made = _require_name(roster.resolve_name(name))
            return [] if roster.knows(made) else [NameAdded(made)]

        self._write(decide, actor=actor)
        return _require_name(self._shown.resolve_name(name))

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
            who = _require_name(roster.resolve_name(name))
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

        if name_key(actor) == name_key(name):
            raise PeopleError(say("identity.persons.not-ones-own"))

        def decide(roster: Roster) -> Sequence[Fact]:
            who = _require_name(roster.resolve_name(name))
            if name_key(who) not in roster.excluded:
                raise PeopleError(say("identity.persons.not-excluded", name=who))
            return [Readmitted(who, why, actor)]

        self._write(decide, actor=actor)
        return self.resolve_name(name)

    def take_break(self, name: str, *, until: datetime | None, now: datetime) -> None:
        """A break by somebody's own hand; it ends at its moment and not before."""
        end = None if until is None else until.isoformat(timespec="seconds")
        made = Rest(name, end, now.isoformat(timespec="seconds"))
        self._write(lambda _: [made], actor=name)

    def set_limits(
        self, name: str, *, loss: int | None, minutes: int | None, now: datetime
    ) -> None:
        """What somebody allows themselves a day; less holds at once, more a day later."""
        made = OwnLimits(name, loss, minutes, now.isoformat(timespec="seconds"))
        self._write(lambda _: [made], actor=name)

    def exclusions(self) -> list[Exclusion]:
        """Every exclusion on record, over or not, by name."""
        return sorted(self.catch_up().excluded.values(), key=lambda one: one.name)

    # The book ------------------------------------------------------------------------------------

    def _import_names(self) -> NamesImported:
        """Who was known before names were kept: everybody with an account or a wallet."""
        if self._before is None:
            self._before = tuple(dict.fromkeys(self._names_before()))
        return NamesImported(self._before)

    def _names_before(self) -> Iterator[str]:
        for entry in self._ledger.entries(
            ACCOUNTS_STREAM
        ):  # Facts of the server, which stands above.
            yield from (one["name"] for one in entry.facts if one["fact"] == "person-added")
        with self._ledger.moment() as book:
            yield from book.named("wallet", apart_from="play")

    def _write(self, decide: Decide, *, actor: str) -> None:
        """Append what is decided on the roster as it stands; decided anew if that has changed."""

        def made(read: Roster) -> PendingWrite[Fact] | None:
            facts = decide(self._with_all(read))
            first = [] if read.began else [self._import_names()]
            return PendingWrite([*first, *facts]) if facts else None

        self._writer.write(made, RequestKey(actor))
        self.catch_up()


def _apply_entries(roster: Roster, entries: Iterable[Entry]) -> Roster:
    """The roster after some entries."""
    return apply_events(roster, [fact for entry in entries for fact in FACTS.load_entry(entry)])


def _snapshot(roster: Roster) -> dict[str, Any] | None:
    return dump_roster(roster) if roster.began else None


_INSTANCES: WeakKeyDictionary[Ledger, Persons] = WeakKeyDictionary()
_INSTANCES_LOCK = threading.Lock()


def get_persons(ledger: Ledger) -> Persons:
    """The persons of a book, one and the same for all who ask in this process."""
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
        right = until is None or date.fromisoformat(until).isoformat() == until
    except ValueError:
        right = False
    if not right:
        raise PeopleError(say("identity.persons.no-day", until=until))
