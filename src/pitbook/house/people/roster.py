"""Everyone the house knows by name, with exclusions, breaks and self-set limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from pitbook.house.ledger.fact_codec import Codec
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
