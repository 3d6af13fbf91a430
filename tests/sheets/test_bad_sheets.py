"""Mistakes that people make, and sense that is missing, each with every finding, word for word."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.sheets.samples import changed

from pitbook.sheets.findings import blocking_errors, errors
from pitbook.sheets.load import examine

FOLDER = Path(__file__).parent.parent / "bad_sheets"


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads((FOLDER / name).read_text("utf-8"))["case"]
    return found


MISTAKES, SENSELESS = cases("cases.toml"), cases("senseless.toml")
CASES = [*MISTAKES, *SENSELESS]


def test_there_are_enough_bad_sheets_and_none_is_there_twice() -> None:
    assert len(MISTAKES) >= 40
    assert len(SENSELESS) >= 100
    assert len({case["name"] for case in CASES}) == len(CASES)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_bad_sheet(case: dict[str, Any]) -> None:
    text = changed(case["sheet"], *map(tuple, case["swap"]))
    reading = examine(text, "bad.toml", thorough=False)
    lines = text.split("\n")
    found = [
        [one.level, one.code, lines[one.line - 1][one.column - 1 :], one.message]
        for one in reading.findings
    ]
    assert found == case["finds"]
    assert (reading.sheet is None) == bool(blocking_errors(reading.findings))
    assert errors(reading.findings)
    assert all(one.quoted == lines[one.line - 1].strip() for one in reading.findings)
    assert all(
        str(one).startswith(f"bad.toml:{one.line}:{one.column}: ") for one in reading.findings
    )
