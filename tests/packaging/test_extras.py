"""Without an optional package, every interface names the command that installs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.house.web.server_process import WEAK, ServerProcess

from pitbook import extras
from pitbook.errors import ExtraMissing

BUNDLED = Path(extras.__file__).parent / "sheets" / "bundled"
CMS = "catfish-bend/mississippi-stud"
TCP = "pennsylvania/three-card-poker"
UTH = "pennsylvania/ultimate-texas-holdem"
POSTGRES = "postgresql://127.0.0.1:9/pitbook"
BLOCKED = "import sys; sys.modules.update(dict.fromkeys({packages!r}))\n"
ASK_COMMAND = "from pitbook.cli import main; main(sys.argv[1:])"
ASK_BOTH = """
import contextlib, io, json
import pitbook
from pitbook.cli import main
answers = []
for call in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            exec(call) if isinstance(call, str) else main(call)
            code = None
        except SystemExit as ended:
            code = ended.code
        except pitbook.PitbookError as error:
            code = type(error).__name__
            print(error, file=err)
    answers.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(answers))
"""
# Uses of each package: commands as lists of arguments, Python calls as text.
ASKING: dict[str, list[list[str] | str]] = {
    "numba": [
        ["math", TCP],
        ["math", UTH],
        ["advise", UTH, "--cards", "As Kd"],
        ["strategy", TCP],
        ["simulate", CMS, "--rounds", "100"],
        ["session", CMS, "--bankroll", "500", "--hours", "1", "--simulate", "10"],
        f"pitbook.figures({TCP!r})",
        f"pitbook.advice({UTH!r}, 'As Kd')",
        f"pitbook.strategy({TCP!r})",
        f"pitbook.simulate({CMS!r}, 100)",
    ],
    "ray": [
        ["simulate", CMS, "--rounds", "100", "--on", "ray"],
        f"pitbook.simulate({CMS!r}, 100, on='ray')",
    ],
    "cupy": [
        ["simulate", CMS, "--rounds", "100", "--on", "gpu"],
        f"pitbook.simulate({CMS!r}, 100, on='gpu')",
    ],
    "pyarrow": [
        ["simulate", CMS, "--rounds", "100", "--parquet", "rounds"],
        f"pitbook.simulate({CMS!r}, 100, parquet='rounds')",
    ],
    "matplotlib": [
        ["math", CMS, "--plot", "edge.svg"],
        ["session", CMS, "--bankroll", "500", "--hours", "1", "--plot", "fan.svg"],
        f"pitbook.figures({CMS!r}).plot()",
    ],
    "typst": [
        ["papers", "build", CMS, "--only", "rules", "-o", "packet"],
        "from pitbook.printing import typeset; typeset._compiler()",
    ],
    "psycopg": [
        ["serve", "--database", POSTGRES, "--data", "house", "--port", "0"],
        ["audit", "verify", "--database", POSTGRES, "--data", "house"],
        ["backup", "monday.zip", "--database", POSTGRES, "--data", "house"],
        f"from pitbook.house.ledger.database import connect; connect({POSTGRES!r})",
    ],
}


def ask_without(packages: list[str], folder: Path, **variables: str) -> None:
    """Ask for each package in one process that has none of them."""
    calls = [(package, call) for package in packages for call in ASKING[package]]
    environment = {
        name: text for name, text in os.environ.items() if not name.startswith("PITBOOK")
    }
    ended = subprocess.run(
        [
            *(sys.executable, "-c", BLOCKED.format(packages=packages) + ASK_BOTH),
            json.dumps([call for _, call in calls]),
        ],
        cwd=folder,
        env=environment | variables,
        capture_output=True,
        check=False,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    answers = json.loads(ended.stdout)
    for (package, call), (code, out, err) in zip(calls, answers, strict=True):
        assert code == ("ExtraMissing" if isinstance(call, str) else 1), (call, err)
        assert out == "", call
        assert err.splitlines()[-1].rstrip(".").endswith(install_command(package)), (call, err)


def test_every_optional_package_is_tried() -> None:
    assert set(ASKING) == set(extras.EXTRA_OF)


@pytest.mark.long
def test_without_numba_commands_and_functions_say_how_to_install_it(tmp_path: Path) -> None:
    """Remove stored counts, because with them some figures do not need Numba."""
    ask_without(["numba"], tmp_path, XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR="")


@pytest.mark.long
def test_without_other_packages_commands_and_functions_say_how_to_install_them(
    tmp_path: Path,
) -> None:
    ask_without([package for package in ASKING if package != "numba"], tmp_path)


@pytest.mark.long
def test_server_without_packages_answers_503_with_the_install_command(tmp_path: Path) -> None:
    code = BLOCKED.format(packages=["numba", "typst"]) + ASK_COMMAND
    data = str(tmp_path / "house")
    process = subprocess.Popen(
        [sys.executable, "-c", code, "serve", "--data", data, "--port", "0"],
        cwd=tmp_path,
        env={**os.environ, **WEAK, "XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with ServerProcess(process).client() as client:
            spot = {"sheet": UTH, "cards": "As Kd"}
            answers = {
                "math": client.get(f"/api/math/{TCP}"),
                "advise": client.post("/api/advise", json=spot),
                "pdf": client.get(f"/api/papers/{CMS}/rules/pdf"),
                "sheets": client.get("/api/sheets"),
                "checked": client.post("/api/sheets/check", json={"toml": text_of(TCP)}),
            }
    finally:
        process.kill()
        process.wait()
    for name, package in (("math", "numba"), ("advise", "numba"), ("pdf", "typst")):
        problem = problem_in(answers[name], 503)
        assert problem["key"] == "extras.missing"
        assert problem["fields"]["extra"] == extras.EXTRA_OF[package]
        assert problem["error"].endswith(install_command(package))
    assert answers["sheets"].status_code == answers["checked"].status_code == 200
    # The answer still comes without an edge that cannot be computed.
    assert install_command("numba") in answers["checked"].text


def problem_in(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    problem: dict[str, Any] = answer.json()
    return problem


def test_package_that_cannot_be_loaded_is_reported_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """psycopg without the PostgreSQL client library is installed and fails when it is imported."""

    def fail(module: str) -> Any:
        raise ImportError(f"no pq wrapper\nfor {module}")

    monkeypatch.setattr(extras, "find_spec", lambda name: ModuleSpec(name, None))
    monkeypatch.setattr(extras, "import_module", fail)
    with pytest.raises(ExtraMissing) as raised:
        extras.load_extra("psycopg")
    assert "psycopg is installed but cannot be loaded (no pq wrapper for psycopg)" in str(
        raised.value
    )
    assert "pip install --force-reinstall psycopg" in str(raised.value)


def text_of(sheet: str) -> str:
    """The text of a bundled sheet."""
    return (BUNDLED / f"{sheet}.toml").read_text(encoding="utf-8")


def install_command(package: str) -> str:
    return f"install it with: pip install 'pitbook[{extras.EXTRA_OF[package]}]'"
