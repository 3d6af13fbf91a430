"""Who may come in: a register that is read from the book, and passwords nobody can read in it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from pitbook.errors import Excluded, LedgerError, ShoeError
from pitbook.house.ledger.book import Ledger
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.book.passes import passes_of
from pitbook.house.people.names import marked, shown
from pitbook.house.people.persons import persons_of
from pitbook.house.people.roster import Door
from pitbook.house.streams.reading import Keeping, ReadState
from pitbook.house.streams.requests import KnownRequest
from pitbook.house.streams.shell import Shell, Writing
from pitbook.house.web.people import factors
from pitbook.house.web.people.changes import (
    factor_removed,
    role_changed,
    standing_changed,
    supervisors,
    unlocked,
)
from pitbook.house.web.people.entering import Entered, SignInVerdict, failed, is_waiting, passed
from pitbook.house.web.people.facts import (
    FACTS,
    STREAM,
    Fact,
    InvitationUsed,
    Invited,
    PasswordRefused,
    PasswordSet,
    PersonAdded,
    Role,
    SignedOut,
)
from pitbook.house.web.people.passwords import PASSWORD_MAX, Passwords
from pitbook.house.web.people.register import (
    GUEST,
    MEMBERS,
    STAFF,
    PeopleError,
    PeopleRegister,
    Person,
    PersonRecord,
    check_name,
    document,
    evolve,
    is_whole,
    known,
    listed,
    restored,
    stamp,
)
from pitbook.house.web.running.settings import SignInRules
from pitbook.rules.refusals import Refusal
from pitbook.shoe.vault import Vault
from pitbook.text import Sentence, say

__all__ = [
    "GUEST",
    "MEMBERS",
    "PASSWORD_MAX",
    "STREAM",
    "People",
    "PeopleError",
    "Person",
    "Role",
    "digest",
]

KEEP_EVERY = 500  # Entries between two kept registers: a start reads fewer than that.

Deciding = Callable[[PeopleRegister], Sequence[Fact]]


class People:
    """The register of a house. Any process may write to it: each reads on before it decides."""

    def __init__(
        self,
        ledger: Ledger,
        vault: Vault,
        settings: SignInRules | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.settings = settings or SignInRules()
        self.now, self.vault, self._ledger = clock, vault, ledger
        self.persons = persons_of(ledger)
        self._passwords = Passwords(self.settings, vault)
        self.passes = passes_of(ledger)
        keeping = Keeping(lambda: KEEP_EVERY, document, _restored)
        fold = ReadState(ledger, STREAM, PeopleRegister(), evolve, keeping)
        self._shell = Shell(fold, FACTS)
        self._check_keys(self.read_on())

    def _check_keys(self, register: PeopleRegister) -> None:
        """Some secret of the book opens: a new folder on a used server's book has other keys."""
        passwords = [one for one in register.people.values() if one.sealed]
        for record in passwords:
            with suppress(ShoeError):
                self._passwords.opened(record.name, str(record.sealed))
                return
        if passwords:
            raise LedgerError(say("web.people.other-keys"))

    # Reading -------------------------------------------------------------------------------------

    @property
    def register(self) -> PeopleRegister:
        """Everybody, as far as the book was read."""
        return self._shell.state

    def read_on(self) -> PeopleRegister:
        """Everybody as the book has it now."""
        return self._shell.read_on()

    def all(self) -> list[PersonRecord]:
        """Everybody in the register by name, as the book has it now."""
        return sorted(self.read_on().people.values())

    def is_locked(self, record: PersonRecord) -> bool:
        """Whether strangers who try this name have to wait; a known device has not."""
        return is_waiting(record.locked, self.now())

    def needs_factor(self, person: Person) -> bool:
        """Whether somebody has to set up a second factor before anything else."""
        if self.settings.second_factor == "none" or person.role not in STAFF:
            return False
        record = self.register.people.get(person.name)
        return record is not None and record.factor is None

    # Signing in ----------------------------------------------------------------------------------

    def sign_in(
        self, name: str, password: str, *, code: str | None = None, known: bool = False
    ) -> Person | None:
        """Who it is; None for any wrong credential."""
        found = self.enter(name, password, code=code, known=known)
        return found.person if found else None

    def enter(
        self,
        name: str,
        password: str,
        *,
        code: str | None = None,
        known: bool = False,
        by_link: bool = False,
    ) -> Entered | None:
        """Who it is; None for any wrong credential, after the same work and with the same words.

        Raises Excluded for a player who may not come in, CodeNeeded and CodeWrong where there is a
        second factor; only who knows the password hears it. `known` is a device that the person
        signed in with before: strangers' failures do not make it wait. Where it is known `by_link`
        alone, nobody has given a code there, and codes are a stranger's.
        """
        right = self._verified(listed(self.read_on(), name), password)
        verdict = SignInVerdict()

        def decide(register: PeopleRegister) -> Sequence[Fact]:
            nonlocal verdict
            record = listed(register, name)
            verdict = self._judged(record, right, code, known=known, by_link=by_link)
            return verdict.facts

        self.write(decide, actor="")
        if verdict.problem is not None:
            raise verdict.problem
        return verdict.entered

    def _judged(
        self,
        record: PersonRecord | None,
        right: str | None,
        code: str | None,
        *,
        known: bool,
        by_link: bool,
    ) -> SignInVerdict:
        if record is None or record.disabled or (self.is_locked(record) and not known):
            return SignInVerdict()
        now = self.now()
        if not right or record.sealed != right:
            return SignInVerdict((failed(record, now, self.settings, known=known),))
        kept = record.factor
        factor = factors.opened(self.vault, record.name, kept) if kept else None
        seen = known and not by_link
        verdict = passed(record, factor, code, now, self.settings, known=seen)
        if verdict.entered is not None:
            self._let_in(record)
        return verdict

    def _let_in(self, record: PersonRecord) -> None:
        """Staff who are excluded may work; they cannot play."""
        barred = Door(self.persons.read_on(), self.now()).barred(record.name)
        if barred is not None and record.role == "player":
            raise Excluded(barred.message)

    def knows(self, name: str, password: str) -> str | None:
        """The seal of somebody's own password, if this is it; a wrong one goes on record."""
        right = self._verified(known(self.read_on(), name), password)
        if right is None:
            self.write(lambda _: [PasswordRefused(name)], actor=name)
        return right

    def signed_out(self, name: str, nonce: str, expires: str) -> None:
        """One sign-in of somebody ends; others of the same person go on."""
        fact = SignedOut(name, nonce, expires)
        self.write(lambda register: [] if nonce in register.ended else [fact], actor=name)

    def _verified(self, record: PersonRecord | None, password: str) -> str | None:
        """The seal whose password it is."""
        name, sealed = (record.name, record.sealed) if record else ("", None)
        return sealed if self._passwords.opens(name, sealed, password) else None

    # Changing ------------------------------------------------------------------------------------

    def add(self, name: str, role: Role, password: str, *, actor: str) -> None:
        """A new person with a password; somebody on record keeps the name that stands there."""
        check_name(self.read_on(), name)
        name = self.persons.known_as(name)
        self._check_not_in_play(name)
        facts: list[Fact] = [PersonAdded(name, role), self.password_set(name, password)]
        self.persons.admit(name, actor=actor)

        def decide(register: PeopleRegister) -> list[Fact]:
            check_name(register, name)
            self._check_not_in_play(name)
            return facts

        self.write(decide, actor=actor)

    def _check_not_in_play(self, name: str) -> None:
        """Whose seat a ticket is for keeps the name until the tournament is over."""
        if (tournament := self.passes.in_play(name)) is not None:
            fields = {"name": shown(name), "tournament": tournament}
            raise PeopleError(say("web.people.plays-by-ticket", **fields))

    def set_role(self, name: str, role: Role, *, actor: str) -> None:
        """Another role for somebody, whose sign-ins end."""
        self.change(name, actor=actor, role=role)

    def set_password(self, name: str, password: str, *, actor: str) -> None:
        """Another password for somebody, whose sign-ins end."""
        self.change(name, actor=actor, password=password)

    def disable(self, name: str, *, actor: str, why: str = "") -> None:
        """Let somebody in no more; all sign-ins end."""
        self.change(name, actor=actor, disabled=True, why=why)

    def enable(self, name: str, *, actor: str, why: str = "") -> None:
        """Let somebody in again."""
        self.change(name, actor=actor, disabled=False, why=why)

    def unlock(self, name: str, *, actor: str) -> None:
        """Forgive failed sign-ins."""
        self.change(name, actor=actor, unlock=True)

    def change(
        self,
        name: str,
        *,
        actor: str,
        role: Role | None = None,
        password: str | None = None,
        unlock: bool = False,
        forget_factor: bool = False,
        disabled: bool | None = None,
        why: str = "",
    ) -> None:
        """All of these about somebody, or nothing: what is left out stays."""
        name = known(self.read_on(), name).name
        passwords = [] if password is None else [self.password_set(name, password)]

        def decide(register: PeopleRegister) -> list[Fact]:
            return [
                *role_changed(register, name, role),
                *passwords,
                *(unlocked(register, name) if unlock else ()),
                *(factor_removed(register, name) if forget_factor else ()),
                *standing_changed(register, name, disabled, why),
            ]

        self.write(decide, actor=actor)

    # Invitations ---------------------------------------------------------------------------------

    def has_supervisor(self) -> bool:
        """Whether somebody can run the house."""
        return bool(supervisors(self.read_on()))

    def invite(self, role: Role, *, actor: str = "", only: bool = False) -> str:
        """A token that is good once for setting a name and a password; `only` voids all earlier."""
        token = secrets.token_urlsafe(24)
        until = self.now() + timedelta(hours=self.settings.invitation_hours)
        fact = Invited(role, digest(token), only, stamp(until))
        self.write(lambda _: [fact], actor=actor)
        return token

    def invited(self, token: str) -> Role | None:
        """The role that a token invites to; None for one that is used, expired or not ours."""
        return self._invited(self.read_on(), token)

    def accept(self, token: str, name: str, password: str) -> Entered:
        """Use an invitation up; raises PeopleError."""
        if self.invited(token) is None:
            raise PeopleError(no_invitation())
        self._check_own(name)
        name = self.persons.known_as(name)
        password_set = self.password_set(name, password)
        self.persons.admit(name, actor=name)
        invited: list[Person] = []

        def decide(register: PeopleRegister) -> list[Fact]:
            if (role := self._invited(register, token)) is None:
                raise PeopleError(no_invitation())
            invited[:] = [Person(name, role)]
            check_name(register, name)
            self._check_not_in_play(name)
            return [InvitationUsed(digest(token), name), PersonAdded(name, role), password_set]

        since = self.write(decide, actor=name)
        return Entered(invited[0], since)

    def _check_own(self, name: str) -> None:
        """A name that somebody chooses alone is nobody's yet, and no mark tells it apart."""
        check_name(self.register, name)
        taken = self.persons.read_on().known_as(name)
        if isinstance(taken, Refusal) or self.persons.read_on().knows(taken) or marked(name):
            raise PeopleError(say("web.people.taken-ask", name=shown(name)))

    def _invited(self, register: PeopleRegister, token: str) -> Role | None:
        found = register.invitations.get(digest(token))
        if found is None or self.now() >= datetime.fromisoformat(found.until):
            return None
        return found.role

    # The book ------------------------------------------------------------------------------------

    def write(self, decide: Deciding, *, actor: str) -> int:
        """Append what is decided on the register as it stands; decided anew if that has changed.

        The entry that it is, which may not be the last one by now; 0 where nothing was decided.
        """

        def made(register: PeopleRegister) -> Writing[Fact] | None:
            facts = decide(register)
            return Writing(facts) if facts else None

        written = self._shell.write(made, KnownRequest(actor))
        return 0 if written is None else written.receipt.seq

    def password_set(self, name: str, password: str) -> PasswordSet:
        """A new password for the record; raises PeopleError for one that nobody may have."""
        sealed = self._passwords.sealed(name, password)
        return PasswordSet(name, sealed)


def _restored(kept: dict[str, Any], seq: int) -> PeopleRegister | None:
    return restored(kept, seq=seq) if is_whole(kept) else None


def no_invitation() -> Sentence:
    """What an invitation is answered that is good for nothing."""
    return say("web.people.no-invitation")


def digest(token: str) -> str:
    """What the book keeps of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
