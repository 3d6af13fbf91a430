"""Signed heads of all chains, kept outside the database: who rewrites the book must forge these."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from pitbook.errors import LedgerError
from pitbook.ledger import private
from pitbook.ledger.book import Stream
from pitbook.ledger.chain import GENESIS, canonical, digest
from pitbook.ledger.keys import Keys, signed_by

FORMAT = 1


class Checkpoint(NamedTuple):
    """Where every stream stood at a time, signed, and chained to the checkpoint before."""

    at: str
    heads: tuple[tuple[str, int, str], ...]
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


def add(path: Path, streams: Iterable[Stream], keys: Keys, *, at: str) -> Checkpoint:
    """Sign the heads and add them to the file, durably; a line cut short by a crash goes."""
    before = read(path) if path.exists() else ()
    previous = digest(before[-1].line) if before else GENESIS
    made = sign(streams, keys, at=at, previous=previous)
    whole = "\n".join(one.line for one in before).encode()
    private.touch(path)
    with path.open("ab") as file:
        file.truncate(len(whole))
        file.write(b"\n" * bool(before) + made.line.encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return made


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
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        raise LedgerError(f"{path}:{number}: this is no checkpoint") from None
    return made


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
