"""Line and branch coverage of Pitbook: `PITBOOK_COUNT=FOLDER pytest`, then

`python -m tests.coverage_check FOLDER` merges the workers' results. It fails if a branch in the
code that computes money, or more than 5% of the other lines, is not covered.

SlipCover instruments bytecode and removes its probes once a line was seen, so loops of a million
hands are barely slowed and no test is exempt. Branches are counted only in modules that compute
money, which each worker recompiles. Code compiled by Numba is not counted: it is compared with the
engine round by round.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections import defaultdict
from fnmatch import fnmatch
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import slipcover
from slipcover.importer import SlipcoverLoader

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "pitbook"
LINES_MIN_PERCENT = 95.0
# Modules that compute money need full branch coverage.
FULL_COVERAGE = (
    "money.py",
    *("rules/payout_caps.py", "rules/settlement_lines.py"),
    *(f"rules/families/{name}/game.py" for name in ("street_stud", "hi_lo", "versus")),
    *("house/ledger/*", "shoe/*"),
)
COMPILED = [  # Numba reads the bytecode itself.
    str(SOURCES / "simulation" / "kernels" / "*"),
    str(SOURCES / "exact" / "methods" / "*" / "*kernels.py"),
]
UNREACHABLE = ("if TYPE_CHECKING:", "raise NotImplementedError", r"assert_never\(", r"\.\.\.")
FOLDER = os.environ.get("PITBOOK_COUNT")


def _patch_spec_from_file(counter: Any, chosen: Any) -> None:
    """Alembic loads its migrations by path rather than by name."""
    original = importlib.util.spec_from_file_location

    def instrumented_spec(name: str, location: Any = None, **options: Any) -> ModuleSpec | None:
        spec = original(name, location, **options)
        if spec and isinstance(spec.loader, SourceFileLoader) and chosen.matches(str(location)):
            spec.loader = SlipcoverLoader(counter, spec.loader, str(location))
        return spec

    importlib.util.spec_from_file_location = instrumented_spec


def _no_lines(_: object) -> tuple[()]:
    return ()


def _needs_full_coverage(file: Path) -> bool:
    """Whether a module needs full branch coverage."""
    place = file.resolve().relative_to(SOURCES).as_posix()
    return any(fnmatch(place, pattern) for pattern in FULL_COVERAGE)


def _exec_module(loader: Any, module: ModuleType) -> None:
    """Run a module with line counting, or branch counting if it needs full coverage."""
    if _needs_full_coverage(loader.origin):
        _EXEC_WITH_BRANCHES(loader, module)
        return
    code = loader.orig_loader.get_code(module.__name__)
    loader.sci.register_module(module)
    exec(loader.sci.instrument(code), module.__dict__)


_EXEC_WITH_BRANCHES = SlipcoverLoader.exec_module


class Counter(slipcover.Slipcover):  # type: ignore[misc]
    """SlipCover with the lookup of code holders done once per module."""

    def __init__(self) -> None:
        super().__init__(branch=True)
        self.visited: set[Any] = set()
        self.holders: dict[int, list[FunctionType]] = defaultdict(list)

    def deinstrument_seen(self) -> None:
        """Remove probes for lines seen since the last call; Python 3.12 would not need this."""
        with self.lock:
            for file, marks in self._get_newly_seen().items():
                for code in list(self.instrumented[file]):
                    self.deinstrument(code, marks)
                self.all_seen[file].update(marks)
            self._look_into(self.modules)
            for old_code, new_code in self.replace_map.items():
                for function in self.holders.pop(id(old_code), ()):
                    function.__code__ = new_code
                    self.holders[id(new_code)].append(function)
            self.replace_map.clear()

    def _look_into(self, modules: list[ModuleType]) -> None:
        """Record which functions hold which code, for modules loaded by now."""
        loaded = [
            module for module in modules if not getattr(module.__spec__, "_initializing", False)
        ]
        self.modules = [module for module in modules if module not in loaded]
        for module in loaded:
            for function in self.find_functions(module.__dict__.values(), self.visited):
                self.holders[id(function.__code__)].append(function)


class CoveragePlugin:
    """Coverage plugin for this process; modules imported earlier are not counted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # The set of lines is computed once when merging, not in each worker.
        slipcover.Slipcover.lines_from_code = staticmethod(_no_lines)
        slipcover.Slipcover.branches_from_code = staticmethod(_no_lines)
        SlipcoverLoader.exec_module = _exec_module
        self.counter = Counter()
        chosen = slipcover.FileMatcher(sources=[SOURCES], omit=COMPILED)
        slipcover.ImportManager(self.counter, chosen).__enter__()
        _patch_spec_from_file(self.counter, chosen)

    def pytest_sessionfinish(self) -> None:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.covered())
        (self.folder / f"{worker}.json").write_text(text, encoding="utf-8")

    def covered(self) -> dict[str, list[Any]]:
        """Covered lines, and branches as pairs of lines, by file."""
        files: dict[str, set[Any]] = {}
        for part in (self.counter.all_seen, self.counter.newly_seen):
            for name, marks in list(part.items()):
                files.setdefault(name, set()).update(marks)
        return {name: sorted(marks, key=str) for name, marks in files.items()}


