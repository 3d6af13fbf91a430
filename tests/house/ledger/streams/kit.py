"""A small stream for the tests of all streams: somebody counts, and nobody counts past ten."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Literal, NamedTuple, TypeAlias

from pitbook.house.ledger.batch import Append, Receipt
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Codec
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import Keeping, ReadState
from pitbook.house.ledger.stream_writer import (
    KnownRequest,
    OnRecord,
    Shell,
    Writing,
    awaiting,
    blocking,
)

STREAM = "counted"
MOST = 10
FACTS: Codec[Fact] = Codec("a counter")


@FACTS.fact("added")
class Added(NamedTuple):
    number: int


Fact: TypeAlias = Added
Way: TypeAlias = Literal["blocks", "awaits"]
Write: TypeAlias = Callable[[Append], Awaitable[Receipt]]
KEEPING: Keeping[int] = Keeping(
    lambda: 3, lambda state: {"sum": state}, lambda kept, _: int(kept["sum"])
)


class Counter:
    """Somebody who counts, and blocks or awaits; `through` stands between them and the book."""

    def __init__(
        self,
        ledger: Ledger,
        way: Way = "blocks",
        keeping: Keeping[int] | None = None,
        *,
        through: Callable[[Write], Write] = lambda write: write,
        **how: Any,
    ) -> None:
        seam = (blocking if way == "blocks" else awaiting)(ledger)
        seam = seam._replace(write=through(seam.write))
        self.shell = Shell(fold(ledger, keeping), FACTS, seam, **how)
        self._way = way

    @property
    def state(self) -> int:
        return self.shell.state

    def read_on(self) -> int:
        return self.shell.read_on()

    def write(self, decide: Any, asked: KnownRequest, **how: Any) -> OnRecord[Fact] | str:
        written: OnRecord[Fact] | str
        if self._way == "blocks":
            written = self.shell.write(decide, asked, **how)
        else:
            written = asyncio.run(self.shell.written(decide, asked, **how))
        return written

    def put(self, number: int, asked: KnownRequest) -> OnRecord[Fact]:
        """Add, which is not refused."""
        written = self.write(add(number), asked)
        assert isinstance(written, OnRecord)
        return written


def fold(ledger: Ledger, keeping: Keeping[int] | None = None) -> ReadState[int]:
    return ReadState(ledger, STREAM, 0, summed, keeping)


def summed(state: int, entries: Iterable[Entry]) -> int:
    return state + sum(fact.number for entry in entries for fact in FACTS.told(entry))


def add(number: int, most: int = MOST) -> Any:
    """A decision to add, or why not."""

    def decide(state: int) -> Writing[Fact] | str:
        return Writing([Added(number)]) if state + number <= most else f"{state} is enough"

    return decide


def kinds(ledger: Ledger) -> list[list[str]]:
    """What every entry of the stream says, by the names of facts."""
    return [[fact["fact"] for fact in entry.facts] for entry in ledger.entries(STREAM)]
