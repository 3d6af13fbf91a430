"""A stream as far as it was read: the state is the fold of its entries, from the latest kept on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from pitbook.ledger.batch import Receipt
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry

__all__ = ["Fold", "Keeping", "Place"]

S = TypeVar("S")
Json = dict[str, Any]


class Place:
    """Up to which entry a stream was read, and where a state of it was kept last."""

    def __init__(self, ledger: Ledger, stream: str) -> None:
        self.stream = stream
        self._ledger = ledger
        self.seq, self._kept = 0, 0

    def taken_up(self) -> Json | None:
        """The latest state that was kept, for a fast start; what is read next comes behind it."""
        kept = self._ledger.kept(self.stream)
        if kept is None:
            return None
        self._kept, document = kept
        self.seq = self._kept - 1
        return document

    def entries(self) -> Iterator[Entry]:
        """What was written since; each is read once the next is asked for."""
        for entry in self._ledger.entries(self.stream, after=self.seq):
            yield entry
            self.seq = entry.seq

    def is_due(self, every: int) -> bool:
        """Whether a state should be kept again, so that a start reads no more entries than that."""
        return self.seq - self._kept >= every

    def kept_with(self, receipt: Receipt) -> None:
        """A state was kept with an entry."""
        self._kept = receipt.seq

    def wrote(self, receipt: Receipt, *, kept: bool) -> None:
        """An entry of our own is on record: nobody has to read it."""
        if kept:
            self.kept_with(receipt)
        self.seq = receipt.seq

    def start_over(self) -> None:
        """Nothing was read."""
        self.seq = 0


class Keeping(NamedTuple, Generic[S]):
    """How a state is kept and taken up again; None for one that is not to be."""

    every: Callable[[], int]
    document: Callable[[S], Json | None]
    restored: Callable[[Json, int], S | None]  # With the entry up to which it was the state.


class Fold(Generic[S]):
    """A stream's state, as far as this process has read."""

    def __init__(
        self,
        ledger: Ledger,
        stream: str,
        start: S,
        evolve: Callable[[S, Iterable[Entry]], S],
        keeping: Keeping[S] | None = None,
    ) -> None:
        self.place, self.state = Place(ledger, stream), start
        self._evolve, self._keeping = evolve, keeping
        document = self.place.taken_up() if keeping is not None else None
        taken = keeping.restored(document, self.place.seq) if keeping and document else None
        if taken is None:
            self.place = Place(ledger, stream)
        else:
            self.state = taken

    def read_on(self) -> S:
        """The state as the book has it now; whoever looks meanwhile sees the one before."""
        read, fresh = self.place.seq, self.place.entries()
        if (first := next(fresh, None)) is not None:
            try:
                self.state = self._evolve(self.state, chain((first,), fresh))
            except BaseException:
                self.place.seq = read  # What cannot be read is not passed over.
                raise
        return self.state

    def to_keep(self) -> Json | None:
        """The state as it is kept with the next entry, where that is due."""
        if self._keeping is None or not self.place.is_due(self._keeping.every()):
            return None
        return self._keeping.document(self.state)
