"""What has happened to accounts, as the book keeps it; the register is the fold of these."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

from pitbook.house.ledger.kinds import moves_no_money, register
from pitbook.house.streams.codec import Codec, LeftOut

__all__ = [
    "FACTS",
    "NOT_SAID",
    "ROLES",
    "STREAM",
    "CodeFailed",
    "Disabled",
    "Enabled",
    "Fact",
    "FactorRemoved",
    "FactorSet",
    "InvitationUsed",
    "Invited",
    "Locked",
    "OfOne",
    "PasswordRefused",
    "PasswordSet",
    "PersonAdded",
    "ResetMade",
    "ResetUsed",
    "Role",
    "RoleChanged",
    "SignInFailed",
    "SignedIn",
    "SignedOut",
    "Unlocked",
]

Role = Literal[
    "guest", "player", "dealer", "supervisor", "auditor", "organiser", "brush", "cashier"
]
ROLES: tuple[Role, ...] = get_args(Role)
NOT_SAID = ""  # A time that is not on record; None is on record, and means at once.

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
    until: LeftOut[str | None] = NOT_SAID


@FACTS.fact("locked")
class Locked(NamedTuple):
    """In older books: so many wrong passwords that the next one waits."""

    name: str
    until: str


@FACTS.fact("code-failed")
class CodeFailed(NamedTuple):
    """A wrong code of the second factor; older books do not count those at known devices."""

    name: str
    known: LeftOut[bool] = False
    count: LeftOut[int | None] = None  # type: ignore[assignment]  # As it is called on record.
    until: LeftOut[str | None] = NOT_SAID


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


OfOne: TypeAlias = (  # They change the record of somebody.
    PasswordSet
    | RoleChanged
    | Disabled
    | Enabled
    | Unlocked
    | SignedIn
    | SignInFailed
    | Locked
    | CodeFailed
    | FactorSet
    | FactorRemoved
)
Fact: TypeAlias = (
    OfOne
    | PersonAdded
    | PasswordRefused
    | SignedOut
    | Invited
    | InvitationUsed
    | ResetMade
    | ResetUsed
)
