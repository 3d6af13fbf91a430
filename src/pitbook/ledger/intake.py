"""What is handed in is checked in the caller's own thread, before it can trouble anybody else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitbook.errors import LedgerError
from pitbook.ledger.accounts import Account, Transfer, move
from pitbook.ledger.batch import ANCHORS, CHECKPOINTED, KEPT, TAKEN_OVER, Append
from pitbook.ledger.chain import Canonical, canonical
from pitbook.ledger.clock import CHANGED, CLOCK
from pitbook.ledger.prune import PRUNED

TEXT_MAX = 1_000
OWN = frozenset({CLOCK, PRUNED, ANCHORS})  # Streams that only the book itself writes to.
RESERVED = frozenset(
    {TAKEN_OVER, KEPT, PRUNED, CHANGED, CHECKPOINTED}
)  # Only the book itself says these.


def checked(append: Append) -> Append:
    """The append, if the book can keep it as it is; raises LedgerError else."""
    if not append.stream:
        raise LedgerError("a stream needs a name")
    if append.stream in OWN:
        raise LedgerError(f'"{append.stream}" is a stream that only the book itself writes to')
    if append.epoch is not None and type(append.epoch) is not int:
        raise LedgerError(f"{append.epoch!r} is no epoch; claim the stream to get one")
    for what in ("stream", "actor", "request", "body"):
        _text(what, getattr(append, what), optional=what in ("request", "body"))
    return append._replace(
        facts=_facts(_listed(append.facts)),
        transfers=[_transfer(one) for one in _listed(append.transfers)],
        keep=None if append.keep is None else _copied(append.keep),
        at=None,
    )


def _text(what: str, value: Any, *, optional: bool) -> None:
    if value is None and optional:
        return
    if not isinstance(value, str):
        raise LedgerError(f"the {what} of an append is text, not {value!r}")
    if "\0" in value or not _encodes(value):
        raise LedgerError(f"the {what} of an append holds a character that no book can keep")
    if len(value) > TEXT_MAX and what != "body":
        raise LedgerError(f"the {what} of an append is longer than {TEXT_MAX} characters")


def _facts(many: list[Any]) -> list[Canonical]:
    """All of them in one text, as the journal has them one behind the other."""
    for fact in many:
        name = fact.get("fact") if isinstance(fact, Mapping) else None
        if not isinstance(name, str):
            raise LedgerError('a fact is an object with a text "fact" that says what happened')
        if name in RESERVED:
            raise LedgerError(f'"{name}" is a fact that only the book itself writes')
    return [Canonical(_copied(many)[1:-1])] if many else []


def _copied(document: Any) -> Canonical:
    """What will be written, whatever the caller does with the document meanwhile."""
    try:
        written = canonical(document)
    except RecursionError:
        raise LedgerError("a fact that is nested too deeply cannot be kept") from None
    if not _encodes(written):
        raise LedgerError("a fact holds a character that no book can keep")
    return Canonical(written)


def _transfer(one: Any) -> Transfer:
    try:
        debit, credit, amount, why = one
        _text("why", why, optional=False)
        return move(_account(debit), _account(credit), amount, why)
    except (TypeError, ValueError):
        raise LedgerError(f"{one!r} is no transfer") from None


def _account(one: Any) -> Account:
    return one if type(one) is Account else Account(*one)


def _listed(many: Any) -> list[Any]:
    if not isinstance(many, list | tuple):
        raise LedgerError(f"facts and transfers come as lists, not as {many!r}")
    return list(many)


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
