"""Accounts as recorded in the ledger: events, the register they add up to, and changes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pitbook.errors import FactError, PeopleError
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Codec, LeftOut
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.people.names import GUEST_PREFIX, display_name, name_error, name_key
from pitbook.sheets.findings import did_you_mean
from pitbook.text import say

Role = Literal[
    "guest", "player", "dealer", "supervisor", "auditor", "organiser", "brush", "cashier"
]
ROLES: tuple[Role, ...] = get_args(Role)
NOT_RECORDED = ""  # A time that is not on record; None is on record, and means at once.

STREAM = register("people", moves_no_money, module=__name__)
FACTS: Codec[Fact] = Codec("the register")


@FACTS.fact("person-added")
class PersonAdded(NamedTuple):
    """Somebody new."""

    name: str
    role: Role


@FACTS.fact("password-set")
class PasswordSet(NamedTuple):
    """A new password, sealed; sign-ins of before end."""

    name: str
    hash: str


@FACTS.fact("password-refused")
class PasswordRefused(NamedTuple):
    """Somebody who is signed in did not know the own password."""

    name: str


@FACTS.fact("role-changed")
class RoleChanged(NamedTuple):
    """Another role; sign-ins of before end."""

    name: str
    role: Role
    before: Role


@FACTS.fact("disabled")
class Disabled(NamedTuple):
    """Let in no more."""

    name: str
    why: str


@FACTS.fact("enabled")
class Enabled(NamedTuple):
    """Let in again."""

    name: str
    why: str


@FACTS.fact("unlocked")
class Unlocked(NamedTuple):
    """What failed is forgiven."""

    name: str


@FACTS.fact("signed-in")
class SignedIn(NamedTuple):
    """Somebody came in; by which code of the second factor, if there is one."""

    name: str
    step: LeftOut[int | None] = None
    recovery: LeftOut[int | None] = None


@FACTS.fact("sign-in-failed")
class SignInFailed(NamedTuple):
    """A wrong password: how many in a row, and until when the next one waits.

    At a known device nothing is counted; older books do not say how many.
    """

    name: str
    known: LeftOut[bool] = False
    count: LeftOut[int | None] = None  # type: ignore[assignment]  # As it is called on record.
    until: LeftOut[str | None] = NOT_RECORDED


@FACTS.fact("code-failed")
class CodeFailed(NamedTuple):
    """A wrong code of the second factor; older books do not count those at known devices."""

    name: str
    known: LeftOut[bool] = False
    count: LeftOut[int | None] = None  # type: ignore[assignment]  # As it is called on record.
    until: LeftOut[str | None] = NOT_RECORDED


@FACTS.fact("factor-set")
class FactorSet(NamedTuple):
    """A second factor, sealed, and the code that confirmed it; sign-ins of before end."""

    name: str
    step: int
    sealed: str


@FACTS.fact("factor-removed")
class FactorRemoved(NamedTuple):
    """The password alone from now on; sign-ins of before end."""

    name: str


@FACTS.fact("signed-out")
class SignedOut(NamedTuple):
    """One sign-in ended, which would have ended by itself at some time."""

    name: str
    nonce: str
    expires: str


@FACTS.fact("invited")
class Invited(NamedTuple):
    """A role waits for whoever has the token; alone, all earlier ones are void."""

    role: Role
    token: str
    only: bool
    until: str


@FACTS.fact("invitation-used")
class InvitationUsed(NamedTuple):
    """An invitation is used up."""

    token: str
    name: str


@FACTS.fact("reset-made")
class ResetMade(NamedTuple):
    """Somebody may set a new password by a link; an earlier one is void."""

    name: str
    token: str
    until: str


@FACTS.fact("reset-used")
class ResetUsed(NamedTuple):
    """A link is used up."""

    name: str
    token: str


PersonEvent: TypeAlias = (  # They change the record of somebody.
    PasswordSet
    | RoleChanged
    | Disabled
    | Enabled
    | Unlocked
    | SignedIn
    | SignInFailed
    | CodeFailed
    | FactorSet
    | FactorRemoved
)
Fact: TypeAlias = (
    PersonEvent
    | PersonAdded
    | PasswordRefused
    | SignedOut
    | Invited
    | InvitationUsed
    | ResetMade
    | ResetUsed
)


MEMBERS: tuple[Role, ...] = ROLES[1:]  # Who has a name and a password.
STAFF: tuple[Role, ...] = tuple(role for role in MEMBERS if role != "player")
RESERVED_NAMES = ("clock", "house", "cage")
RECOVERY_CODES_MAX = 64  # More recovery codes than anybody is given.


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


def apply_entries(register: PeopleRegister, entries: Iterable[Entry]) -> PeopleRegister:
    """The register after some entries of its stream."""
    for entry in entries:
        for fact in FACTS.load_entry(entry):
            register = _apply(register, fact, entry)
        register = register._replace(seq=entry.seq)
    return register


def _apply(register: PeopleRegister, fact: Fact, entry: Entry) -> PeopleRegister:
    match fact:
        case PersonAdded():
            return _put_person(register, PersonRecord(fact.name, fact.role, since=entry.seq))
        case ResetMade():
            others = _drop_links_for(register, fact.name).resets
            made_for = Reset(fact.name, fact.until, entry.actor)
            return register._replace(resets={**others, fact.token: made_for})
        case Invited():
            kept = {} if fact.only else register.invitations
            made = Invitation(fact.role, fact.until, entry.actor)
            return register._replace(invitations={**kept, fact.token: made})
        case InvitationUsed():
            left = {k: v for k, v in register.invitations.items() if k != fact.token}
            return register._replace(invitations=left)
        case SignedOut():  # Those that are over by themselves need not be remembered.
            ended = {nonce: until for nonce, until in register.ended.items() if until > entry.at}
            return register._replace(ended={**ended, fact.nonce: fact.expires})
        case PasswordRefused() | ResetUsed():  # The new password voids the link.
            return register
    return _apply_to_person(register, fact, entry.seq)


def _apply_to_person(register: PeopleRegister, fact: PersonEvent, seq: int) -> PeopleRegister:
    """Somebody's own record after a fact, and what of the links that ends."""
    if (before := register.people.get(fact.name)) is None:
        raise FactError(say("web.people.not-on-record", name=display_name(fact.name)))
    changed = _CHANGES[type(fact)](before, fact, seq)
    register = _drop_links_for(register, fact.name) if isinstance(fact, _VOIDING) else register
    register = _drop_links_by(register, fact.name) if isinstance(fact, _LEAVING) else register
    return _put_person(register, changed)


