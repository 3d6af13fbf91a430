"""Units that a table counts in: money, or chips of a night or a tournament."""

from __future__ import annotations

from pitbook.text.formats import CHIPS


def is_tournament_unit(unit: str) -> bool:
    """Whether chips of this unit belong to a tournament, or its rehearsal."""
    kind, _, _ = unit.partition(":")
    return kind.removeprefix("rehearsal-") == "tournament"


def unit_currency(unit: str, currency: str | None) -> str | None:
    """What amounts of a table are of: the chips of a tournament are no money.

    >>> unit_currency("tournament:gala.main", "EUR"), unit_currency("event-chip:gala", "EUR")
    ('CHIPS', 'EUR')
    """
    return CHIPS if is_tournament_unit(unit) else currency
