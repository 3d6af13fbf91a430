"""The page built from current sources, and Chromium to view it; both are made if missing."""

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
LOCK_FILE = FRONTEND / "package-lock.json"
ROOT_FILES = ("index.html", "package.json", "vite.config.ts", "svelte.config.js")
# The headless shell draws about a fifth faster.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
INSTALL = ("apt-get", "install", "-y", "chromium")
INSTALL_SECONDS = 280


def build_page() -> None:
    """Build the page if a source is newer; one process builds, the others wait."""
    with _lock_build():
        if not _is_current(MODULES, [LOCK_FILE]):
            _npm("ci", "--silent")
            MODULES.touch()
        if not _is_current(INDEX, [*sources(), MODULES]):
            _npm("run", "--silent", "build", "--", "--logLevel", "warn")
            INDEX.touch()


def sources() -> list[Path]:
    """Every source file of the built page."""
    folders = (FRONTEND / "src", FRONTEND / "public")
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    page_sources = [
        file for file in files if file.name != "schema.d.ts" and ".test." not in file.name
    ]
    return [*page_sources, *(FRONTEND / name for name in ROOT_FILES)]


@cache
def script(name: str) -> str:
    """A script that a test runs inside the page."""
    return (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")


def chromium() -> str:
    """The path of Chromium, installed first if possible; fails otherwise."""
    with _lock_build():
        return _find_chromium() or _install_chromium()


def axe_source() -> str:
    """The source of axe, from the page's locked tools."""
    build_page()
    file = FRONTEND / "node_modules" / "axe-core" / "axe.min.js"
    if not file.exists():
        pytest.fail(f"{file} is missing: npm install --save-dev axe-core, in {FRONTEND}")
    return file.read_text(encoding="utf-8")


def _find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def _install_chromium() -> str:
    command = " ".join(INSTALL)
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which(INSTALL[0]):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for step in ((INSTALL[0], "update"), INSTALL):
            subprocess.run(
                step, env=environment, capture_output=True, check=False, timeout=INSTALL_SECONDS
            )
    return _find_chromium() or pytest.fail(f"the page's tests need Chromium; as root: {command}")


def _npm(*arguments: str) -> None:
    completed = subprocess.run(
        [sys.executable, str(FRONTEND / "npm.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, (
        f"npm {' '.join(arguments)}:\n{completed.stdout}\n{completed.stderr}"
    )


def _is_current(built: Path, source_files: list[Path]) -> bool:
    return built.exists() and built.stat().st_mtime >= max(
        file.stat().st_mtime for file in source_files
    )


@contextmanager
def _lock_build() -> Iterator[None]:
    """A lock across the workers of one run, and across runs."""
    name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    with (Path(tempfile.gettempdir()) / f"pitbook-page-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
