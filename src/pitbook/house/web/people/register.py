"""Everybody a house knows, as the fold of what the book says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pitbook.errors import FactError, PeopleError
from pitbook.house.ledger.chain import Entry
from pitbook.house.people.guests import GUEST
from pitbook.house.people.names import key, shown, wrong
from pitbook.house.web.people import facts
from pitbook.house.web.people.facts import FACTS, NOT_SAID, ROLES, Fact, OfOne, Role
from pitbook.sheets.findings import did_you_mean
from pitbook.text import say

__all__ = [
    "GUEST",
    "MEMBERS",
    "ROLES",
    "STAFF",
    "Invitation",
    "PeopleError",
    "PeopleRegister",
    "Person",
    "PersonRecord",
    "Reset",
    "Role",
    "check_name",
    "document",
    "evolve",
    "is_whole",
    "known",
    "listed",
    "restored",
    "stamp",
]

MEMBERS: tuple[Role, ...] = ROLES[1:]  # Who has a name and a password.
STAFF: tuple[Role, ...] = tuple(role for role in MEMBERS if role != "player")
RESERVED = ("clock", "house", "cage")
RECOVERY_MAX = 64  # More recovery codes than anybody is given.


class Person(NamedTuple):
    """Who asks, and as what; by a ticket, for which tournament alone."""

    name: str
    role: Role
    tournament: str = ""


class PersonRecord(NamedTuple):
    """What is known of a person; sign-ins from before entry `since` are void.

    Strangers' wrong passwords count in `failures` and make strangers wait until `locked`; wrong
    codes, which only who has the password can give, in `missed`, and those at known devices in
    `known_missed`: each makes the like wait. Of the second factor, codes up to `step`
    are used, and the recovery codes whose bit is set in `spent`.
    """

    name: str
    role: Role
    sealed: str | None = None
    disabled: bool = False
    failures: int = 0
    locked: str | None = None
    since: int = 0
    factor: str | None = None
    step: int = 0
    spent: int = 0
    missed: int = 0
    missed_until: str | None = None
    known_missed: int = 0
    known_until: str | None = None

    @property
    def person(self) -> Person:
        """Name and role."""
        return Person(self.name, self.role)


class Invitation(NamedTuple):
    """A role that waits for somebody, and by whom."""

    role: Role
    until: str
    by: str = ""


class Reset(NamedTuple):
    """Who may set a new password by a link, and by whom."""

    name: str
    until: str
    by: str = ""


class PeopleRegister(NamedTuple):
    """Everybody by name, invitations and links by their token's hash, sign-ins that were ended."""

    seq: int = 0
    people: Mapping[str, PersonRecord] = {}
    invitations: Mapping[str, Invitation] = {}
    ended: Mapping[str, str] = {}
    resets: Mapping[str, Reset] = {}


def evolve(register: PeopleRegister, entries: Iterable[Entry]) -> PeopleRegister:
    """The register after some entries of its stream."""
    for entry in entries:
        for fact in FACTS.told(entry):
            register = _evolve(register, fact, entry)
        register = register._replace(seq=entry.seq)
    return register


def _evolve(register: PeopleRegister, fact: Fact, entry: Entry) -> PeopleRegister:
    match fact:
        case facts.PersonAdded():
            return _with(register, PersonRecord(fact.name, fact.role, since=entry.seq))
        case facts.ResetMade():
            others = _without(register, fact.name).resets
            made_for = Reset(fact.name, fact.until, entry.actor)
            return register._replace(resets={**others, fact.token: made_for})
        case facts.Invited():
            kept = {} if fact.only else register.invitations
            made = Invitation(fact.role, fact.until, entry.actor)
            return register._replace(invitations={**kept, fact.token: made})
        case facts.InvitationUsed():
            left = {k: v for k, v in register.invitations.items() if k != fact.token}
            return register._replace(invitations=left)
        case facts.SignedOut():  # Those that are over by themselves need not be remembered.
            ended = {nonce: until for nonce, until in register.ended.items() if until > entry.at}
            return register._replace(ended={**ended, fact.nonce: fact.expires})
        case facts.PasswordRefused() | facts.ResetUsed():  # The new password voids the link.
            return register
    return _changed(register, fact, entry.seq)


def _changed(register: PeopleRegister, fact: OfOne, seq: int) -> PeopleRegister:
    """Somebody's own record after a fact, and what of the links that ends."""
    if (before := register.people.get(fact.name)) is None:
        raise FactError(say("web.people.not-on-record", name=shown(fact.name)))
    changed = _CHANGES[type(fact)](before, fact, seq)
    register = _without(register, fact.name) if isinstance(fact, _VOIDING) else register
    register = _without_links_by(register, fact.name) if isinstance(fact, _LEAVING) else register
    return _with(register, changed)


_VOIDING = (facts.PasswordSet, facts.Disabled)  # A link that waits is for the password of before.
_LEAVING = (facts.Disabled, facts.RoleChanged)  # Who made a link may not make it any more.


def _signed_in(one: PersonRecord, fact: facts.SignedIn, _: int) -> PersonRecord:
    if fact.recovery is not None and not 0 <= fact.recovery < RECOVERY_MAX:
        raise FactError(say("web.people.no-recovery-code", number=fact.recovery))
    spent = one.spent | (0 if fact.recovery is None else 1 << fact.recovery)
    step = one.step if fact.step is None else fact.step
    return _forgiven(one)._replace(step=step, spent=spent)


