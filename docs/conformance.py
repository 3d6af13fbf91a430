"""conformance.md: each clause of the documents with the code and the tests that carry it."""

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
    """One rule, and what carries it."""

    id: str
    title: str
    text: str
    status: str
    where: str | None = None
    read: bool = True  # Whether the text of the section was read.
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
    undocumented: bool = False  # Only published analyses of the game state it.
    venue: str | None = None
    dated: str | None = None
    sheets: tuple[str, ...] = ()


def read_clauses() -> tuple[Document, ...]:
    """The documents of clauses.toml; a field that is not known there is refused.

    A clause's tests are those named after it and those that it lists besides.
    """
    text = (DOCS / "clauses.toml").read_text(encoding="utf-8")
    return tuple(_document(table) for table in tomllib.loads(text)["document"])


def _document(table: dict[str, Any]) -> Document:
    clauses = tuple(_clause(_plain(one)) for one in table.pop("clause"))
    return Document(clauses=clauses, **_plain(table))


def _clause(table: dict[str, Any]) -> Clause:
    named = named_after().get(table["id"], ())
    return Clause(**table | {"tests": (*named, *table.get("tests", ()))})


@cache
def named_after() -> dict[str, tuple[str, ...]]:
    """The tests that bear a clause's number: test_cms_9_..., test_643a_7_and_11_..., by clause."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in functions_of(path):
            for clause in clauses_named(name):
                test = f"{path.relative_to(ROOT).as_posix()}::{name}"
                found[clause] = (*found.get(clause, ()), test)
    return found


@cache
def functions_of(path: Path) -> tuple[str, ...]:
    """The functions in a file, in its order."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return tuple(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def clauses_named(test: str) -> list[str]:
    """The clauses that a test is named after.

    >>> clauses_named("test_las_7_8_and_9_order_of_wagers"), clauses_named("test_gen_choices")
    (['LAS-7', 'LAS-8', 'LAS-9'], [])
    >>> clauses_named("test_643a_11_a_bet_is_taken_back")  # A section of a code has its own number.
    ['643a.11']
    """
    found = _NAMED.match(test)
    if found is None:
        return []
    of = f"{found[1].upper()}-" if found[1].isalpha() else f"{found[1]}."
    return [f"{of}{number}" for number in re.findall(r"\d+", found[2])]


_NAMED = re.compile(r"test_([a-z]{3}|\d{3}a)_(\d+(?:(?:_\d+)*_and_\d+)?)_")


def _plain(table: dict[str, Any]) -> dict[str, Any]:
    """A table with its lists frozen and its paragraphs on one line."""
    return {name: _value(value) for name, value in table.items()}


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(value.split())
    return tuple(value) if isinstance(value, list) else value


def conformance() -> str:
    """The whole of conformance.md."""
    documents = read_clauses()
    parts = [_HEAD, _counts(documents), *(_section(one) for one in documents)]
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
        lines.append(_count(name, document.clauses))
    return "\n".join([*lines, _count("all", everything)])


def _count(name: str, clauses: Sequence[Clause]) -> str:
    carried = sum(one.status == "carried" for one in clauses)
    gaps, conflicts = (sum(mark in one.mark for one in clauses) for mark in ("gap", "conflict"))
    return markdown.row(name, len(clauses), carried, len(clauses) - carried, gaps, conflicts)


def _section(document: Document) -> str:
    facts = [document.venue, document.dated]
    about = document.about or "; ".join(fact for fact in facts if fact)
    sheets = [markdown.link(Path(one).stem, f"{BUNDLED}/{one}") for one in document.sheets]
    intro = f"{about[:1].upper()}{about[1:]}".rstrip(".") + "."
    if sheets:
        intro += f" {'Sheets' if len(sheets) > 1 else 'Sheet'}: {', '.join(sheets)}."
    lines = ["| id | rule | mark | code | tests | status |", markdown.rule(6)]
    lines += [_clause_row(clause) for clause in document.clauses]
    return "\n\n".join([f"## {_heading(document)}", intro, "\n".join(lines)])


def _clause_row(clause: Clause) -> str:
    status = clause.status if clause.pending is None else f"pending: {clause.pending}"
    code = "<br>".join(markdown.link(_short(one), code_file(one)) for one in clause.code)
    tests = "<br>".join(_test(one) for one in clause.tests)
    rule = f"**{clause.title}.** {clause.text}"
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


def _test(reference: str) -> str:
    """A test as a sentence that leads to its file."""
    file, _, name = reference.partition("::")
    return f"[{_NAMED.sub('', name).removeprefix('test_').replace('_', ' ')}](../{file})"


def code_file(reference: str) -> str:
    """The file of the project that a code reference leads into."""
    if "#" in reference:
        return f"{BUNDLED}/{reference.partition('#')[0]}"
    stem = "src/" + reference.partition(":")[0].replace(".", "/")
    return f"{stem}/__init__.py" if (ROOT / stem).is_dir() else f"{stem}.py"


def _short(reference: str) -> str:
    """A reference as a reader needs it: the sheet's field, or module and object."""
    if "#" in reference:
        sheet, _, field = reference.partition("#")
        return f"{Path(sheet).stem}: {field}"
    module, _, thing = reference.partition(":")
    return f"{module.rpartition('.')[2]}.{thing}"


def _heading(document: Document) -> str:
    return f"{document.id}: {document.title}"


def _subtitle(document: Document) -> str:
    return document.title.partition(",")[0]
