"""Every sentence of the documents that we started from has its paragraph in the rules paper."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pitbook.papers.content import numbered
from pitbook.papers.rules.paper import rules
from pitbook.sheets.clauses import catalogue
from pitbook.sheets.examine import load
from pitbook.sheets.library import BUNDLED

BESIDE = tomllib.loads(Path("docs/beside-sources.toml").read_text(encoding="utf-8"))
LEFT_OUT = {"contents"}  # A paper's sections are its contents.


@pytest.mark.long
@pytest.mark.parametrize("document", BESIDE)
def test_every_sentence_has_its_paragraph(document: str) -> None:
    told = BESIDE[document]
    paper = rules(load(BUNDLED / f"{told['sheet']}.toml"))
    paragraphs = {one.block.key: one.block for one in numbered(paper)}
    wrong = [
        (section["title"], number, clause, key)
        for section in told["sections"]
        for number, clause, key in section["lines"]
        if key not in LEFT_OUT and not _stands(paragraphs, clause, key)
    ]
    assert wrong == []


def _stands(paragraphs: dict[str, Any], clause: str, key: str) -> bool:
    """Whether the paper has the paragraph, and this paragraph itself cites the clause."""
    return key in paragraphs and (not clause or clause in paragraphs[key].clauses)


@pytest.mark.parametrize("document", BESIDE)
def test_no_sentence_is_left_out(document: str) -> None:
    for section in BESIDE[document]["sections"]:
        numbers = [number for number, _, _ in section["lines"]]
        assert numbers == list(range(1, section["sentences"] + 1)), section["title"]


def test_every_clause_of_the_documents_is_beside_a_paragraph() -> None:
    cited = {
        clause
        for told in BESIDE.values()
        for one in told["sections"]
        for _, clause, _ in one["lines"]
    }
    ours = {name for name, one in catalogue().items() if "[gap]" in one.mark}
    documents = {name for name in catalogue() if name[:4] in ("CMS-", "OMS-", "MHL-", "LAS-")}
    assert documents - cited - ours <= {"LAS-10", "LAS-11"}  # The document has neither.
