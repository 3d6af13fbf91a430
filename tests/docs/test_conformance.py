"""Every clause is carried by code and tests that exist, or is pending and says on what."""

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
    code_file,
    functions_of,
    named_after,
    read_clauses,
)
from docs.examples import refreshed
from docs.generate import MADE
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
@pytest.mark.parametrize("name", MADE)
def test_generated_documents_are_up_to_date(name: str) -> None:
    written = (ROOT / name).read_text(encoding="utf-8")
    assert written == MADE[name](), "run make docs"


def test_every_outcome_of_a_pay_table_is_listed() -> None:
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
def test_answers_that_the_readme_shows_are_up_to_date() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert refreshed(text) == text, "run make docs"


def test_clauses_are_numbered_without_a_hole() -> None:
    counts = COUNTS | CLASSIC
    found = [
        [one.id for one in document.clauses] for document in DOCUMENTS if document.id in counts
    ]
    assert found == [[f"{name}-{n + 1}" for n in range(count)] for name, count in counts.items()]


def test_sections_of_a_chapter_rise() -> None:
    for document in DOCUMENTS:
        if document.id in CHAPTERS:
            numbers = [int(one.id.removeprefix(f"{document.id}.")) for one in document.clauses]
            assert numbers == sorted(set(numbers))
            assert [one.where for one in document.clauses] == [
                f"Section {one.id}" for one in document.clauses
            ]


def test_every_document_is_there_once() -> None:
    assert [document.id for document in DOCUMENTS] == [*COUNTS, *CHAPTERS, *CLASSIC]


def test_every_clause_that_a_bundled_sheet_cites_is_listed() -> None:
    sheets = [entry.sheet for entry in Library().entries()]
    cited = {clause for sheet in sheets if sheet for clause in sheet.clause_ids}
    assert len(cited) > 40
    assert cited - {clause.id for clause in CLAUSES} == set()


_CITED = rf"\b(?:(?:{'|'.join(COUNTS | CLASSIC)})-\d+|(?:{'|'.join(CHAPTERS)})\.\d+)\b"


@pytest.mark.long
def test_every_clause_that_code_cites_or_a_test_is_named_after_is_listed() -> None:
    cited = {
        one
        for path in (ROOT / "src").rglob("*.py")
        for one in re.findall(_CITED, path.read_text(encoding="utf-8"))
    }
    assert (cited | set(named_after())) - {clause.id for clause in CLAUSES} == set()


def test_clauses_are_whole() -> None:
    assert [one.id for one in CLAUSES if not (one.title and one.text.endswith("."))] == []
    assert [one.id for one in CLAUSES if not set(one.mark) <= {"gap", "conflict"}] == []
    named = {one.id: Counter([*one.code, *one.tests]) for one in CLAUSES}
    assert {
        name: found for name, found in named.items() if max(found.values(), default=1) > 1
    } == {}


def test_clauses_are_carried_by_code_and_test_or_say_what_they_wait_for() -> None:
    assert [one.id for one in CLAUSES if one.status not in ("carried", "pending")] == []
    assert [one.id for one in CLAUSES if (one.status == "pending") != bool(one.pending)] == []
    carried = [one for one in CLAUSES if one.status == "carried"]
    assert [one.id for one in carried if not one.code] == [], "a carried clause names its code"
    assert [one.id for one in carried if not one.tests] == [], "a carried clause names its tests"


@pytest.mark.long
def test_code_that_clauses_name_is_there() -> None:
    assert [one for one in sorted({ref for one in CLAUSES for ref in one.code}) if gone(one)] == []


def test_tests_that_clauses_name_are_there() -> None:
    functions = cache(functions_of)
    named = [one.partition("::") for one in sorted({ref for one in CLAUSES for ref in one.tests})]
    assert [(file, name) for file, _, name in named if name not in functions(ROOT / file)] == []


def gone(reference: str) -> bool:
    """Whether there is no such file, or nothing of that name in it."""
    if not (ROOT / code_file(reference)).is_file():
        return True
    try:
        resolve_field(reference) if "#" in reference else resolve_object(reference)
    except (ImportError, AttributeError, LookupError, ValueError, TypeError):
        return True
    return False


def test_meanings_are_for_fields_that_the_models_leave_unexplained() -> None:
    tables = fields.tables()
    meanings = tomllib.loads((ROOT / "docs" / "fields.toml").read_text(encoding="utf-8"))
    needless = [
        f"{table}.{name}"
        for table, names in meanings.items()
        for name in names
        if not any(
            one.__name__ == table
            and name in one.model_fields
            and not one.model_fields[name].description
            for one in tables  # Two families may have a table of one name.
        )
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
