"""Which lines and branches of ours the tests reach: `PITBOOK_COUNT=FOLDER pytest`, then

`python -m tests.branches FOLDER` adds up what the workers wrote, and fails where too little was
reached: a branch of the code that works out money, or more than one line in twenty of the rest.

SlipCover counts by changing bytecode, and takes its marks away again once a line was seen; the
loops that play a million hands hardly notice, so no test is exempt. Branches are counted only where
money is worked out: for them every worker takes each module apart and compiles it anew. What Numba
compiles is not counted: it is machine code when it runs, and is held against the engine round by
round.
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
ENOUGH = 95.0
# Where money is worked out no branch goes untested.
WHOLLY = (
    "money.py",
    *("rules/limits.py", "rules/settlement.py", "rules/pricing.py"),
    *(f"rules/families/{name}/compile.py" for name in ("street_stud", "hi_lo", "versus")),
    *("house/ledger/*", "shoe/*"),
)
COMPILED = [  # Numba reads the very bytecode.
    str(SOURCES / "simulate" / "kernels" / "*"),
    str(SOURCES / "exact" / "methods" / "*" / "*kernels.py"),
]
UNREACHABLE = ("if TYPE_CHECKING:", "raise NotImplementedError", r"assert_never\(", r"\.\.\.")
FOLDER = os.environ.get("PITBOOK_COUNT")


def _also_by_place(counter: Any, chosen: Any) -> None:
    """Alembic loads its steps by their place, and not by a name."""
    before = importlib.util.spec_from_file_location

    def found(name: str, location: Any = None, **how: Any) -> ModuleSpec | None:
        spec = before(name, location, **how)
        if spec and isinstance(spec.loader, SourceFileLoader) and chosen.matches(str(location)):
            spec.loader = SlipcoverLoader(counter, spec.loader, str(location))
        return spec

    importlib.util.spec_from_file_location = found


def _none(_: object) -> tuple[()]:
    return ()


def _is_wholly(file: Path) -> bool:
    """Whether no branch of a module goes untested."""
    place = file.resolve().relative_to(SOURCES).as_posix()
    return any(fnmatch(place, pattern) for pattern in WHOLLY)


def _by_lines_or_branches(loader: Any, module: ModuleType) -> None:
    """Run a module that counts what of it is reached, as finely as it must be known."""
    if _is_wholly(loader.origin):
        _BY_BRANCHES(loader, module)
        return
    code = loader.orig_loader.get_code(module.__name__)
    loader.sci.register_module(module)
    exec(loader.sci.instrument(code), module.__dict__)


_BY_BRANCHES = SlipcoverLoader.exec_module


class Counter(slipcover.Slipcover):  # type: ignore[misc]
    """SlipCover, but who holds which code is looked up once a module and not at every turn."""

    def __init__(self) -> None:
        super().__init__(branch=True)
        self.visited: set[Any] = set()
        self.holders: dict[int, list[FunctionType]] = defaultdict(list)

    def deinstrument_seen(self) -> None:
        """Take the marks away from what was seen since the last time; Python 3.12 needs no such."""
        with self.lock:
            for file, marks in self._get_newly_seen().items():
                for code in list(self.instrumented[file]):
                    self.deinstrument(code, marks)
                self.all_seen[file].update(marks)
            self._look_into(self.modules)
            for old, new in self.replace_map.items():
                for function in self.holders.pop(id(old), ()):
                    function.__code__ = new
                    self.holders[id(new)].append(function)
            self.replace_map.clear()

    def _look_into(self, modules: list[ModuleType]) -> None:
        """Note whose code is whose, of modules that are loaded by now."""
        loaded = [one for one in modules if not getattr(one.__spec__, "_initializing", False)]
        self.modules = [one for one in modules if one not in loaded]
        for module in loaded:
            for function in self.find_functions(module.__dict__.values(), self.visited):
                self.holders[id(function.__code__)].append(function)


class Counting:
    """Counts in this process from now on; what was imported before is not seen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Which lines there are is worked out once, when all is added up, and not in each worker.
        slipcover.Slipcover.lines_from_code = staticmethod(_none)
        slipcover.Slipcover.branches_from_code = staticmethod(_none)
        SlipcoverLoader.exec_module = _by_lines_or_branches
        self.counter = Counter()
        chosen = slipcover.FileMatcher(sources=[SOURCES], omit=COMPILED)
        slipcover.ImportManager(self.counter, chosen).__enter__()
        _also_by_place(self.counter, chosen)

    def pytest_sessionfinish(self) -> None:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.seen())
        (self.folder / f"{worker}.json").write_text(text, encoding="utf-8")

    def seen(self) -> dict[str, list[Any]]:
        """Lines, and branches as pairs of lines, by their file."""
        files: dict[str, set[Any]] = {}
        for part in (self.counter.all_seen, self.counter.newly_seen):
            for name, marks in list(part.items()):
                files.setdefault(name, set()).update(marks)
        return {name: sorted(marks, key=str) for name, marks in files.items()}


# Begun when the tests' first file imports this one, so before anything of ours is imported.
COUNTING = Counting(Path(FOLDER)) if FOLDER and __name__ != "__main__" else None


def added_up(folder: Path) -> dict[str, Any]:
    """What all workers reached together; files that none of them loaded count as missed."""
    counter = slipcover.Slipcover(
        branch=True, source=[str(SOURCES)], omit=COMPILED, exclude_also=list(UNREACHABLE)
    )
    for file in folder.glob("*.json"):
        for name, marks in json.loads(file.read_text(encoding="utf-8")).items():
            pairs = (tuple(mark) if isinstance(mark, list) else mark for mark in marks)
            counter.all_seen[str(Path(name).resolve())].update(pairs)
    whole: dict[str, Any] = counter.get_coverage()
    for name, file in whole["files"].items():
        if not _is_wholly(Path(name)):
            file["executed_branches"], file["missing_branches"] = [], []
    return whole


def reached(whole: dict[str, Any]) -> float:
    """How many of a hundred lines were."""
    seen, missed = (
        sum(len(file[part]) for file in whole["files"].values())
        for part in ("executed_lines", "missing_lines")
    )
    return 100 * seen / (seen + missed)


def complaints(whole: dict[str, Any]) -> list[str]:
    """What is missing where nothing may be, and the share of the whole if that is too small."""
    places = [Path(name).resolve().relative_to(SOURCES).as_posix() for name in whole["files"]]
    found = [
        f"{pattern}: no module matches"
        for pattern in WHOLLY
        if not any(fnmatch(place, pattern) for place in places)
    ]
    for name, file in sorted(whole["files"].items()):
        place = Path(name).resolve().relative_to(SOURCES).as_posix()
        missing = [*file["missing_lines"], *(f"{a}->{b}" for a, b in file["missing_branches"])]
        if missing and _is_wholly(Path(name)):
            found.append(f"{place}: no test reaches {', '.join(map(str, missing))}")
    share = reached(whole)
    return found + (
        [f"the tests reach {share:.2f}%, less than {ENOUGH}%"] if share < ENOUGH else []
    )


def main(folder: Path, listed: bool) -> int:
    whole = added_up(folder)
    if listed:
        slipcover.print_coverage(whole, skip_covered=True)
    wrong = complaints(whole)
    lines = wrong or [f"The tests reach {reached(whole):.2f}% of the lines."]
    sys.stdout.write("\n".join(lines) + "\n")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), "--list" in sys.argv))
