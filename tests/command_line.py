"""Calling the command line in this process or in a new one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pitbook.cli import main, progress


@dataclass(frozen=True)
class Answer:
    """Output and exit code of a run."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The JSON document on standard output."""
        return json.loads(self.out)


Ask = Callable[..., Answer]


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Calls `pitbook` with these arguments on a terminal of the given width."""
    monkeypatch.delenv("PITBOOK_SHEETS", raising=False)
    # Tests compare standard error; durations depend on the machine's load.
    monkeypatch.setattr(progress, "SILENT_SECONDS", 600.0)
    monkeypatch.setenv("PITBOOK_TRACEBACK", "1")  # Bugs should fail tests with a traceback.

    def run(*arguments: str, columns: int = 80) -> Answer:
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit) as raised:
            main(arguments)
        printed = capfd.readouterr()
        code = raised.value.code
        assert isinstance(code, int)
        return Answer(code, printed.out, printed.err)

    return run


@pytest.fixture
def shell(tmp_path: Path) -> Ask:
    """Calls `python -m pitbook` in a new process, in an empty folder."""

    def run(*arguments: str, text: str | None = None, **environment: str) -> Answer:
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith("PITBOOK")
        }
        variables |= environment
        command = [sys.executable, "-m", "pitbook", *arguments]
        result = subprocess.run(
            command,
            cwd=tmp_path,
            env=variables,
            input=text,
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
        )
        return Answer(result.returncode, result.stdout, result.stderr)

    return run
