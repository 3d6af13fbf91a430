"""The book's own note of each checkpoint: who cuts the file of them must rewrite the book as well.

The note comes after the checkpoint and says nothing that does not follow from it, so a checkpoint
proves its own note, and the next one covers it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pitbook.errors import LedgerError
from pitbook.house.ledger.batch import ANCHORS, CHECKPOINTED, TAKEN_OVER, Append, Receipt
from pitbook.house.ledger.book import Ledger
from pitbook.house.ledger.chain import Entry, digest
from pitbook.house.ledger.checkpoints import Checkpoint, CheckpointPlace, place
from pitbook.text import say


class CheckpointNote(NamedTuple):
    """What the book says of a checkpoint, and the entry in which it says so."""

    entry: Entry
    chain: str
    number: int
    hash: str
    instead_of: str | None = None
    key: str | None = None  # The key that signed it; early ledgers do not record it.

    @property
    def where(self) -> str:
        """The place of it."""
        return f"{self.entry.stream} {self.entry.seq}"


def note(
    ledger: Ledger, checkpoint: CheckpointPlace, key: str, instead: str | None = None
) -> Receipt:
    """Record a checkpoint in the ledger with its key, at the checkpoint's own time."""
    fact: dict[str, Any] = {"fact": CHECKPOINTED, **checkpoint._asdict(), "key": key}
    del fact["at"]
    if instead is not None:
        fact["instead_of"] = instead
    return ledger.note(Append(ANCHORS, None, (fact,), at=checkpoint.at))


def latest(ledger: Ledger) -> CheckpointNote | None:
    """The last checkpoint that the book knows of."""
    stream = ledger.stream(ANCHORS)
    if stream is None:
        return None
    if not isinstance(stream.seq, int):
        raise LedgerError(say("ledger.no-head", stream=ANCHORS))
    entries = ledger.entries(ANCHORS, after=stream.seq - 1)
    return next((one for entry in entries for one in noted(entry)), None)


def instead_of(ledger: Ledger, last: CheckpointPlace | None) -> str | None:
    """The file of checkpoints that stood here before, where one that is new takes its place.

    On a server several houses sign, each in a file of its own; elsewhere a new one means a loss.
    """
    if last is not None or ledger.engine.dialect.name != "sqlite":
        return None
    before = latest(ledger)
    return None if before is None else before.chain


def noted(entry: Entry) -> Iterator[CheckpointNote]:
    """The checkpoints that an entry tells of."""
    for fact in entry.facts:
        if fact["fact"] == CHECKPOINTED:
            place = (fact["chain"], fact["number"], fact["hash"])
            yield CheckpointNote(entry, *place, fact.get("instead_of"), fact.get("key"))


def wrong(
    notes: Sequence[CheckpointNote], signed: Sequence[Checkpoint], *, alone: bool
) -> Iterator[tuple[str, str]]:
    """Where the book and a whole file of checkpoints do not agree: the place, and what is wrong.

    Where others sign in files of their own, those are not asked for.
    """
    ours = of_file(notes, signed)
    for one in notes:
        if one.instead_of is not None:
            yield one.where, say("ledger.checkpoints.instead")
    yield from _cut(notes if alone else ours, ours, len(signed))
    for one in ours:
        if 0 < one.number <= len(signed) and not _is_proved(one, signed[one.number - 1]):
            yield one.where, say("ledger.checkpoints.another", number=one.number)
    numbers = [one.number for one in ours]
    if numbers != sorted(set(numbers)):
        yield ANCHORS, say("ledger.checkpoints.order")


def of_file(notes: Sequence[CheckpointNote], signed: Sequence[Checkpoint]) -> list[CheckpointNote]:
    """The notes of one file's checkpoints."""
    last = place(signed)
    return [one for one in notes if last is not None and one.chain == last.chain]


def proved(notes: Sequence[CheckpointNote], signed: Sequence[Checkpoint]) -> set[int]:
    """The entries that say nothing but what a signed checkpoint proves, by their number."""
    return {
        one.entry.seq
        for one in of_file(notes, signed)
        if 0 < one.number <= len(signed) and _is_proved(one, signed[one.number - 1])
    }


def _cut(
    notes: Sequence[CheckpointNote], ours: Sequence[CheckpointNote], found: int
) -> Iterator[tuple[str, str]]:
    known = max(ours if found else notes, key=lambda one: one.number, default=None)
    if known is not None and known.number > found:
        was = say("ledger.checkpoints.known", number=known.number, at=known.entry.at, found=found)
        yield say("ledger.place.checkpoints"), say("ledger.checkpoints.cut", was=was)
    elif notes and not ours:
        was = say("ledger.checkpoints.others", number=notes[-1].number, at=notes[-1].entry.at)
        yield say("ledger.place.checkpoints"), say("ledger.checkpoints.other-file", was=was)


def _is_proved(one: CheckpointNote, signed: Checkpoint) -> bool:
    """Whether all of a note follows from its checkpoint: nothing is left for anybody to choose."""
    entry = one.entry
    claim = {"fact": TAKEN_OVER, "epoch": entry.seq, "prunable": False}
    checkpointed = {
        "fact": CHECKPOINTED,
        "chain": one.chain,
        "number": one.number,
        "hash": one.hash,
    }
    optional = {"instead_of": one.instead_of, "key": one.key}
    expected = [
        claim,
        checkpointed | {name: value for name, value in optional.items() if value is not None},
    ]
    return (
        one.hash == digest(signed.line)
        and one.key in (None, signed.key)
        and (entry.at, entry.actor, entry.request, entry.body) == (signed.at, "", None, None)
        and (entry.facts, entry.transfers) == (expected, [])
    )
