"""Accounts as recorded in the ledger: events, the register they add up to, and changes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from pitbook.errors import FactError, PeopleError
from pitbook.house.ledger.fact_codec import Codec, OmitDefault, StoredAs
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.people.names import GUEST_PREFIX, display_name, name_error, name_key
from pitbook.text import say
from pitbook.text.user_input import did_you_mean

Role = Literal[
    "guest", "player", "dealer", "supervisor", "auditor", "organiser", "brush", "cashier"
]
ROLES: tuple[Role, ...] = get_args(Role)
NOT_RECORDED = ""  # Not recorded, unlike None, which means no delay.

STREAM = register("people", moves_no_money, module=__name__)
FACTS: Codec[Fact] = Codec("the register")


@FACTS.fact("person-added")
class PersonAdded(NamedTuple):
    """An account was created."""

    name: str
    role: Role


@FACTS.fact("password-set")
class PasswordSet(NamedTuple):
    """A new password, sealed; older sessions end."""

    name: str
    hash: str


@FACTS.fact("password-refused")
class PasswordRefused(NamedTuple):
    """A signed-in person typed a wrong password."""

    name: str


@FACTS.fact("role-changed")
class RoleChanged(NamedTuple):
    """A new role; older sessions end."""

    name: str
    role: Role
    before: Role


@FACTS.fact("disabled")
class Disabled(NamedTuple):
    """Sign-in is blocked."""

    name: str
    why: str


@FACTS.fact("enabled")
class Enabled(NamedTuple):
    """Sign-in is allowed again."""

    name: str
    why: str


@FACTS.fact("unlocked")
class Unlocked(NamedTuple):
    """Failed sign-ins are forgiven."""

    name: str


@FACTS.fact("signed-in")
class SignedIn(NamedTuple):
    """A sign-in, with the code of the second factor if one was used."""

    name: str
    step: OmitDefault[int | None] = None
    recovery: OmitDefault[int | None] = None


@FACTS.fact("sign-in-failed")
class SignInFailed(NamedTuple):
    """A wrong password, with the number of failures in a row and the end of the delay.

    Failures on known devices are not counted. Older ledgers do not record the count.
    """

    name: str
    known_device: Annotated[OmitDefault[bool], StoredAs("known")] = False
    failures: Annotated[OmitDefault[int | None], StoredAs("count")] = None
    until: OmitDefault[str | None] = NOT_RECORDED


@FACTS.fact("code-failed")
class CodeFailed(NamedTuple):
    """A wrong code of the second factor. Older ledgers do not count those on known devices."""

    name: str
    known_device: Annotated[OmitDefault[bool], StoredAs("known")] = False
    failures: Annotated[OmitDefault[int | None], StoredAs("count")] = None
    until: OmitDefault[str | None] = NOT_RECORDED


@FACTS.fact("factor-set")
class FactorSet(NamedTuple):
    """A second factor, sealed, and the step of the code that confirmed it; older sessions end."""

    name: str
    step: int
    sealed: str


@FACTS.fact("factor-removed")
class FactorRemoved(NamedTuple):
    """The second factor was removed; older sessions end."""

    name: str


@FACTS.fact("signed-out")
class SignedOut(NamedTuple):
    """One session was ended before it expired."""

    name: str
    nonce: str
    expires: str


@FACTS.fact("invited")
class Invited(NamedTuple):
    """An invitation to a role; `only` voids all earlier ones."""

    role: Role
    token: str
    only: bool
    until: str


@FACTS.fact("invitation-used")
class InvitationUsed(NamedTuple):
    token: str
    name: str


@FACTS.fact("reset-made")
class ResetMade(NamedTuple):
    """A link to set a new password; earlier links are void."""

    name: str
    token: str
    until: str


@FACTS.fact("reset-used")
class ResetUsed(NamedTuple):
    name: str
    token: str


PersonEvent: TypeAlias = (  # Events that change one account.
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


MEMBERS: tuple[Role, ...] = ROLES[1:]  # Roles with a name and a password.
STAFF: tuple[Role, ...] = tuple(role for role in MEMBERS if role != "player")
RESERVED_NAMES = ("clock", "house", "cage")
RECOVERY_CODES_MAX = 64  # More than anyone is given.


class Person(NamedTuple):
    """A caller with its role; a ticket's caller may act in one tournament only."""

    name: str
    role: Role
    tournament: str = ""


