"""A small stream for stream tests: a counter that stops at ten."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Literal, NamedTuple, TypeAlias

from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.fact_codec import Codec
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import (
    PendingWrite,
    RequestKey,
    SnapshotPolicy,
    StreamReader,
    StreamWriter,
    WriteResult,
    async_adapter,
    blocking_adapter,
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
SNAPSHOTS: SnapshotPolicy[int] = SnapshotPolicy(
    lambda: 3, lambda state: {"sum": state}, lambda document, _: int(document["sum"])
)


class Counter:
    """A counter that blocks or awaits; `through` is between it and the ledger."""

    def __init__(
        self,
        ledger: Ledger,
        way: Way = "blocks",
        snapshots: SnapshotPolicy[int] | None = None,
        *,
        through: Callable[[Write], Write] = lambda write: write,
        **how: Any,
    ) -> None:
        adapter = (blocking_adapter if way == "blocks" else async_adapter)(ledger)
        adapter = adapter._replace(write=through(adapter.write))
        self.writer = StreamWriter(fold(ledger, snapshots), FACTS, adapter, **how)
        self._way = way

    @property
    def state(self) -> int:
        return self.writer.state

    def catch_up(self) -> int:
        return self.writer.catch_up()

    def write(self, decide: Any, request: RequestKey, **how: Any) -> WriteResult[Fact] | str:
        written: WriteResult[Fact] | str
        if self._way == "blocks":
            written = self.writer.write(decide, request, **how)
        else:
            written = asyncio.run(self.writer.write_async(decide, request, **how))
        return written

    def put(self, number: int, request: RequestKey) -> WriteResult[Fact]:
        """Add a number; must not be refused."""
        written = self.write(add(number), request)
        assert isinstance(written, WriteResult)
        return written


def fold(ledger: Ledger, snapshots: SnapshotPolicy[int] | None = None) -> StreamReader[int]:
    return StreamReader(ledger, STREAM, 0, sum_entries, snapshots)


def sum_entries(state: int, entries: Iterable[Entry]) -> int:
    return state + sum(fact.number for entry in entries for fact in FACTS.load_entry(entry))


def add(number: int, most: int = MOST) -> Any:
    """A decision to add, or the refusal."""

    def decide(state: int) -> PendingWrite[Fact] | str:
        return PendingWrite([Added(number)]) if state + number <= most else f"{state} is enough"

    return decide


def kinds(ledger: Ledger) -> list[list[str]]:
    """The names of the facts in every entry of the stream."""
    return [[fact["fact"] for fact in entry.facts] for entry in ledger.entries(STREAM)]
