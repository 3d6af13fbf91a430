"""Checkpoints: signed heads of all streams, stored in a file and noted in the ledger."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from pitbook import private_files
from pitbook.errors import LedgerError
from pitbook.house.ledger.append_batch import ANCHORS, CHECKPOINTED, CLAIMED, Append, Receipt
from pitbook.house.ledger.hash_chain import GENESIS, Entry, canonical, sha256
from pitbook.house.ledger.keys import Keys, is_signed_by
from pitbook.house.ledger.ledger import Ledger, Stream
from pitbook.text import say

FORMAT = 1
Heads = tuple[tuple[str, int, str], ...]


class Checkpoint(NamedTuple):
    """The heads of all streams at one time, signed, and chained to the checkpoint before."""

    at: str
    heads: Heads
    practice: tuple[str, ...]  # The streams that may be pruned; no other may be missing.
    previous: str
    key: str
    signature: str

    @property
    def message(self) -> str:
        """The text that is signed."""
        return canonical([FORMAT, self.at, self.heads, self.practice, self.previous])

    @property
    def line(self) -> str:
        """The checkpoint as one line of its file."""
        heads = {name: [seq, head] for name, seq, head in self.heads}
        return canonical({"format": FORMAT, **self._asdict(), "heads": heads})

    @property
    def is_signed(self) -> bool:
        """Whether the signature belongs to the key in the checkpoint."""
        return is_signed_by(self.key, self.message, self.signature)


def sign_checkpoint(streams: Iterable[Stream], keys: Keys, *, at: str, previous: str) -> Checkpoint:
    sorted_streams = sorted(streams)
    heads = tuple((stream.name, stream.seq, stream.head) for stream in sorted_streams)
    practice = tuple(stream.name for stream in sorted_streams if stream.prunable)
    unsigned = Checkpoint(at, heads, practice, previous, keys.public, "")
    return unsigned._replace(signature=keys.sign(unsigned.message))


class CheckpointPlace(NamedTuple):
    """A checkpoint's place: its file, known by the hash of the first checkpoint, and its number."""

    chain: str
    number: int
    hash: str
    at: str


def last_place(checkpoints: Sequence[Checkpoint]) -> CheckpointPlace | None:
    """The place of the last checkpoint, or None."""
    if not checkpoints:
        return None
    last = checkpoints[-1]
    return CheckpointPlace(
        sha256(checkpoints[0].line), len(checkpoints), sha256(last.line), last.at
    )


