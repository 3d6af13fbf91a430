"""Everybody the house has ever dealt with by name, and who of them is shut out until when.

The fold of one stream; it asks no clock and no book.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pitbook.house.people.facts import (
    Exclusion,
    Fact,
    Joined,
    Named,
    OwnLimits,
    Readmitted,
    Rest,
    TakenUp,
)
from pitbook.house.people.names import key, looks, malformed, next_mark, shown, written, wrong
from pitbook.rules.refusals import Code, Refusal, refuse

__all__ = ["OPEN", "Door", "Exclusion", "Roster", "document", "evolve", "restored"]


FOR_GOOD = "9999"  # Behind every moment.
LATER = timedelta(days=1)  # So long a limit stays that is taken away or raised.


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

    def known_as(self, name: str) -> str | Refusal:
        """The name on record of whoever is meant, or a new one; a refusal for a look-alike."""
        if name in self.spelled:
            return name
        if (no := malformed(name)) is not None:
            return Refusal(Code.FORBIDDEN, no)
        if (found := self.names.get(key(name))) is not None:
            return found
        for look in looks(name):
            if (other := self.alike.get(look)) is not None:
                return self._looks_like(name, other)
        if (no := wrong(name)) is not None:
            return Refusal(Code.FORBIDDEN, no)
        return written(name)

    def guests_of(self, name: str) -> list[str]:
        """As which guests somebody has played before signing in."""
        return [guest for guest, whose in self.joined.items() if whose == name]

    def knows(self, name: str) -> bool:
        """Whether a name is on record as it is written."""
        return name in self.spelled

    def _looks_like(self, name: str, other: str) -> Refusal:
        mark = next_mark(other, frozenset(self.names))
        names = {"name": shown(name), "other": other, "mark": mark}
        return refuse(Code.FORBIDDEN, "identity.roster.looks-like", **names)


class Door(NamedTuple):
    """Who is known and who is shut out at one moment; whoever decides is handed this."""

    roster: Roster
    now: datetime

    def known_as(self, name: str) -> str | Refusal:
        """The name on record, a new one, or why it can be nobody's."""
        return self.roster.known_as(name)

    def barred(self, name: str) -> Refusal | None:
        """Why somebody can buy, enter and bet nothing now; a guest who signed in is one person."""
        if (rest := self.rest(name)) is not None:
            return _rests(rest)
        found = self._exclusion(name) if self.roster.excluded else None
        if found is None:
            return None
        if found.until is None:
            return refuse(Code.EXCLUDED, "identity.roster.excluded", name=found.name)
        until = {"name": found.name, "until": found.until}
        return refuse(Code.EXCLUDED, "identity.roster.excluded-until", **until)

    def rest(self, name: str) -> Rest | None:
        """The longest break that somebody takes now, under whichever of their names."""
        if not self.roster.rests:
            return None
        own = (self.roster.rests.get(key(one)) for one in self._names(name))
        found = [one for one in own if one is not None and one.holds(self.now)]
        return max(found, key=lambda one: one.until or FOR_GOOD, default=None)

    def limits(self, name: str) -> tuple[int | None, int | None]:
        """What somebody allows themselves now: cents of loss, and minutes, a day.

        The strictest of all that was said within a day: more is allowed a day after it was asked.
        """
        if not self.roster.limits:
            return None, None
        since = (self.now - LATER).isoformat()
        said = [one for each in self._names(name) for one in self.roster.limits.get(key(each), ())]
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
            found = self.roster.excluded.get(key(one))
            if found is not None and found.holds(self.now):
                return found
        return None


def _rests(rest: Rest) -> Refusal:
    if rest.until is None:
        return refuse(Code.EXCLUDED, "identity.roster.rests", player=rest.name)
    until = rest.until[:16].replace("T", " ")
    return refuse(Code.EXCLUDED, "identity.roster.rests-until", player=rest.name, until=until)


OPEN = Door(Roster(), datetime.fromisoformat("0001-01-02T00:00:00+00:00"))


def evolve(roster: Roster, facts: Iterable[Fact]) -> Roster:
    """The roster after some facts of its stream."""
    names, alike = dict(roster.names), dict(roster.alike)
    spelled, excluded = set(roster.spelled), dict(roster.excluded)
    began, joined = roster.began, dict(roster.joined)
    rests, limits = dict(roster.rests), dict(roster.limits)
    for fact in facts:
        for name in _named(fact):
            spelled.add(name)
            names.setdefault(key(name), name)
            for look in looks(name):
                alike.setdefault(look, names[key(name)])
        match fact:
            case TakenUp():
                began = True
            case Exclusion():
                excluded[key(fact.name)] = fact
            case Readmitted():
                excluded.pop(key(fact.name), None)
            case Joined():
                joined.setdefault(fact.guest, fact.name)
            case Rest():
                rests[key(fact.name)] = _longer(rests.get(key(fact.name)), fact)
            case OwnLimits():
                limits[key(fact.name)] = _matter((*limits.get(key(fact.name), ()), fact))
    return Roster(names, frozenset(spelled), alike, excluded, began, joined, rests, limits)


def _longer(one: Rest | None, other: Rest) -> Rest:
    """Of two breaks the one that ends later: a short one does not cut a long one short."""
    if one is None:
        return other
    return max(one, other, key=lambda rest: rest.until or FOR_GOOD)


def _matter(said: tuple[OwnLimits, ...]) -> tuple[OwnLimits, ...]:
    """What a day back from the last word on still counts."""
    since = (datetime.fromisoformat(said[-1].at) - LATER).isoformat()
    before = [one for one in said if one.at <= since]
    return (*before[-1:], *(one for one in said if one.at > since))


def document(roster: Roster) -> dict[str, Any]:
    """The roster as the book keeps it; the first spelling of a name stands before the others."""
    first = list(roster.names.values())
    return {
        "names": [*first, *sorted(roster.spelled - set(first))],
        "excluded": [one._asdict() for one in roster.excluded.values()],
        "joined": dict(roster.joined),
        "rests": [one._asdict() for one in roster.rests.values()],
        "limits": [one._asdict() for said in roster.limits.values() for one in said],
    }


def restored(kept: Mapping[str, Any]) -> Roster:
    """The roster that was kept."""
    shut = [Exclusion(**one) for one in kept["excluded"]]
    rests = [Rest(**one) for one in kept.get("rests", ())]
    limits = [OwnLimits(**one) for one in kept.get("limits", ())]
    known = TakenUp(tuple(kept["names"]))
    return evolve(Roster(joined=kept.get("joined", {})), [known, *shut, *rests, *limits])


def _named(fact: Fact) -> tuple[str, ...]:
    match fact:
        case TakenUp():
            return fact.names
        case Named() | Exclusion():
            return (fact.name,)
    return ()