class PersonRecord(NamedTuple):
    """An account; sessions from before entry `since` are void.

    Wrong passwords on unknown devices count in `failures` and delay unknown devices until `locked`.
    Wrong codes count in `missed`, those on known devices in `known_missed`, with their own delays.
    Codes up to `step` are used, and so are recovery codes whose bit is set in `spent`.
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
        return Person(self.name, self.role)


class Invitation(NamedTuple):
    """An open invitation to a role."""

    role: Role
    until: str
    by: str = ""


class Reset(NamedTuple):
    """An open password reset link."""

    name: str
    until: str
    by: str = ""


class PeopleRegister(NamedTuple):
    """Accounts by name, invitations and reset links by token hash, and sessions ended early."""

    seq: int = 0
    people: Mapping[str, PersonRecord] = {}
    invitations: Mapping[str, Invitation] = {}
    ended: Mapping[str, str] = {}
    resets: Mapping[str, Reset] = {}


def apply_entries(register: PeopleRegister, entries: Iterable[Entry]) -> PeopleRegister:
    """The register after more entries of its stream."""
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
            remaining = {} if fact.only else register.invitations
            invitation = Invitation(fact.role, fact.until, entry.actor)
            return register._replace(invitations={**remaining, fact.token: invitation})
        case InvitationUsed():
            unused = {
                token: invitation
                for token, invitation in register.invitations.items()
                if token != fact.token
            }
            return register._replace(invitations=unused)
        case SignedOut():  # Forget those that have expired.
            ended = {nonce: until for nonce, until in register.ended.items() if until > entry.at}
            return register._replace(ended={**ended, fact.nonce: fact.expires})
        case PasswordRefused() | ResetUsed():  # The new password voids the link.
            return register
    return _apply_to_person(register, fact, entry.seq)


def _apply_to_person(register: PeopleRegister, fact: PersonEvent, seq: int) -> PeopleRegister:
    """The register after an event about one person, without the links that it voids."""
    if (before := register.people.get(fact.name)) is None:
        raise FactError(say("web.people.not-on-record", name=display_name(fact.name)))
    new_account = _CHANGES[type(fact)](before, fact, seq)
    register = _drop_links_for(register, fact.name) if isinstance(fact, _VOIDING) else register
    register = _drop_links_by(register, fact.name) if isinstance(fact, _LEAVING) else register
    return _put_person(register, new_account)


_VOIDING = (PasswordSet, Disabled)  # Open reset links are for the old password.
_LEAVING = (Disabled, RoleChanged)  # The maker of a link loses the right to make it.


def _apply_sign_in(record: PersonRecord, fact: SignedIn, _: int) -> PersonRecord:
    if fact.recovery is not None and not 0 <= fact.recovery < RECOVERY_CODES_MAX:
        raise FactError(say("web.people.no-recovery-code", number=fact.recovery))
    spent = record.spent | (0 if fact.recovery is None else 1 << fact.recovery)
    step = record.step if fact.step is None else fact.step
    return _clear_failures(record)._replace(step=step, spent=spent)


def _clear_failures(record: PersonRecord) -> PersonRecord:
    return _clear_code_failures(record._replace(failures=0, locked=None))


def _clear_code_failures(record: PersonRecord) -> PersonRecord:
    return record._replace(missed=0, missed_until=None, known_missed=0, known_until=None)


def _apply_password_failure(record: PersonRecord, fact: SignInFailed, _: int) -> PersonRecord:
    """Apply a wrong password; known devices are throttled in memory instead."""
    if fact.known_device:
        return record
    failures = record.failures + 1 if fact.failures is None else fact.failures
    return record._replace(failures=failures, locked=_recorded_or(fact.until, record.locked))


def _apply_factor(record: PersonRecord, fact: FactorSet, seq: int) -> PersonRecord:
    record_with_factor = record._replace(factor=fact.sealed, step=fact.step, spent=0)
    return _clear_code_failures(record_with_factor)._replace(since=seq)


def _apply_code_failure(record: PersonRecord, fact: CodeFailed, _: int) -> PersonRecord:
    """Apply a wrong code; older ledgers do not count those on known devices."""
    if fact.known_device:
        count = record.known_missed if fact.failures is None else fact.failures
        return record._replace(
            known_missed=count, known_until=_recorded_or(fact.until, record.known_until)
        )
    count = record.missed if fact.failures is None else fact.failures
    return record._replace(missed=count, missed_until=_recorded_or(fact.until, record.missed_until))


def _recorded_or(until: str | None, before: str | None) -> str | None:
    return before if until == NOT_RECORDED else until


_CHANGES: dict[type, Callable[[PersonRecord, Any, int], PersonRecord]] = {
    PasswordSet: lambda record, fact, seq: record._replace(
        sealed=fact.hash, since=seq, failures=0, locked=None
    ),
    RoleChanged: lambda record, fact, seq: record._replace(role=fact.role, since=seq),
    Disabled: lambda record, _, seq: record._replace(disabled=True, since=seq),
    Enabled: lambda record, *_: record._replace(disabled=False),
    Unlocked: lambda record, *_: _clear_failures(record),
    SignedIn: _apply_sign_in,
    SignInFailed: _apply_password_failure,
    CodeFailed: _apply_code_failure,
    FactorSet: _apply_factor,
    FactorRemoved: lambda record, _, seq: record._replace(factor=None, since=seq),
}


def _drop_links_for(register: PeopleRegister, name: str) -> PeopleRegister:
    """The register without reset links for this person."""
    others = {token: reset for token, reset in register.resets.items() if reset.name != name}
    return register._replace(resets=others)


def _drop_links_by(register: PeopleRegister, name: str) -> PeopleRegister:
    """The register without links and invitations that this person made."""
    invitations = {
        token: invitation
        for token, invitation in register.invitations.items()
        if invitation.by != name
    }
    resets = {token: reset for token, reset in register.resets.items() if reset.by != name}
    return register._replace(invitations=invitations, resets=resets)


def _put_person(register: PeopleRegister, record: PersonRecord) -> PeopleRegister:
    return register._replace(people={**register.people, record.name: record})


def dump_register(register: PeopleRegister) -> dict[str, Any]:
    """The register as stored in a snapshot."""
    return {
        "people": [list(record) for record in register.people.values()],
        "invitations": {
            token: list(invitation) for token, invitation in register.invitations.items()
        },
        "ended": dict(register.ended),
        "resets": {token: list(reset) for token, reset in register.resets.items()},
    }


def is_complete(snapshot: Mapping[str, Any]) -> bool:
    """Whether a snapshot records who made each link; older ones do not."""
    links = [*snapshot["invitations"].values(), *snapshot.get("resets", {}).values()]
    return all(len(link) == len(Reset._fields) for link in links)


def load_register(snapshot: Mapping[str, Any], *, seq: int) -> PeopleRegister:
    """The register from a snapshot taken at entry `seq`."""
    people = [PersonRecord(*fields) for fields in snapshot["people"]]
    invitations = {token: Invitation(*fields) for token, fields in snapshot["invitations"].items()}
    resets = {token: Reset(*fields) for token, fields in snapshot.get("resets", {}).items()}
    return PeopleRegister(
        seq, {record.name: record for record in people}, invitations, snapshot["ended"], resets
    )


def stamp(at: datetime) -> str:
    """A UTC time in a format that sorts as text."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def find_person(register: PeopleRegister, name: str) -> PersonRecord | None:
    """The account of a name in any spelling."""
    if (exact := register.people.get(name)) is not None:
        return exact
    return next(
        (record for record in register.people.values() if name_key(record.name) == name_key(name)),
        None,
    )


