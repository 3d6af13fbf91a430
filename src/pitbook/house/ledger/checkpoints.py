"""Signed heads of all chains, kept outside the database: who rewrites the book must forge these."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from pitbook.errors import LedgerError
from pitbook.house.ledger import private
from pitbook.house.ledger.book import Stream
from pitbook.house.ledger.chain import GENESIS, canonical, digest
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


def sign(streams: Iterable[Stream], keys: Keys, *, at: str, previous: str) -> Checkpoint:
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


def place(checkpoints: Sequence[Checkpoint]) -> CheckpointPlace | None:
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
        made = sign(streams, keys, at=at, previous=before.hash if before else GENESIS)
        private.touch(self.path)
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


def add(path: Path, streams: Iterable[Stream], keys: Keys, *, at: str) -> Checkpoint:
    """Sign the heads and add them to a file."""
    return CheckpointFile(path).add(streams, keys, at=at)[0]


def read(path: Path) -> tuple[Checkpoint, ...]:
    """The checkpoints of a file, oldest first; a last line cut short by a crash is left out."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    whole, rest = lines[:-1], lines[-1]
    made = [_parsed(path, number, line) for number, line in enumerate(whole, start=1)]
    if rest and _is_json(rest):
        made.append(_parsed(path, len(lines), rest))
    return tuple(made)


def chained(checkpoints: Sequence[Checkpoint]) -> bool:
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
