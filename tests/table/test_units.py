"""What a table is played for."""

from __future__ import annotations

import pytest

from pitbook.table.units import counted_in


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("tournament:gala:main", "CHIPS"),
        ("rehearsal-tournament:gala", "CHIPS"),
        ("event-chip:tournament", "EUR"),
        ("practice", "EUR"),
    ],
)
def test_chips_of_a_tournament_are_no_money(unit: str, said: str) -> None:
    assert counted_in(unit, "EUR") == said
