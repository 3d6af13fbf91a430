"""Check entries against checkpoints and anchors; report what is not covered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pitbook.house.ledger.anchors import AnchoredCheckpoint, anchor_findings, closing_anchor
from pitbook.house.ledger.append_batch import ANCHORS, PRUNED
from pitbook.house.ledger.checkpoints import (
    Checkpoint,
    CheckpointNote,
    checkpoint_notes,
    is_chained,
    note_findings,
    notes_of_file,
    signed_entries,
)
from pitbook.house.ledger.hash_chain import Entry
from pitbook.text import Sentence, say


class LedgerFinding(NamedTuple):
    """A place in the ledger that is not as it was written."""

    where: str
    what: str

    def __str__(self) -> str:
        return self.message

    @property
    def message(self) -> Sentence:
        return say("ledger.place.finding", where=self.where, what=self.what)


class UnsignedTail(NamedTuple):
    """The first entry of a stream that no checkpoint covers, its time, and the number of entries
    from it.
    """

    stream: str
    seq: int
    at: str
    entries: int


class Coverage(NamedTuple):
    """The latest checkpoint signed by this server, and the entries after it."""

    at: str | None
    checkpoints: int
    open: tuple[UnsignedTail, ...]
    elsewhere: int = 0  # Checkpoints that the ledger notes in files of other processes.
    key: str | None = None  # The signing key: the server's, if known.

    @property
    def unsigned_entries(self) -> int:
        """Number of entries that no checkpoint covers."""
        return sum(tail.entries for tail in self.open)

    @property
    def first_unsigned(self) -> UnsignedTail | None:
        """The earliest entry that no checkpoint covers."""
        return min(self.open, key=lambda tail: (str(tail.at), tail.stream), default=None)


NO_COVERAGE = Coverage(None, 0, ())


class CheckpointCheck:
    """Compares checkpoints with entries; without a key the first checkpoint's key counts."""

    def __init__(self, checkpoints: Sequence[Checkpoint], key: str | None) -> None:
        self._all, self._key = checkpoints, key
        self._hashes: dict[tuple[str, int], str | None] = {
            (name, seq): None for checkpoint in checkpoints for name, seq, _ in checkpoint.heads
        }
        self._first = checkpoints[0].key if checkpoints else None
        server_key = key or self._first
        valid = [
            n
            for n, checkpoint in enumerate(checkpoints)
            if checkpoint.is_signed and checkpoint.key == server_key
        ]
        self._reach = checkpoints[: valid[-1] + 1] if valid else ()
        self._last = self._reach[-1] if valid else None
        self._covered = {name: seq for name, seq, _ in self._last.heads} if self._last else {}
        self._pruned: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._notes: list[CheckpointNote] = []
        self._heads: dict[int, str] = {}  # Of the book's notes, by their number.
        self._open: dict[str, tuple[int, str]] = {}
        self._ends: dict[str, int] = {}

    def note_claims(self, entry: Entry) -> None:
        """Record what an entry says about pruning and checkpoints."""
        if entry.stream == PRUNED:
            for fact in entry.facts:
                if fact["fact"] == PRUNED:
                    self._pruned[fact["stream"]].append((entry.seq, fact["seq"]))
        elif entry.stream == ANCHORS:
            self._notes.extend(checkpoint_notes(entry))
            self._heads[entry.seq] = entry.hash

    def add_entry(self, entry: Entry) -> None:
        """Record an entry's hash, and whether a checkpoint covers it."""
        if (entry.stream, entry.seq) in self._hashes:
            self._hashes[entry.stream, entry.seq] = entry.hash
        self._ends[entry.stream] = entry.seq
        if entry.seq > self._covered.get(entry.stream, 0) and entry.stream not in self._open:
            self._open[entry.stream] = (entry.seq, entry.at)

    def coverage(self) -> Coverage:
        """What the server's latest checkpoint covers, including the ledger's note of it."""
        notes = signed_entries(self._notes, self._reach)
        tails = []
        for stream, (seq, at_first) in sorted(self._open.items()):
            noted = notes if stream == ANCHORS else ()
            entries = sum(
                seq_in_tail not in noted for seq_in_tail in range(seq, self._ends[stream] + 1)
            )
            if entries:
                tails.append(UnsignedTail(stream, seq, at_first, entries))
        at, key = (self._last.at, self._last.key) if self._last else (None, None)
        others = len(self._notes) - len(notes_of_file(self._notes, self._all))
        return Coverage(at, len(self._all), tuple(tails), others, key)

    def findings(
        self,
        *,
        read_again: Callable[[], Sequence[Checkpoint]] | None,
        is_only_signer: bool,
        anchored: Sequence[AnchoredCheckpoint] | None,
    ) -> Iterator[LedgerFinding]:
        """Yield signed entries that are missing or changed, and checkpoints cut from the file."""
        if not is_chained(self._all):
            yield LedgerFinding(say("ledger.place.checkpoints"), say("ledger.checkpoints.missing"))
        for checkpoint in self._all:
            yield from self._check_checkpoint(checkpoint)
        if read_again is not None:
            now = tuple(read_again())
            checkpoints = now if now[: len(self._all)] == tuple(self._all) else self._all
            for place, message in note_findings(
                self._notes, checkpoints, is_only_signer=is_only_signer
            ):
                yield LedgerFinding(place, message)
        if anchored is not None:
            yield from self._check_anchors(anchored)

    def _check_checkpoint(self, checkpoint: Checkpoint) -> Iterator[LedgerFinding]:
        place = say("ledger.place.checkpoint", at=checkpoint.at)
        if not checkpoint.is_signed:
            yield LedgerFinding(place, say("ledger.checkpoints.signature"))
        elif self._key is not None and checkpoint.key != self._key:
            yield LedgerFinding(place, say("ledger.checkpoints.other-key", key=checkpoint.key))
        elif self._key is None and checkpoint.key != self._first:  # A server never changes its key.
            yield LedgerFinding(
                place, say("ledger.checkpoints.two-keys", key=checkpoint.key, first=self._first)
            )
        for name, seq, head in checkpoint.heads:
            hash_read = self._hashes[name, seq]
            if not seq or hash_read == head or self._was_pruned(checkpoint, name, seq):
                continue
            key = "ledger.checkpoints.gone" if hash_read is None else "ledger.checkpoints.rewritten"
            yield LedgerFinding(place, say(key, seq=seq, stream=name))

    def _was_pruned(self, checkpoint: Checkpoint, name: str, seq: int) -> bool:
        """Whether the ledger records that a practice stream was pruned after a checkpoint."""
        before = next((seq for stream, seq, _ in checkpoint.heads if stream == PRUNED), 0)
        return name in checkpoint.practice and any(
            at > before and last >= seq for at, last in self._pruned[name]
        )

    def _check_anchors(self, anchored: Sequence[AnchoredCheckpoint]) -> Iterator[LedgerFinding]:
        for message in anchor_findings(anchored, self._all, self._heads, self._key):
            yield LedgerFinding(say("ledger.place.checkpoints"), message)
        closed = closing_anchor(anchored, self._all)
        if closed is None or closed.number > len(self._all):
            return
        heads = {name: seq for name, seq, _ in self._all[closed.number - 1].heads}
        for stream, seq in sorted(self._ends.items()):
            end = closed.seq if stream == ANCHORS else heads.get(stream, 0)
            if seq > end:
                details = {"more": seq - end, "at": closed.at}
                yield LedgerFinding(stream, say("ledger.checkpoints.added", **details))
