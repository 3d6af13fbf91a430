"""Everybody a house knows, as the fold of what the book says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, get_args

from pitbook.errors import PeopleError
from pitbook.identity.names import key, shown, wrong
from pitbook.ledger.chain import Entry, Fact
from pitbook.sheets.findings import did_you_mean

__all__ = [
    "GUEST",
    "MEMBERS",
    "ROLES",
    "Invitation",
    "PeopleError",
    "Person",
    "Record",
    "Register",
    "Role",
    "check_name",
    "document",
    "evolve",
    "known",
    "listed",
    "restored",
    "stamp",
]

Role = Literal["guest", "player", "dealer", "supervisor", "auditor", "organiser", "brush"]
ROLES: tuple[Role, ...] = get_args(Role)
MEMBERS: tuple[Role, ...] = ROLES[1:]  # Who has a name and a password.
GUEST = "guest-"
RESERVED = ("clock", "house", "cage")


class Person(NamedTuple):
    """Who asks, and as what."""

    name: str
    role: Role


class Record(NamedTuple):
    """What is known of a person; sign-ins from before entry `since` are void."""

    name: str
    role: Role
    sealed: str | None = None
    disabled: bool = False
    failures: int = 0
    locked: str | None = None
    since: int = 0

    @property
    def person(self) -> Person:
        """Name and role."""
        return Person(self.name, self.role)


class Invitation(NamedTuple):
    """A role that waits for somebody."""

    role: Role
    until: str


class Register(NamedTuple):
    """Everybody by name, invitations by their token's hash, sign-ins that were ended."""

    seq: int = 0
    people: Mapping[str, Record] = {}
    invitations: Mapping[str, Invitation] = {}
    ended: Mapping[str, str] = {}


def evolve(register: Register, entry: Entry) -> Register:
    """The register after an entry of its stream."""
    for fact in entry.facts:
        register = _evolve(register, fact, entry.seq, entry.at)
    return register._replace(seq=entry.seq)


def _evolve(register: Register, fact: Fact, seq: int, at: str) -> Register:
    kind = fact["fact"]
    if kind == "person-added":
        return _with(register, Record(fact["name"], fact["role"], since=seq))
    if kind in _CHANGES:
        return _with(register, _CHANGES[kind](register.people[fact["name"]], fact, seq))
    if kind == "invited":
        kept = {} if fact["only"] else register.invitations
        made = Invitation(fact["role"], fact["until"])
        return register._replace(invitations={**kept, fact["token"]: made})
    if kind == "invitation-used":
        left = {k: v for k, v in register.invitations.items() if k != fact["token"]}
        return register._replace(invitations=left)
    if kind == "signed-out":  # Those that are over by themselves need not be remembered.
        ended = {nonce: until for nonce, until in register.ended.items() if until > at}
        return register._replace(ended={**ended, fact["nonce"]: fact["expires"]})
    return register


_Change = Callable[[Record, Fact, int], Record]
_CHANGES: dict[str, _Change] = {
    "password-set": lambda one, fact, seq: one._replace(
        sealed=fact["hash"], since=seq, failures=0, locked=None
    ),
    "role-changed": lambda one, fact, seq: one._replace(role=fact["role"], since=seq),
    "disabled": lambda one, _, seq: one._replace(disabled=True, since=seq),
    "enabled": lambda one, *_: one._replace(disabled=False),
    "unlocked": lambda one, *_: one._replace(failures=0, locked=None),
    "signed-in": lambda one, *_: one._replace(failures=0, locked=None),
    "sign-in-failed": lambda one, *_: one._replace(failures=one.failures + 1),
    "locked": lambda one, fact, _: one._replace(failures=0, locked=fact["until"]),
}


def _with(register: Register, record: Record) -> Register:
    return register._replace(people={**register.people, record.name: record})


def document(register: Register) -> dict[str, Any]:
    """The register as the book keeps it."""
    return {
        "people": [list(one) for one in register.people.values()],
        "invitations": {token: list(one) for token, one in register.invitations.items()},
        "ended": dict(register.ended),
    }


def restored(kept: Mapping[str, Any], *, seq: int) -> Register:
    """The register that was kept after an entry."""
    people = [Record(*one) for one in kept["people"]]
    invitations = {token: Invitation(*one) for token, one in kept["invitations"].items()}
    return Register(seq, {one.name: one for one in people}, invitations, kept["ended"])


def stamp(at: datetime) -> str:
    """A time as the book writes it, so that earlier is less."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def listed(register: Register, name: str) -> Record | None:
    """Somebody in the register, however the name is written."""
    if (exact := register.people.get(name)) is not None:
        return exact
    return next((one for one in register.people.values() if key(one.name) == key(name)), None)


def known(register: Register, name: str) -> Record:
    """Somebody in the register; raises PeopleError for anybody else."""
    if (found := listed(register, name)) is None:
        names = sorted(register.people)
        remedy = did_you_mean(name, names) if names else "nobody was added yet"
        raise PeopleError(f'nobody is called "{shown(name)}"; {remedy}')
    return found


def check_name(register: Register, name: str) -> None:
    """Raise PeopleError unless a new person can have that name."""
    if (no := wrong(name)) is not None:
        raise PeopleError(no)
    if key(name).startswith(GUEST) or key(name) in RESERVED:
        raise PeopleError(f'"{shown(name)}" is a name that the house uses itself; choose another')
    if listed(register, name) is not None:
        raise PeopleError(f'"{shown(name)}" is taken, or looks like a name that is; {REMEDY}')


REMEDY = 'choose another, or add a mark as in "Zoe (2)"'
