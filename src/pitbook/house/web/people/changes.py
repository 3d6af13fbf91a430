"""What is decided about somebody's standing, as facts; no house is left without a supervisor."""

from __future__ import annotations

from pitbook.errors import PeopleError
from pitbook.house.web.people.facts import (
    Disabled,
    Enabled,
    FactorRemoved,
    Role,
    RoleChanged,
    Unlocked,
)
from pitbook.house.web.people.register import PeopleRegister, PersonRecord, known
from pitbook.text import say

__all__ = [
    "factor_removed",
    "role_changed",
    "standing_changed",
    "supervisors",
    "unlocked",
]


def role_changed(register: PeopleRegister, name: str, role: Role | None) -> list[RoleChanged]:
    """Another role; nothing where it is the one of before."""
    before = known(register, name).role
    if role is None or role == before:
        return []
    _check_supervisor(register, name)
    return [RoleChanged(name, role, before)]


def unlocked(register: PeopleRegister, name: str) -> list[Unlocked]:
    """What failed is forgiven, where anything did."""
    record = known(register, name)
    waits = record.failures or record.locked or record.missed or record.known_missed
    return [Unlocked(name)] if waits else []


def factor_removed(register: PeopleRegister, name: str) -> list[FactorRemoved]:
    """No second factor any more, where there was one."""
    has = known(register, name).factor is not None
    return [FactorRemoved(name)] if has else []


def standing_changed(
    register: PeopleRegister, name: str, disabled: bool | None, why: str
) -> list[Disabled] | list[Enabled]:
    """Let in no more, or again."""
    if disabled in (None, known(register, name).disabled):
        return []
    if disabled:
        _check_supervisor(register, name)
        return [Disabled(name, why)]
    return [Enabled(name, why)]


def supervisors(register: PeopleRegister) -> list[PersonRecord]:
    """Who can run the house."""
    return [
        one for one in register.people.values() if one.role == "supervisor" and not one.disabled
    ]


def _check_supervisor(register: PeopleRegister, name: str) -> None:
    """Raise PeopleError where nobody else could run the house."""
    left = [one for one in supervisors(register) if one.name != name]
    concerned = known(register, name)
    if not left and concerned.role == "supervisor" and not concerned.disabled:
        raise PeopleError(say("web.people.only-supervisor", name=concerned.name))
