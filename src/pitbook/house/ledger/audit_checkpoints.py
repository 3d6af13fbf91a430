"""Check entries against checkpoints and anchors; report what is not covered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pitbook.house.ledger.anchors import AnchoredCheckpoint, anchor_findings, closing_anchor
from pitbook.house.ledger.batch import ANCHORS, PRUNED
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.checkpoints import (
    Checkpoint,
    CheckpointNote,
    checkpoint_notes,
    is_chained,
    note_findings,
    notes_of_file,
    proved_notes,
)
from pitbook.text import Sentence, say


class BookFinding(NamedTuple):
    """Something in the book that is not as it was written."""

    where: str
    what: str

    def __str__(self) -> str:
        return self.told

    @property
    def told(self) -> Sentence:
        """The place, and what is wrong there."""
        return say("ledger.place.finding", where=self.where, what=self.what)


class Unproved(NamedTuple):
    """The first entry of a stream that nothing proves, when it was written, and how many follow."""

    stream: str
    seq: int
    at: str
    entries: int


class Proved(NamedTuple):
    """The latest checkpoint that the house signed, and what came after it."""

    at: str | None
    checkpoints: int
    open: tuple[Unproved, ...]
    elsewhere: int = 0  # Checkpoints that the book knows of in files of other processes.
    key: str | None = None  # That signed it: the house's, as far as that is known.

    @property
    def since(self) -> int:
        """How many entries nothing proves."""
        return sum(one.entries for one in self.open)

    @property
    def first(self) -> Unproved | None:
        """From where on nothing is proved."""
        return min(self.open, key=lambda one: (str(one.at), one.stream), default=None)


NOTHING = Proved(None, 0, ())


class Signed:
    """Checkpoints, held against the entries that go by; whoever knows no key goes by the first."""

    def __init__(self, checkpoints: Sequence[Checkpoint], key: str | None) -> None:
        self._all, self._key = checkpoints, key
        self._hashes: dict[tuple[str, int], str | None] = {
            (name, seq): None for one in checkpoints for name, seq, _ in one.heads
        }
        self._first = checkpoints[0].key if checkpoints else None
        house = key or self._first
        good = [n for n, one in enumerate(checkpoints) if one.is_signed and one.key == house]
        self._reach = checkpoints[: good[-1] + 1] if good else ()
        self._last = self._reach[-1] if good else None
        self._covered = {name: seq for name, seq, _ in self._last.heads} if self._last else {}
        self._pruned: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._notes: list[CheckpointNote] = []
        self._heads: dict[int, str] = {}  # Of the book's notes, by their number.
        self._open: dict[str, tuple[int, str]] = {}
        self._ends: dict[str, int] = {}

    def told(self, entry: Entry) -> None:
        """Note what an entry says of pruning and of checkpoints."""
        if entry.stream == PRUNED:
            for fact in entry.facts:
                if fact["fact"] == PRUNED:
                    self._pruned[fact["stream"]].append((entry.seq, fact["seq"]))
        elif entry.stream == ANCHORS:
            self._notes.extend(checkpoint_notes(entry))
            self._heads[entry.seq] = entry.hash

    def passed(self, entry: Entry) -> None:
        """An entry was read."""
        if (entry.stream, entry.seq) in self._hashes:
            self._hashes[entry.stream, entry.seq] = entry.hash
        self._ends[entry.stream] = entry.seq
        if entry.seq > self._covered.get(entry.stream, 0) and entry.stream not in self._open:
            self._open[entry.stream] = (entry.seq, entry.at)

    def proved(self) -> Proved:
        """How far the latest checkpoint of the house reaches; it proves the book's note of it."""
        notes = proved_notes(self._notes, self._reach)
        found = []
        for stream, (seq, since) in sorted(self._open.items()):
            own = notes if stream == ANCHORS else ()
            entries = sum(one not in own for one in range(seq, self._ends[stream] + 1))
            if entries:
                found.append(Unproved(stream, seq, since, entries))
        at, key = (self._last.at, self._last.key) if self._last else (None, None)
        others = len(self._notes) - len(notes_of_file(self._notes, self._all))
        return Proved(at, len(self._all), tuple(found), others, key)

    def findings(
        self,
        *,
        whole: Callable[[], Sequence[Checkpoint]] | None,
        alone: bool,
        anchored: Sequence[AnchoredCheckpoint] | None,
    ) -> Iterator[BookFinding]:
        """What was signed and is not there, and what was cut from the checkpoints themselves."""
        if not is_chained(self._all):
            yield BookFinding(say("ledger.place.checkpoints"), say("ledger.checkpoints.missing"))
        for checkpoint in self._all:
            yield from self._of(checkpoint)
        if whole is not None:
            now = tuple(whole())
            grown = now if now[: len(self._all)] == tuple(self._all) else self._all
            for where, what in note_findings(self._notes, grown, alone=alone):
                yield BookFinding(where, what)
        if anchored is not None:
            yield from self._outside(anchored)

    def _of(self, checkpoint: Checkpoint) -> Iterator[BookFinding]:
        where = say("ledger.place.checkpoint", at=checkpoint.at)
        if not checkpoint.is_signed:
            yield BookFinding(where, say("ledger.checkpoints.signature"))
        elif self._key is not None and checkpoint.key != self._key:
            yield BookFinding(where, say("ledger.checkpoints.other-key", key=checkpoint.key))
        elif self._key is None and checkpoint.key != self._first:  # A house has one for good.
            yield BookFinding(
                where, say("ledger.checkpoints.two-keys", key=checkpoint.key, first=self._first)
            )
        for name, seq, head in checkpoint.heads:
            found = self._hashes[name, seq]
            if not seq or found == head or self._was_pruned(checkpoint, name, seq):
                continue
            key = "ledger.checkpoints.gone" if found is None else "ledger.checkpoints.rewritten"
            yield BookFinding(where, say(key, seq=seq, stream=name))

    def _was_pruned(self, checkpoint: Checkpoint, name: str, seq: int) -> bool:
        """Whether it is on record that a stream of practice went after a checkpoint."""
        before = next((seq for one, seq, _ in checkpoint.heads if one == PRUNED), 0)
        return name in checkpoint.practice and any(
            at > before and last >= seq for at, last in self._pruned[name]
        )

    def _outside(self, known: Sequence[AnchoredCheckpoint]) -> Iterator[BookFinding]:
        for what in anchor_findings(known, self._all, self._heads, self._key):
            yield BookFinding(say("ledger.place.checkpoints"), what)
        closed = closing_anchor(known, self._all)
        if closed is None or closed.number > len(self._all):
            return
        heads = {name: seq for name, seq, _ in self._all[closed.number - 1].heads}
        for stream, seq in sorted(self._ends.items()):
            end = closed.seq if stream == ANCHORS else heads.get(stream, 0)
            if seq > end:
                more = {"more": seq - end, "at": closed.at}
                yield BookFinding(stream, say("ledger.checkpoints.added", **more))
