"""`make audit` reports findings, a clean result, or that a source could not be reached."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / "requirements" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUG = {"id": "PYSEC-1", "fix_versions": ["9.9"]}
PIP_BAD = {"dependencies": [{"name": "jinja2", "version": "2.4.1", "vulns": [BUG]}]}
PIP_FINE = {"dependencies": [{"name": "uv", "version": "1", "vulns": []}] * 3}
SKIPPED = {"name": "uv", "skip_reason": "Dependency not found on PyPI and could not be audited"}
NPM_BAD = {
    "metadata": {"dependencies": {"total": 1}},
    "vulnerabilities": {"lodash": {"range": "<=4.17.20", "severity": "critical"}},
}
NPM_FINE = {"metadata": {"dependencies": {"total": 250}}, "vulnerabilities": {}}
NPM_DOWN = {"message": "request to the registry failed, reason: ENOTFOUND", "error": {}}
PYPI_DOWN = ("", "ERROR: pip-audit: Failed to connect to PyPI")

CASES: dict[str, tuple[list[Any], int, str]] = {
    "nothing is known": ([PIP_BAD, PIP_FINE, NPM_BAD, NPM_FINE], 0, "nothing is known against 250"),
    "one of ours": (
        [PIP_BAD, PIP_BAD, NPM_BAD, NPM_FINE],
        1,
        "jinja2 2.4.1: PYSEC-1, mended in 9.9",
    ),
    "one of the page's": ([PIP_BAD, PIP_FINE, NPM_BAD, NPM_BAD], 1, "lodash <=4.17.20: critical"),
    "no network": ([PYPI_DOWN, NPM_DOWN], 3, "PyPI could not be asked: ERROR: pip-audit: Failed"),
    "no npm": ([PIP_BAD, PIP_FINE, NPM_DOWN], 3, "npm could not be asked: request to the registry"),
    "an empty npm": ([PIP_BAD, PIP_FINE, {}], 3, "npm could not be asked: {}"),
    "a mirror without advisories": ([PIP_FINE, NPM_FINE], 3, "nothing of jinja2 2.4.1, which is"),
    "a package that it does not know": (
        [PIP_BAD, {"dependencies": [SKIPPED]}, NPM_BAD, NPM_FINE],
        *(3, "not asked about uv: Dependency not found"),
    ),
    "found, and the other is down": ([PIP_BAD, PIP_BAD, NPM_DOWN], 1, "npm: whether what we use"),
}


@pytest.mark.parametrize("name", CASES)
def test_report_and_exit_code(audit: ModuleType, name: str) -> None:
    printed, code, expected_text = CASES[name]
    answers = list(printed)
    commands: list[Sequence[str]] = []

    def run(command: Sequence[str], _: Path) -> tuple[str, str]:
        commands.append(command)
        answer = answers.pop(0)
        return answer if isinstance(answer, tuple) else (json.dumps(answer), "")

    lines, exit_code = audit.told([audit.python_report(run), audit.npm_report(run)])
    text = "\n".join(lines)
    assert (exit_code, answers) == (code, [])
    assert expected_text in text
    assert ("NOT KNOWN" in text) == any("could not be asked" in line for line in lines)
    assert all(
        "--disable-pip" in command_line
        for command_line in commands
        if "pip-audit" in command_line[0]
    )


def test_a_missing_tool_is_reported(
    audit: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(*_: Any) -> Any:
        raise FileNotFoundError(2, "No such file or directory", "pip-audit")

    monkeypatch.setattr(audit, "set_up", lambda _: None)
    monkeypatch.setattr(audit, "run", missing)
    assert audit.main() == 3
    output = capsys.readouterr().out
    assert "PyPI could not be asked: No such file or directory: pip-audit" in output
    assert "nothing is known against" not in output


def test_audit_requirements_are_locked_and_name_no_host() -> None:
    text = (ROOT / "requirements" / "audit.txt").read_text()
    assert re.search(r"^pip-audit==[0-9.]+ ", text, re.MULTILINE)
    pins = re.findall(r"^[a-z0-9-]+(?:\[\w+\])?==\S+(.*)$", text, re.MULTILINE)
    assert pins
    assert text.count("--hash=sha256:") >= len(pins)
    assert "://" not in text