# Created when the first test module imports this one, before any Pitbook import.
COVERAGE_PLUGIN = CoveragePlugin(Path(FOLDER)) if FOLDER and __name__ != "__main__" else None


def merged_coverage(folder: Path) -> dict[str, Any]:
    """The coverage of all workers; files that none of them loaded count as missed."""
    counter = slipcover.Slipcover(
        branch=True, source=[str(SOURCES)], omit=COMPILED, exclude_also=list(UNREACHABLE)
    )
    for file in folder.glob("*.json"):
        for name, marks in json.loads(file.read_text(encoding="utf-8")).items():
            pairs = (tuple(mark) if isinstance(mark, list) else mark for mark in marks)
            counter.all_seen[str(Path(name).resolve())].update(pairs)
    coverage: dict[str, Any] = counter.get_coverage()
    for name, file in coverage["files"].items():
        if not _needs_full_coverage(Path(name)):
            file["executed_branches"], file["missing_branches"] = [], []
    return coverage


def line_percentage(coverage: dict[str, Any]) -> float:
    """The percentage of lines covered."""
    covered, missed = (
        sum(len(file[part]) for file in coverage["files"].values())
        for part in ("executed_lines", "missing_lines")
    )
    return 100 * covered / (covered + missed)


def coverage_errors(coverage: dict[str, Any]) -> list[str]:
    """Missing coverage of modules that need it, and the percentage if too small."""
    places = [Path(name).resolve().relative_to(SOURCES).as_posix() for name in coverage["files"]]
    coverage_problems = [
        f"{pattern}: no module matches"
        for pattern in FULL_COVERAGE
        if not any(fnmatch(place, pattern) for place in places)
    ]
    for name, file in sorted(coverage["files"].items()):
        place = Path(name).resolve().relative_to(SOURCES).as_posix()
        missing = [*file["missing_lines"], *(f"{a}->{b}" for a, b in file["missing_branches"])]
        if missing and _needs_full_coverage(Path(name)):
            coverage_problems.append(f"{place}: no test reaches {', '.join(map(str, missing))}")
    share = line_percentage(coverage)
    return coverage_problems + (
        [f"the tests reach {share:.2f}%, less than {LINES_MIN_PERCENT}%"]
        if share < LINES_MIN_PERCENT
        else []
    )


def main(folder: Path, listed: bool) -> int:
    coverage = merged_coverage(folder)
    if listed:
        slipcover.print_coverage(coverage, skip_covered=True)
    problems = coverage_errors(coverage)
    lines = problems or [f"The tests reach {line_percentage(coverage):.2f}% of the lines."]
    sys.stdout.write("\n".join(lines) + "\n")
    return bool(problems)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), "--list" in sys.argv))