_VOIDING = (PasswordSet, Disabled)  # A link that waits is for the password of before.
_LEAVING = (Disabled, RoleChanged)  # Who made a link may not make it any more.


def _apply_sign_in(one: PersonRecord, fact: SignedIn, _: int) -> PersonRecord:
    if fact.recovery is not None and not 0 <= fact.recovery < RECOVERY_CODES_MAX:
        raise FactError(say("web.people.no-recovery-code", number=fact.recovery))
    spent = one.spent | (0 if fact.recovery is None else 1 << fact.recovery)
    step = one.step if fact.step is None else fact.step
    return _clear_failures(one)._replace(step=step, spent=spent)


def _clear_failures(one: PersonRecord) -> PersonRecord:
    return _clear_code_failures(one._replace(failures=0, locked=None))


def _clear_code_failures(one: PersonRecord) -> PersonRecord:
    return one._replace(missed=0, missed_until=None, known_missed=0, known_until=None)


def _apply_password_failure(one: PersonRecord, fact: SignInFailed, _: int) -> PersonRecord:
    """A failure at a known device is the device's own affair."""
    if fact.known:
        return one
    failures = one.failures + 1 if fact.count is None else fact.count
    return one._replace(failures=failures, locked=_recorded_or(fact.until, one.locked))


def _apply_factor(one: PersonRecord, fact: FactorSet, seq: int) -> PersonRecord:
    made = one._replace(factor=fact.sealed, step=fact.step, spent=0)
    return _clear_code_failures(made)._replace(since=seq)


def _apply_code_failure(one: PersonRecord, fact: CodeFailed, _: int) -> PersonRecord:
    """In older books a wrong code at a known device was not counted."""
    if fact.known:
        count = one.known_missed if fact.count is None else fact.count
        return one._replace(
            known_missed=count, known_until=_recorded_or(fact.until, one.known_until)
        )
    count = one.missed if fact.count is None else fact.count
    return one._replace(missed=count, missed_until=_recorded_or(fact.until, one.missed_until))


def _recorded_or(until: str | None, before: str | None) -> str | None:
    return before if until == NOT_RECORDED else until


_CHANGES: dict[type, Callable[[PersonRecord, Any, int], PersonRecord]] = {
    PasswordSet: lambda one, fact, seq: one._replace(
        sealed=fact.hash, since=seq, failures=0, locked=None
    ),
    RoleChanged: lambda one, fact, seq: one._replace(role=fact.role, since=seq),
    Disabled: lambda one, _, seq: one._replace(disabled=True, since=seq),
    Enabled: lambda one, *_: one._replace(disabled=False),
    Unlocked: lambda one, *_: _clear_failures(one),
    SignedIn: _apply_sign_in,
    SignInFailed: _apply_password_failure,
    CodeFailed: _apply_code_failure,
    FactorSet: _apply_factor,
    FactorRemoved: lambda one, _, seq: one._replace(factor=None, since=seq),
}


