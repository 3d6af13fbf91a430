"""A stream as far as it was read: the state is the fold of its entries, from the latest kept on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from pitbook.errors import FactError, PitbookError
from pitbook.ledger.batch import Receipt
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry
from pitbook.wording import say, sentence_of

__all__ = ["Bookmark", "Keeping", "ReadState", "unread"]

S = TypeVar("S")
Json = dict[str, Any]


class Bookmark:
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


class ReadState(Generic[S]):
    """A stream's state, as far as this process has read.

    `evolve` gives the state after some entries and leaves the one before as it was.
    """

    def __init__(
        self,
        ledger: Ledger,
        stream: str,
        start: S,
        evolve: Callable[[S, Iterable[Entry]], S],
        keeping: Keeping[S] | None = None,
    ) -> None:
        self.place, self.state, self._ledger = Bookmark(ledger, stream), start, ledger
        self._evolve, self._keeping = evolve, keeping
        if keeping is not None and (taken := self._taken_up(keeping)) is not None:
            self.state = taken
        else:
            self.place = Bookmark(ledger, stream)

    def _taken_up(self, keeping: Keeping[S]) -> S | None:
        """The state that was kept; of one in a form that is not ours, the facts tell instead."""
        if (document := self.place.taken_up()) is None:
            return None
        try:
            return keeping.restored(document, self.place.seq)
        except (PitbookError, LookupError, TypeError, ValueError, AttributeError):
            return None

    def read_on(self) -> S:
        """The state as the book has it now; whoever looks meanwhile sees the one before."""
        read, fresh = self.place.seq, self.place.entries()
        if (first := next(fresh, None)) is not None:
            try:
                self.state = self._evolve(self.state, chain((first,), fresh))
            except BaseException as error:
                self.place.seq = read  # What cannot be read is not passed over.
                if isinstance(error, Exception):
                    self._name_place()
                raise
        return self.state

    def _name_place(self) -> None:
        """Raise FactError for the entry that cannot be read, if it is one: found one by one."""
        state = self.state
        for entry in self._ledger.entries(self.place.stream, after=self.place.seq):
            try:
                state = self._evolve(state, (entry,))
            except Exception as wrong:  # Forged facts make a fold stumble anywhere.
                raise unread(entry, wrong) from wrong

    def to_keep(self) -> Json | None:
        """The state as it is kept with the next entry, where that is due."""
        if self._keeping is None or not self.place.is_due(self._keeping.every()):
            return None
        return self._keeping.document(self.state)


def unread(entry: Entry, wrong: Exception) -> FactError:
    """That an entry cannot be read: where it stands, why, and what helps."""
    why = sentence_of(wrong) if isinstance(wrong, PitbookError) else say("streams.no-sense")
    return FactError(say("streams.place", stream=entry.stream, seq=entry.seq, why=why))
