"""The record on disk: for each kind one file with digests of all items and the text of some."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from tests.golden_record.adapter import Json
from tests.golden_record.kinds import ItemParts, Kind

RECORD = Path(__file__).parent / "record"
DIGITS = 10  # Of a SHA-256 in hexadecimal digits: a change is missed once in 10^12.


def canonical(document: Json) -> str:
    """JSON used to compare documents; the order of fields matters."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def digest(document: Json) -> str:
    """A short digest of a document."""
    return hashlib.sha256(canonical(document).encode()).hexdigest()[:DIGITS]


class RecordWriter:
    """Collects the items of one kind and writes them to a file."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.names: dict[str, list[str]] = {batch_: kind.names(batch_) for batch_ in kind.batches()}
        self.digests: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
        self.texts: dict[str, dict[str, ItemParts]] = defaultdict(dict)

    def add(self, batch: str, name: str, parts: ItemParts) -> None:
        """Add an item's digests, and its text if that is recorded."""
        for part, part_value in parts.items():
            self.digests[batch][part][name] = digest(part_value)
        if self.names[batch].index(name) % self.kind.keep == 0:
            self.texts[batch][name] = parts

    def write(self, folder: Path) -> Path:
        """Write the file; equal items give equal bytes."""
        digests = {
            batch: {
                part: "".join(digests_by_name.get(name, "-" * DIGITS) for name in self.names[batch])
                for part, digests_by_name in parts.items()
            }
            for batch, parts in self.digests.items()
        }
        return write(folder, self.kind.name, {"digests": digests, "texts": self.texts})


def write(folder: Path, name: str, document: Json) -> Path:
    """Write a compressed document."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.json.xz"
    file.write_bytes(lzma.compress(canonical(document).encode(), preset=9 | lzma.PRESET_EXTREME))
    return file


@cache
def read(folder: Path, name: str) -> Any:
    """The recorded document with this name."""
    return json.loads(lzma.decompress((folder / f"{name}.json.xz").read_bytes()))


def recorded_digests(folder: Path, kind: Kind, batch: str, name: str) -> dict[str, str]:
    """The recorded digests of one item, by part."""
    start = kind.names(batch).index(name) * DIGITS
    parts = read(folder, kind.name)["digests"].get(batch, {})
    digests = {part: joined[start : start + DIGITS] for part, joined in parts.items()}
    return {part: digest_text for part, digest_text in digests.items() if digest_text.strip("-")}
