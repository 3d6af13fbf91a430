"""The examples in docstrings run, a package at a time; whatever differs is named with its place."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (ROOT / "src", ROOT / "tests", ROOT / "docs")
LOOSELY = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def _modules() -> dict[str, list[str]]:
    """Every module that shows a prompt, by the package that it belongs to."""
    found: dict[str, list[str]] = {}
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.py")):
            if path != Path(__file__) and ">>> " in path.read_text(encoding="utf-8"):
                base = folder if folder.name == "src" else ROOT
                parts = path.relative_to(base).with_suffix("").parts
                name = ".".join(part for part in parts if part != "__init__")
                found.setdefault(".".join(parts[:2]).removesuffix(".__init__"), []).append(name)
    return found


MODULES = _modules()


@pytest.mark.long
@pytest.mark.parametrize("package", MODULES)
def test_examples_in_docstrings_hold(package: str) -> None:
    assert [one for name in MODULES[package] for one in _wrong(name)] == []


def test_there_are_examples_to_run() -> None:
    assert _examples("pitbook.money") > 0


def test_an_example_that_does_not_hold_is_told() -> None:
    [told] = _told(doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "sum", None, 0))
    assert "Got:\n    2" in told


def _wrong(module: str) -> list[str]:
    return [told for one in _found(module) for told in _told(one)]


def _examples(module: str) -> int:
    return sum(len(one.examples) for one in _found(module))


def _found(module: str) -> list[doctest.DocTest]:
    return doctest.DocTestFinder().find(import_module(module))


def _told(test: doctest.DocTest) -> list[str]:
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=LOOSELY)
    runner.run(test, out=told.append)
    return told
