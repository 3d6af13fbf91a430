"""Signed heads of all streams, kept in a file, and noted in the ledger itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from pitbook.errors import LedgerError
from pitbook.house.ledger import file_modes
from pitbook.house.ledger.batch import ANCHORS, CHECKPOINTED, TAKEN_OVER, Append, Receipt
from pitbook.house.ledger.chain import GENESIS, Entry, canonical, digest
from pitbook.house.ledger.journal import Ledger, Stream
from pitbook.house.ledger.keys import Keys, signed_by
from pitbook.text import say

FORMAT = 1
Heads = tuple[tuple[str, int, str], ...]


class Checkpoint(NamedTuple):
    """Where every stream stood at a time, signed, and chained to the checkpoint before."""

    at: str
    heads: Heads
    practice: tuple[str, ...]  # Which of the streams may be pruned; no other may ever be missed.
    previous: str
    key: str
    signature: str

    @property
    def message(self) -> str:
        """What is signed."""
        return canonical([FORMAT, self.at, self.heads, self.practice, self.previous])

    @property
    def line(self) -> str:
        """The checkpoint as one line of its file."""
        heads = {name: [seq, head] for name, seq, head in self.heads}
        return canonical({"format": FORMAT, **self._asdict(), "heads": heads})

    @property
    def is_signed(self) -> bool:
        """Whether the signature is that of the key it names."""
        return signed_by(self.key, self.message, self.signature)


def sign_checkpoint(streams: Iterable[Stream], keys: Keys, *, at: str, previous: str) -> Checkpoint:
    """A checkpoint over the heads of all streams."""
    known = sorted(streams)
    heads = tuple((one.name, one.seq, one.head) for one in known)
    practice = tuple(one.name for one in known if one.prunable)
    unsigned = Checkpoint(at, heads, practice, previous, keys.public, "")
    return unsigned._replace(signature=keys.sign(unsigned.message))


class CheckpointPlace(NamedTuple):
    """Which checkpoint of which file: files are known by the hash of their first."""

    chain: str
    number: int
    hash: str
    at: str


def last_place(checkpoints: Sequence[Checkpoint]) -> CheckpointPlace | None:
    """The last of some checkpoints, if there is one."""
    if not checkpoints:
        return None
    last = checkpoints[-1]
    return CheckpointPlace(
        digest(checkpoints[0].line), len(checkpoints), digest(last.line), last.at
    )


class CheckpointFile:
    """The checkpoints of a house; what is in them is read once, unless others write there too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._size, self._whole = 0, 0  # Of the file, and of its lines without the last end.
        self._last: CheckpointPlace | None = None
        self.heads: Heads = ()  # Of the last.

    @property
    def last(self) -> CheckpointPlace | None:
        """The last checkpoint, if there is one; a line cut short by a crash is none."""
        size = self.path.stat().st_size if self.path.exists() else 0
        if size != self._size:
            self._size, self._whole, self._last, self.heads = size, 0, None, ()
            self._read()
        return self._last

    def _read(self) -> None:
        """All but the last is taken as it is: the audit reads every line."""
        lines = self.path.read_bytes().split(b"\n")
        rest = lines.pop()
        lines += [rest] if rest and _is_json(rest.decode(errors="replace")) else []
        if lines:
            last = _parsed(self.path, len(lines), lines[-1].decode(errors="replace"))
            first, own = (digest(one.decode(errors="replace")) for one in (lines[0], lines[-1]))
            self._last, self.heads = CheckpointPlace(first, len(lines), own, last.at), last.heads
            self._whole = sum(map(len, lines)) + len(lines) - 1

    def add(
        self, streams: Iterable[Stream], keys: Keys, *, at: str
    ) -> tuple[Checkpoint, CheckpointPlace]:
        """Sign the heads and add them, durably; a line cut short by a crash goes."""
        before = self.last
        made = sign_checkpoint(streams, keys, at=at, previous=before.hash if before else GENESIS)
        file_modes.touch(self.path)
        with self.path.open("ab") as file:
            file.truncate(self._whole if before else 0)
            file.write(b"\n" * bool(before) + made.line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        own = digest(made.line)
        number = before.number + 1 if before else 1
        self._last = CheckpointPlace(before.chain if before else own, number, own, at)
        self.heads = made.heads
        self._size = self.path.stat().st_size
        self._whole = self._size - 1
        return made, self._last


def add_checkpoint(path: Path, streams: Iterable[Stream], keys: Keys, *, at: str) -> Checkpoint:
    """Sign the heads and add them to a file."""
    return CheckpointFile(path).add(streams, keys, at=at)[0]


def read_checkpoints(path: Path) -> tuple[Checkpoint, ...]:
    """The checkpoints of a file, oldest first; a last line cut short by a crash is left out."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    whole, rest = lines[:-1], lines[-1]
    made = [_parsed(path, number, line) for number, line in enumerate(whole, start=1)]
    if rest and _is_json(rest):
        made.append(_parsed(path, len(lines), rest))
    return tuple(made)


def is_chained(checkpoints: Sequence[Checkpoint]) -> bool:
    """Whether each holds on to the one before it in the file."""
    return all(after.previous == digest(before.line) for before, after in pairwise(checkpoints))


def _parsed(path: Path, number: int, line: str) -> Checkpoint:
    try:
        document: dict[str, Any] = json.loads(line)
        heads = tuple(
            (name, int(seq), str(head)) for name, (seq, head) in document["heads"].items()
        )
        made = Checkpoint(
            heads=tuple(sorted(heads)),
            practice=tuple(document["practice"]),
            **{field: str(document[field]) for field in ("at", "previous", "key", "signature")},
        )
        if made.line != line:
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise LedgerError(say("ledger.checkpoints.none", path=path, number=number)) from None
    return made


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


# Notes of checkpoints in the ledger. A shortened file contradicts them.


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


def note_checkpoint(
    ledger: Ledger, checkpoint: CheckpointPlace, key: str, instead: str | None = None
) -> Receipt:
    """Record a checkpoint in the ledger with its key, at the checkpoint's own time."""
    fact: dict[str, Any] = {"fact": CHECKPOINTED, **checkpoint._asdict(), "key": key}
    del fact["at"]
    if instead is not None:
        fact["instead_of"] = instead
    return ledger.note(Append(ANCHORS, None, (fact,), at=checkpoint.at))


def latest_note(ledger: Ledger) -> CheckpointNote | None:
    """The last checkpoint that the book knows of."""
    stream = ledger.stream(ANCHORS)
    if stream is None:
        return None
    if not isinstance(stream.seq, int):
        raise LedgerError(say("ledger.no-head", stream=ANCHORS))
    entries = ledger.entries(ANCHORS, after=stream.seq - 1)
    return next((one for entry in entries for one in checkpoint_notes(entry)), None)


def replaced_file(ledger: Ledger, last: CheckpointPlace | None) -> str | None:
    """The file of checkpoints that stood here before, where one that is new takes its place.

    On a server several houses sign, each in a file of its own; elsewhere a new one means a loss.
    """
    if last is not None or ledger.engine.dialect.name != "sqlite":
        return None
    before = latest_note(ledger)
    return None if before is None else before.chain


def checkpoint_notes(entry: Entry) -> Iterator[CheckpointNote]:
    """The checkpoints that an entry tells of."""
    for fact in entry.facts:
        if fact["fact"] == CHECKPOINTED:
            place = (fact["chain"], fact["number"], fact["hash"])
            yield CheckpointNote(entry, *place, fact.get("instead_of"), fact.get("key"))


def note_findings(
    notes: Sequence[CheckpointNote], signed: Sequence[Checkpoint], *, alone: bool
) -> Iterator[tuple[str, str]]:
    """Where the book and a whole file of checkpoints do not agree: the place, and what is wrong.

    Where others sign in files of their own, those are not asked for.
    """
    ours = notes_of_file(notes, signed)
    for one in notes:
        if one.instead_of is not None:
            yield one.where, say("ledger.checkpoints.instead")
    yield from _missing_checkpoints(notes if alone else ours, ours, len(signed))
    for one in ours:
        if 0 < one.number <= len(signed) and not _is_proved(one, signed[one.number - 1]):
            yield one.where, say("ledger.checkpoints.another", number=one.number)
    numbers = [one.number for one in ours]
    if numbers != sorted(set(numbers)):
        yield ANCHORS, say("ledger.checkpoints.order")


def notes_of_file(
    notes: Sequence[CheckpointNote], signed: Sequence[Checkpoint]
) -> list[CheckpointNote]:
    """The notes of one file's checkpoints."""
    last = last_place(signed)
    return [one for one in notes if last is not None and one.chain == last.chain]


def proved_notes(notes: Sequence[CheckpointNote], signed: Sequence[Checkpoint]) -> set[int]:
    """The entries that say nothing but what a signed checkpoint proves, by their number."""
    return {
        one.entry.seq
        for one in notes_of_file(notes, signed)
        if 0 < one.number <= len(signed) and _is_proved(one, signed[one.number - 1])
    }


def _missing_checkpoints(
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
