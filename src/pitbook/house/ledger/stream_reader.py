"""Stream reader: replays a stream's entries into a state, starting from the latest snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from pitbook.errors import FactError, PitbookError
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.text import say, sentence_of

State = TypeVar("State")
Json = dict[str, Any]


class SnapshotPolicy(NamedTuple, Generic[State]):
    """When to write a snapshot, and how to encode and decode one."""

    every: Callable[[], int]  # Entries between two snapshots.
    encode: Callable[[State], Json | None]  # None: this state cannot be a snapshot.
    decode: Callable[[Json, int], State | None]  # Second argument: the last entry it includes.


class StreamReader(Generic[State]):
    """A stream's state as far as this process has read it.

    `apply` returns the state after some entries and leaves its argument unchanged.
    """

    def __init__(
        self,
        ledger: Ledger,
        stream: str,
        start: State,
        apply: Callable[[State, Iterable[Entry]], State],
        snapshots: SnapshotPolicy[State] | None = None,
    ) -> None:
        self.ledger, self.stream = ledger, stream
        self._start, self._apply, self._snapshots = start, apply, snapshots
        self.reset()

    def reset(self) -> None:
        """Return to the start, as if nothing had been read."""
        self.state, self.seq, self._snapshot_seq = self._start, 0, 0
        self._is_new = True

    def catch_up(self) -> State:
        """Read new entries and return the state. Other threads see the old state until then."""
        if self._is_new and self._snapshots is not None:
            self._load_snapshot(self._snapshots)
        self._is_new = False
        seq, entries = self.seq, self._new_entries()
        if (first := next(entries, None)) is not None:
            try:
                self.state = self._apply(self.state, chain((first,), entries))
            except BaseException as error:
                self.seq = seq  # Never skip an entry that cannot be read.
                if isinstance(error, Exception):
                    self._raise_for_unreadable_entry()
                raise
        return self.state

    def advance(self, seq: int, state: State) -> None:
        """Take the state after our own write, which saves reading it back."""
        self.seq, self.state = seq, state

    def due_snapshot(self) -> Json | None:
        """The snapshot to store with the next entry, or None if none is due."""
        if self._snapshots is None or self.seq - self._snapshot_seq < self._snapshots.every():
            return None
        return self._snapshots.encode(self.state)

    def mark_snapshot(self, seq: int) -> None:
        """Note that a snapshot was stored with this entry."""
        self._snapshot_seq = seq

    def _load_snapshot(self, snapshots: SnapshotPolicy[State]) -> None:
        """Start from the stored snapshot, or from the first entry if it cannot be decoded."""
        if (stored := self.ledger.latest_snapshot(self.stream)) is None:
            return
        seq, document = stored
        try:
            state = snapshots.decode(document, seq - 1)
        except (PitbookError, LookupError, TypeError, ValueError, AttributeError):
            return
        if state is not None:
            self.state, self.seq, self._snapshot_seq = state, seq - 1, seq

    def _new_entries(self) -> Iterator[Entry]:
        """Entries not read yet. Each counts as read when the next one is requested."""
        for entry in self.ledger.entries(self.stream, after=self.seq):
            yield entry
            self.seq = entry.seq

    def _raise_for_unreadable_entry(self) -> None:
        """Apply the entries one at a time and raise FactError for the first that fails."""
        state = self.state
        for entry in self.ledger.entries(self.stream, after=self.seq):
            try:
                state = self._apply(state, (entry,))
            except Exception as error:  # A forged fact can fail anywhere.
                raise unreadable_entry(entry, error) from error


def unreadable_entry(entry: Entry, error: Exception) -> FactError:
    """The error for an entry that cannot be read: where it is, why, and what to do."""
    why = sentence_of(error) if isinstance(error, PitbookError) else say("streams.no-sense")
    return FactError(say("streams.place", stream=entry.stream, seq=entry.seq, why=why))
