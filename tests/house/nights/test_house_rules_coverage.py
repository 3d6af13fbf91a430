"""Changing any value in the shipped house file fails a clause test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.house_rules_plugin import HOUSES
from tests.house.nights.rule_changes import DOCUMENT, Leaf, leaves, other_values, toml, with_value

ROOT = Path(__file__).parents[3]
CLAUSES = ("tests/clauses/test_oms_nights.py", "tests/clauses/test_oms_tournaments.py")
FLIPPED = [
    (leaf, value) for leaf in leaves() if leaf.mark != "descriptive" for value in other_values(leaf)
]


def run_clause_tests(folder: Path, document: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """The clause tests of nights and tournaments, run with a given house file."""
    (folder / "oceanfront.toml").write_text(toml(document), encoding="utf-8")
    quick = ("-q", "-x", "-n0", "-p", "no:cacheprovider", "-p", "no:randomly")
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            *quick,
            "-p",
            "tests.house.nights.house_rules_plugin",
            *CLAUSES,
        ],
        cwd=ROOT,
        env={**os.environ, HOUSES: str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_unchanged_house_file_passes_the_clause_tests(tmp_path: Path) -> None:
    run = run_clause_tests(tmp_path, DOCUMENT)
    assert run.returncode == 0, run.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("leaf", "value"), FLIPPED, ids=str)
def test_changed_house_rule_fails_a_clause_test(leaf: Leaf, value: Any, tmp_path: Path) -> None:
    run = run_clause_tests(tmp_path, with_value(leaf, value))
    # A test failed, or the file was refused before any could begin.
    assert run.returncode in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED), run.stdout
    is_refused = "SheetInvalid" in run.stdout
    assert is_refused or "FAILED tests/clauses/" in run.stdout
