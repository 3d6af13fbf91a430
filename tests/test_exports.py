"""Spreadsheet files: no export of the server or the command line holds a cell that runs."""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from tests.coach.test_mistake_log import logged_decisions

import pitbook
from pitbook.coach import mistake_log
from pitbook.csv_files import csv_text, is_formula, safe_cell
from pitbook.drills import progress as tally
from pitbook.drills.progress import AnsweredItem
from pitbook.house.cli import audit_export
from pitbook.house.cli.audit_export import JournalRow
from pitbook.house.inspect import day_close
from pitbook.house.nights import routes_tournament as night_lists
from pitbook.house.nights.tournament.board import EntrantResult
from pitbook.house.school import table_tests as answers
from pitbook.house.school.facts import ExamResult, ResultItem
from pitbook.house.table import routes_rounds
from pitbook.money import Cents

SOURCE = Path(pitbook.__file__).parent
# The tests of the page read the same cells.
CELLS = json.loads(
    (Path(__file__).parents[1] / "frontend/src/parts/hostile.cells.json").read_text("utf-8")
)
FORMULAS: list[str] = CELLS["formulas"]
TEXTS: list[str] = CELLS["texts"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formula_is_exported_as_text(text: str) -> None:
    assert is_formula(text)
    (row,) = csv.reader(io.StringIO(csv_text([["ann", text]]), newline=""))
    assert row == ["ann", f"'{text}"]


@pytest.mark.parametrize("text", TEXTS)
def test_names_and_numbers_are_exported_unchanged(text: str) -> None:
    (row,) = csv.reader(io.StringIO(csv_text([["ann", text]]), newline=""))
    assert row == ["ann", text]


def test_values_are_written_as_text() -> None:
    assert [safe_cell(value) for value in (None, -3, True, 1.5)] == ["", "-3", "True", "1.5"]


def test_only_one_module_writes_spreadsheets() -> None:
    """An export that writes its own cells would have to escape them again."""
    writers = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            imported = isinstance(node, ast.ImportFrom) and node.module == "csv"
            if called in ("csv.writer", "csv.DictWriter") or called.endswith(".to_csv") or imported:
                writers.append(path)
    assert writers == []


@cache
def logged_rounds() -> list[mistake_log.LoggedDecision]:
    return logged_decisions()


def decisions(cell: str) -> str:
    return mistake_log.csv_of([replace(each, table=cell) for each in logged_rounds()])


def drills(cell: str) -> str:
    answer = AnsweredItem(cell, "", "odds", "", 1, None, cell, cell, True, 1, 0, "")
    return tally.csv_of([answer])


def table_test(cell: str) -> str:
    item = ResultItem("odds", "", cell, cell, cell, right=True, ms=1)
    about = dict.fromkeys(("id", "test", "title", "person", "sheet", "hash"), "")
    counts = {"asked": 1, "right": 1, "pass_mark": 1, "passed": True, "minutes": 1}
    when = {"began": "", "ended": ""}
    return answers.answers_csv(ExamResult(**about, **counts, **when, items=(item,)))  # type: ignore[arg-type]


def own_rounds(cell: str) -> str:
    seat = {"seat": 1, "player": "ann", "cards": [cell], "wagers": [], "plays": [cell]}
    round_row = {"opened": "", "table": cell, "round": cell, "sheet": {"id": cell}, "board": [cell]}
    ended = {"seats": [{"seat": 1, "wins": cell, "loses": cell, "net": cell}]}
    return routes_rounds._csv_export(
        [{**round_row, "player": "ann", "seats": [seat], "settlement": ended, "arranged": False}]
    )


def results(cell: str) -> str:
    zero = Cents(0)
    return night_lists._results_csv([EntrantResult(1, cell, zero, zero, zero)])


def close(cell: str) -> str:
    about = {"kind": "entry", "stream": cell, "seq": -3, "at": "", "hash": "", "previous": ""}
    content = {"format": 1, "facts": [{"fact": "noted"}], "transfers": []}
    return day_close._csv_row({**about, "actor": cell, "content": json.dumps(content)})


def journal_rows(cell: str) -> str:
    out = io.StringIO()
    row = JournalRow(
        cell, -3, "", 1, cell, cell, "fact", cell, cell, None, None, None, cell, {}, ""
    )
    audit_export._write_csv(out, [row])
    return out.getvalue()


# Every module that writes CSV, and its output for a hostile cell.
EXPORTS: dict[str, Callable[[str], str]] = {
    module.__name__: write
    for module, write in (
        (audit_export, journal_rows),
        (day_close, close),
        (tally, drills),
        (mistake_log, decisions),
        (answers, table_test),
        (routes_rounds, own_rounds),
        (night_lists, results),
    )
}
WRITES = {"csv_text", "write_rows"}


def parsed_sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        yield name.removesuffix(".__init__"), ast.parse(path.read_text(encoding="utf-8"))


def imported_by(tree: ast.Module) -> dict[str, set[str]]:
    """The names that a module imports, by the module that they come from."""
    names_by_module: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names_by_module.setdefault(node.module, set()).update(
                alias.name for alias in node.names
            )
        elif isinstance(node, ast.Import):
            for each in node.names:
                names_by_module.setdefault(each.name, set()).update(WRITES)
    return names_by_module


def test_every_module_that_writes_csv_is_tested_with_hostile_cells() -> None:
    writers = {
        name
        for name, tree in parsed_sources()
        if WRITES & imported_by(tree).get("pitbook.csv_files", set())
        or "spreadsheet" in imported_by(tree).get("pitbook", set())
    }
    assert writers == set(EXPORTS)


def test_every_answer_in_csv_comes_from_a_tested_writer() -> None:
    answering = {
        name: imported_by(tree)
        for name, tree in parsed_sources()
        if any(
            isinstance(node, ast.Constant) and "text/csv" in str(node.value)
            for node in ast.walk(tree)
        )
    }
    assert answering
    writers = {"pitbook.csv_files", *EXPORTS}
    unknown = [name for name, modules in answering.items() if not writers & modules.keys()]
    assert unknown == []


@pytest.mark.parametrize("cell", FORMULAS)
@pytest.mark.parametrize("name", EXPORTS)
def test_no_exported_cell_is_a_formula(name: str, cell: str) -> None:
    rows = csv.reader(io.StringIO(EXPORTS[name](cell), newline=""))
    cells = [each for row in rows for each in row]
    assert f"'{cell}" in cells
    assert [each for each in cells if is_formula(each) and not each.startswith("'")] == []


@pytest.mark.parametrize("number", ["-5.00", "-3", "-22.3%"])
@pytest.mark.parametrize("name", EXPORTS)
def test_negative_numbers_stay_numbers(name: str, number: str) -> None:
    (*_, row) = csv.reader(io.StringIO(EXPORTS[name](number), newline=""))
    assert number in row
    assert f"'{number}" not in row


@pytest.mark.parametrize(
    "module",
    [mistake_log, tally, answers, routes_rounds, night_lists, day_close, audit_export],
    ids=lambda module: module.__name__,
)
def test_every_export_has_plain_column_names(module: ModuleType) -> None:
    columns: tuple[str, ...] = vars(module)["COLUMNS"]
    assert csv_text([columns]) == ",".join(columns) + "\r\n"
