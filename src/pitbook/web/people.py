"""Who may come in: a register that is read from the book, and passwords nobody can read in it."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from pitbook.engine.refusals import Refusal
from pitbook.errors import Excluded, LedgerError, ShoeError, Superseded
from pitbook.identity.names import marked, shown
from pitbook.identity.persons import persons_of
from pitbook.identity.roster import Door
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Fact
from pitbook.ledger.writer import utc_now
from pitbook.shoe.vault import Vault
from pitbook.web.register import (
    GUEST,
    MEMBERS,
    PeopleError,
    Person,
    Record,
    Register,
    Role,
    check_name,
    document,
    evolve,
    known,
    listed,
    restored,
    stamp,
)
from pitbook.web.settings import SignIn

__all__ = ["GUEST", "MEMBERS", "STREAM", "People", "PeopleError", "Person", "Role"]

STREAM = "people"
TRIES = 20
KEEP_EVERY = 500  # Entries between two kept registers: a start reads fewer than that.
PASSWORD_MAX = 1_000
HASHES_AT_ONCE = 4  # Each takes tens of megabytes; a crowd at the door must not take them all.

Deciding = Callable[[Register], Sequence[Fact]]


class People:
    """The register of a house. Any process may write to it: each reads on before it decides."""

    def __init__(
        self,
        ledger: Ledger,
        vault: Vault,
        settings: SignIn | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.settings = settings or SignIn()
        self._ledger, self._vault, self._clock = ledger, vault, clock
        self.persons = persons_of(ledger)
        self._hasher = PasswordHasher(
            time_cost=self.settings.argon2_passes,
            memory_cost=self.settings.argon2_kib,
            parallelism=self.settings.argon2_lanes,
        )
        self._nobody = self._hasher.hash(secrets.token_hex(16))
        self._lock = threading.RLock()
        self._hashing = threading.BoundedSemaphore(HASHES_AT_ONCE)
        self._register = Register()
        self._epoch, self._kept = 0, 0
        if (kept := ledger.kept(STREAM)) is not None:
            self._kept, self._register = kept[0], restored(kept[1], seq=kept[0] - 1)
        self._check_keys(self.read_on())

    def _check_keys(self, register: Register) -> None:
        """Some secret of the book opens: a new folder on a used server's book has other keys."""
        passwords = [one for one in register.people.values() if one.sealed]
        for record in passwords:
            with suppress(ShoeError):
                self._opened(record)
                return
        if passwords:
            raise LedgerError(OTHER_KEYS)

    # Reading -------------------------------------------------------------------------------------

    @property
    def register(self) -> Register:
        """Everybody, as far as the book was read."""
        return self._register

    def read_on(self) -> Register:
        """Everybody as the book has it now."""
        with self._lock:
            for entry in self._ledger.entries(STREAM, after=self._register.seq):
                self._register = evolve(self._register, entry)
            return self._register

    def all(self) -> list[Record]:
        """Everybody in the register by name, as the book has it now."""
        return sorted(self.read_on().people.values())

    def is_locked(self, record: Record) -> bool:
        """Whether somebody has failed too often, not long ago."""
        return record.locked is not None and self._clock() < datetime.fromisoformat(record.locked)

    # Signing in ----------------------------------------------------------------------------------

    def sign_in(self, name: str, password: str) -> Person | None:
        """Who it is; None for any wrong credential, after the same work and with the same words.

        Raises Excluded for a player who may not come in; only who knows the password hears it.
        """
        right = self._verified(listed(self.read_on(), name), password)
        person: list[Person] = []

        def decide(register: Register) -> Iterator[Fact]:
            record = listed(register, name)
            person.clear()
            if record is None or record.disabled or self.is_locked(record):
                return
            if right and record.sealed == right:
                self._let_in(record)
                person.append(record.person)
                yield {"fact": "signed-in", "name": record.name}
            else:
                yield from self._failed(record)

        self._write(lambda register: list(decide(register)), actor="")
        return person[0] if person else None

    def _let_in(self, record: Record) -> None:
        """Staff who are excluded may work; they cannot play."""
        barred = Door(self.persons.read_on(), self._clock()).barred(record.name)
        if barred is not None and record.role == "player":
            raise Excluded(barred.message)

    def signed_out(self, name: str, nonce: str, expires: str) -> None:
        """One sign-in of somebody ends; others of the same person go on."""
        fact = {"fact": "signed-out", "name": name, "nonce": nonce, "expires": expires}
        self._write(lambda register: [] if nonce in register.ended else [fact], actor=name)

    def _verified(self, record: Record | None, password: str) -> str | None:
        """The seal whose password it is; nobody's hash is tried where there is none."""
        sealed = record.sealed if record else None
        kept = self._opened(record) if record and sealed else self._nobody
        with self._hashing:
            try:
                self._hasher.verify(kept, _bytes(password[:PASSWORD_MAX]))
            except (VerificationError, InvalidHashError):
                return None
        return sealed

    def _failed(self, record: Record) -> Iterator[Fact]:
        yield {"fact": "sign-in-failed", "name": record.name}
        if record.failures + 1 >= self.settings.failures_max:
            until = self._clock() + timedelta(minutes=self.settings.lock_minutes)
            yield {"fact": "locked", "name": record.name, "until": stamp(until)}

    # Changing ------------------------------------------------------------------------------------

    def add(self, name: str, role: Role, password: str, *, actor: str) -> None:
        """A new person with a password; somebody on record keeps the name that stands there."""
        check_name(self.read_on(), name)
        name = self.persons.known_as(name)
        facts = [_added(name, role), self._password_set(name, password)]
        self.persons.admit(name, actor=actor)

        def decide(register: Register) -> list[Fact]:
            check_name(register, name)
            return facts

        self._write(decide, actor=actor)

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
        disabled: bool | None = None,
        why: str = "",
    ) -> None:
        """All of these about somebody, or nothing: what is left out stays."""
        name = known(self.read_on(), name).name
        passwords = [] if password is None else [self._password_set(name, password)]

        def decide(register: Register) -> list[Fact]:
            return [
                *_role_changed(register, name, role),
                *passwords,
                *(_unlocked(register, name) if unlock else ()),
                *_standing_changed(register, name, disabled, why),
            ]

        self._write(decide, actor=actor)

    # Invitations ---------------------------------------------------------------------------------

    def has_supervisor(self) -> bool:
        """Whether somebody can run the house."""
        return bool(_supervisors(self.read_on()))

    def invite(self, role: Role, *, actor: str = "", only: bool = False) -> str:
        """A token that is good once for setting a name and a password; `only` voids all earlier."""
        token = secrets.token_urlsafe(24)
        until = self._clock() + timedelta(hours=self.settings.invitation_hours)
        fact = {"fact": "invited", "role": role, "token": _digest(token), "only": only}
        self._write(lambda _: [fact | {"until": stamp(until)}], actor=actor)
        return token

    def invited(self, token: str) -> Role | None:
        """The role that a token invites to; None for one that is used, expired or not ours."""
        return self._invited(self.read_on(), token)

    def accept(self, token: str, name: str, password: str) -> Person:
        """Use an invitation up; raises PeopleError."""
        if self.invited(token) is None:
            raise PeopleError(NO_INVITATION)
        self._check_own(name)
        name = self.persons.known_as(name)
        password_set = self._password_set(name, password)
        self.persons.admit(name, actor=name)

        def decide(register: Register) -> list[Fact]:
            role = self._invited(register, token)
            if role is None:
                raise PeopleError(NO_INVITATION)
            check_name(register, name)
            used = {"fact": "invitation-used", "token": _digest(token), "name": name}
            return [used, _added(name, role), password_set]

        self._write(decide, actor=name)
        return self._register.people[name].person

    def _check_own(self, name: str) -> None:
        """A name that somebody chooses alone is nobody's yet, and no mark tells it apart."""
        check_name(self._register, name)
        taken = self.persons.read_on().known_as(name)
        if isinstance(taken, Refusal) or self.persons.read_on().knows(taken) or marked(name):
            raise PeopleError(f'"{shown(name)}" is taken, or looks like a name that is; {STAFF}')

    def _invited(self, register: Register, token: str) -> Role | None:
        found = register.invitations.get(_digest(token))
        if found is None or self._clock() >= datetime.fromisoformat(found.until):
            return None
        return found.role

    # The book ------------------------------------------------------------------------------------

    def _write(self, decide: Deciding, *, actor: str) -> None:
        """Append what is decided on the register as it stands; decided anew if that has changed."""
        with self._lock:
            for _ in range(TRIES):
                if not (facts := decide(self.read_on())):
                    return
                if self._appended(facts, actor):
                    self.read_on()
                    return
                self._epoch = self._ledger.claim(STREAM, actor=actor)
        raise LedgerError("too many processes write to the register at once; try again")

    def _appended(self, facts: Sequence[Fact], actor: str) -> bool:
        if not self._epoch:
            return False
        due = self._register.seq - self._kept >= KEEP_EVERY
        keep = document(self._register) if due else None
        try:
            receipt = self._ledger.append(STREAM, self._epoch, facts, actor=actor, keep=keep)
        except Superseded:
            return False
        self._kept = receipt.seq if due else self._kept
        return True

    def _password_set(self, name: str, password: str) -> Fact:
        least = self.settings.password_min
        if not least <= len(password) <= PASSWORD_MAX:
            raise PeopleError(f"a password has {least} to {PASSWORD_MAX} characters")
        with self._hashing:
            made = self._hasher.hash(_bytes(password))
        return {
            "fact": "password-set",
            "name": name,
            "hash": self._vault.seal(made.encode(), _about(name)),
        }

    def _opened(self, record: Record) -> str:
        return self._vault.unseal(str(record.sealed), _about(record.name)).decode()