def _drop_links_for(register: PeopleRegister, name: str) -> PeopleRegister:
    """The register without links that somebody could still use."""
    left = {token: one for token, one in register.resets.items() if one.name != name}
    return register._replace(resets=left)


def _drop_links_by(register: PeopleRegister, name: str) -> PeopleRegister:
    """The register without links and invitations that somebody made."""
    invitations = {token: one for token, one in register.invitations.items() if one.by != name}
    resets = {token: one for token, one in register.resets.items() if one.by != name}
    return register._replace(invitations=invitations, resets=resets)


def _put_person(register: PeopleRegister, record: PersonRecord) -> PeopleRegister:
    return register._replace(people={**register.people, record.name: record})


def dump_register(register: PeopleRegister) -> dict[str, Any]:
    """The register as the book keeps it."""
    return {
        "people": [list(one) for one in register.people.values()],
        "invitations": {token: list(one) for token, one in register.invitations.items()},
        "ended": dict(register.ended),
        "resets": {token: list(one) for token, one in register.resets.items()},
    }


def is_complete(kept: Mapping[str, Any]) -> bool:
    """Whether a kept register says who made its links, as the book does; an older one does not."""
    links = [*kept["invitations"].values(), *kept.get("resets", {}).values()]
    return all(len(one) == len(Reset._fields) for one in links)


def load_register(kept: Mapping[str, Any], *, seq: int) -> PeopleRegister:
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


def find_person(register: PeopleRegister, name: str) -> PersonRecord | None:
    """Somebody in the register, however the name is written."""
    if (exact := register.people.get(name)) is not None:
        return exact
    return next(
        (one for one in register.people.values() if name_key(one.name) == name_key(name)), None
    )


def require_person(register: PeopleRegister, name: str) -> PersonRecord:
    """Somebody in the register; raises PeopleError for anybody else."""
    if (found := find_person(register, name)) is None:
        names = sorted(register.people)
        remedy = did_you_mean(name, names) if names else say("web.people.nobody-added")
        raise PeopleError(say("web.people.unknown", name=display_name(name), remedy=remedy))
    return found


def check_new_name(register: PeopleRegister, name: str) -> None:
    """Raise PeopleError unless a new person can have that name."""
    if (no := name_error(name)) is not None:
        raise PeopleError(no)
    if name_key(name).startswith(GUEST_PREFIX) or name_key(name) in RESERVED_NAMES:
        raise PeopleError(say("web.people.houses-own", name=display_name(name)))
    if find_person(register, name) is not None:
        raise PeopleError(say("web.people.taken", name=display_name(name)))


def role_change_events(register: PeopleRegister, name: str, role: Role | None) -> list[RoleChanged]:
    """Another role; nothing where it is the one of before."""
    before = require_person(register, name).role
    if role is None or role == before:
        return []
    _require_another_supervisor(register, name)
    return [RoleChanged(name, role, before)]


def unlock_events(register: PeopleRegister, name: str) -> list[Unlocked]:
    """What failed is forgiven, where anything did."""
    record = require_person(register, name)
    waits = record.failures or record.locked or record.missed or record.known_missed
    return [Unlocked(name)] if waits else []


def factor_removal_events(register: PeopleRegister, name: str) -> list[FactorRemoved]:
    """No second factor any more, where there was one."""
    has = require_person(register, name).factor is not None
    return [FactorRemoved(name)] if has else []


def access_change_events(
    register: PeopleRegister, name: str, disabled: bool | None, why: str
) -> list[Disabled] | list[Enabled]:
    """Let in no more, or again."""
    if disabled in (None, require_person(register, name).disabled):
        return []
    if disabled:
        _require_another_supervisor(register, name)
        return [Disabled(name, why)]
    return [Enabled(name, why)]


def active_supervisors(register: PeopleRegister) -> list[PersonRecord]:
    """Who can run the house."""
    return [
        one for one in register.people.values() if one.role == "supervisor" and not one.disabled
    ]


def _require_another_supervisor(register: PeopleRegister, name: str) -> None:
    """Raise PeopleError where nobody else could run the house."""
    left = [one for one in active_supervisors(register) if one.name != name]
    concerned = require_person(register, name)
    if not left and concerned.role == "supervisor" and not concerned.disabled:
        raise PeopleError(say("web.people.only-supervisor", name=concerned.name))
