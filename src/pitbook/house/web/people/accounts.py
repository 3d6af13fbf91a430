"""What people do about their own account: each time the password is asked for once more."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.errors import PeopleError
from pitbook.house.web.people import factors
from pitbook.house.web.people.facts import Fact, FactorRemoved, FactorSet
from pitbook.house.web.people.people import People
from pitbook.house.web.people.register import PeopleRegister, known
from pitbook.text import say

__all__ = ["Accounts", "Confirmed", "WrongPassword"]


class WrongPassword(PeopleError):
    """Somebody who is signed in, and does not know the password."""


class Confirmed(NamedTuple):
    """A second factor's recovery codes, and the entry from which on it is asked for."""

    codes: list[str]
    since: int


class Accounts:
    """The own account, of whoever is signed in."""

    def __init__(self, people: People) -> None:
        self._people = people

    def change_password(self, name: str, old: str, new: str) -> int:
        """Another password; every sign-in from before this entry ends. Raises PeopleError."""
        seal = self._proved(name, old)
        if old == new:
            raise PeopleError(say("web.people.same-password"))
        fact = self._people.password_set(name, new)
        return self._written(name, seal, fact)

    def begin_factor(self, name: str) -> factors.Begun:
        """A secret for a phone to take over; nothing is on record before a code confirms it."""
        return factors.begun(self._people.vault, name, self._people.now())

    def confirm_factor(self, name: str, password: str, pending: str, code: str) -> Confirmed:
        """Recovery codes, told this once; every sign-in ends. Raises PeopleError."""
        seal = self._proved(name, password)
        vault = self._people.vault
        factor, step, codes = factors.confirmed(vault, name, pending, code, self._people.now())
        fact = FactorSet(name, step, factors.sealed(vault, name, factor))
        return Confirmed(codes, self._written(name, seal, fact))

    def remove_factor(self, name: str, password: str) -> int:
        """The password alone from now on; every sign-in ends. Raises PeopleError."""
        seal = self._proved(name, password)
        if known(self._people.register, name).factor is None:
            raise PeopleError(say("web.people.no-factor", name=name))
        return self._written(name, seal, FactorRemoved(name))

    def _proved(self, name: str, password: str) -> str:
        seal = self._people.knows(name, password)
        if seal is None:
            raise WrongPassword(say("web.people.wrong-password"))
        return seal

    def _written(self, name: str, seal: str, fact: Fact) -> int:
        """The fact's entry, unless the password is an old one by now, or lets nobody in."""

        def decide(register: PeopleRegister) -> list[Fact]:
            record = known(register, name)
            if record.sealed != seal or record.disabled:
                raise WrongPassword(say("web.people.wrong-password"))
            return [fact]

        return self._people.write(decide, actor=name)
