"""What a table is played for."""

from __future__ import annotations

import pytest

from pitbook.house.table.state import currency_of, unit_currency


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
    assert unit_currency(unit, "EUR") == said


@pytest.mark.parametrize(
    ("body", "currency"),
    [
        ('{"house": {"currency": "EUR"}}', "EUR"),
        ('{"house": {}}', None),
        ("{}", None),
        ("[]", None),
        ("{", None),
        ("[" * 100_000, None),
        ('{"house": {"currency": ["EUR"]}}', None),
    ],
)
def test_the_money_of_a_kept_sheet_is_told_and_one_that_nobody_can_read_stops_no_report(
    body: str, currency: str | None
) -> None:
    assert currency_of({"hash": "0", "body": body}) == currency
