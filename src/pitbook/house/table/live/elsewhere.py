"""Tables that another process holds, as the book has them: to look at, never to play on."""

from __future__ import annotations

from collections.abc import Container, Iterable

from pitbook.house.ledger.book import Ledger
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.interval import ALWAYS
from pitbook.house.ledger.questions import Snapshot, Span, Streams, kinds
from pitbook.house.streams.reading import ReadState
from pitbook.house.table.facts import FACTS, Interrupted, Retired, Settled
from pitbook.house.table.live.actor import KEEPING
from pitbook.house.table.state import TableState, folded
from pitbook.house.table.streams import TABLE

__all__ = ["interrupted", "state_of"]

_TABLES = Streams(beginning=(TABLE,))


def state_of(ledger: Ledger, stream: str) -> TableState:
    """A table as it stands on record."""
    return ReadState(ledger, stream, TableState(), _read, KEEPING).read_on()


def _read(state: TableState, entries: Iterable[Entry]) -> TableState:
    return folded((fact for entry in entries for fact in FACTS.told(entry)), state)


def interrupted(ledger: Ledger, held: Container[str]) -> list[TableState]:
    """Tables beside those held here whose players are asked whether to finish a hand."""
    with ledger.moment() as book:
        others = [one for one in book.spans(ALWAYS, _TABLES) if one.stream not in held]
        stopped = [one.stream for one in others if _is_stopped(book, one)]
    states = [state_of(ledger, stream) for stream in stopped]
    return [one for one in states if one.awaiting is not None]


def _is_stopped(book: Snapshot, span: Span) -> bool:
    """Whether play was interrupted since the last hand that was settled."""
    last = next(book.newest(span, kinds(*FACTS.names(Settled, Retired, Interrupted)), 1), None)
    return last is not None and bool(FACTS.of(last, Interrupted))
