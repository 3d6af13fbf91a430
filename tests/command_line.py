"""The command line, called in this process or as one of its own."""

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
    """What a run printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output; more or less than one fails here."""
        return json.loads(self.out)


Ask = Callable[..., Answer]


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Calls `pitbook` with these arguments on a terminal of that width."""
    monkeypatch.delenv("PITBOOK_SHEETS", raising=False)
    # Tests compare standard error whole; how long a command takes depends on the machine's load.
    monkeypatch.setattr(progress, "SILENT_SECONDS", 600.0)
    monkeypatch.setenv("PITBOOK_TRACEBACK", "1")  # A mistake of ours must fail a test loudly.

    def run(*arguments: str, columns: int = 80) -> Answer:
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        printed = capfd.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return Answer(code, printed.out, printed.err)

    return run


@pytest.fixture
def shell(tmp_path: Path) -> Ask:
    """Calls `python -m pitbook` as a process of its own, in an empty folder."""

    def run(*arguments: str, text: str | None = None, **environment: str) -> Answer:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PITBOOK")}
        kept |= environment
        command = [sys.executable, "-m", "pitbook", *arguments]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=kept,
            input=text,
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return run
