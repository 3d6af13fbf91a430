"""Common mistakes and invalid rules in sheets, with the exact findings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.sheets.samples import modified_text

from pitbook.sheets.findings import blocking_errors, errors
from pitbook.sheets.load import examine

FOLDER = Path(__file__).parent.parent / "bad_sheets"


def cases(name: str) -> list[dict[str, Any]]:
    case_list: list[dict[str, Any]] = tomllib.loads((FOLDER / name).read_text("utf-8"))["case"]
    return case_list


MISTAKES, INVALID_RULES = cases("cases.toml"), cases("senseless.toml")
CASES = [*MISTAKES, *INVALID_RULES]


def test_bad_sheets_are_many_and_distinct() -> None:
    assert len(MISTAKES) >= 40
    assert len(INVALID_RULES) >= 100
    assert len({case["name"] for case in CASES}) == len(CASES)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_bad_sheet_is_refused_with_its_finding(case: dict[str, Any]) -> None:
    text = modified_text(case["sheet"], *map(tuple, case["swap"]))
    reading = examine(text, "bad.toml", thorough=False)
    lines = text.split("\n")
    finds = [
        [
            finding.level,
            finding.code,
            lines[finding.line - 1][finding.column - 1 :],
            finding.message,
        ]
        for finding in reading.findings
    ]
    assert finds == case["finds"]
    assert (reading.sheet is None) == bool(blocking_errors(reading.findings))
    assert errors(reading.findings)
    assert all(finding.quoted == lines[finding.line - 1].strip() for finding in reading.findings)
    assert all(
        str(finding).startswith(f"bad.toml:{finding.line}:{finding.column}: ")
        for finding in reading.findings
    )
