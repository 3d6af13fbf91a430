"""Who asks for what: a request that comes again has the answer that it had when it came first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pitbook.errors import RequestReused
from pitbook.house.ledger.book import Ledger
from pitbook.house.ledger.chain import Entry, canonical
from pitbook.rules.refusals import Code, Refusal, refuse


class KnownRequest(NamedTuple):
    """By its id a request is known again, by its body as the same one."""

    actor: str = ""
    request: str | None = None
    body: str | None = None


def asked_by(actor: str, request: str | None, what: Callable[[], Sequence[Any]]) -> KnownRequest:
    """What somebody asks for; without an id it is done again however often it comes."""
    if request is None:
        return KnownRequest(actor)
    return KnownRequest(actor, request_id(actor, request), canonical(what()))


def request_id(actor: str, request: str) -> str:
    """Ids are the sender's own: two people may choose the same."""
    return f"{actor}/{request}"


def before(ledger: Ledger, asked: KnownRequest) -> Entry | None:
    """What a request put on record when it came first; raises RequestReused for another body."""
    entry = None if asked.request is None else ledger.answered(asked.request)
    if entry is not None and entry.body != asked.body:
        raise RequestReused(entry.request or "")
    return entry


def came_before(ledger: Ledger, actor: str, request: str | None) -> Entry | None:
    """What somebody's request put on record when it came first, whatever its body is now."""
    return None if request is None else ledger.answered(request_id(actor, request))


def reused(request: str) -> Refusal:
    """What a request is told whose id came before with another body."""
    return refuse(Code.REQUEST_REUSED, "ledger.request-reused", request=request)
