"""A stream that several processes write to: decided on what is on record, and then on record.

Whoever finds that somebody else wrote in between reads on and decides again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from pitbook.errors import InDoubt, LedgerError, Superseded
from pitbook.ledger.accounts import Transfer
from pitbook.ledger.aside import step_aside
from pitbook.ledger.batch import Append
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry
from pitbook.streams.reading import ReadState
from pitbook.streams.requests import KnownRequest, before

__all__ = ["FactWords", "OnRecord", "Shell", "Writing"]

TRIES = 20

S = TypeVar("S")
F = TypeVar("F")
N = TypeVar("N")


class Writing(NamedTuple, Generic[F]):
    """What is to be written: facts, and the money that they move."""

    facts: Sequence[F]
    transfers: Sequence[Transfer] = ()


class OnRecord(NamedTuple, Generic[F]):
    """Where something stands, and what it says; `again` where it was written before."""

    seq: int
    hash: str
    facts: Sequence[F]
    again: bool = False


class FactWords(NamedTuple, Generic[F]):
    """How a stream's facts are written down, and read in an entry."""

    dump: Callable[[F], Mapping[str, Any]]
    told: Callable[[Entry], Sequence[F]]


class Shell(Generic[S, F]):
    """One stream and its state; safe to use from several threads."""

    def __init__(
        self,
        ledger: Ledger,
        fold: ReadState[S],
        words: FactWords[F],
        *,
        tries: int = TRIES,
        busy: str,
        prunable: bool = False,
    ) -> None:
        self._ledger, self._fold, self._words = ledger, fold, words
        self._tries, self._busy, self._prunable = tries, busy, prunable
        self._stream, self._epoch = fold.place.stream, 0
        self.lock = threading.RLock()

    @property
    def state(self) -> S:
        """The state as this process last read it."""
        return self._fold.state

    def read_on(self) -> S:
        """The state as the book has it now."""
        with self.lock:
            return self._fold.read_on()

    def write(
        self,
        decide: Callable[[S], Writing[F] | N],
        asked: KnownRequest,
        *,
        once_ours: Callable[[S, Writing[F]], Writing[F] | N] | None = None,
        patience: Callable[[], int] = int,
    ) -> OnRecord[F] | N:
        """Append what is decided, or give back what is said instead; decided anew if that is old.

        `once_ours` has the last word when nobody else can write any more. With `patience` others
        are left a longer moment. Raises RequestReused, Overdrawn, InDoubt.
        """
        with self.lock:
            for tried in range(self._tries):
                state = self._fold.read_on()
                if (said := self._said(asked)) is not None:
                    return said
                made = decide(state)
                if not isinstance(made, Writing):
                    return made
                try:
                    if not self._epoch and self._is_new_since(asked.actor):
                        continue
                    made = made if once_ours is None else once_ours(self.state, made)
                    return self._append(made, asked) if isinstance(made, Writing) else made
                except InDoubt:
                    self._epoch = 0  # The next claim comes behind whatever is under way.
                    raise
                except Superseded:
                    self._epoch = 0
                    step_aside(tried, at_least=patience())
            raise LedgerError(self._busy)

    def _said(self, asked: KnownRequest) -> OnRecord[F] | None:
        """What a request put on record when it came first."""
        if (entry := before(self._ledger, asked)) is None:
            return None
        return OnRecord(entry.seq, entry.hash, self._words.told(entry), again=True)

    def _is_new_since(self, actor: str) -> bool:
        """Take the stream over; whether somebody wrote between reading and that."""
        claim = Append(self._stream, None, actor=actor, prunable=self._prunable)
        claimed = self._ledger.submit(claim).result()
        is_new = claimed.seq != self._fold.place.seq + 1
        self._epoch = claimed.epoch
        self._fold.read_on()
        return is_new

    def _append(self, made: Writing[F], asked: KnownRequest) -> OnRecord[F]:
        keep = self._fold.to_keep()
        receipt = self._ledger.append(
            self._stream,
            self._epoch,
            [self._words.dump(fact) for fact in made.facts],
            made.transfers,
            actor=asked.actor,
            request=asked.request,
            body=asked.body,
            keep=keep,
        )
        if keep is not None and not receipt.again:
            self._fold.place.kept_with(receipt)
        self._fold.read_on()
        said = self._said(asked) if receipt.again else None  # Another process was quicker.
        return said or OnRecord(receipt.seq, receipt.hash, made.facts)
