"""Hand-planted faults and the tests that catch them: `python -m tests.planted [ID ...]`.

The faults are in `planted.toml` and are planted in a copy of the tree. A test that catches one must
pass again once the fault is removed.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
LIST = Path(__file__).with_suffix(".toml")
IGNORED = (".git", ".venv", "node_modules", "__pycache__", ".*_cache", ".hypothesis", "mutants")
PYTEST = ("-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=line")
PAGE = "frontend/src"  # Tested with npm.
NPM = ("frontend/npm.py", "run", "--silent", "test")
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
FAILED_PAGE = re.compile(r"^\W*FAIL\s+(.*\S)", re.MULTILINE)
COLORS = re.compile(r"\x1b\[[0-9;]*m")
SECONDS_MAX = 1_800


class Fault(NamedTuple):
    """A text of a file, its replacement, and the tests that should catch it."""

    id: str
    file: str
    old: str
    new: str
    seen: str
    tests: list[str]

    def problem(self, root: Path) -> str | None:
        """Why the fault cannot be planted, if so."""
        path = root / self.file
        times = path.read_text(encoding="utf-8").count(self.old) if path.is_file() else 0
        if times != 1:
            return f"CANNOT BE PLANTED: its text stands {times} times in {self.file}; look anew"
        return (
            None
            if self.existing_tests(root)
            else "CANNOT BE ASKED: none of its tests is there any more"
        )

    def existing_tests(self, root: Path) -> list[str]:
        """The existing tests; for a missing file, its folder."""
        existing = (
            test if (root / test).exists() else str(Path(test).parent) for test in self.tests
        )
        return [test for test in dict.fromkeys(existing) if test not in ("tests", ".")]


def load_faults() -> dict[str, Fault]:
    """All faults by id."""
    fault_tables = tomllib.loads(LIST.read_text(encoding="utf-8"))["fault"]
    return {fault_table["id"]: Fault(**fault_table) for fault_table in fault_tables}


class TreeCopy:
    """A copy of the tree with the original's tools, importing its own sources."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*IGNORED))
        (self.root / ".venv").symlink_to(sys.prefix)
        (self.root / "frontend" / "node_modules").symlink_to(ROOT / "frontend" / "node_modules")
        # Before the path of the editable install; CI fixes the random seed.
        variables = {
            "PYTHONPATH": str(self.root / "src"),
            "CI": "1",
            "NUMBA_CACHE_DIR": str(folder),
        }
        self.environment = os.environ | variables
        _, imported_path = self.run("-c", "import pitbook; print(pitbook.__file__)")
        assert Path(imported_path.strip()).is_relative_to(self.root), f"imported is {imported_path}"

    @contextmanager
    def plant(self, fault: Fault) -> Iterator[None]:
        """Plant the fault in the copy, and remove it at the end."""
        path = self.root / fault.file
        original, stamp = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(original.replace(fault.old, fault.new), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(original, encoding="utf-8")
            if path.suffix == ".py":  # Compiled modules are compared by whole seconds.
                os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    def first_failure(self, tests: list[str]) -> str | None:
        """The first test that fails, path after path; None if all pass."""
        for test in tests:
            code, output = self.run(*(NPM if test == PAGE else (*PYTEST, test)))
            if code:
                failure = (FAILED_PAGE if test == PAGE else FAILED).search(output)
                return failure[1] if failure else f"no test by name: {output[-2000:]}"
        return None

    def run(self, *arguments: str) -> tuple[int, str]:
        """Exit code and output of a Python process in the copy; child processes are ended."""
        with subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=SECONDS_MAX)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        return process.returncode, COLORS.sub("", output)


def try_fault(fault: Fault, copy: TreeCopy) -> tuple[bool, str]:
    """Whether the fault is caught, and by which test."""
    with copy.plant(fault):
        test = copy.first_failure(fault.existing_tests(copy.root))
    if test is None:
        return False, "NOT CAUGHT"
    repeated_failure = copy.first_failure([PAGE] if ".test.ts" in test else [test])
    return (
        (True, test)
        if repeated_failure is None
        else (False, f"FAILS WITHOUT THE FAULT TOO: {test}")
    )


def main(arguments: list[str]) -> int:
    """Print a line for each fault; return 1 if one is not caught or cannot be planted."""
    all_faults, caught = load_faults(), 0
    ids = [argument for argument in arguments if argument != "--list"] or list(all_faults)
    if unknown := [fault_id for fault_id in ids if fault_id not in all_faults]:
        raise SystemExit(f"there is no fault {', '.join(unknown)}; --list names all")
    with tempfile.TemporaryDirectory(prefix="pitbook-planted-") as folder:
        copy = None if "--list" in arguments else TreeCopy(Path(folder))
        for fault in (all_faults[fault_id] for fault_id in ids):
            start, planting_problem = time.monotonic(), fault.problem(ROOT)
            is_caught, verdict = (
                (not planting_problem, planting_problem or fault.seen)
                if planting_problem or copy is None
                else try_fault(fault, copy)
            )
            seconds_text = f"{time.monotonic() - start:6.0f} s  " if copy else ""
            print(f"{fault.id:<30}{seconds_text}{verdict}", flush=True)  # noqa: T201
            caught += is_caught
    print(f"{caught} of {len(ids)} {'caught' if copy else 'can be planted'}")  # noqa: T201
    return int(caught < len(ids))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
