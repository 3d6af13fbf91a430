"""Table results in several currencies: amounts in the table's currency, one sum per currency."""

from __future__ import annotations

import pytest

from pitbook.house.inspect.table_results import TableResult
from pitbook.house.ledger.queries import ALL_TIME
from pitbook.house.papers.table_result import table_result
from pitbook.printing.content import plain


@pytest.mark.parametrize(
    ("language", "sums_of"), [("en", "All tables,"), ("es", "Todas las mesas,")]
)
def test_tables_are_in_their_currency_and_each_currency_has_a_sum(
    language: str, sums_of: str
) -> None:
    takings = [
        TableResult("d", "usd", fills=50_000, closing=50_000, entries=1),
        TableResult("e", "usd", "EUR", fills=7_000, closing=7_100, entries=1),
        TableResult("f", "usd", "EUR", fills=3_000, closing=3_000, entries=1),
    ]
    paper = table_result(
        takings, ALL_TIME, operator="x", generated="2026-11-15T18:30:00Z", version="v"
    )
    tables, sums = paper.sections
    rows = plain(tables.blocks[0], language)["rows"]
    assert [row[2] for row in rows] == ["$500", "€70", "€30", "$500", "€100"]
    assert [row[0] for row in rows[3:]] == [f"{sums_of} USD", f"{sums_of} EUR"]
    (discrepancy,) = sums.blocks
    assert "€1" in plain(discrepancy, language)["text"]
