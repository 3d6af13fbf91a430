"""What is handed in is checked in the caller's own thread, before it can trouble anybody else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.ledger.batch import ANCHORS, CHECKPOINTED, KEPT, TAKEN_OVER, Append
from pitbook.house.ledger.chain import Canonical, canonical
from pitbook.house.ledger.clock import CHANGED, CLOCK
from pitbook.house.ledger.prune import PRUNED
from pitbook.text import say

TEXT_MAX = 1_000
OWN = frozenset({CLOCK, PRUNED, ANCHORS})  # Streams that only the book itself writes to.
RESERVED = frozenset(
    {TAKEN_OVER, KEPT, PRUNED, CHANGED, CHECKPOINTED}
)  # Only the book itself says these.


def checked(append: Append) -> Append:
    """The append, if the book can keep it as it is; raises LedgerError else."""
    if not append.stream:
        raise LedgerError(say("ledger.intake.no-name"))
    if append.stream in OWN:
        raise LedgerError(say("ledger.intake.books-own", stream=append.stream))
    if append.epoch is not None and type(append.epoch) is not int:
        raise LedgerError(say("ledger.intake.no-epoch", epoch=repr(append.epoch)))
    _text("stream", append.stream)
    _text("actor", append.actor)
    _text("request", append.request, optional=True)
    _text("body", append.body, optional=True)
    return Append(
        append.stream,
        append.epoch,
        _facts(_listed(append.facts)),
        [_transfer(one) for one in _listed(append.transfers)],
        append.actor,
        append.request,
        append.body,
        None if append.keep is None else _copied(append.keep),
        append.prunable,
    )


def _text(what: str, value: Any, *, optional: bool = False) -> None:
    if value is None and optional:
        return
    if not isinstance(value, str):
        raise LedgerError(say("ledger.intake.no-text", what=what, value=repr(value)))
    if "\0" in value or not _encodes(value):
        raise LedgerError(say("ledger.intake.odd-character", what=what))
    if len(value) > TEXT_MAX and what != "body":
        raise LedgerError(say("ledger.intake.too-long", what=what, text_max=TEXT_MAX))


def _facts(many: list[Any]) -> list[Canonical]:
    """All of them in one text, as the journal has them one behind the other."""
    for fact in many:
        is_one = type(fact) is dict or isinstance(fact, Mapping)
        name = fact.get("fact") if is_one else None
        if not isinstance(name, str):
            raise LedgerError(say("ledger.intake.no-fact"))
        if name in RESERVED:
            raise LedgerError(say("ledger.intake.books-own-fact", name=name))
    return [Canonical(_copied(many)[1:-1])] if many else []


def _copied(document: Any) -> Canonical:
    """What will be written, whatever the caller does with the document meanwhile."""
    try:
        written = canonical(document)
    except RecursionError:
        raise LedgerError(say("ledger.intake.too-deep")) from None
    if not _encodes(written):
        raise LedgerError(say("ledger.intake.odd-in-fact"))
    return Canonical(written)


def _transfer(one: Any) -> Transfer:
    try:
        debit, credit, amount, why = one
        _text("why", why)
        return move(_account(debit), _account(credit), amount, why)
    except (TypeError, ValueError):
        raise LedgerError(say("ledger.intake.no-transfer", one=repr(one))) from None


def _account(one: Any) -> Account:
    return one if type(one) is Account else Account(*one)


def _listed(many: Any) -> list[Any]:
    if not isinstance(many, list | tuple):
        raise LedgerError(say("ledger.intake.no-list", many=repr(many)))
    return list(many)


def _encodes(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