def require_person(register: PeopleRegister, name: str) -> PersonRecord:
    """The account of a name in any spelling; raises PeopleError if there is none."""
    if (record := find_person(register, name)) is None:
        names = sorted(register.people)
        remedy = did_you_mean(name, names) if names else say("web.people.nobody-added")
        raise PeopleError(say("web.people.unknown", name=display_name(name), remedy=remedy))
    return record


def check_new_name(register: PeopleRegister, name: str) -> None:
    """Raise PeopleError unless a new account may have this name."""
    if (error := name_error(name)) is not None:
        raise PeopleError(error)
    if name_key(name).startswith(GUEST_PREFIX) or name_key(name) in RESERVED_NAMES:
        raise PeopleError(say("web.people.houses-own", name=display_name(name)))
    if find_person(register, name) is not None:
        raise PeopleError(say("web.people.taken", name=display_name(name)))


def role_change_events(register: PeopleRegister, name: str, role: Role | None) -> list[RoleChanged]:
    """The change of role, or nothing if it stays the same."""
    before = require_person(register, name).role
    if role is None or role == before:
        return []
    _require_another_supervisor(register, name)
    return [RoleChanged(name, role, before)]


def unlock_events(register: PeopleRegister, name: str) -> list[Unlocked]:
    """Forgiveness of failed sign-ins, if there are any."""
    record = require_person(register, name)
    has_failures = record.failures or record.locked or record.missed or record.known_missed
    return [Unlocked(name)] if has_failures else []


def factor_removal_events(register: PeopleRegister, name: str) -> list[FactorRemoved]:
    """Removal of the second factor, if there is one."""
    has_factor = require_person(register, name).factor is not None
    return [FactorRemoved(name)] if has_factor else []


def access_change_events(
    register: PeopleRegister, name: str, disabled: bool | None, why: str
) -> list[Disabled] | list[Enabled]:
    """The block or its end, or nothing if it stays the same."""
    if disabled in (None, require_person(register, name).disabled):
        return []
    if disabled:
        _require_another_supervisor(register, name)
        return [Disabled(name, why)]
    return [Enabled(name, why)]


def active_supervisors(register: PeopleRegister) -> list[PersonRecord]:
    return [
        record
        for record in register.people.values()
        if record.role == "supervisor" and not record.disabled
    ]


def _require_another_supervisor(register: PeopleRegister, name: str) -> None:
    """Raise PeopleError for the only active supervisor."""
    others = [supervisor for supervisor in active_supervisors(register) if supervisor.name != name]
    record = require_person(register, name)
    if not others and record.role == "supervisor" and not record.disabled:
        raise PeopleError(say("web.people.only-supervisor", name=record.name))
