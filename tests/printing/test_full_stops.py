"""A name that ends with a full stop ends its sentence too: no paper has two stops in a row."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.house.papers.test_certificate import paper as certificate
from tests.printing.pdf_reader import sheet_of

from pitbook.printing.checklists import checklist
from pitbook.printing.content import Paper, plain
from pitbook.printing.html import html
from pitbook.printing.packet import PAPERS
from pitbook.printing.redline import redline
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Sheet

STUD = "catfish-bend/mississippi-stud"
NAMES: dict[str, Any] = {
    "title": "Stud Inc.",
    "house.venue": "River House Co.",
    "ante.title": "Ante No.",
    "side.three-card-bonus.title": "Bonus Ltd.",
    "source.document": "Rules of River House Co.",
    "filing": {"sponsor": "Stud Inc.", "rights": "All of Stud Inc.", "version": "v. 2."},
    "notices": [{"text": "Ask the supervisor, etc.", "clause": "H-1"}],
}
TWO = re.compile(r"(?<!\.)\.\.(?!\.)")


def papers(sheet: Sheet) -> list[Paper]:
    by_name = {name: make(sheet) for name, make in PAPERS.items()}
    return [*by_name.values(), checklist(sheet, "iowa", by_name), redline(sheet_of(STUD), sheet)]


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_paper_has_two_full_stops_in_a_row(language: str) -> None:
    documents = [*papers(change_sheet(sheet_of(STUD), NAMES)), certificate("Ann Lee jr.")]
    contents = [str(plain(document, language)) for document in documents]
    wrong = [
        text[match.start() - 60 : match.end() + 9]
        for text in contents
        for match in TWO.finditer(text)
    ]
    assert wrong == []
    assert [document.id for document in documents if TWO.search(html(document, language))] == []
