"""Doctests of all modules, by package."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (ROOT / "src", ROOT / "tests", ROOT / "docs")
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def _modules() -> dict[str, list[str]]:
    """Every module with a doctest, by package."""
    modules_by_package: dict[str, list[str]] = {}
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.py")):
            if path != Path(__file__) and ">>> " in path.read_text(encoding="utf-8"):
                base = folder if folder.name == "src" else ROOT
                parts = path.relative_to(base).with_suffix("").parts
                name = ".".join(part for part in parts if part != "__init__")
                modules_by_package.setdefault(
                    ".".join(parts[:2]).removesuffix(".__init__"), []
                ).append(name)
    return modules_by_package


MODULES = _modules()


@pytest.mark.long
@pytest.mark.parametrize("package", MODULES)
def test_examples_in_docstrings_hold(package: str) -> None:
    assert [
        module_name for name in MODULES[package] for module_name in _module_failures(name)
    ] == []


def test_examples_are_found() -> None:
    assert _example_count("pitbook.money") > 0


def test_a_failing_example_is_reported() -> None:
    [failure] = _failures(doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "sum", None, 0))
    assert "Got:\n    2" in failure


def _module_failures(module: str) -> list[str]:
    return [failure for doctest_case in _doctests(module) for failure in _failures(doctest_case)]


def _example_count(module: str) -> int:
    return sum(len(doctest_case.examples) for doctest_case in _doctests(module))


def _doctests(module: str) -> list[doctest.DocTest]:
    return doctest.DocTestFinder().find(import_module(module))


def _failures(test: doctest.DocTest) -> list[str]:
    output: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=LENIENT)
    runner.run(test, out=output.append)
    return output
