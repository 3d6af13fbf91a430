"""User accounts: sign-in, invitations, changes by supervisors and owners, password resets."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pitbook.errors import Excluded, LedgerError, PeopleError, ShoeError
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import (
    PendingWrite,
    RequestKey,
    SnapshotPolicy,
    StreamReader,
    StreamWriter,
)
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.night_cache import night_cache
from pitbook.house.people import factors
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.account_register import (
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
from pitbook.house.people.names import display_name, has_mark
from pitbook.house.people.passwords import Passwords
from pitbook.house.people.roster_store import get_persons
from pitbook.house.people.sign_in import (
    Authenticated,
    SignInResult,
    complete_sign_in,
    failed_password_event,
    is_delayed,
)
from pitbook.house.settings import SignInRules
from pitbook.rules.refusals import Refusal
from pitbook.shoe.crypto import Vault
from pitbook.text import Sentence, say

SNAPSHOT_EVERY = 500  # Entries between two kept registers: a start reads fewer than that.

Decide = Callable[[PeopleRegister], Sequence[Fact]]


class People:
    """The accounts of a house. Any process may write to them: each catches up before it decides."""

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
        self.passes = night_cache(ledger)
        policy = SnapshotPolicy(lambda: SNAPSHOT_EVERY, dump_register, _load_snapshot)
        reader = StreamReader(ledger, STREAM, PeopleRegister(), apply_entries, policy)
        self._writer = StreamWriter(reader, FACTS)
        self._check_keys(self.catch_up())

    def _check_keys(self, register: PeopleRegister) -> None:
        """Raise LedgerError if the data folder's keys open no password in the ledger."""
        passwords = [record for record in register.people.values() if record.sealed]
        for record in passwords:
            with suppress(ShoeError):
                self._passwords.unseal(record.name, str(record.sealed))
                return
        if passwords:
            raise LedgerError(say("web.people.other-keys"))

    # Reading -------------------------------------------------------------------------------------

    @property
    def register(self) -> PeopleRegister:
        """Everyone, as far as this process has read the ledger."""
        return self._writer.state

    def catch_up(self) -> PeopleRegister:
        """Everyone, as recorded in the ledger now."""
        return self._writer.catch_up()

    def all(self) -> list[PersonRecord]:
        """Everyone by name, as recorded in the ledger now."""
        return sorted(self.catch_up().people.values())

    def is_locked(self, record: PersonRecord) -> bool:
        """Whether unknown devices must wait before they try this name; known devices need not."""
        return is_delayed(record.locked, self.now())

    def needs_factor(self, person: Person) -> bool:
        """Whether the house requires a second factor that this person has not set up yet."""
        if self.settings.second_factor == "none" or person.role not in STAFF:
            return False
        record = self.register.people.get(person.name)
        return record is not None and record.factor is None

    # Signing in ----------------------------------------------------------------------------------

    def sign_in(
        self, name: str, password: str, *, code: str | None = None, known_device: bool = False
    ) -> Person | None:
        """The person, or None for any wrong credential."""
        authenticated = self.authenticate(name, password, code=code, known_device=known_device)
        return authenticated.person if authenticated else None

    def authenticate(
        self,
        name: str,
        password: str,
        *,
        code: str | None = None,
        known_device: bool = False,
        by_link: bool = False,
    ) -> Authenticated | None:
        """The person, or None for any wrong credential; the time taken is the same.

        Raises Excluded for a player who is excluded, and CodeNeeded or CodeWrong if the account
        has a second factor; only someone with the password gets these. Failures on unknown devices
        do not delay a `known_device`. If the device is known only `by_link`, no code was ever
        given on it, so codes on it count as those of unknown devices.
        """
        matching_seal = self._matching_seal(find_person(self.catch_up(), name), password)
        verdict = SignInResult()

        def decide(register: PeopleRegister) -> Sequence[Fact]:
            nonlocal verdict
            record = find_person(register, name)
            verdict = self._decide_sign_in(
                record, matching_seal, code, known_device=known_device, by_link=by_link
            )
            return verdict.facts

        self.write(decide, actor="")
        if verdict.problem is not None:
            raise verdict.problem
        return verdict.authenticated

    def _decide_sign_in(
        self,
        record: PersonRecord | None,
        matching_seal: str | None,
        code: str | None,
        *,
        known_device: bool,
        by_link: bool,
    ) -> SignInResult:
        if record is None or record.disabled or (self.is_locked(record) and not known_device):
            return SignInResult()
        now = self.now()
        if not matching_seal or record.sealed != matching_seal:
            return SignInResult(
                (failed_password_event(record, now, self.settings, known_device=known_device),)
            )
        sealed_factor = record.factor
        factor = (
            factors.unseal_factor(self.vault, record.name, sealed_factor) if sealed_factor else None
        )
        code_from_known_device = known_device and not by_link
        verdict = complete_sign_in(
            record, factor, code, now, self.settings, known_device=code_from_known_device
        )
        if verdict.authenticated is not None:
            self._check_not_excluded(record)
        return verdict

    def _check_not_excluded(self, record: PersonRecord) -> None:
        """Raise Excluded for an excluded player; excluded staff may work but not play."""
        refusal = AccessList(self.persons.catch_up(), self.now()).exclusion_of(record.name)
        if refusal is not None and record.role == "player":
            raise Excluded(refusal.message)

    def verify_password(self, name: str, password: str) -> str | None:
        """The seal of a signed-in person's password if it matches; a mismatch is recorded."""
        seal = self._matching_seal(require_person(self.catch_up(), name), password)
        if seal is None:
            self.write(lambda _: [PasswordRefused(name)], actor=name)
        return seal

    def end_session(self, name: str, nonce: str, expires: str) -> None:
        """End one session; the person's other sessions continue."""
        fact = SignedOut(name, nonce, expires)
        self.write(lambda register: [] if nonce in register.ended else [fact], actor=name)

    def _matching_seal(self, record: PersonRecord | None, password: str) -> str | None:
        """The sealed password of the record if it matches."""
        name, sealed = (record.name, record.sealed) if record else ("", None)
        return sealed if self._passwords.matches(name, sealed, password) else None

    # Changing ------------------------------------------------------------------------------------

    def add(self, name: str, role: Role, password: str, *, actor: str) -> None:
        """Add a person with a password; a name already on record keeps its spelling."""
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
        """Raise PeopleError if the name is reserved because it plays a tournament by ticket."""
        if (tournament := self.passes.in_play(name)) is not None:
            fields = {"name": display_name(name), "tournament": tournament}
            raise PeopleError(say("web.people.plays-by-ticket", **fields))

    def set_role(self, name: str, role: Role, *, actor: str) -> None:
        """Change the role and end the person's sessions."""
        self.change(name, actor=actor, role=role)

    def set_password(self, name: str, password: str, *, actor: str) -> None:
        """Set a password and end the person's sessions."""
        self.change(name, actor=actor, password=password)

    def disable(self, name: str, *, actor: str, why: str = "") -> None:
        """Block sign-in and end the person's sessions."""
        self.change(name, actor=actor, disabled=True, why=why)

    def enable(self, name: str, *, actor: str, why: str = "") -> None:
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
        """Apply all of these changes or none; omitted ones change nothing."""
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
        return bool(active_supervisors(self.catch_up()))

    def invite(self, role: Role, *, actor: str = "", only: bool = False) -> str:
        """A token that works once for choosing a name and a password; `only` voids earlier ones."""
        token = secrets.token_urlsafe(24)
        until = self.now() + timedelta(hours=self.settings.invitation_hours)
        fact = Invited(role, token_digest(token), only, stamp(until))
        self.write(lambda _: [fact], actor=actor)
        return token

    def role_of_invitation(self, token: str) -> Role | None:
        """The role that a token invites to, or None if it is used, expired or not ours."""
        return self._role_of_invitation(self.catch_up(), token)

    def accept(self, token: str, name: str, password: str) -> Authenticated:
        """Use an invitation; raises PeopleError."""
        if self.role_of_invitation(token) is None:
            raise PeopleError(invalid_invitation())
        self._check_chosen_name(name)
        name = self.persons.resolve_name(name)
        password_set = self.password_event(name, password)
        self.persons.admit(name, actor=name)
        invited: list[Person] = []

        def decide(register: PeopleRegister) -> list[Fact]:
            if (role := self._role_of_invitation(register, token)) is None:
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
        """Raise PeopleError unless the name is new to the house and has no mark."""
        check_new_name(self.register, name)
        existing = self.persons.catch_up().resolve_name(name)
        if (
            isinstance(existing, Refusal)
            or self.persons.catch_up().knows(existing)
            or has_mark(name)
        ):
            raise PeopleError(say("web.people.taken-ask", name=display_name(name)))

    def _role_of_invitation(self, register: PeopleRegister, token: str) -> Role | None:
        invitation = register.invitations.get(token_digest(token))
        if invitation is None or self.now() >= datetime.fromisoformat(invitation.until):
            return None
        return invitation.role

    # The ledger ----------------------------------------------------------------------------------

    def write(self, decide: Decide, *, actor: str) -> int:
        """Write what `decide` returns and return the entry's number; decide again after a conflict.

        Returns 0 if nothing was decided. Later entries may already follow.
        """

        def decide_or_skip(register: PeopleRegister) -> PendingWrite[Fact] | None:
            facts = decide(register)
            return PendingWrite(facts) if facts else None

        written = self._writer.write(decide_or_skip, RequestKey(actor))
        return 0 if written is None else written.receipt.seq

    def password_event(self, name: str, password: str) -> PasswordSet:
        """A password to record; raises PeopleError if the password rules refuse it."""
        sealed = self._passwords.seal(name, password)
        return PasswordSet(name, sealed)


