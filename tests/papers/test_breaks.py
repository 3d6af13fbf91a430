"""Where a page ends: a table that goes on has three rows on each side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.lanes import spread
from tests.papers.read_back import BUILT, SHEETS, pages, sheet_of

from pitbook.papers.content import Paper, SmallTables, Table, plain
from pitbook.papers.packet import PAPERS
from pitbook.papers.typeset import PageSize, pdf

SIZES: tuple[PageSize, ...] = ("letter", "a4")
FEWEST = 3
TORN = "classic/ultimate-three-card-poker"  # Its table was, on letter and on A4.


def _tables(paper: Paper) -> Iterator[dict[str, Any]]:
    for block in (one for section in paper.sections for one in section.blocks):
        for table in block.tables if isinstance(block, SmallTables) else (block,):
            if isinstance(table, Table):
                yield plain(table, "en")


def _torn(paper: Paper, printed: list[str]) -> Iterator[tuple[str, list[int]]]:
    """Tables that have too few rows on a page, with how many stand on each."""
    for table in _tables(paper):
        rows = [re.sub(r"\s+", " ", " ".join(row)) for row in table["rows"]]
        on = [[place for place, page in enumerate(printed) if row in page] for row in rows]
        alone = Counter(some[0] for some in on if len(some) == 1)
        if len(alone) > 1 and min(alone[min(alone)], alone[max(alone)]) < FEWEST:
            yield table["key"], [alone[place] for place in sorted(alone)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", spread(sorted(SHEETS, key=lambda one: one != TORN), 1))
def test_a_table_that_breaks_keeps_three_rows_on_each_side(name: str, size: PageSize) -> None:
    sheet = sheet_of(name)
    for made in ("report", "rules"):
        paper = PAPERS[made](sheet)
        assert [*_torn(paper, pages(pdf(paper, size=size, built=BUILT)))] == []
