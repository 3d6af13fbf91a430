"""What people do about their own account: each time the password is asked for once more."""

from __future__ import annotations

from pitbook.errors import PeopleError
from pitbook.ledger.chain import Fact
from pitbook.web import factors
from pitbook.web.people import People
from pitbook.web.register import Register, known

__all__ = ["Accounts", "WrongPassword"]

SAME = "the new password is the old one; choose another"
WRONG = "the password is wrong"


class WrongPassword(PeopleError):
    """Somebody who is signed in, and does not know the password."""


class Accounts:
    """The own account, of whoever is signed in."""

    def __init__(self, people: People) -> None:
        self._people = people

    def change_password(self, name: str, old: str, new: str) -> None:
        """Another password; every sign-in ends. Raises WrongPassword or PeopleError."""
        seal = self._proved(name, old)
        if old == new:
            raise PeopleError(SAME)
        fact = self._people.password_set(name, new)
        self._write(name, seal, fact)

    def begin_factor(self, name: str) -> factors.Begun:
        """A secret for a phone to take over; nothing is on record before a code confirms it."""
        return factors.begun(self._people.vault, name, self._people.now())

    def confirm_factor(self, name: str, password: str, pending: str, code: str) -> list[str]:
        """Recovery codes, told this once; every sign-in ends. Raises PeopleError."""
        seal = self._proved(name, password)
        vault = self._people.vault
        factor, step, codes = factors.confirmed(vault, name, pending, code, self._people.now())
        fact = {"fact": "factor-set", "name": name, "step": step}
        self._write(name, seal, fact | {"sealed": factors.sealed(vault, name, factor)})
        return codes

    def remove_factor(self, name: str, password: str) -> None:
        """The password alone from now on; every sign-in ends. Raises PeopleError."""
        seal = self._proved(name, password)
        if known(self._people.register, name).factor is None:
            raise PeopleError(f"{name} has no second factor")
        self._write(name, seal, {"fact": "factor-removed", "name": name})

    def _proved(self, name: str, password: str) -> str:
        seal = self._people.knows(name, password)
        if seal is None:
            raise WrongPassword(WRONG)
        return seal

    def _write(self, name: str, seal: str, fact: Fact) -> None:
        """The fact, unless the password that was given is the old one by now."""

        def decide(register: Register) -> list[Fact]:
            if known(register, name).sealed != seal:
                raise WrongPassword(WRONG)
            return [fact]

        self._people.write(decide, actor=name)