def _load_snapshot(snapshot: dict[str, Any], seq: int) -> PeopleRegister | None:
    return load_register(snapshot, seq=seq) if is_complete(snapshot) else None


def invalid_invitation() -> Sentence:
    return say("web.people.no-invitation")


def token_digest(token: str) -> str:
    """The hash of a token, which the ledger stores in its place."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


class WrongPassword(PeopleError):
    """A signed-in person typed a wrong password."""


class FactorConfirmed(NamedTuple):
    """Recovery codes, and the entry that made the second factor required."""

    codes: list[str]
    since: int


class Accounts:
    """Changes that people make to their own account."""

    def __init__(self, people: People) -> None:
        self._people = people

    def change_password(self, name: str, old: str, new: str) -> int:
        """Set a new password and end all older sessions. Raises PeopleError."""
        seal = self._verify_password(name, old)
        if old == new:
            raise PeopleError(say("web.people.same-password"))
        fact = self._people.password_event(name, new)
        return self._write(name, seal, fact)

    def begin_factor(self, name: str) -> factors.FactorSetup:
        """A secret for the phone; nothing is recorded until a code confirms it."""
        return factors.begin_setup(self._people.vault, name, self._people.now())

    def confirm_factor(self, name: str, password: str, pending: str, code: str) -> FactorConfirmed:
        """Recovery codes, shown only once; all older sessions end. Raises PeopleError."""
        seal = self._verify_password(name, password)
        vault = self._people.vault
        factor, step, codes = factors.confirm_setup(vault, name, pending, code, self._people.now())
        fact = FactorSet(name, step, factors.seal_factor(vault, name, factor))
        return FactorConfirmed(codes, self._write(name, seal, fact))

    def remove_factor(self, name: str, password: str) -> int:
        """Remove the second factor and end all older sessions. Raises PeopleError."""
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
        """Record the change unless the password changed meanwhile or the account is disabled."""

        def decide(register: PeopleRegister) -> list[Fact]:
            record = require_person(register, name)
            if record.sealed != seal or record.disabled:
                raise WrongPassword(say("web.people.wrong-password"))
            return [fact]

        return self._people.write(decide, actor=name)


class ResetLink(NamedTuple):
    """A password reset link that a supervisor hands over."""

    name: str
    token: str
    until: str


class PasswordResets:
    """Password reset links; the ledger stores only their hashes."""

    def __init__(self, people: People) -> None:
        self._people = people

    def make(self, name: str, *, actor: str) -> ResetLink:
        """A link for a person, which voids earlier ones; raises PeopleError."""
        token = secrets.token_urlsafe(24)
        hours = timedelta(hours=self._people.settings.reset_hours)
        until = stamp(self._people.now() + hours)
        owner: list[str] = []

        def decide(register: PeopleRegister) -> list[Fact]:
            record = require_person(register, name)
            if record.disabled:
                raise PeopleError(say("web.people.disabled", name=record.name))
            owner[:] = [record.name]
            return [ResetMade(record.name, token_digest(token), until)]

        self._people.write(decide, actor=actor)
        return ResetLink(owner[0], token, until)

    def owner_of(self, token: str) -> str | None:
        """The person whose password the link sets, or None if it is used, expired or not ours."""
        return self._owner_of(self._people.catch_up(), token)

    def use(self, token: str, password: str) -> Authenticated:
        """Set a password and use up the link; raises PeopleError."""
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
        reset = register.resets.get(token_digest(token))
        if reset is None or self._people.now() >= datetime.fromisoformat(reset.until):
            return None
        record = register.people.get(reset.name)
        return None if record is None or record.disabled else record.name


def invalid_reset_link() -> Sentence:
    return say("web.people.no-reset")
