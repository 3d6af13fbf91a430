"""Stream reader: replays a stream's entries into a state, starting from the latest snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from pitbook.errors import FactError, PitbookError
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.text import say, sentence_of

S = TypeVar("S")
Json = dict[str, Any]


class Keeping(NamedTuple, Generic[S]):
    """How a state is kept and taken up again; None for one that is not to be."""

    every: Callable[[], int]  # Entries between two kept states: a start reads no more than that.
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
        self.ledger, self.stream = ledger, stream
        self._start, self._evolve, self._keeping = start, evolve, keeping
        self.start_over()

    def start_over(self) -> None:
        """Nothing was read."""
        self.state, self.seq, self._kept = self._start, 0, 0
        self._is_new = True

    def read_on(self) -> S:
        """The state as the book has it now; whoever looks meanwhile sees the one before."""
        if self._is_new and self._keeping is not None:
            self._take_up(self._keeping)
        self._is_new = False
        read, fresh = self.seq, self._entries()
        if (first := next(fresh, None)) is not None:
            try:
                self.state = self._evolve(self.state, chain((first,), fresh))
            except BaseException as error:
                self.seq = read  # What cannot be read is not passed over.
                if isinstance(error, Exception):
                    self._name_place()
                raise
        return self.state

    def _take_up(self, keeping: Keeping[S]) -> None:
        """Begin with the state that was kept; in a form that is not ours, the facts tell it."""
        if (kept := self.ledger.kept(self.stream)) is None:
            return
        seq, document = kept
        try:
            state = keeping.restored(document, seq - 1)
        except (PitbookError, LookupError, TypeError, ValueError, AttributeError):
            return
        if state is not None:
            self.state, self.seq, self._kept = state, seq - 1, seq

    def _entries(self) -> Iterator[Entry]:
        """What was written since; each is read once the next is asked for."""
        for entry in self.ledger.entries(self.stream, after=self.seq):
            yield entry
            self.seq = entry.seq

    def _name_place(self) -> None:
        """Raise FactError for the entry that cannot be read, if it is one: found one by one."""
        state = self.state
        for entry in self.ledger.entries(self.stream, after=self.seq):
            try:
                state = self._evolve(state, (entry,))
            except Exception as wrong:  # Forged facts make a fold stumble anywhere.
                raise unread(entry, wrong) from wrong

    def to_keep(self) -> Json | None:
        """The state as it is kept with the next entry, where that is due."""
        if self._keeping is None or self.seq - self._kept < self._keeping.every():
            return None
        return self._keeping.document(self.state)

    def kept_with(self, seq: int) -> None:
        """The state was kept with an entry."""
        self._kept = seq

    def wrote(self, seq: int, after: S) -> None:
        """An entry of our own is on record, and this is the state: nobody has to read it."""
        self.seq, self.state = seq, after


def unread(entry: Entry, wrong: Exception) -> FactError:
    """That an entry cannot be read: where it stands, why, and what helps."""
    why = sentence_of(wrong) if isinstance(wrong, PitbookError) else say("streams.no-sense")
    return FactError(say("streams.place", stream=entry.stream, seq=entry.seq, why=why))
