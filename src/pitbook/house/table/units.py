"""What a table is played for, told by the unit of its accounts: money, or chips that are none."""

from __future__ import annotations

from pitbook.text.formats import CHIPS

__all__ = ["counted_in", "is_of_tournament"]


def is_of_tournament(unit: str) -> bool:
    """Whether its chips are a tournament's, or a rehearsal's of one."""
    kind, _, _ = unit.partition(":")
    return kind.removeprefix("rehearsal-") == "tournament"


def counted_in(unit: str, currency: str | None) -> str | None:
    """What amounts of a table are of: the chips of a tournament are no money.

    >>> counted_in("tournament:gala.main", "EUR"), counted_in("event-chip:gala", "EUR")
    ('CHIPS', 'EUR')
    """
    return CHIPS if is_of_tournament(unit) else currency
