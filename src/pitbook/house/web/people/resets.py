"""Who has forgotten a password is handed a link by a supervisor: good once, and not for long."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from pitbook.house.web.people.entering import Entered
from pitbook.house.web.people.facts import Fact, ResetMade, ResetUsed
from pitbook.house.web.people.people import People, PeopleError, digest
from pitbook.house.web.people.register import PeopleRegister, known, stamp
from pitbook.text import Sentence, say

__all__ = ["ResetLink", "Resets", "no_reset"]


class ResetLink(NamedTuple):
    """What a supervisor hands over."""

    name: str
    token: str
    until: str


class Resets:
    """Links of one house; the book keeps their hashes."""

    def __init__(self, people: People) -> None:
        self._people = people

    def make(self, name: str, *, actor: str) -> ResetLink:
        """A link for somebody, which voids an earlier one; raises PeopleError."""
        token = secrets.token_urlsafe(24)
        hours = timedelta(hours=self._people.settings.reset_hours)
        until = stamp(self._people.now() + hours)
        made: list[str] = []

        def decide(register: PeopleRegister) -> list[Fact]:
            record = known(register, name)
            if record.disabled:
                raise PeopleError(say("web.people.disabled", name=record.name))
            made[:] = [record.name]
            return [ResetMade(record.name, digest(token), until)]

        self._people.write(decide, actor=actor)
        return ResetLink(made[0], token, until)

    def whose(self, token: str) -> str | None:
        """Who may set a password with it; None when it is used, expired or not ours."""
        return self._whose(self._people.read_on(), token)

    def use(self, token: str, password: str) -> Entered:
        """Set a password and use the link up: whose it is now; raises PeopleError."""
        name = self.whose(token)
        if name is None:
            raise PeopleError(no_reset())
        password_set = self._people.password_set(name, password)

        def decide(register: PeopleRegister) -> list[Fact]:
            if self._whose(register, token) != name:
                raise PeopleError(no_reset())
            return [ResetUsed(name, digest(token)), password_set]

        since = self._people.write(decide, actor=name)
        return Entered(known(self._people.register, name).person, since)

    def _whose(self, register: PeopleRegister, token: str) -> str | None:
        found = register.resets.get(digest(token))
        if found is None or self._people.now() >= datetime.fromisoformat(found.until):
            return None
        record = register.people.get(found.name)
        return None if record is None or record.disabled else record.name


def no_reset() -> Sentence:
    """What a link is answered that is good for nothing."""
    return say("web.people.no-reset")
