"""Rules papers and their source documents: no sentence is lost, no paragraph is invented."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.lanes import spread
from tests.printing.pdf_reader import sheet_of
from tests.sheets.samples import ALL_IDS, CMS

from pitbook.printing.content import NumberedBlock, Signatures, numbered_blocks
from pitbook.printing.rules import rules
from pitbook.sheets.clauses import clause_texts
from pitbook.sheets.model import Sheet

BESIDE = tomllib.loads(Path("docs/beside-sources.toml").read_text(encoding="utf-8"))
LEFT_OUT = {"contents"}  # A paper's sections are its contents.
DOCUMENT_OF = {sheet: name for name, entry in BESIDE.items() for sheet in entry["sheets"]}
NO_CLAUSE = {"title", "house.venue", "effective", "source"}  # What a title page says.


def paragraphs_of(sheet: Sheet) -> dict[str, NumberedBlock]:
    """Every numbered paragraph and table of a rules paper by its key, without signature lines."""
    entries = {entry.block.key: entry for entry in numbered_blocks(rules(sheet))}
    return {key: entry for key, entry in entries.items() if not isinstance(entry.block, Signatures)}


def lines_of(document: str) -> list[tuple[str, int, str, str]]:
    """Section, sentence, clause and paragraph of each line of a document."""
    return [
        (section["title"], number, clause, key)
        for section in BESIDE[document]["sections"]
        for number, clause, key in section["lines"]
        if key not in LEFT_OUT
    ]


def sort_paragraphs(sheet: Sheet) -> dict[str, list[str]]:
    """The paragraphs of a rules paper by origin: source, assumption or neither."""
    kinds: dict[str, list[str]] = {"source": [], "assumption": [], "neither": []}
    for key, entry in paragraphs_of(sheet).items():
        block: Any = entry.block
        traced = _is_traced(sheet, key, getattr(block, "clauses", ()))
        assumed = getattr(block, "assumed", "none") != "none"
        kind = "assumption" if assumed else "source" if traced else "neither"
        kinds[kind].append(f"{entry.number} {key}")
    return kinds


def _is_traced(sheet: Sheet, key: str, clauses: tuple[str, ...]) -> bool:
    """Whether the source states the paragraph: a listed sentence, or a section that was read."""
    if document := DOCUMENT_OF.get(sheet.id):
        return any(line[3] == key for line in lines_of(document))
    entries = [clause_texts()[clause] for clause in clauses]
    read = any(entry.read and not entry.ours and not entry.undocumented for entry in entries)
    return read or (key in NO_CLAUSE and not clauses)


@pytest.mark.long
@pytest.mark.parametrize("sheet_id", DOCUMENT_OF)
def test_every_sentence_has_its_paragraph(sheet_id: str) -> None:
    paragraphs = paragraphs_of(sheet_of(sheet_id))
    wrong = [
        (section, number, clause, key)
        for section, number, clause, key in lines_of(DOCUMENT_OF[sheet_id])
        if not _has_paragraph(paragraphs, clause, key)
    ]
    assert wrong == []


def _has_paragraph(paragraphs: dict[str, NumberedBlock], clause: str, key: str) -> bool:
    """Whether the paper has the paragraph and it cites the clause."""
    if key not in paragraphs:
        return False
    block: Any = paragraphs[key].block
    return not clause or clause in block.clauses


@pytest.mark.long
@pytest.mark.parametrize("sheet_id", spread(ALL_IDS, 5))
def test_every_paragraph_is_from_the_source_or_marked_as_an_assumption(sheet_id: str) -> None:
    kinds = sort_paragraphs(sheet_of(sheet_id))
    assert kinds["neither"] == [], json.dumps(kinds, indent=1)
    assert kinds["source"]
    assert kinds["assumption"]


@pytest.mark.long
def test_a_paragraph_without_source_or_mark_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for line in lines_of(DOCUMENT_OF[CMS]) if line[3] != "fold.clause"]
    monkeypatch.setattr("tests.printing.test_source_coverage.lines_of", lambda _: lines)
    [paragraph] = sort_paragraphs(sheet_of(CMS))["neither"]
    assert paragraph.endswith(" fold.clause")


@pytest.mark.parametrize("document", BESIDE)
def test_no_sentence_of_a_document_is_left_out(document: str) -> None:
    for section in BESIDE[document]["sections"]:
        numbers = [number for number, _, _ in section["lines"]]
        assert [*dict.fromkeys(numbers)] == [*range(1, section["sentences"] + 1)], section["title"]


def test_every_clause_of_the_documents_is_beside_a_paragraph() -> None:
    cited = {clause for document in BESIDE for _, _, clause, _ in lines_of(document)}
    ours = {name for name, entry in clause_texts().items() if "[gap]" in entry.mark}
    documents = {name for name in clause_texts() if name[:4] in ("CMS-", "OMS-", "MHL-", "LAS-")}
    assert documents - cited - ours <= {"LAS-10", "LAS-11"}  # The document has neither.
