"""Every clause is carried by code and tests that exist, or is pending and says on what."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from docs import fields
from docs.conformance import (
    Clause,
    Document,
    code_file,
    functions_of,
    named_after,
    read_clauses,
)
from docs.examples import refreshed
from docs.generate import MADE
from pydantic import BaseModel

from pitbook.sheets.library import BUNDLED, Library

ROOT = Path(__file__).parents[2]
DOCUMENTS = read_clauses()
CLAUSES = [clause for document in DOCUMENTS for clause in document.clauses]
COUNTS = {"GEN": 17, "CMS": 17, "OMS": 20, "MHL": 16, "LAS": 11}


@pytest.mark.parametrize("name", MADE)
def test_generated_documents_are_up_to_date(name: str) -> None:
    written = (ROOT / name).read_text(encoding="utf-8")
    assert written == MADE[name](), "run make docs"


def test_answers_that_the_readme_shows_are_up_to_date() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert refreshed(text) == text, "run make docs"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.id)
def test_clauses_are_numbered_without_a_hole(document: Document) -> None:
    count = COUNTS[document.id]
    assert [one.id for one in document.clauses] == [f"{document.id}-{n + 1}" for n in range(count)]


def test_every_document_is_there_once() -> None:
    assert [document.id for document in DOCUMENTS] == list(COUNTS)


def test_every_clause_that_a_bundled_sheet_cites_is_listed() -> None:
    sheets = [entry.sheet for entry in Library().entries()]
    cited = {clause for sheet in sheets if sheet for clause in sheet.clause_ids}
    assert len(cited) > 40
    assert cited - {clause.id for clause in CLAUSES} == set()


def test_every_clause_that_code_cites_or_a_test_is_named_after_is_listed() -> None:
    cited = {
        one
        for path in (ROOT / "src").rglob("*.py")
        for one in re.findall(rf"\b(?:{'|'.join(COUNTS)})-\d+\b", path.read_text(encoding="utf-8"))
    }
    assert (cited | set(named_after())) - {clause.id for clause in CLAUSES} == set()


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda one: one.id)
def test_clause_is_whole(clause: Clause) -> None:
    assert clause.title
    assert clause.text.endswith(".")
    assert set(clause.mark) <= {"gap", "conflict"}
    assert max(Counter([*clause.code, *clause.tests]).values(), default=1) == 1


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda one: one.id)
def test_clause_is_carried_by_code_and_test_or_says_what_it_waits_for(clause: Clause) -> None:
    assert clause.status in ("carried", "pending")
    assert (clause.status == "pending") == bool(clause.pending)
    if clause.status == "carried":
        assert clause.code, "a carried clause names its code"
        assert clause.tests, "a carried clause names its tests"


@pytest.mark.parametrize("reference", sorted({ref for one in CLAUSES for ref in one.code}))
def test_code_is_there(reference: str) -> None:
    assert (ROOT / code_file(reference)).is_file()
    resolve_field(reference) if "#" in reference else resolve_object(reference)


@pytest.mark.parametrize("reference", sorted({ref for one in CLAUSES for ref in one.tests}))
def test_test_is_there(reference: str) -> None:
    file, _, name = reference.partition("::")
    assert name in functions_of(ROOT / file)


def test_meanings_are_for_fields_that_the_models_leave_unexplained() -> None:
    tables = {type_.__name__: type_ for type_ in fields.tables()}
    meanings = tomllib.loads((ROOT / "docs" / "fields.toml").read_text(encoding="utf-8"))
    needless = [
        f"{table}.{name}"
        for table, names in meanings.items()
        for name in names
        if table not in tables
        or name not in tables[table].model_fields
        or tables[table].model_fields[name].description
    ]
    assert needless == []


def resolve_field(reference: str) -> None:
    """Follow sheet.toml#a.b.0 into the sheet."""
    file, _, path = reference.partition("#")
    here: Any = tomllib.loads((BUNDLED / file).read_text(encoding="utf-8"))
    for step in path.split("."):
        here = here[int(step)] if isinstance(here, list) else here[step]


def resolve_object(reference: str) -> None:
    """Follow module:Class.field into the package."""
    module, _, names = reference.partition(":")
    here: Any = importlib.import_module(module)
    for name in names.split("."):
        if isinstance(here, type) and issubclass(here, BaseModel) and name in here.model_fields:
            here = here.model_fields[name]
        else:
            here = getattr(here, name)
