"""Failing set-up reports the reason: an unreachable index, a full disk, a wrong file."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
FETCH = [sys.executable, str(ROOT / "requirements" / "fetch.py")]
DEAD = "http://127.0.0.1:9/simple"


def fetch() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fetch", ROOT / "requirements" / "fetch.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        ("npm error code ECONNREFUSED", "the package index does not answer"),
        ("ERROR: [Errno 28] No space left on device", "the disk is full"),
        ("npm error code EACCES", "this user may not write there"),
        ("Temporary failure in name resolution", "is not found; is there a network?"),
        ("npm error code UNABLE_TO_GET_ISSUER_CERT", "cannot prove who it is"),
        ("npm error code EINTEGRITY", "another file than the one that was locked"),
        ("ERROR: No matching distribution found for uv==0.13.7", "does not have it"),
        ("npm error code E403", "refuses us"),
    ],
)
def test_reasons_of_tool_failures(printed: str, reason: str) -> None:
    report = fetch().told("It", printed, 1)
    assert printed in report
    assert reason in report
    assert "then run make again" in report
    assert "?." not in report


def test_an_unknown_failure_shows_the_last_output() -> None:
    report = fetch().told("It", "first\nnpm error     at here\nsomething odd", 7)
    assert "something odd" in report
    assert "the command ended with 7" in report
    assert " at here" not in report


@pytest.mark.long
def test_an_unreachable_index_is_reported(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--isolated", "download", "--retries", "1"]
    arguments = ["-d", str(tmp_path), "--index-url", DEAD, "iniconfig==2.0.0"]
    ended = subprocess.run(
        [*FETCH, "A package", *pip, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PIP_CONFIG_FILE": os.devnull},
        check=False,
    )
    assert ended.returncode == 1
    assert "A package could not be fetched: the package index does not answer" in ended.stderr
    assert "PIP_INDEX_URL" in ended.stderr


def test_success_is_silent() -> None:
    quiet = [*FETCH, "It", sys.executable, "-c", "print('fine')"]
    ended = subprocess.run(quiet, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


MAKE = """#!/bin/sh
for target in "$@"; do
  echo "says $target"
  [ "$target" != "$FAILS" ] || exit 2
done
"""


@pytest.mark.long
@pytest.mark.parametrize("fails", ["nothing", "page", "test-python", "check", "test-page"])
def test_ci_fails_if_any_part_fails(tmp_path: Path, fails: str) -> None:
    make = tmp_path / "make"
    make.write_text(MAKE, encoding="utf-8")
    make.chmod(0o755)
    path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    ended = subprocess.run(
        [str(ROOT / ".ci" / "run")],
        env={**os.environ, "PATH": path, "FAILS": fails},
        capture_output=True,
        text=True,
        check=False,
    )
    parts = ["page", "collected", "test-python", "compiled", "check", "test-page"]
    if fails in ("page", "check"):  # What would have come after it.
        parts = parts[: parts.index(fails) + 1]
    assert ended.stdout.splitlines() == [f"says {part}" for part in parts]
    assert (ended.returncode == 0) == (fails == "nothing")
