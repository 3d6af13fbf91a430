"""User accounts: sign-in, invitations, changes by supervisors and owners, password resets."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pitbook.errors import Excluded, LedgerError, PeopleError, ShoeError
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import SnapshotPolicy, StreamReader
from pitbook.house.ledger.stream_writer import PendingWrite, RequestKey, StreamWriter
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.tickets import passes_of
from pitbook.house.people import factors
from pitbook.house.people.names import display_name, has_mark
from pitbook.house.people.passwords import Passwords
from pitbook.house.people.register import (
    FACTS,
    STAFF,
    STREAM,
    Fact,
    FactorRemoved,
    FactorSet,
    InvitationUsed,
    Invited,
    PasswordRefused,
    PasswordSet,
    PeopleRegister,
    Person,
    PersonAdded,
    PersonRecord,
    ResetMade,
    ResetUsed,
    Role,
    SignedOut,
    access_change_events,
    active_supervisors,
    apply_entries,
    check_new_name,
    dump_register,
    factor_removal_events,
    find_person,
    is_complete,
    load_register,
    require_person,
    role_change_events,
    stamp,
    unlock_events,
)
from pitbook.house.people.roster import AccessList, get_persons
from pitbook.house.people.sign_in import (
    Authenticated,
    SignInResult,
    complete_sign_in,
    failed_password_event,
    is_delayed,
)
from pitbook.house.web.settings import SignInRules
from pitbook.rules.refusals import Refusal
from pitbook.shoe.vault import Vault
from pitbook.text import Sentence, say

SNAPSHOT_EVERY = 500  # Entries between two kept registers: a start reads fewer than that.

Decide = Callable[[PeopleRegister], Sequence[Fact]]


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
        self.persons = get_persons(ledger)
        self._passwords = Passwords(self.settings, vault)
        self.passes = passes_of(ledger)
        policy = SnapshotPolicy(lambda: SNAPSHOT_EVERY, dump_register, _load_snapshot)
        reader = StreamReader(ledger, STREAM, PeopleRegister(), apply_entries, policy)
        self._writer = StreamWriter(reader, FACTS)
        self._check_keys(self.catch_up())

    def _check_keys(self, register: PeopleRegister) -> None:
        """Some secret of the book opens: a new folder on a used server's book has other keys."""
        passwords = [one for one in register.people.values() if one.sealed]
        for record in passwords:
            with suppress(ShoeError):
                self._passwords.unseal(record.name, str(record.sealed))
                return
        if passwords:
            raise LedgerError(say("web.people.other-keys"))

    # Reading -------------------------------------------------------------------------------------

    @property
    def register(self) -> PeopleRegister:
        """Everybody, as far as the book was read."""
        return self._writer.state

    def catch_up(self) -> PeopleRegister:
        """Everybody as the book has it now."""
        return self._writer.catch_up()

    def all(self) -> list[PersonRecord]:
        """Everybody in the register by name, as the book has it now."""
        return sorted(self.catch_up().people.values())

    def is_locked(self, record: PersonRecord) -> bool:
        """Whether strangers who try this name have to wait; a known device has not."""
        return is_delayed(record.locked, self.now())

    def needs_factor(self, person: Person) -> bool:
        """Whether somebody has to set up a second factor before anything else."""
        if self.settings.second_factor == "none" or person.role not in STAFF:
            return False
        record = self.register.people.get(person.name)
        return record is not None and record.factor is None

    # Signing in ----------------------------------------------------------------------------------

    def sign_in(
        self, name: str, password: str, *, code: str | None = None, known_device: bool = False
    ) -> Person | None:
        """Who it is; None for any wrong credential."""
        found = self.authenticate(name, password, code=code, known_device=known_device)
        return found.person if found else None

    def authenticate(
        self,
        name: str,
        password: str,
        *,
        code: str | None = None,
        known_device: bool = False,
        by_link: bool = False,
    ) -> Authenticated | None:
        """Who it is; None for any wrong credential, after the same work and with the same words.

        Raises Excluded for a player who may not come in, CodeNeeded and CodeWrong where there is a
        second factor; only who knows the password hears it. `known` is a device that the person
        signed in with before: strangers' failures do not make it wait. Where it is known `by_link`
        alone, nobody has given a code there, and codes are a stranger's.
        """
        right = self._matching_seal(find_person(self.catch_up(), name), password)
        verdict = SignInResult()

        def decide(register: PeopleRegister) -> Sequence[Fact]:
            nonlocal verdict
            record = find_person(register, name)
            verdict = self._decide_sign_in(
                record, right, code, known_device=known_device, by_link=by_link
            )
            return verdict.facts

        self.write(decide, actor="")
        if verdict.problem is not None:
            raise verdict.problem
        return verdict.authenticated

    def _decide_sign_in(
        self,
        record: PersonRecord | None,
        right: str | None,
        code: str | None,
        *,
        known_device: bool,
        by_link: bool,
    ) -> SignInResult:
        if record is None or record.disabled or (self.is_locked(record) and not known_device):
            return SignInResult()
        now = self.now()
        if not right or record.sealed != right:
            return SignInResult(
                (failed_password_event(record, now, self.settings, known_device=known_device),)
            )
        kept = record.factor
        factor = factors.unseal_factor(self.vault, record.name, kept) if kept else None
        seen = known_device and not by_link
        verdict = complete_sign_in(record, factor, code, now, self.settings, known_device=seen)
        if verdict.authenticated is not None:
            self._check_not_excluded(record)
        return verdict

    def _check_not_excluded(self, record: PersonRecord) -> None:
        """Staff who are excluded may work; they cannot play."""
        barred = AccessList(self.persons.catch_up(), self.now()).exclusion_of(record.name)
        if barred is not None and record.role == "player":
            raise Excluded(barred.message)

    def verify_password(self, name: str, password: str) -> str | None:
        """The seal of somebody's own password, if this is it; a wrong one goes on record."""
        right = self._matching_seal(require_person(self.catch_up(), name), password)
        if right is None:
            self.write(lambda _: [PasswordRefused(name)], actor=name)
        return right

    def end_session(self, name: str, nonce: str, expires: str) -> None:
        """One sign-in of somebody ends; others of the same person go on."""
        fact = SignedOut(name, nonce, expires)
        self.write(lambda register: [] if nonce in register.ended else [fact], actor=name)

    def _matching_seal(self, record: PersonRecord | None, password: str) -> str | None:
        """The seal whose password it is."""
        name, sealed = (record.name, record.sealed) if record else ("", None)
        return sealed if self._passwords.matches(name, sealed, password) else None

    # Changing ------------------------------------------------------------------------------------

    def add(self, name: str, role: Role, password: str, *, actor: str) -> None:
        """A new person with a password; somebody on record keeps the name that stands there."""
        check_new_name(self.catch_up(), name)
        name = self.persons.resolve_name(name)
        self._check_not_in_play(name)
        facts: list[Fact] = [PersonAdded(name, role), self.password_event(name, password)]
        self.persons.admit(name, actor=actor)

        def decide(register: PeopleRegister) -> list[Fact]:
            check_new_name(register, name)
            self._check_not_in_play(name)
            return facts

        self.write(decide, actor=actor)

    def _check_not_in_play(self, name: str) -> None:
        """Whose seat a ticket is for keeps the name until the tournament is over."""
        if (tournament := self.passes.in_play(name)) is not None:
            fields = {"name": display_name(name), "tournament": tournament}
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
        name = require_person(self.catch_up(), name).name
        passwords = [] if password is None else [self.password_event(name, password)]

        def decide(register: PeopleRegister) -> list[Fact]:
            return [
                *role_change_events(register, name, role),
                *passwords,
                *(unlock_events(register, name) if unlock else ()),
                *(factor_removal_events(register, name) if forget_factor else ()),
                *access_change_events(register, name, disabled, why),
            ]

        self.write(decide, actor=actor)

    # Invitations ---------------------------------------------------------------------------------

    def has_supervisor(self) -> bool:
        """Whether somebody can run the house."""
        return bool(active_supervisors(self.catch_up()))

    def invite(self, role: Role, *, actor: str = "", only: bool = False) -> str:
        """A token that is good once for setting a name and a password; `only` voids all earlier."""
        token = secrets.token_urlsafe(24)
        until = self.now() + timedelta(hours=self.settings.invitation_hours)
        fact = Invited(role, token_digest(token), only, stamp(until))
        self.write(lambda _: [fact], actor=actor)
        return token

    def invited(self, token: str) -> Role | None:
        """The role that a token invites to; None for one that is used, expired or not ours."""
        return self._invited(self.catch_up(), token)

    def accept(self, token: str, name: str, password: str) -> Authenticated:
        """Use an invitation up; raises PeopleError."""
        if self.invited(token) is None:
            raise PeopleError(invalid_invitation())
        self._check_chosen_name(name)
        name = self.persons.resolve_name(name)
        password_set = self.password_event(name, password)
        self.persons.admit(name, actor=name)
        invited: list[Person] = []

        def decide(register: PeopleRegister) -> list[Fact]:
            if (role := self._invited(register, token)) is None:
                raise PeopleError(invalid_invitation())
            invited[:] = [Person(name, role)]
            check_new_name(register, name)
            self._check_not_in_play(name)
            return [
                InvitationUsed(token_digest(token), name),
                PersonAdded(name, role),
                password_set,
            ]

        since = self.write(decide, actor=name)
        return Authenticated(invited[0], since)

    def _check_chosen_name(self, name: str) -> None:
        """A name that somebody chooses alone is nobody's yet, and no mark tells it apart."""
        check_new_name(self.register, name)
        taken = self.persons.catch_up().resolve_name(name)
        if isinstance(taken, Refusal) or self.persons.catch_up().knows(taken) or has_mark(name):
            raise PeopleError(say("web.people.taken-ask", name=display_name(name)))

    def _invited(self, register: PeopleRegister, token: str) -> Role | None:
        found = register.invitations.get(token_digest(token))
        if found is None or self.now() >= datetime.fromisoformat(found.until):
            return None
        return found.role

    # The book ------------------------------------------------------------------------------------

    def write(self, decide: Decide, *, actor: str) -> int:
        """Append what is decided on the register as it stands; decided anew if that has changed.

        The entry that it is, which may not be the last one by now; 0 where nothing was decided.
        """

        def made(register: PeopleRegister) -> PendingWrite[Fact] | None:
            facts = decide(register)
            return PendingWrite(facts) if facts else None

        written = self._writer.write(made, RequestKey(actor))
        return 0 if written is None else written.receipt.seq

    def password_event(self, name: str, password: str) -> PasswordSet:
        """A new password for the record; raises PeopleError for one that nobody may have."""
        sealed = self._passwords.seal(name, password)
        return PasswordSet(name, sealed)


