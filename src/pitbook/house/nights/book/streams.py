"""The nights of a house as their streams have them; nothing here writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import OURS
from pitbook.house.ledger.journal import Ledger, Stream
from pitbook.house.ledger.stream_reader import ReadState
from pitbook.house.nights.book.evolve import folded
from pitbook.house.nights.book.facts import Fact, load
from pitbook.house.nights.book.state import STREAM, NightState


def nights(ledger: Ledger) -> list[str]:
    """Every night of a house, by id."""
    found = (one for one in ledger.streams() if one.name.startswith(STREAM))
    return [one.name.removeprefix(STREAM) for one in found if _is_made(ledger, one)]


def _is_made(ledger: Ledger, stream: Stream) -> bool:
    """Whether anything is told: who was stopped after taking a stream over has left it empty."""
    if stream.seq > stream.epoch:  # More was written than claims.
        return True
    return any(True for entry in ledger.entries(stream.name) for _ in told_in(entry))


def on_record(ledger: Ledger, event: str) -> NightState:
    """A night as it stands, read from the beginning."""
    return fold_of(ledger, event).read_on()


def fold_of(ledger: Ledger, event: str) -> ReadState[NightState]:
    """A night of which nothing was read yet."""
    return ReadState(ledger, f"{STREAM}{event}", NightState(), _read)


def _read(state: NightState, entries: Iterable[Entry]) -> NightState:
    return folded((fact for entry in entries for fact in told_in(entry)), state)


def told_in(entry: Entry) -> Iterator[Fact]:
    """What an entry says of the night; the rest is the ledger's own."""
    return (load(kept) for kept in entry.facts if kept["fact"] not in OURS)
