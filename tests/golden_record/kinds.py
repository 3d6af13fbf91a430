"""Kinds of items: their names for every sheet, how they are made, and the size of a sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.golden_record.adapter import Json

ItemParts = dict[str, Json]  # The parts of an item, compared separately.


@dataclass(frozen=True)
class Kind:
    """Items of one kind, in batches (mostly one per sheet)."""

    name: str
    batches: Callable[[], tuple[str, ...]]
    names: Callable[[str], list[str]]
    make: Callable[[str, str], ItemParts]
    keep: int = 1  # Every how many items the full text is recorded; all have digests.
    sample: int = 1  # Items of a batch to compare in a sample.
    batches_sampled: int = 99  # Batches in a sample, evenly spread; 0: only in the whole.
    grows: bool = False  # Views may gain fields; compared as text, because digests would differ.
    once: Callable[[Path], None] | None = None  # Writes files that are made once and never again.

    def sample_items(self) -> Iterator[tuple[str, str]]:
        """A sample: the first items of a batch, or one whose text is recorded, a different one per
        batch.
        """
        batches = self.batches()
        count = min(self.batches_sampled, len(batches))
        for number in range(count):
            batch = batches[number * len(batches) // count]
            names = self.names(batch)
            stored_names = names[:: self.keep]
            first = names.index(stored_names[number % len(stored_names)]) if self.sample == 1 else 0
            for offset in range(min(self.sample, len(names))):
                yield batch, names[(first + offset) % len(names)]

    def all_items(self) -> Iterator[tuple[str, str]]:
        """Every item."""
        for batch in self.batches():
            for name in self.names(batch):
                yield batch, name


class Place(NamedTuple):
    """The place of an item, named in a difference."""

    kind: str
    batch: str
    name: str
    part: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.batch}: {self.name}: {self.part}"


def numbered_names(count: int) -> Callable[[str], list[str]]:
    """A function that names a number of items 0, 1, 2, ..."""
    return lambda batch: [str(number) for number in range(count)]