def _load_snapshot(kept: dict[str, Any], seq: int) -> PeopleRegister | None:
    return load_register(kept, seq=seq) if is_complete(kept) else None


def invalid_invitation() -> Sentence:
    """What an invitation is answered that is good for nothing."""
    return say("web.people.no-invitation")


def token_digest(token: str) -> str:
    """What the book keeps of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class WrongPassword(PeopleError):
    """Somebody who is signed in, and does not know the password."""


class FactorConfirmed(NamedTuple):
    """A second factor's recovery codes, and the entry from which on it is asked for."""

    codes: list[str]
    since: int


class Accounts:
    """The own account, of whoever is signed in."""

    def __init__(self, people: People) -> None:
        self._people = people

    def change_password(self, name: str, old: str, new: str) -> int:
        """Another password; every sign-in from before this entry ends. Raises PeopleError."""
        seal = self._verify_password(name, old)
        if old == new:
            raise PeopleError(say("web.people.same-password"))
        fact = self._people.password_event(name, new)
        return self._write(name, seal, fact)

    def begin_factor(self, name: str) -> factors.FactorSetup:
        """A secret for a phone to take over; nothing is on record before a code confirms it."""
        return factors.begin_setup(self._people.vault, name, self._people.now())

    def confirm_factor(self, name: str, password: str, pending: str, code: str) -> FactorConfirmed:
        """Recovery codes, told this once; every sign-in ends. Raises PeopleError."""
        seal = self._verify_password(name, password)
        vault = self._people.vault
        factor, step, codes = factors.confirm_setup(vault, name, pending, code, self._people.now())
        fact = FactorSet(name, step, factors.seal_factor(vault, name, factor))
        return FactorConfirmed(codes, self._write(name, seal, fact))

    def remove_factor(self, name: str, password: str) -> int:
        """The password alone from now on; every sign-in ends. Raises PeopleError."""
        seal = self._verify_password(name, password)
        if require_person(self._people.register, name).factor is None:
            raise PeopleError(say("web.people.no-factor", name=name))
        return self._write(name, seal, FactorRemoved(name))

    def _verify_password(self, name: str, password: str) -> str:
        seal = self._people.verify_password(name, password)
        if seal is None:
            raise WrongPassword(say("web.people.wrong-password"))
        return seal

    def _write(self, name: str, seal: str, fact: Fact) -> int:
        """The fact's entry, unless the password is an old one by now, or lets nobody in."""

        def decide(register: PeopleRegister) -> list[Fact]:
            record = require_person(register, name)
            if record.sealed != seal or record.disabled:
                raise WrongPassword(say("web.people.wrong-password"))
            return [fact]

        return self._people.write(decide, actor=name)