def _forgiven(one: PersonRecord) -> PersonRecord:
    return _codes_forgiven(one._replace(failures=0, locked=None))


def _codes_forgiven(one: PersonRecord) -> PersonRecord:
    return one._replace(missed=0, missed_until=None, known_missed=0, known_until=None)


def _failed(one: PersonRecord, fact: facts.SignInFailed, _: int) -> PersonRecord:
    """A failure at a known device is the device's own affair."""
    if fact.known:
        return one
    failures = one.failures + 1 if fact.count is None else fact.count
    return one._replace(failures=failures, locked=_said(fact.until, one.locked))


def _factor_set(one: PersonRecord, fact: facts.FactorSet, seq: int) -> PersonRecord:
    made = one._replace(factor=fact.sealed, step=fact.step, spent=0)
    return _codes_forgiven(made)._replace(since=seq)


def _code_failed(one: PersonRecord, fact: facts.CodeFailed, _: int) -> PersonRecord:
    """In older books a wrong code at a known device was not counted."""
    if fact.known:
        count = one.known_missed if fact.count is None else fact.count
        return one._replace(known_missed=count, known_until=_said(fact.until, one.known_until))
    count = one.missed if fact.count is None else fact.count
    return one._replace(missed=count, missed_until=_said(fact.until, one.missed_until))


def _said(until: str | None, before: str | None) -> str | None:
    return before if until == NOT_SAID else until


_CHANGES: dict[type, Callable[[PersonRecord, Any, int], PersonRecord]] = {
    facts.PasswordSet: lambda one, fact, seq: one._replace(
        sealed=fact.hash, since=seq, failures=0, locked=None
    ),
    facts.RoleChanged: lambda one, fact, seq: one._replace(role=fact.role, since=seq),
    facts.Disabled: lambda one, _, seq: one._replace(disabled=True, since=seq),
    facts.Enabled: lambda one, *_: one._replace(disabled=False),
    facts.Unlocked: lambda one, *_: _forgiven(one),
    facts.SignedIn: _signed_in,
    facts.SignInFailed: _failed,
    facts.Locked: lambda one, fact, _: one._replace(failures=0, locked=fact.until),
    facts.CodeFailed: _code_failed,
    facts.FactorSet: _factor_set,
    facts.FactorRemoved: lambda one, _, seq: one._replace(factor=None, since=seq),
}


def _without(register: PeopleRegister, name: str) -> PeopleRegister:
    """The register without links that somebody could still use."""
    left = {token: one for token, one in register.resets.items() if one.name != name}
    return register._replace(resets=left)


def _without_links_by(register: PeopleRegister, name: str) -> PeopleRegister:
    """The register without links and invitations that somebody made."""
    invitations = {token: one for token, one in register.invitations.items() if one.by != name}
    resets = {token: one for token, one in register.resets.items() if one.by != name}
    return register._replace(invitations=invitations, resets=resets)


def _with(register: PeopleRegister, record: PersonRecord) -> PeopleRegister:
    return register._replace(people={**register.people, record.name: record})


def document(register: PeopleRegister) -> dict[str, Any]:
    """The register as the book keeps it."""
    return {
        "people": [list(one) for one in register.people.values()],
        "invitations": {token: list(one) for token, one in register.invitations.items()},
        "ended": dict(register.ended),
        "resets": {token: list(one) for token, one in register.resets.items()},
    }


def is_whole(kept: Mapping[str, Any]) -> bool:
    """Whether a kept register says who made its links, as the book does; an older one does not."""
    links = [*kept["invitations"].values(), *kept.get("resets", {}).values()]
    return all(len(one) == len(Reset._fields) for one in links)


def restored(kept: Mapping[str, Any], *, seq: int) -> PeopleRegister:
    """The register that was kept after an entry."""
    people = [PersonRecord(*one) for one in kept["people"]]
    invitations = {token: Invitation(*one) for token, one in kept["invitations"].items()}
    resets = {token: Reset(*one) for token, one in kept.get("resets", {}).items()}
    return PeopleRegister(
        seq, {one.name: one for one in people}, invitations, kept["ended"], resets
    )


def stamp(at: datetime) -> str:
    """A time as the book writes it, so that earlier is less."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def listed(register: PeopleRegister, name: str) -> PersonRecord | None:
    """Somebody in the register, however the name is written."""
    if (exact := register.people.get(name)) is not None:
        return exact
    return next((one for one in register.people.values() if key(one.name) == key(name)), None)


def known(register: PeopleRegister, name: str) -> PersonRecord:
    """Somebody in the register; raises PeopleError for anybody else."""
    if (found := listed(register, name)) is None:
        names = sorted(register.people)
        remedy = did_you_mean(name, names) if names else say("web.people.nobody-added")
        raise PeopleError(say("web.people.unknown", name=shown(name), remedy=remedy))
    return found


def check_name(register: PeopleRegister, name: str) -> None:
    """Raise PeopleError unless a new person can have that name."""
    if (no := wrong(name)) is not None:
        raise PeopleError(no)
    if key(name).startswith(GUEST) or key(name) in RESERVED:
        raise PeopleError(say("web.people.houses-own", name=shown(name)))
    if listed(register, name) is not None:
        raise PeopleError(say("web.people.taken", name=shown(name)))
