"""What `audit verify` and `restore` say of a book: is it sound, and how far is that proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pitbook.cli.house.data_folder import counted, verdict_told
from pitbook.money import money

if TYPE_CHECKING:
    from pitbook.ledger.outside import Anchored
    from pitbook.ledger.signed import Proved
    from pitbook.ledger.verify import Verdict

__all__ = ["document", "told"]

MINUTE = len("2026-11-15T18:30")


def told(verdict: Verdict, key: str | None, known: Sequence[Anchored] | None = None) -> list[str]:
    """All of a verdict, a line each; `key` is the house's, `known` what an anchor outside knows."""
    lines = [*verdict_told(verdict), *_proved_told(verdict.proved), *_anchor_told(known, verdict)]
    return [*lines, f"Key {key or _key_told(verdict.proved, known)}"]


def document(
    verdict: Verdict, key: str | None, known: Sequence[Anchored] | None = None
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
        signed = "No checkpoint was signed yet: nothing outside the book vouches for it."
    elif proved.since:
        young = counted(proved.since, "entry is", "entries are")
        signed = f"Latest checkpoint {proved.at}: {young} younger."
    else:
        signed = f"Latest checkpoint {proved.at}: it covers every entry."
    if proved.elsewhere and proved.at is None:
        many = counted(proved.elsewhere, "checkpoint", "checkpoints")
        signed += f" The book knows {many} of another folder: give them with --checkpoint."
    if (first := proved.first) is None:
        return [signed]
    at = str(first.at)[:MINUTE].replace("T", " ")
    more = f", nor {_others(proved)}" if proved.open[1:] else ""
    return [
        signed,
        f"From entry {first.seq} of {first.stream} on ({at} UTC) nothing is proved{more}.",
    ]


def _others(proved: Proved) -> str:
    rest = [one for one in proved.open if one != proved.first]
    return ", ".join(f"from entry {one.seq} of {one.stream} on" for one in rest)


def _anchor_told(known: Sequence[Anchored] | None, verdict: Verdict) -> list[str]:
    if known is None:
        told = "No anchor outside was asked: a whole folder put back as it was would look the same."
        return [told] if verdict.proved.at is not None else []
    last = max(known, key=lambda one: one.number, default=None)
    if last is None:
        return []
    state = ", when the house was closed" if known[-1].closed else ""
    many = counted(last.number, "checkpoint", "checkpoints")
    return [f"The anchor knows {many}, the last of {last.at}{state}."]


def _key_told(proved: Proved, known: Sequence[Anchored] | None) -> str:
    if proved.key is None:
        return "not known: there are no keys here"
    if known:
        return f"{proved.key}, as the anchor has it"
    return (
        "not known to be the house's: there are no keys here, and the checkpoints are signed by "
        f"{proved.key}; compare it with the one you wrote down"
    )