class ResetLink(NamedTuple):
    """What a supervisor hands over."""

    name: str
    token: str
    until: str


class PasswordResets:
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
            record = require_person(register, name)
            if record.disabled:
                raise PeopleError(say("web.people.disabled", name=record.name))
            made[:] = [record.name]
            return [ResetMade(record.name, token_digest(token), until)]

        self._people.write(decide, actor=actor)
        return ResetLink(made[0], token, until)

    def owner_of(self, token: str) -> str | None:
        """Who may set a password with it; None when it is used, expired or not ours."""
        return self._owner_of(self._people.catch_up(), token)

    def use(self, token: str, password: str) -> Authenticated:
        """Set a password and use the link up: whose it is now; raises PeopleError."""
        name = self.owner_of(token)
        if name is None:
            raise PeopleError(invalid_reset_link())
        password_set = self._people.password_event(name, password)

        def decide(register: PeopleRegister) -> list[Fact]:
            if self._owner_of(register, token) != name:
                raise PeopleError(invalid_reset_link())
            return [ResetUsed(name, token_digest(token)), password_set]

        since = self._people.write(decide, actor=name)
        return Authenticated(require_person(self._people.register, name).person, since)

    def _owner_of(self, register: PeopleRegister, token: str) -> str | None:
        found = register.resets.get(token_digest(token))
        if found is None or self._people.now() >= datetime.fromisoformat(found.until):
            return None
        record = register.people.get(found.name)
        return None if record is None or record.disabled else record.name


def invalid_reset_link() -> Sentence:
    """What a link is answered that is good for nothing."""
    return say("web.people.no-reset")
