"""What is decided about somebody's standing, as facts; no house is left without a supervisor."""

from __future__ import annotations

from pitbook.errors import PeopleError
from pitbook.ledger.chain import Fact
from pitbook.web.people.register import Record, Register, Role, known

__all__ = [
    "added",
    "factor_removed",
    "role_changed",
    "standing_changed",
    "supervisors",
    "unlocked",
]


def added(name: str, role: Role) -> Fact:
    """Somebody new."""
    return {"fact": "person-added", "name": name, "role": role}


def role_changed(register: Register, name: str, role: Role | None) -> list[Fact]:
    """Another role; nothing where it is the one of before."""
    before = known(register, name).role
    if role in (None, before):
        return []
    fact = {"fact": "role-changed", "name": name, "role": role, "before": before}
    return _with_supervisor(register, fact)


def unlocked(register: Register, name: str) -> list[Fact]:
    """What failed is forgiven, where anything did."""
    record = known(register, name)
    waits = record.failures or record.locked or record.missed or record.known_missed
    return [{"fact": "unlocked", "name": name}] if waits else []


def factor_removed(register: Register, name: str) -> list[Fact]:
    """No second factor any more, where there was one."""
    has = known(register, name).factor is not None
    return [{"fact": "factor-removed", "name": name}] if has else []


def standing_changed(register: Register, name: str, disabled: bool | None, why: str) -> list[Fact]:
    """Let in no more, or again."""
    if disabled in (None, known(register, name).disabled):
        return []
    if disabled:
        return _with_supervisor(register, {"fact": "disabled", "name": name, "why": why})
    return [{"fact": "enabled", "name": name, "why": why}]


def supervisors(register: Register) -> list[Record]:
    """Who can run the house."""
    return [
        one for one in register.people.values() if one.role == "supervisor" and not one.disabled
    ]


def _with_supervisor(register: Register, fact: Fact) -> list[Fact]:
    """The fact, unless it would leave nobody to run the house."""
    left = [one for one in supervisors(register) if one.name != fact["name"]]
    concerned = known(register, fact["name"])
    if not left and concerned.role == "supervisor" and not concerned.disabled:
        raise PeopleError(f'"{concerned.name}" is the only supervisor; add another one first')
    return [fact]
