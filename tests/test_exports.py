"""Spreadsheet files: no export of the server or the command line holds a cell that runs."""

from __future__ import annotations

import ast
import csv
import io
from pathlib import Path
from typing import Any

import pytest

import pitbook
from pitbook.cli.audit import export
from pitbook.spreadsheet import csv_text, is_formula, safe_cell
from pitbook.table.past import day_close
from pitbook.train import log
from pitbook.train.drills import tally
from pitbook.train.school import answers
from pitbook.web.routes import exports, night_lists

SOURCE = Path(pitbook.__file__).parent
FORMULAS = [
    *("=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n1", "\tx"),
    *(
        " =1+1",
        '"=1+1',
        "'=1+1",
        ' " =1',
        "\u00a0@x",
        "＝1",
        "-",
        "--1",
        "-1,2",
        "=",
        "-cmd|' /C calc'!A0",
    ),
]
TEXTS = [
    "ann",
    "O'Brien",
    "-5.00",
    "+3",
    "-22.3%",
    "-1e-05",
    "0",
    "",
    "a=1",
    "{{7*7}}",
    '"x"',
    "A♠",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_shown_and_not_run(text: str) -> None:
    assert is_formula(text)
    (row,) = csv.reader(io.StringIO(csv_text([["ann", text]]), newline=""))
    assert row == ["ann", f"'{text}"]


@pytest.mark.parametrize("text", TEXTS)
def test_names_and_numbers_stay_as_they_are(text: str) -> None:
    (row,) = csv.reader(io.StringIO(csv_text([["ann", text]]), newline=""))
    assert row == ["ann", text]


def test_values_are_written_as_text() -> None:
    assert [safe_cell(value) for value in (None, -3, True, 1.5)] == ["", "-3", "True", "1.5"]


def test_only_one_module_writes_spreadsheets() -> None:
    """An export that writes its own cells would have to escape them again."""
    own = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2]
            imported = isinstance(node, ast.ImportFrom) and node.module == "csv"
            if called in ("writer", "DictWriter", "to_csv") or imported:
                own.append(path)
    assert own == []


class _Decision:
    def row(self) -> list[str]:
        return FORMULAS


def _columns(columns: tuple[str, ...]) -> str:
    return csv_text([columns])


def _close() -> str:
    entry = {"kind": "entry", "stream": "=1+1", "seq": -1, "at": "", "actor": "@SUM(A1)"}
    more = {
        "hash": "",
        "previous": "",
        "content": '{"format":1,"facts":[{"fact":"+1+1"}],"transfers":[]}',
    }
    return day_close._cells({**entry, **more})


def _journal() -> str:
    out = io.StringIO()
    rows: Any = [FORMULAS]
    export._write_csv(out, rows)
    return out.getvalue()


def test_decisions_closes_and_the_journal_are_escaped() -> None:
    decision: Any = _Decision()
    for text in (log.csv_of([decision]), _close(), _journal()):
        cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
        assert any(cell.startswith("'") for cell in cells)
        assert not any(map(is_formula, (cell for cell in cells if not cell.startswith("'"))))


def test_every_export_has_plain_column_names() -> None:
    for module in (log, tally, answers, exports, night_lists, day_close):
        columns: tuple[str, ...] = vars(module)["COLUMNS"]
        assert _columns(columns) == ",".join(columns) + "\r\n"
