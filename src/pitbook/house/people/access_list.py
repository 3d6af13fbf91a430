"""Who may play now: exclusions, breaks and self-set limits in force."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from pitbook.house.people.names import name_key
from pitbook.house.people.roster import FOR_GOOD, MILDER_LIMIT_DELAY, Exclusion, OwnBreak, Roster
from pitbook.rules.refusals import Code, Refusal, refuse


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
