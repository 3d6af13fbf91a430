"""A page built from today's sources, and a Chromium to see it with; both made where they lack."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).parent / "scripts"
FRONTEND = ROOT / "frontend"
STATIC = ROOT / "src" / "pitbook" / "house" / "web" / "static"
INDEX = STATIC / "index.html"
MODULES = FRONTEND / "node_modules" / ".package-lock.json"
LOCKED = FRONTEND / "package-lock.json"
ROOT_FILES = ("index.html", "package.json", "vite.config.ts", "svelte.config.js")
# The same browser without windows, where there is one, draws for a fifth less.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
INSTALL = ("apt-get", "install", "-y", "chromium")
INSTALL_SECONDS = 280


def build_page() -> None:
    """Build the page where a source is newer than it; one process does, the others wait."""
    with _alone():
        if not _is_current(MODULES, [LOCKED]):
            _npm("ci", "--silent")
            MODULES.touch()
        if not _is_current(INDEX, [*sources(), MODULES]):
            _npm("run", "--silent", "build", "--", "--logLevel", "warn")
            INDEX.touch()


def sources() -> list[Path]:
    """Everything that the built page is made of."""
    folders = (FRONTEND / "src", FRONTEND / "public")
    found = [one for folder in folders for one in folder.rglob("*") if one.is_file()]
    own = [one for one in found if one.name != "schema.d.ts" and ".test." not in one.name]
    return [*own, *(FRONTEND / name for name in ROOT_FILES)]


@cache
def script(name: str) -> str:
    """One of the scripts that a test runs inside the page."""
    return (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")


def chromium() -> str:
    """The path of Chromium; installed first where that can be done, else the run fails."""
    with _alone():
        return _found() or _installed()


def axe_source() -> str:
    """The accessibility checker, out of the page's own locked tools."""
    build_page()
    file = FRONTEND / "node_modules" / "axe-core" / "axe.min.js"
    if not file.exists():
        pytest.fail(f"{file} is missing: npm install --save-dev axe-core, in {FRONTEND}")
    return file.read_text(encoding="utf-8")


def _found() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def _installed() -> str:
    command = " ".join(INSTALL)
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which(INSTALL[0]):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for step in ((INSTALL[0], "update"), INSTALL):
            subprocess.run(
                step, env=quiet, capture_output=True, check=False, timeout=INSTALL_SECONDS
            )
    return _found() or pytest.fail(f"the page's tests need Chromium; as root: {command}")


def _npm(*arguments: str) -> None:
    ran = subprocess.run(
        [sys.executable, str(FRONTEND / "npm.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"npm {' '.join(arguments)}:\n{ran.stdout}\n{ran.stderr}"


def _is_current(made: Path, of: list[Path]) -> bool:
    return made.exists() and made.stat().st_mtime >= max(one.stat().st_mtime for one in of)


@contextmanager
def _alone() -> Iterator[None]:
    """Workers of one run, and runs side by side, take turns."""
    name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    with (Path(tempfile.gettempdir()) / f"pitbook-page-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
