"""Kinds of items: which there are for every sheet, how one is made, and how many a sample has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.golden_record.adapter import Json

Made = dict[str, Json]  # What is compared, part by part.


@dataclass(frozen=True)
class Kind:
    """Items of one kind, in batches (mostly one a sheet)."""

    name: str
    batches: Callable[[], tuple[str, ...]]
    names: Callable[[str], list[str]]
    make: Callable[[str, str], Made]
    keep: int = 1  # The full text of every so many-th item is on record; digests of all.
    sample: int = 1  # So many items of a batch are compared in a sample.
    batches_sampled: int = 99  # In so many batches, evenly spread; 0: only with the whole.
    grows: bool = False  # Views may get fields; compared in full, digests would not do.
    once: Callable[[Path], None] | None = None  # Writes what is made once and never anew.

    def sampled(self) -> Iterator[tuple[str, str]]:
        """A sample: the first items, or one whose text is kept, another one in each batch."""
        batches = self.batches()
        count = min(self.batches_sampled, len(batches))
        for number in range(count):
            batch = batches[number * len(batches) // count]
            names = self.names(batch)
            kept = names[:: self.keep]
            first = names.index(kept[number % len(kept)]) if self.sample == 1 else 0
            for more in range(min(self.sample, len(names))):
                yield batch, names[(first + more) % len(names)]

    def whole(self) -> Iterator[tuple[str, str]]:
        """Every item."""
        for batch in self.batches():
            for name in self.names(batch):
                yield batch, name


class Place(NamedTuple):
    """Where an item stands; a difference names it."""

    kind: str
    batch: str
    name: str
    part: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.batch}: {self.name}: {self.part}"


def numbered(count: int) -> Callable[[str], list[str]]:
    """Items without names of their own."""
    return lambda batch: [str(number) for number in range(count)]
