"""conformance.md: each clause of the source documents with its code and tests."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from docs import markdown

DOCS = Path(__file__).parent
ROOT = DOCS.parent
BUNDLED = "src/pitbook/sheets/bundled"


@dataclass(frozen=True, kw_only=True)
class Clause:
    """One rule, with its code and tests."""

    id: str
    title: str
    text: str
    status: str
    where: str | None = None
    program: str | None = None  # What the program adds; not printed in papers.
    read: bool = True  # Whether we have read the text of the section.
    mark: tuple[str, ...] = ()
    pending: str | None = None
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Document:
    """A source document with its clauses."""

    id: str
    title: str
    clauses: tuple[Clause, ...]
    about: str | None = None
    ours: bool = False
    undocumented: bool = False  # Known only from published analyses of the game.
    venue: str | None = None
    dated: str | None = None
    sheets: tuple[str, ...] = ()


def read_clauses() -> tuple[Document, ...]:
    """The documents of clauses.toml; unknown fields are refused.

    A clause's tests are those named after it, and those that it lists.
    """
    text = (DOCS / "clauses.toml").read_text(encoding="utf-8")
    return tuple(_document(table) for table in tomllib.loads(text)["document"])


def _document(table: dict[str, Any]) -> Document:
    clauses = tuple(_clause(_normalize_table(clause_table)) for clause_table in table.pop("clause"))
    return Document(clauses=clauses, **_normalize_table(table))


def _clause(table: dict[str, Any]) -> Clause:
    test_names = clause_tests().get(table["id"], ())
    return Clause(**table | {"tests": (*test_names, *table.get("tests", ()))})


@cache
def clause_tests() -> dict[str, tuple[str, ...]]:
    """By clause, the tests named after it: test_cms_9_..., test_643a_7_and_11_...."""
    tests: dict[str, tuple[str, ...]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in function_names(path):
            for clause in clauses_in_name(name):
                test = f"{path.relative_to(ROOT).as_posix()}::{name}"
                tests[clause] = (*tests.get(clause, ()), test)
    return tests


@cache
def function_names(path: Path) -> tuple[str, ...]:
    """The functions of a file, in order."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def clauses_in_name(test: str) -> list[str]:
    """The clauses that a test is named after.

    >>> clauses_in_name("test_las_7_8_and_9_order_of_wagers"), clauses_in_name("test_gen_choices")
    (['LAS-7', 'LAS-8', 'LAS-9'], [])
    >>> clauses_in_name("test_643a_11_a_bet_is_taken_back")  # A code's section.
    ['643a.11']
    """
    match = _NAMED.match(test)
    if match is None:
        return []
    prefix = f"{match[1].upper()}-" if match[1].isalpha() else f"{match[1]}."
    return [f"{prefix}{number}" for number in re.findall(r"\d+", match[2])]


_NAMED = re.compile(r"test_([a-z]{3}|\d{3}a)_(\d+(?:(?:_\d+)*_and_\d+)?)_")


def _normalize_table(table: dict[str, Any]) -> dict[str, Any]:
    """A table with lists as tuples and paragraphs on one line."""
    return {name: _normalize(field) for name, field in table.items()}


def _normalize(field: Any) -> Any:
    if isinstance(field, str):
        return " ".join(field.split())
    return tuple(field) if isinstance(field, list) else field


def conformance() -> str:
    """The text of conformance.md."""
    documents = read_clauses()
    parts = [_HEAD, _counts(documents), *(_section(document) for document in documents)]
    return "\n\n".join(parts) + "\n"


_HEAD = """\
# Conformance

<!-- Made by `make docs` from clauses.toml; a change belongs there. -->

Each rule of the source documents, in our words, with the code and the tests that carry it.

- **gap**: the document is silent and we chose. **conflict**: it contradicts itself and we decided.
  Each such choice is a field of the rule sheet with its reason beside it.
- In italics: the clause's place in the document.
- **carried**: all that the clause asks for is there, and tested. **pending**: some of it is not;
  the part of Pitbook that will carry it is named, and code and tests are those there already."""


def _counts(documents: tuple[Document, ...]) -> str:
    lines = ["| document | clauses | carried | pending | gaps | conflicts |", markdown.rule(6)]
    everything = [clause for document in documents for clause in document.clauses]
    for document in documents:
        name = f"[{document.id}](#{markdown.anchor(_heading(document))}), {_subtitle(document)}"
        lines.append(_count_row(name, document.clauses))
    return "\n".join([*lines, _count_row("all", everything)])


def _count_row(name: str, clauses: Sequence[Clause]) -> str:
    carried = sum(clause.status == "carried" for clause in clauses)
    gaps, conflicts = (
        sum(mark in clause.mark for clause in clauses) for mark in ("gap", "conflict")
    )
    return markdown.row(name, len(clauses), carried, len(clauses) - carried, gaps, conflicts)


def _section(document: Document) -> str:
    facts = [document.venue, document.dated]
    about = document.about or "; ".join(fact for fact in facts if fact)
    sheets = [markdown.link(Path(sheet).stem, f"{BUNDLED}/{sheet}") for sheet in document.sheets]
    intro = f"{about[:1].upper()}{about[1:]}".rstrip(".") + "."
    if sheets:
        intro += f" {'Sheets' if len(sheets) > 1 else 'Sheet'}: {', '.join(sheets)}."
    lines = ["| id | rule | mark | code | tests | status |", markdown.rule(6)]
    lines += [_clause_row(clause) for clause in document.clauses]
    return "\n\n".join([f"## {_heading(document)}", intro, "\n".join(lines)])


def _clause_row(clause: Clause) -> str:
    status = clause.status if clause.pending is None else f"pending: {clause.pending}"
    code = "<br>".join(
        markdown.link(_short_reference(reference), code_file(reference))
        for reference in clause.code
    )
    tests = "<br>".join(_test_link(reference) for reference in clause.tests)
    rule = f"**{clause.title}.** {clause.text}"
    rule += f" {clause.program}" if clause.program else ""
    rule += f" *{clause.where}.*" if clause.where else ""
    rule += "" if clause.read else " (Section not read.)"
    return markdown.row(
        f'<a id="{clause.id.lower()}"></a>{clause.id}',
        rule,
        ", ".join(clause.mark),
        code,
        tests,
        status,
    )


def _test_link(reference: str) -> str:
    """A test's name as a sentence, linked to its file."""
    file, _, name = reference.partition("::")
    return f"[{_NAMED.sub('', name).removeprefix('test_').replace('_', ' ')}](../{file})"


def code_file(reference: str) -> str:
    """The project file of a code reference."""
    if "#" in reference:
        return f"{BUNDLED}/{reference.partition('#')[0]}"
    stem = "src/" + reference.partition(":")[0].replace(".", "/")
    return f"{stem}/__init__.py" if (ROOT / stem).is_dir() else f"{stem}.py"


def _short_reference(reference: str) -> str:
    """A short form of a reference: the sheet's field, or module and object."""
    if "#" in reference:
        sheet, _, field = reference.partition("#")
        return f"{Path(sheet).stem}: {field}"
    module, _, object_name = reference.partition(":")
    return f"{module.rpartition('.')[2]}.{object_name}"


def _heading(document: Document) -> str:
    return f"{document.id}: {document.title}"


def _subtitle(document: Document) -> str:
    return document.title.partition(",")[0]
