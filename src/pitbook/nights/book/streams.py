"""The nights of a house as their streams have them; nothing here writes."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.ledger.batch import TAKEN_OVER
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Entry, Fact
from pitbook.nights.book.evolve import folded
from pitbook.nights.book.state import STREAM, NightState

__all__ = ["nights", "on_record", "told_in"]


def nights(ledger: Ledger) -> list[str]:
    """Every night of a house, by id."""
    names = (one.name for one in ledger.streams() if one.name.startswith(STREAM))
    return [name.removeprefix(STREAM) for name in names]


def on_record(ledger: Ledger, event: str) -> NightState:
    """A night as it stands, read from the beginning."""
    entries = ledger.entries(f"{STREAM}{event}")
    return folded(fact for entry in entries for fact in told_in(entry))


def told_in(entry: Entry) -> Iterator[Fact]:
    """What an entry says of the night; the rest is the ledger's own."""
    return (fact for fact in entry.facts if fact["fact"] != TAKEN_OVER)
