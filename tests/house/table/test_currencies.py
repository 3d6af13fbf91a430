"""Units of a table's chips."""

from __future__ import annotations

import pytest

from pitbook.house.ledger.accounts import unit_currency
from pitbook.house.table.stored_sheets import currency_of


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ("tournament:gala:main", "CHIPS"),
        ("rehearsal-tournament:gala", "CHIPS"),
        ("event-chip:tournament", "EUR"),
        ("practice", "EUR"),
    ],
)
def test_tournament_chips_are_not_money(unit: str, message: str) -> None:
    assert unit_currency(unit, "EUR") == message


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
def test_stored_sheet_currency_and_unreadable_sheet(body: str, currency: str | None) -> None:
    assert currency_of({"hash": "0", "body": body}) == currency
