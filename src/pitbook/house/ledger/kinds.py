"""Registry of stream kinds. The module that defines a kind registers its audit."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from pitbook.errors import LedgerError
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.followed import Followed

Audit: TypeAlias = "Callable[[], Followed]"

# Every module that registers a kind. Only the audit imports them all, and only when it runs.
MODULES = (
    "pitbook.house.ledger.batch",
    "pitbook.house.ledger.book",
    "pitbook.house.ledger.clock",
    "pitbook.house.ledger.prune",
    "pitbook.house.people.roster",
    "pitbook.house.table.streams",
    "pitbook.house.incidents.log",
    "pitbook.house.pit.disabled",
    "pitbook.train.daily.facts",
    "pitbook.train.school.facts",
    "pitbook.house.nights.book.state",
    "pitbook.house.nights.book.templates",
    "pitbook.house.people.register",
)
_AUDITS: dict[str, Audit] = {}


def register(kind: str, audit: Audit, *, module: str) -> str:
    """Register a stream name, or a prefix if it ends in "/"; returns the kind."""
    assert module in MODULES, f"list {module} in {__name__}.MODULES, or the audit misses {kind!r}"
    assert kind not in _AUDITS, f"the kind {kind!r} is registered twice"
    _AUDITS[kind] = audit
    return kind


def check_registered(stream: str) -> None:
    """Raise LedgerError for a stream that the audit could not replay."""
    if _kind_of(stream) not in _AUDITS:
        raise LedgerError(say("ledger.kinds.unregistered", stream=stream))


def audit_of(stream: str) -> Followed | None:
    """The audit that replays a stream; None if no part of Pitbook writes a stream of that kind."""
    _import_all()
    audit = _AUDITS.get(_kind_of(stream))
    return None if audit is None else audit()


def moves_no_money() -> Followed:
    """The audit of a stream that may hold no transfers."""
    from pitbook.house.ledger.followed import NoMoney  # noqa: PLC0415  Only the audit needs it.

    return NoMoney()


def _kind_of(stream: str) -> str:
    start, slash, _ = stream.partition("/")
    return start + slash


@cache
def _import_all() -> None:
    for module in MODULES:
        import_module(module)
