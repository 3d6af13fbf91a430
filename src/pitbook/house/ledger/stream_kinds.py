"""Kinds of streams, and the audit that each kind registers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import zip_longest
from typing import Any, Protocol, TypeAlias, runtime_checkable

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.hash_chain import Entry
from pitbook.text import say

# Interfaces of an audit.


class AuditReplay(Protocol):
    """Replays a stream entry by entry."""

    def check_entry(self, entry: Entry) -> Iterator[str]:
        """Yield what in an entry does not follow from earlier ones; invalid facts may raise."""

    def is_snapshot_of(self, document: Any) -> bool:
        """Whether a snapshot equals the replayed state."""


@runtime_checkable
class Reconciles(Protocol):
    """A stream whose figures are also compared with other streams and with the accounts."""

    def reconcile(
        self, streams: Mapping[str, AuditReplay], balances: Mapping[Account, int]
    ) -> Iterator[str]:
        """Yield differences after every stream was replayed; `balances` come from the entries."""


ReplayOf = Callable[[str], AuditReplay | None]  # By the stream's name; None for an unknown kind.


class NoMoneyAudit:
    """The audit of a stream whose facts move no money."""

    def check_entry(self, entry: Entry) -> Iterator[str]:
        """Yield a finding for any transfer."""
        return diff_transfers(entry.transfers, ())

    def is_snapshot_of(self, document: Any) -> bool:
        """Always true: the hash alone proves a snapshot without money."""
        return True


def diff_transfers(written: Sequence[Transfer], implied: Sequence[Transfer]) -> Iterator[str]:
    """Yield the first difference between the recorded and the implied transfers."""
    for actual, implied_line in zip_longest(written, implied):
        if actual == implied_line:
            continue
        if actual is not None:
            yield say("ledger.followed.not-implied", found=_describe(actual))
        else:
            yield say("ledger.followed.missing", due=_describe(implied_line))
        return


def _describe(transfer: Transfer) -> str:
    return say(
        "ledger.followed.moves",
        amount=transfer.amount,
        unit=transfer.debit.unit,
        debit=transfer.debit,
        credit=transfer.credit,
        why=transfer.why,
    )


# The registry. The module that defines a kind registers its audit.


Audit: TypeAlias = Callable[[], AuditReplay]

# Every module that registers a kind. Only the audit imports them all, and only when it runs.
MODULES = (
    "pitbook.house.ledger.append_batch",
    "pitbook.house.ledger.ledger",
    "pitbook.house.ledger.recorded_time",
    "pitbook.house.people.roster_store",
    "pitbook.house.table.stream_names",
    "pitbook.house.incidents.log",
    "pitbook.house.pit.disabled",
    "pitbook.house.school.facts",
    "pitbook.house.nights.state",
    "pitbook.house.nights.schedule_files",
    "pitbook.house.people.account_register",
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


def audit_of(stream: str) -> AuditReplay | None:
    """The audit that replays a stream; None if no part of Pitbook writes a stream of that kind."""
    _import_all()
    audit = _AUDITS.get(_kind_of(stream))
    return None if audit is None else audit()


def moves_no_money() -> AuditReplay:
    """The audit of a stream that may hold no transfers."""

    return NoMoneyAudit()


def _kind_of(stream: str) -> str:
    start, slash, _ = stream.partition("/")
    return start + slash


@cache
def _import_all() -> None:
    for module in MODULES:
        import_module(module)