class CheckpointFile:
    """A server's checkpoint file. It is read again only if another process wrote to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Bytes of the file, and of its complete lines without the last newline.
        self._size, self._complete_bytes = 0, 0
        self._last: CheckpointPlace | None = None
        self.heads: Heads = ()  # Of the last.

    @property
    def last(self) -> CheckpointPlace | None:
        """The last checkpoint, or None; a line cut short by a crash does not count."""
        size = self.path.stat().st_size if self.path.exists() else 0
        if size != self._size:
            self._size, self._complete_bytes, self._last, self.heads = size, 0, None, ()
            self._read()
        return self._last

    def _read(self) -> None:
        """Read the last line and hash the first; the audit checks all others."""
        lines = self.path.read_bytes().split(b"\n")
        tail = lines.pop()
        lines += [tail] if tail and _is_json(tail.decode(errors="replace")) else []
        if lines:
            last = _parse_checkpoint(self.path, len(lines), lines[-1].decode(errors="replace"))
            first, last_hash = (
                sha256(line.decode(errors="replace")) for line in (lines[0], lines[-1])
            )
            self._last, self.heads = (
                CheckpointPlace(first, len(lines), last_hash, last.at),
                last.heads,
            )
            self._complete_bytes = sum(map(len, lines)) + len(lines) - 1

    def add(
        self, streams: Iterable[Stream], keys: Keys, *, at: str
    ) -> tuple[Checkpoint, CheckpointPlace]:
        """Sign the heads and append them, synced to disk; replaces a line cut short by a crash."""
        previous = self.last
        checkpoint = sign_checkpoint(
            streams, keys, at=at, previous=previous.hash if previous else GENESIS
        )
        private_files.touch(self.path)
        with self.path.open("ab") as file:
            file.truncate(self._complete_bytes if previous else 0)
            file.write(b"\n" * bool(previous) + checkpoint.line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        line_hash = sha256(checkpoint.line)
        number = previous.number + 1 if previous else 1
        self._last = CheckpointPlace(
            previous.chain if previous else line_hash, number, line_hash, at
        )
        self.heads = checkpoint.heads
        self._size = self.path.stat().st_size
        self._complete_bytes = self._size - 1
        return checkpoint, self._last


def add_checkpoint(path: Path, streams: Iterable[Stream], keys: Keys, *, at: str) -> Checkpoint:
    """Sign the heads and append them to a file."""
    return CheckpointFile(path).add(streams, keys, at=at)[0]


def read_checkpoints(path: Path) -> tuple[Checkpoint, ...]:
    """The checkpoints of a file, oldest first; a last line cut short by a crash is skipped."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    complete, tail = lines[:-1], lines[-1]
    checkpoints = [
        _parse_checkpoint(path, number, line) for number, line in enumerate(complete, start=1)
    ]
    if tail and _is_json(tail):
        checkpoints.append(_parse_checkpoint(path, len(lines), tail))
    return tuple(checkpoints)


def is_chained(checkpoints: Sequence[Checkpoint]) -> bool:
    """Whether each checkpoint contains the hash of the one before."""
    return all(after.previous == sha256(before.line) for before, after in pairwise(checkpoints))


def _parse_checkpoint(path: Path, number: int, line: str) -> Checkpoint:
    try:
        document: dict[str, Any] = json.loads(line)
        heads = tuple(
            (name, int(seq), str(head)) for name, (seq, head) in document["heads"].items()
        )
        checkpoint = Checkpoint(
            heads=tuple(sorted(heads)),
            practice=tuple(document["practice"]),
            **{field: str(document[field]) for field in ("at", "previous", "key", "signature")},
        )
        if checkpoint.line != line:
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise LedgerError(say("ledger.checkpoints.none", path=path, number=number)) from None
    return checkpoint


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


# Notes of checkpoints in the ledger. A shortened file contradicts them.


class CheckpointNote(NamedTuple):
    """A checkpoint as the ledger notes it, and the entry with the note."""

    entry: Entry
    chain: str
    number: int
    hash: str
    instead_of: str | None = None
    key: str | None = None  # The key that signed it; early ledgers do not record it.

    @property
    def place(self) -> str:
        return f"{self.entry.stream} {self.entry.seq}"


def note_checkpoint(
    ledger: Ledger, checkpoint: CheckpointPlace, key: str, replaced: str | None = None
) -> Receipt:
    """Record a checkpoint in the ledger with its key, at the checkpoint's own time."""
    fact: dict[str, Any] = {"fact": CHECKPOINTED, **checkpoint._asdict(), "key": key}
    del fact["at"]
    if replaced is not None:
        fact["instead_of"] = replaced
    return ledger.note(Append(ANCHORS, None, (fact,), at=checkpoint.at))


def latest_note(ledger: Ledger) -> CheckpointNote | None:
    """The last checkpoint that the ledger notes."""
    stream = ledger.stream(ANCHORS)
    if stream is None:
        return None
    if not isinstance(stream.seq, int):
        raise LedgerError(say("ledger.no-head", stream=ANCHORS))
    entries = ledger.entries(ANCHORS, after=stream.seq - 1)
    return next((note for entry in entries for note in checkpoint_notes(entry)), None)


