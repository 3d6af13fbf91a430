"""Every kind of item on record."""

from __future__ import annotations

from tests.golden_record import book, coach, commands, kept, rounds, spots, tables, terminal

KINDS = (
    *commands.KINDS,
    *spots.KINDS,
    *rounds.KINDS,
    *kept.KINDS,
    *terminal.KINDS,
    *tables.KINDS,
    *coach.KINDS,
    *book.KINDS,
)
