"""Project hygiene: locked dependencies, layering, no machine-specific paths."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "pitbook"
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))

# Put together here so that this file does not find itself.
PRIVATE_PATH = re.compile(r"(?<![\w.~-])/(?:" + "|".join(["work", "root", "home", "Users"]) + ")/")
HOST = re.compile(r"://|^\s*(?:-i|-f|--\w*-?index-url|--find-links|--trusted-host)\b", re.MULTILINE)
PINNED = re.compile(r"[\w.\[\]-]+==[\w.]+ .*--hash=sha256:[0-9a-f]{64}")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("lock", LOCKS, ids=name_of)
def test_lock_names_no_host(lock: Path) -> None:
    assert not HOST.findall(lock.read_text())


@pytest.mark.parametrize("lock", LOCKS, ids=name_of)
def test_lock_pins_and_hashes_every_requirement(lock: Path) -> None:
    lines = lock.read_text().replace("\\\n", " ").splitlines()
    requirements = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    assert requirements
    assert [line for line in requirements if not PINNED.match(line)] == []


def test_lock_has_every_dependency_of_the_project() -> None:
    assert LOCKS
    declared = project()["dependencies"] + pyproject()["dependency-groups"]["dev"]
    names = {re.split(r"[\[<>=~! ;]", line)[0] for line in declared}
    locked = re.findall(r"^([a-z0-9._-]+)==", (ROOT / "requirements/lock.txt").read_text(), re.M)
    assert names <= set(locked)


@pytest.mark.long
def test_no_file_names_a_private_path() -> None:
    private_paths = [
        f"{name_of(path)}:{number}: {line.strip()}"
        for path in project_files()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if PRIVATE_PATH.search(line)
    ]
    assert private_paths == []


def test_rules_use_no_clock_and_no_randomness() -> None:
    """Clocks in datetime and random numbers in numpy, which the import contract cannot see."""
    sources = [path for name in contract("pure")["source_modules"] for path in modules_of(name)]
    impure_calls = [
        f"{name_of(path)}:{node.lineno}: .{node.attr}"
        for path in sources
        for node in ast.walk(parse_module(path))
        if isinstance(node, ast.Attribute)
        if node.attr in {"now", "utcnow", "today", "random", "urandom"}
    ]
    assert sources
    assert impure_calls == []


@pytest.mark.long
def test_wheel_contains_the_bundled_sheets_and_the_types(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    sheets = {
        path.relative_to(ROOT / "src").as_posix() for path in PACKAGE.rglob("bundled/**/*.toml")
    }
    assert sheets
    assert sheets | {"pitbook/py.typed", "pitbook/__main__.py"} <= packed


def test_generated_types_do_not_trigger_a_page_build(tmp_path: Path) -> None:
    """Otherwise every wheel built after `make check` would rebuild the page."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    written = ("src/api/schema.d.ts", "node_modules/x/x.js", ".openapi.json", "deck/__pycache__/x")
    for name in (*written, "src/table.ts"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [*hook._sources(tmp_path)] == [tmp_path / "src" / "table.ts"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit")
def test_ci_script_is_executable() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


@cache
def parse_module(module: Path) -> ast.Module:
    return ast.parse(module.read_text())


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def project() -> dict[str, Any]:
    table: dict[str, Any] = pyproject()["project"]
    return table


def contract(name: str) -> dict[str, Any]:
    contracts: list[dict[str, Any]] = pyproject()["tool"]["importlinter"]["contracts"]
    (contract_table,) = (candidate for candidate in contracts if candidate["id"] == name)
    return contract_table


def modules_of(dotted: str) -> list[Path]:
    path = ROOT.joinpath("src", *dotted.split("."))
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def project_files() -> Iterator[Path]:
    """Files that git tracks or would track; without git (an unpacked sdist), all files."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True).stdout
        paths = [ROOT / name for name in names.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        left = {".venv", "dist", "build", "mutants", "__pycache__"}
        tree = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
        paths = [
            ROOT / path
            for path in tree
            if not left & set(path.parts) and not re.match(r"\..*_cache|\.hyp", path.parts[0])
        ]
    return (path for path in paths if path.is_file())


def text_of(path: Path) -> str:
    content = path.read_bytes()
    return "" if b"\0" in content else content.decode()
