"""The public names of `import pitbook`: listed, documented, typed, and quick to import."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import pitbook

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
WRITTEN = tuple(name for name in pitbook.__all__ if name != "actions")
FUNCTIONS = [name for name in WRITTEN if name[0].islower()]
HOMES = [name for name in FUNCTIONS if name not in ("open", "step", "legal")]


def test_documentation_lists_exactly_the_public_names() -> None:
    table = DOCUMENT.partition("## The public names")[2].partition("\n\nThat is all")[0]
    rows = re.findall(r"^\| (`.+?) \| (.*?) \|", table, re.MULTILINE)
    named = re.findall(r"`(\w+)`", " ".join(cell for row in rows for cell in row))
    inside = {"Wager", "Close", "Deal", "Turn", "Decide", "Settle", "step"}  # Of `actions`.
    assert set(named) - (inside - {"step"}) == set(pitbook.__all__)
    assert sorted(pitbook.__all__) == list(pitbook.__all__)
    assert set(dir(pitbook)) == {*pitbook.__all__, "__version__"}


def test_documentation_lists_exactly_the_public_modules() -> None:
    paragraph = DOCUMENT.partition("That is all of")[2].partition("\n\n")[0]
    documented = set(re.findall(r"`(pitbook\.[\w.]+)`", paragraph))
    assert documented - {"pitbook.__all__"} == {
        *(module for module in _modules_with_public_names() if module != "pitbook"),
        "pitbook.errors",
    }


def _modules_with_public_names() -> set[str]:
    """Modules that define `__all__`."""
    package = Path(pitbook.__file__).parent
    return {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in package.rglob("*.py")
        if re.search(r"^__all__\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


def test_package_docstring_describes_each_function() -> None:
    documented_names = re.findall(r"^(\w+)(?:\(.*?\))? {2,}\S", pitbook.__doc__ or "", re.MULTILINE)
    assert set(documented_names) == {*FUNCTIONS, "actions"}


@pytest.mark.parametrize("name", HOMES)
def test_a_function_has_types_and_an_example_that_runs(name: str) -> None:
    function = getattr(pitbook, name)
    assert inspect.isfunction(function)
    signature = inspect.signature(function)
    assert all(
        parameter.annotation is not parameter.empty for parameter in signature.parameters.values()
    )
    assert signature.return_annotation is not signature.empty
    doctests = doctest.DocTestFinder(recurse=False).find(function, name)
    assert any(doctest_found.examples for doctest_found in doctests), f"{name} has no example"


@pytest.mark.parametrize("name", [name for name in WRITTEN if name[0].isupper()])
def test_a_type_is_documented_and_its_fields_are_typed(name: str) -> None:
    kind = getattr(pitbook, name)
    assert kind.__doc__
    for field, member in vars(kind).items():
        if isinstance(member, property) and not field.startswith("_"):
            assert member.__doc__, f"{name}.{field}"
            assert "return" in get_type_hints(member.fget, vars(sys.modules[kind.__module__]))


def test_documentation_shows_eight_tasks_for_the_core() -> None:
    assert re.findall(r"^## (.+)$", DOCUMENT, re.MULTILINE) == [
        "The public names",
        "The edge of a changed pay line",
        "A strategy as a data frame",
        "The value of a spot",
        "The spots that a simple strategy gets wrong",
        "The odds of a bankroll",
        "A replayed round",
        "Check a sheet",
        "Papers and drills",
        "With extras",
    ]


RUN_WITHOUT_EXTRAS = """
import doctest, sys
from pitbook.extras import EXTRA_OF
sys.modules.update(dict.fromkeys(EXTRA_OF))  # As if nothing optional were installed.
text = sys.stdin.read()
flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
example = doctest.DocTestParser().get_doctest(text, {}, "python.md", None, 0)
print(doctest.DocTestRunner(optionflags=flags).run(example))
"""


@pytest.mark.long
def test_the_eight_tasks_run_without_extras_and_warnings() -> None:
    tasks = DOCUMENT.partition("\n## With extras")[0]
    command = [sys.executable, "-W", "error", "-c", RUN_WITHOUT_EXTRAS]
    ran = subprocess.run(command, input=tasks, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert re.fullmatch(r"TestResults\(failed=0, attempted=\d{2}\)\n", ran.stdout), ran.stdout


def test_the_readme_gives_an_edge_in_three_lines() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first = readme.partition("```python\n")[2].partition("```")[0]
    lines = [line for line in first.splitlines() if line.startswith(">>> ")]
    assert len(lines) == 3
    assert lines[0] == ">>> import pitbook"
    assert "4.9149%" in first


def test_importing_pitbook_loads_nothing_slow() -> None:
    heavy = ("numpy", "pydantic", "rich", "typer", "matplotlib", "numba")
    code = f"import sys, pitbook; print([m for m in {heavy} if m in sys.modules])"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.strip() == "[]"


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="pitbook has no figure"):
        pitbook.figure  # type: ignore[attr-defined]  # noqa: B018
