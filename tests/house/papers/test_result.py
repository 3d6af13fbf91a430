"""The result of tables in several currencies: each in its own, and a sum of each."""

from __future__ import annotations

import pytest

from pitbook.house.inspect.table_results import Taking
from pitbook.house.ledger.queries import ALWAYS
from pitbook.house.papers.table_result import table_result
from pitbook.papers.content import plain


@pytest.mark.parametrize(
    ("language", "sums_of"), [("en", "All tables,"), ("es", "Todas las mesas,")]
)
def test_each_table_is_in_its_own_money_and_each_money_has_its_sum(
    language: str, sums_of: str
) -> None:
    found = [
        Taking("d", "usd", fills=50_000, closing=50_000, entries=1),
        Taking("e", "usd", "EUR", fills=7_000, closing=7_100, entries=1),
        Taking("f", "usd", "EUR", fills=3_000, closing=3_000, entries=1),
    ]
    paper = table_result(found, ALWAYS, operator="x", generated="2026-11-15T18:30:00Z", version="v")
    tables, sums = paper.sections
    rows = plain(tables.blocks[0], language)["rows"]
    assert [row[2] for row in rows] == ["$500", "€70", "€30", "$500", "€100"]
    assert [row[0] for row in rows[3:]] == [f"{sums_of} USD", f"{sums_of} EUR"]
    (off,) = sums.blocks
    assert "€1" in plain(off, language)["text"]