OTHER_KEYS = (
    "the book was written with other keys than this data folder has; "
    "copy keys.json here from the folder in which the house was first opened"
)
STAFF = "choose another, or have a supervisor add you"
NO_INVITATION = "this invitation is used, expired or none of ours; ask a supervisor for another"


def _added(name: str, role: Role) -> Fact:
    return {"fact": "person-added", "name": name, "role": role}


def _role_changed(register: Register, name: str, role: Role | None) -> list[Fact]:
    before = known(register, name).role
    if role in (None, before):
        return []
    fact = {"fact": "role-changed", "name": name, "role": role, "before": before}
    return _with_supervisor(register, fact)


def _unlocked(register: Register, name: str) -> list[Fact]:
    record = known(register, name)
    return [{"fact": "unlocked", "name": name}] if record.failures or record.locked else []


def _standing_changed(register: Register, name: str, disabled: bool | None, why: str) -> list[Fact]:
    if disabled in (None, known(register, name).disabled):
        return []
    if disabled:
        return _with_supervisor(register, {"fact": "disabled", "name": name, "why": why})
    return [{"fact": "enabled", "name": name, "why": why}]


def _supervisors(register: Register) -> list[Record]:
    return [
        one for one in register.people.values() if one.role == "supervisor" and not one.disabled
    ]


def _with_supervisor(register: Register, fact: Fact) -> list[Fact]:
    """The fact, unless it would leave nobody to run the house."""
    left = [one for one in _supervisors(register) if one.name != fact["name"]]
    concerned = known(register, fact["name"])
    if not left and concerned.role == "supervisor" and not concerned.disabled:
        raise PeopleError(f'"{concerned.name}" is the only supervisor; add another one first')
    return [fact]


def _bytes(password: str) -> bytes:
    return password.encode(errors="backslashreplace")  # Half a character is one too.


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _about(name: str) -> str:
    return f"password of {name}"
