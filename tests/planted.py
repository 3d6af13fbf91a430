"""Faults planted by hand, one at a time: which test notices? `python -m tests.planted [ID ...]`.

They stand in `planted.toml` and are planted in a copy of the tree. A test that is said to catch
one must pass again when the fault is out.
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
LEFT_OUT = (".git", ".venv", "node_modules", "__pycache__", ".*_cache", ".hypothesis", "mutants")
PYTEST = ("-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=line")
PAGE = "frontend/src"  # Asked with npm.
NPM = ("frontend/npm.py", "run", "--silent", "test")
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
FAILED_PAGE = re.compile(r"^\W*FAIL\s+(.*\S)", re.MULTILINE)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
SECONDS_MAX = 1_800


class Fault(NamedTuple):
    """A text of a file, what stands there instead, and whom to ask whether that matters."""

    id: str
    file: str
    old: str
    new: str
    seen: str
    tests: list[str]

    def odd(self, root: Path) -> str | None:
        """Why it cannot be planted any more, if it cannot."""
        path = root / self.file
        times = path.read_text(encoding="utf-8").count(self.old) if path.is_file() else 0
        if times != 1:
            return f"CANNOT BE PLANTED: its text stands {times} times in {self.file}; look anew"
        return None if self.asked(root) else "CANNOT BE ASKED: none of its tests is there any more"

    def asked(self, root: Path) -> list[str]:
        """The tests as they are now: for a file that is gone, its folder."""
        there = (one if (root / one).exists() else str(Path(one).parent) for one in self.tests)
        return [one for one in dict.fromkeys(there) if one not in ("tests", ".")]


def faults() -> dict[str, Fault]:
    """All faults by their ids."""
    told = tomllib.loads(LIST.read_text(encoding="utf-8"))["fault"]
    return {one["id"]: Fault(**one) for one in told}


class Copy:
    """The tree once more, with the tools of the first; its own sources are what is imported."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns(*LEFT_OUT))
        (self.root / ".venv").symlink_to(sys.prefix)
        (self.root / "frontend" / "node_modules").symlink_to(ROOT / "frontend" / "node_modules")
        # Before the path of the editable install; CI: the seed of every change that lands.
        kept = {"PYTHONPATH": str(self.root / "src"), "CI": "1", "NUMBA_CACHE_DIR": str(folder)}
        self.environment = os.environ | kept
        _, found = self.run("-c", "import pitbook; print(pitbook.__file__)")
        assert Path(found.strip()).is_relative_to(self.root), f"imported is {found}"

    @contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        """The fault stands in the copy, and is out again at the end."""
        path = self.root / fault.file
        sound, stamp = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(sound.replace(fault.old, fault.new), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(sound, encoding="utf-8")
            if path.suffix == ".py":  # Compiled modules are told apart by whole seconds.
                os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    def failed(self, tests: list[str]) -> str | None:
        """The first test that fails, path after path; None where all pass."""
        for one in tests:
            code, said = self.run(*(NPM if one == PAGE else (*PYTEST, one)))
            if code:
                found = (FAILED_PAGE if one == PAGE else FAILED).search(said)
                return found[1] if found else f"no test by name: {said[-2000:]}"
        return None

    def run(self, *arguments: str) -> tuple[int, str]:
        """Exit code and output of a Python process in the copy; nothing that it started stays."""
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
                said, _ = process.communicate(timeout=SECONDS_MAX)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        return process.returncode, COLOURS.sub("", said)


def tried(fault: Fault, copy: Copy) -> tuple[bool, str]:
    """Whether the fault is caught, and by which test."""
    with copy.planted(fault):
        test = copy.failed(fault.asked(copy.root))
    if test is None:
        return False, "NOT CAUGHT"
    again = copy.failed([PAGE] if ".test.ts" in test else [test])
    return (True, test) if again is None else (False, f"FAILS WITHOUT THE FAULT TOO: {test}")


def main(arguments: list[str]) -> int:
    """A line for each fault; 1 where one is not caught or cannot be planted."""
    every, caught = faults(), 0
    ids = [one for one in arguments if one != "--list"] or list(every)
    if unknown := [one for one in ids if one not in every]:
        raise SystemExit(f"there is no fault {', '.join(unknown)}; --list names all")
    with tempfile.TemporaryDirectory(prefix="pitbook-planted-") as folder:
        copy = None if "--list" in arguments else Copy(Path(folder))
        for fault in (every[one] for one in ids):
            begun, odd = time.monotonic(), fault.odd(ROOT)
            fine, said = (not odd, odd or fault.seen) if odd or copy is None else tried(fault, copy)
            spent = f"{time.monotonic() - begun:6.0f} s  " if copy else ""
            print(f"{fault.id:<30}{spent}{said}", flush=True)  # noqa: T201
            caught += fine
    print(f"{caught} of {len(ids)} {'caught' if copy else 'can be planted'}")  # noqa: T201
    return int(caught < len(ids))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
