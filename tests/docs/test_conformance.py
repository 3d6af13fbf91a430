"""Every clause has existing code and tests, or is pending with a reason."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from docs import fields
from docs.conformance import (
    clause_tests,
    code_file,
    function_names,
    read_clauses,
)
from docs.examples import refresh_answers
from docs.generate import GENERATED
from pydantic import BaseModel

from pitbook.rules.families.versus.sheet import duel_scope
from pitbook.sheets.library import BUNDLED, Library
from pitbook.sheets.pay_tables import scope_of

ROOT = Path(__file__).parents[2]
DOCUMENTS = read_clauses()
CLAUSES = [clause for document in DOCUMENTS for clause in document.clauses]
COUNTS = {"GEN": 21, "CMS": 17, "OMS": 20, "MHL": 16, "LAS": 11}
CLASSIC = {"CST": 8, "CHE": 8, "UTC": 8, "CWR": 8}
CHAPTERS = ("641a", "643a", "649a", "653a", "655a", "657a")  # Sections have the code's own numbers.


@pytest.mark.long
@pytest.mark.parametrize("name", GENERATED)
def test_generated_documents_are_up_to_date(name: str) -> None:
    written = (ROOT / name).read_text(encoding="utf-8")
    assert written == GENERATED[name](), "run make docs"


def test_pay_table_outcomes_are_listed() -> None:
    text = (ROOT / "docs" / "fields.md").read_text(encoding="utf-8").partition("## Outcomes")[2]
    listed = set(re.findall("`([^`]+)`", text))
    scopes = [
        scope_of(sheet, wager)
        for sheet in (entry.sheet for entry in Library().entries())
        if sheet is not None
        for wager in ("main", *sheet.side)
    ]
    outcomes = {name for scope in (*scopes, duel_scope()) if scope for name in scope.names}
    assert {"win", "match-3", "full-house"} <= outcomes
    assert outcomes <= listed


@pytest.mark.long
def test_readme_answers_are_up_to_date() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert refresh_answers(text) == text, "run make docs"


def test_clause_numbers_have_no_gap() -> None:
    counts = COUNTS | CLASSIC
    ids = [
        [clause.id for clause in document.clauses]
        for document in DOCUMENTS
        if document.id in counts
    ]
    assert ids == [
        [f"{name}-{number + 1}" for number in range(count)] for name, count in counts.items()
    ]


def test_sections_of_a_chapter_are_in_order() -> None:
    for document in DOCUMENTS:
        if document.id in CHAPTERS:
            numbers = [
                int(clause.id.removeprefix(f"{document.id}.")) for clause in document.clauses
            ]
            assert numbers == sorted(set(numbers))
            assert [clause.where for clause in document.clauses] == [
                f"Section {clause.id}" for clause in document.clauses
            ]


def test_every_document_is_listed_once() -> None:
    assert [document.id for document in DOCUMENTS] == [*COUNTS, *CHAPTERS, *CLASSIC]


def test_clauses_cited_by_bundled_sheets_are_listed() -> None:
    sheets = [entry.sheet for entry in Library().entries()]
    cited = {clause for sheet in sheets if sheet for clause in sheet.clause_ids}
    assert len(cited) > 40
    assert cited - {clause.id for clause in CLAUSES} == set()


_CITATION = rf"\b(?:(?:{'|'.join(COUNTS | CLASSIC)})-\d+|(?:{'|'.join(CHAPTERS)})\.\d+)\b"


@pytest.mark.long
def test_clauses_cited_by_code_or_test_names_are_listed() -> None:
    cited = {
        clause_id
        for path in (ROOT / "src").rglob("*.py")
        for clause_id in re.findall(_CITATION, path.read_text(encoding="utf-8"))
    }
    assert (cited | set(clause_tests())) - {clause.id for clause in CLAUSES} == set()


def test_clauses_are_complete() -> None:
    assert [
        clause.id for clause in CLAUSES if not (clause.title and clause.text.endswith("."))
    ] == []
    assert [clause.id for clause in CLAUSES if not set(clause.mark) <= {"gap", "conflict"}] == []
    references = {clause.id: Counter([*clause.code, *clause.tests]) for clause in CLAUSES}
    assert {
        name: counts for name, counts in references.items() if max(counts.values(), default=1) > 1
    } == {}


def test_clauses_have_code_and_tests_or_a_pending_reason() -> None:
    assert [clause.id for clause in CLAUSES if clause.status not in ("carried", "pending")] == []
    assert [
        clause.id for clause in CLAUSES if (clause.status == "pending") != bool(clause.pending)
    ] == []
    carried_clauses = [clause for clause in CLAUSES if clause.status == "carried"]
    assert [clause.id for clause in carried_clauses if not clause.code] == [], (
        "a carried clause names its code"
    )
    assert [clause.id for clause in carried_clauses if not clause.tests] == [], (
        "a carried clause names its tests"
    )


@pytest.mark.long
def test_code_named_by_clauses_exists() -> None:
    assert [
        reference
        for reference in sorted(
            {code_reference for reference in CLAUSES for code_reference in reference.code}
        )
        if is_missing(reference)
    ] == []


def test_tests_named_by_clauses_exist() -> None:
    functions = cache(function_names)
    references = [
        reference.partition("::")
        for reference in sorted(
            {test_reference for reference in CLAUSES for test_reference in reference.tests}
        )
    ]
    assert [
        (file, name) for file, _, name in references if name not in functions(ROOT / file)
    ] == []


def is_missing(reference: str) -> bool:
    """Whether the referenced file or object does not exist."""
    if not (ROOT / code_file(reference)).is_file():
        return True
    try:
        resolve_field(reference) if "#" in reference else resolve_object(reference)
    except (ImportError, AttributeError, LookupError, ValueError, TypeError):
        return True
    return False


def test_meanings_explain_only_undescribed_fields() -> None:
    tables = fields.sheet_models()
    meanings = tomllib.loads((ROOT / "docs" / "fields.toml").read_text(encoding="utf-8"))
    needless = [
        f"{table}.{name}"
        for table, names in meanings.items()
        for name in names
        if not any(
            table_model.__name__ == table
            and name in table_model.model_fields
            and not table_model.model_fields[name].description
            for table_model in tables  # Two families may have a table of the same name.
        )
    ]
    assert needless == []


def resolve_field(reference: str) -> None:
    """Resolve sheet.toml#a.b.0 in the sheet."""
    file, _, path = reference.partition("#")
    node: Any = tomllib.loads((BUNDLED / file).read_text(encoding="utf-8"))
    for step in path.split("."):
        node = node[int(step)] if isinstance(node, list) else node[step]


def resolve_object(reference: str) -> None:
    """Resolve module:Class.field in the package."""
    module, _, names = reference.partition(":")
    target: Any = importlib.import_module(module)
    for name in names.split("."):
        if (
            isinstance(target, type)
            and issubclass(target, BaseModel)
            and name in target.model_fields
        ):
            target = target.model_fields[name]
        else:
            target = getattr(target, name)
