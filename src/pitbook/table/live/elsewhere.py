"""Tables that another process holds, as the book has them: to look at, never to play on."""

from __future__ import annotations

from collections.abc import Container

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from pitbook.errors import LedgerError
from pitbook.ledger import schema
from pitbook.ledger.book import Ledger
from pitbook.ledger.database import cause
from pitbook.ledger.interval import ALWAYS
from pitbook.table.live.actor import told_in
from pitbook.table.past.spans import TABLE, Span, entries, has, spans
from pitbook.table.state import TableState, folded, restored

__all__ = ["interrupted", "state_of"]

_TABLES = schema.stream.c.name.startswith(TABLE, autoescape=True)


def state_of(ledger: Ledger, stream: str) -> TableState:
    """A table as it stands on record."""
    kept = ledger.kept(stream)
    after, state = (0, TableState()) if kept is None else (kept[0] - 1, restored(kept[1]))
    found = ledger.entries(stream, after=after)
    return folded((fact for entry in found for fact in told_in(entry)), state)


def interrupted(ledger: Ledger, held: Container[str]) -> list[TableState]:
    """Tables beside those held here whose players are asked whether to finish a hand."""
    try:
        with ledger.engine.connect() as connection:
            others = [one for one in spans(connection, ALWAYS, _TABLES) if one.stream not in held]
            stopped = [one.stream for one in others if _is_stopped(connection, one)]
    except SQLAlchemyError as error:
        raise LedgerError(f"the book cannot be read: {cause(error)}") from error
    states = [state_of(ledger, stream) for stream in stopped]
    return [one for one in states if one.awaiting is not None]


def _is_stopped(connection: Connection, span: Span) -> bool:
    """Whether play was interrupted since the last hand that was settled."""
    words = [f'"fact":"{kind}"' for kind in ("settled", "retired", "interrupted")]
    last = next(entries(connection, span, has(connection, *words), newest=1), None)
    return last is not None and any(fact["fact"] == "interrupted" for fact in last.facts)
