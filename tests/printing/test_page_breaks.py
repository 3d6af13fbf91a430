"""A table that continues on the next page has at least three rows on each side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.lanes import spread
from tests.printing.pdf_reader import BUILT, SHEETS, pages, sheet_of

from pitbook.printing.content import Paper, SmallTables, Table, plain
from pitbook.printing.packet import PAPERS
from pitbook.printing.typeset import PageSize, pdf

SIZES: tuple[PageSize, ...] = ("letter", "a4")
ROWS_MIN = 3
BREAKING_SHEET = "classic/ultimate-three-card-poker"  # Its table broke badly, on letter and on A4.


def _tables(paper: Paper) -> Iterator[dict[str, Any]]:
    for block in (block for section in paper.sections for block in section.blocks):
        for table in block.tables if isinstance(block, SmallTables) else (block,):
            if isinstance(table, Table):
                yield plain(table, "en")


def _broken_tables(paper: Paper, page_texts: list[str]) -> Iterator[tuple[str, list[int]]]:
    """Tables with too few rows on a page, with the number of rows on each."""
    for table in _tables(paper):
        rows = [re.sub(r"\s+", " ", " ".join(row)) for row in table["rows"]]
        row_pages = [
            [place for place, page in enumerate(page_texts) if row in page] for row in rows
        ]
        counts = Counter(places[0] for places in row_pages if len(places) == 1)
        if len(counts) > 1 and min(counts[min(counts)], counts[max(counts)]) < ROWS_MIN:
            yield table["key"], [counts[place] for place in sorted(counts)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", spread(sorted(SHEETS, key=lambda name: name != BREAKING_SHEET), 1))
def test_a_table_that_breaks_keeps_three_rows_on_each_side(name: str, size: PageSize) -> None:
    sheet = sheet_of(name)
    for paper_id in ("report", "rules"):
        paper = PAPERS[paper_id](sheet)
        assert [*_broken_tables(paper, pages(pdf(paper, size=size, built=BUILT)))] == []