def replaced_file(ledger: Ledger, last: CheckpointPlace | None) -> str | None:
    """The chain of the file that a new checkpoint file replaces, or None.

    On a database server each process signs in a file of its own; in SQLite a new file means a
    loss.
    """
    if last is not None or ledger.engine.dialect.name != "sqlite":
        return None
    latest = latest_note(ledger)
    return None if latest is None else latest.chain


def checkpoint_notes(entry: Entry) -> Iterator[CheckpointNote]:
    """The checkpoints that an entry notes."""
    for fact in entry.facts:
        if fact["fact"] == CHECKPOINTED:
            place = (fact["chain"], fact["number"], fact["hash"])
            yield CheckpointNote(entry, *place, fact.get("instead_of"), fact.get("key"))


def note_findings(
    notes: Sequence[CheckpointNote], signed: Sequence[Checkpoint], *, is_only_signer: bool
) -> Iterator[tuple[str, str]]:
    """Yield contradictions between the ledger's notes and a complete checkpoint file: place,
    problem.

    If other processes sign in files of their own, those checkpoints are not expected here.
    """
    of_file = notes_of_file(notes, signed)
    for note in notes:
        if note.instead_of is not None:
            yield note.place, say("ledger.checkpoints.instead")
    yield from _missing_checkpoints(notes if is_only_signer else of_file, of_file, len(signed))
    for note in of_file:
        if 0 < note.number <= len(signed) and not _matches_checkpoint(
            note, signed[note.number - 1]
        ):
            yield note.place, say("ledger.checkpoints.another", number=note.number)
    numbers = [note.number for note in of_file]
    if numbers != sorted(set(numbers)):
        yield ANCHORS, say("ledger.checkpoints.order")


def notes_of_file(
    notes: Sequence[CheckpointNote], signed: Sequence[Checkpoint]
) -> list[CheckpointNote]:
    """The notes of this file's checkpoints."""
    last = last_place(signed)
    return [note for note in notes if last is not None and note.chain == last.chain]


def signed_entries(notes: Sequence[CheckpointNote], signed: Sequence[Checkpoint]) -> set[int]:
    """Numbers of the entries that contain only what a signed checkpoint implies."""
    return {
        note.entry.seq
        for note in notes_of_file(notes, signed)
        if 0 < note.number <= len(signed) and _matches_checkpoint(note, signed[note.number - 1])
    }


def _missing_checkpoints(
    notes: Sequence[CheckpointNote], of_file: Sequence[CheckpointNote], signed_count: int
) -> Iterator[tuple[str, str]]:
    latest = max(of_file if signed_count else notes, key=lambda note: note.number, default=None)
    if latest is not None and latest.number > signed_count:
        details = say(
            "ledger.checkpoints.known", number=latest.number, at=latest.entry.at, found=signed_count
        )
        yield say("ledger.place.checkpoints"), say("ledger.checkpoints.cut", was=details)
    elif notes and not of_file:
        details = say("ledger.checkpoints.others", number=notes[-1].number, at=notes[-1].entry.at)
        yield say("ledger.place.checkpoints"), say("ledger.checkpoints.other-file", was=details)


def _matches_checkpoint(note: CheckpointNote, signed: Checkpoint) -> bool:
    """Whether the whole note follows from its checkpoint."""
    entry = note.entry
    claim = {"fact": CLAIMED, "epoch": entry.seq, "prunable": False}
    checkpointed = {
        "fact": CHECKPOINTED,
        "chain": note.chain,
        "number": note.number,
        "hash": note.hash,
    }
    optional = {"instead_of": note.instead_of, "key": note.key}
    expected = [
        claim,
        checkpointed | {name: value for name, value in optional.items() if value is not None},
    ]
    return (
        note.hash == sha256(signed.line)
        and note.key in (None, signed.key)
        and (entry.at, entry.actor, entry.request, entry.body) == (signed.at, "", None, None)
        and (entry.facts, entry.transfers) == (expected, [])
    )
