"""A small stream for the tests of all streams: somebody counts, and nobody counts past ten."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry
from pitbook.streams.codec import Codec
from pitbook.streams.reading import Keeping, ReadState
from pitbook.streams.shell import FactWords, Shell, Writing

STREAM = "counted"
MOST = 10
FACTS: Codec[Fact] = Codec("a counter")


@FACTS.fact("added")
class Added(NamedTuple):
    number: int


Fact: TypeAlias = Added
Counter: TypeAlias = Shell[int, Fact]
KEEPING: Keeping[int] = Keeping(
    lambda: 3, lambda state: {"sum": state}, lambda kept, _: int(kept["sum"])
)


def fold(ledger: Ledger, keeping: Keeping[int] | None = None) -> ReadState[int]:
    return ReadState(ledger, STREAM, 0, summed, keeping)


def summed(state: int, entries: Iterable[Entry]) -> int:
    return state + sum(fact.number for entry in entries for fact in FACTS.told(entry))


def counter(ledger: Ledger, keeping: Keeping[int] | None = None, **how: Any) -> Counter:
    words: FactWords[Fact] = FactWords(FACTS.dump, FACTS.told)
    return Shell(ledger, fold(ledger, keeping), words, busy="it is too busy", **how)


def add(number: int, most: int = MOST) -> Any:
    """A decision to add, or why not."""

    def decide(state: int) -> Writing[Fact] | str:
        return Writing([Added(number)]) if state + number <= most else f"{state} is enough"

    return decide
