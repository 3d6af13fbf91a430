"""How `audit verify` and `restore` report an audit: is the ledger sound, and up to where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pitbook.house.cli.data_folder import verdict_told
from pitbook.money import money
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.anchors import AnchoredCheckpoint
    from pitbook.house.ledger.audit import BookVerdict
    from pitbook.house.ledger.audit_checkpoints import Proved


MINUTE = len("2026-11-15T18:30")


def told(
    verdict: BookVerdict, key: str | None, known: Sequence[AnchoredCheckpoint] | None = None
) -> list[str]:
    """All of a verdict, a line each; `key` is the house's, `known` what an anchor outside knows."""
    lines = [*verdict_told(verdict), *_proved_told(verdict.proved), *_anchor_told(known, verdict)]
    return [*lines, say("cli.book.key", key=key or _key_told(verdict.proved, known))]


def document(
    verdict: BookVerdict, key: str | None, known: Sequence[AnchoredCheckpoint] | None = None
) -> dict[str, Any]:
    """The same in one document; the key is null where nobody knows whether it is the house's."""
    proved = verdict.proved
    last = max(known or (), key=lambda one: one.number, default=None)
    return {
        "result": "findings" if verdict.findings else "sound",
        "streams": verdict.streams,
        "entries": verdict.entries,
        "checkpoints": verdict.checkpoints,
        "totals": {unit: money(total) for unit, total in verdict.units.items()},
        "findings": [one._asdict() for one in verdict.findings],
        "checkpoint": proved.at,
        "entries_since": proved.since,
        "unproved_from": proved.first._asdict() if proved.first else None,
        "unproved": [one._asdict() for one in proved.open],
        "anchor": last._asdict() if last else None,
        "key": key or (proved.key if last else None),
    }


def _proved_told(proved: Proved) -> list[str]:
    if proved.at is None:
        signed = say("cli.book.not-signed", elsewhere=proved.elsewhere)
    else:
        signed = say("cli.book.signed", at=proved.at, since=proved.since)
    if (first := proved.first) is None:
        return [signed]
    at = str(first.at)[:MINUTE].replace("T", " ")
    rest = [one for one in proved.open if one != first] if proved.open[1:] else []
    others = [say("cli.book.from-entry", seq=one.seq, stream=one.stream) for one in rest]
    of = {"seq": first.seq, "stream": first.stream, "at": at}
    if not others:
        return [signed, say("cli.book.not-proved", **of)]
    return [signed, say("cli.book.not-proved-nor", **of, others=others)]


def _anchor_told(known: Sequence[AnchoredCheckpoint] | None, verdict: BookVerdict) -> list[str]:
    if known is None:
        return [say("cli.book.no-anchor")] if verdict.proved.at is not None else []
    last = max(known, key=lambda one: one.number, default=None)
    if last is None:
        return []
    closed = "yes" if known[-1].closed else "no"
    return [say("cli.book.anchored", number=last.number, at=last.at, closed=closed)]


def _key_told(proved: Proved, known: Sequence[AnchoredCheckpoint] | None) -> str:
    if proved.key is None:
        return say("cli.book.no-key")
    key = "cli.book.key-anchored" if known else "cli.book.key-not-known"
    return say(key, key=proved.key)
