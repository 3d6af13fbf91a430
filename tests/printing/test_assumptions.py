"""Assumptions are marked in papers, and each page with a mark explains it."""

from __future__ import annotations

import re

import pytest
from tests.printing.pdf_reader import BUILT, SHEETS, pages, sheet_of

from pitbook.printing.content import Drawing, Paper, Paragraph, Section, Table, numbered_blocks
from pitbook.printing.html import html
from pitbook.printing.page_texts import identity
from pitbook.printing.report import report
from pitbook.printing.rules import rules
from pitbook.printing.table_layout import layout
from pitbook.printing.typeset import pdf
from pitbook.sheets.assumptions import MARK, assumed_pays, mark_assumption

LEGEND = "Assumption: the source document does not state this in full, or contradicts itself."


def paper_of(*blocks: Paragraph | Table | Drawing) -> Paper:
    sheet = sheet_of("louisiana-stud/standard")
    return Paper("rules", "Rules", (), identity(sheet, "rules"), (Section("One", blocks, "one"),))


def test_a_page_without_a_mark_has_no_legend() -> None:
    plain = paper_of(Paragraph("One deck."))
    assert LEGEND not in pages(pdf(plain, built=BUILT))[0]
    assert LEGEND not in html(plain)


@pytest.mark.parametrize(
    "block",
    [
        Paragraph("Six positions.", assumed="all"),
        Paragraph(mark_assumption("Six positions", "part")),
        Table("Pays", ("", ""), (("Pair", "1 to 1"),), "lr", assumed="all"),
        Table("Pays", ("", ""), (("Pair", mark_assumption("1 to 1", "all")),), "lr"),
        Drawing("<svg xmlns='http://www.w3.org/2000/svg'/>", "a felt", 10, assumed="all"),
    ],
)
def test_every_kind_of_mark_adds_the_legend(block: Paragraph | Table | Drawing) -> None:
    marked = paper_of(block)
    assert LEGEND in pages(pdf(marked, built=BUILT))[0]
    assert html(marked).count(LEGEND) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", ["louisiana-stud/standard", "catfish-bend/matchem-hi-lo"])
def test_legend_is_only_on_pages_with_a_mark(name: str) -> None:
    content = pages(pdf(rules(sheet_of(name)), built=BUILT))
    marks = [len(re.findall(MARK, page)) for page in content]
    assert any(marks)
    for page, count in zip(content, marks, strict=True):
        assert (LEGEND in page) == (count > 0)
        assert count != 1, "a legend without a mark"


def test_stax_pay_table_is_marked_as_a_whole() -> None:
    blocks = [entry.block for entry in numbered_blocks(rules(sheet_of("louisiana-stud/standard")))]
    tables = {block.key: block for block in blocks if isinstance(block, Table)}
    assert tables["pays stax"].assumed == "all"
    main = {row[0]: str(row[1]) for row in tables["pays main"].rows}
    assert main.pop("Pair of sixes to tens") == "push"
    assert all(pays.endswith(MARK) for pays in main.values())


def test_an_order_that_the_source_states_is_not_marked_with_its_direction() -> None:
    blocks = [entry.block for entry in numbered_blocks(rules(sheet_of("louisiana-stud/standard")))]
    rule = {block.key: block for block in blocks if isinstance(block, Paragraph)}
    assert rule["deal.order"].assumed == "none"
    assert rule["deal.direction"].assumed == "all"


@pytest.mark.parametrize("name", SHEETS)
def test_rules_report_and_layout_mark_every_assumed_pay_table(name: str) -> None:
    sheet = sheet_of(name)
    for wager in ("main", *sheet.side):
        assumed = assumed_pays(sheet, wager) != "none"
        tables = [
            table
            for paper in (rules(sheet), report(sheet))
            for entry in numbered_blocks(paper)
            if isinstance(table := entry.block, Table)
            and table.key in {f"{part} {wager}" for part in ("pays", "outcomes", "sensitivity")}
        ]
        assert tables
        for table in tables:
            marked = table.assumed != "none" or any(MARK in str(row) for row in table.rows)
            assert marked == assumed, (table.key, wager)
    felt = next(entry.block for entry in numbered_blocks(layout(sheet)))
    assert isinstance(felt, Drawing)
    odds_printed = bool(sheet.equipment and sheet.equipment.odds_printed)
    assumed_odds = any(assumed_pays(sheet, wager) != "none" for wager in ("main", *sheet.side))
    assert (MARK in felt.svg) == (felt.assumed != "none") == (odds_printed and assumed_odds)
