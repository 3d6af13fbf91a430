"""Audit reports of `audit verify` and `restore`: findings, and how far signatures reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pitbook.house.cli.data_folder import verdict_lines
from pitbook.money import money
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.ledger.anchors import AnchoredCheckpoint
    from pitbook.house.ledger.audit import LedgerVerdict
    from pitbook.house.ledger.audit_checkpoints import Coverage


MINUTE = len("2026-11-15T18:30")


def verdict_report(
    verdict: LedgerVerdict, key: str | None, anchored: Sequence[AnchoredCheckpoint] | None = None
) -> list[str]:
    """The full verdict as lines; `key` is the house's, `anchored` the checkpoints of an anchor."""
    lines = [
        *verdict_lines(verdict),
        *_proof_lines(verdict.proved),
        *_anchor_lines(anchored, verdict),
    ]
    return [*lines, say("cli.book.key", key=key or _key_message(verdict.proved, anchored))]


def document(
    verdict: LedgerVerdict, key: str | None, anchored: Sequence[AnchoredCheckpoint] | None = None
) -> dict[str, Any]:
    """The verdict as JSON; `key` is null if it cannot be verified."""
    proved = verdict.proved
    last = max(anchored or (), key=lambda checkpoint: checkpoint.number, default=None)
    return {
        "result": "findings" if verdict.findings else "sound",
        "streams": verdict.streams,
        "entries": verdict.entries,
        "checkpoints": verdict.checkpoints,
        "totals": {unit: money(total) for unit, total in verdict.units.items()},
        "findings": [finding._asdict() for finding in verdict.findings],
        "checkpoint": proved.at,
        "entries_since": proved.unsigned_entries,
        "unproved_from": proved.first_unsigned._asdict() if proved.first_unsigned else None,
        "unproved": [entry._asdict() for entry in proved.open],
        "anchor": last._asdict() if last else None,
        "key": key or (proved.key if last else None),
    }


def _proof_lines(proved: Coverage) -> list[str]:
    if proved.at is None:
        signed = say("cli.book.not-signed", elsewhere=proved.elsewhere)
    else:
        signed = say("cli.book.signed", at=proved.at, since=proved.unsigned_entries)
    if (first := proved.first_unsigned) is None:
        return [signed]
    at = str(first.at)[:MINUTE].replace("T", " ")
    other_entries = [entry for entry in proved.open if entry != first] if proved.open[1:] else []
    others = [
        say("cli.book.from-entry", seq=entry.seq, stream=entry.stream) for entry in other_entries
    ]
    fields = {"seq": first.seq, "stream": first.stream, "at": at}
    if not others:
        return [signed, say("cli.book.not-proved", **fields)]
    return [signed, say("cli.book.not-proved-nor", **fields, others=others)]


def _anchor_lines(
    anchored: Sequence[AnchoredCheckpoint] | None, verdict: LedgerVerdict
) -> list[str]:
    if anchored is None:
        return [say("cli.book.no-anchor")] if verdict.proved.at is not None else []
    last = max(anchored, key=lambda checkpoint: checkpoint.number, default=None)
    if last is None:
        return []
    closed = "yes" if anchored[-1].closed else "no"
    return [say("cli.book.anchored", number=last.number, at=last.at, closed=closed)]


def _key_message(proved: Coverage, anchored: Sequence[AnchoredCheckpoint] | None) -> str:
    if proved.key is None:
        return say("cli.book.no-key")
    key = "cli.book.key-anchored" if anchored else "cli.book.key-not-known"
    return say(key, key=proved.key)
