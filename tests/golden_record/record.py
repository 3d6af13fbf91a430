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
from tests.golden_record.kinds import Kind, Made

RECORD = Path(__file__).parent / "record"
DIGITS = 10  # Of a SHA-256 in hexadecimal digits: a change is overlooked once in 10^12.


def canonical(value: Json) -> str:
    """JSON by which values are compared: the order of an object's fields counts too."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def digest(value: Json) -> str:
    """The few digits that stand for a value."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:DIGITS]


class Writing:
    """Items of one kind on their way into a file."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.names: dict[str, list[str]] = {one: kind.names(one) for one in kind.batches()}
        self.digests: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
        self.texts: dict[str, dict[str, Made]] = defaultdict(dict)

    def add(self, batch: str, name: str, made: Made) -> None:
        """One item; its digests, and its text where that is kept."""
        for part, value in made.items():
            self.digests[batch][part][name] = digest(value)
        if self.names[batch].index(name) % self.kind.keep == 0:
            self.texts[batch][name] = made

    def write(self, folder: Path) -> Path:
        """The file, of the same bytes for the same items."""
        digests = {
            batch: {
                part: "".join(found.get(name, "-" * DIGITS) for name in self.names[batch])
                for part, found in parts.items()
            }
            for batch, parts in self.digests.items()
        }
        return write(folder, self.kind.name, {"digests": digests, "texts": self.texts})


def write(folder: Path, name: str, document: Json) -> Path:
    """One compressed document."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.json.xz"
    file.write_bytes(lzma.compress(canonical(document).encode(), preset=9 | lzma.PRESET_EXTREME))
    return file


@cache
def read(folder: Path, name: str) -> Any:
    """The document that is on record under a name."""
    return json.loads(lzma.decompress((folder / f"{name}.json.xz").read_bytes()))


def digests_of(folder: Path, kind: Kind, batch: str, name: str) -> dict[str, str]:
    """The digests on record of one item, by part."""
    at = kind.names(batch).index(name) * DIGITS
    parts = read(folder, kind.name)["digests"].get(batch, {})
    found = {part: many[at : at + DIGITS] for part, many in parts.items()}
    return {part: one for part, one in found.items() if one.strip("-")}
