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
# Sheets with a changed pay line; the figures of the bundled ones are shipped.
THREE_CARD, HOLDEM = "sheets/three-card.toml", "sheets/holdem.toml"
CHANGES = {
    THREE_CARD: (
        "pennsylvania/three-card-poker",
        'straight-flush = "5:1"',
        'straight-flush = "6:1"',
    ),
    HOLDEM: (
        "pennsylvania/ultimate-texas-holdem",
        'royal-flush = "500:1"',
        'royal-flush = "501:1"',
    ),
}
POSTGRES = "postgresql://127.0.0.1:9/pitbook"
BLOCKED = """
import sys
from importlib.machinery import PathFinder
find_spec, hidden = PathFinder.find_spec, {packages!r}
PathFinder.find_spec = lambda name, path=None, target=None: (
    None if name.partition(".")[0] in hidden else find_spec(name, path, target)
)
"""
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
        ["math", HOLDEM],
        ["advise", HOLDEM, "--cards", "As Kd"],
        ["strategy", HOLDEM],
        ["simulate", CMS, "--rounds", "100"],
        ["session", CMS, "--bankroll", "500", "--hours", "1", "--simulate", "10"],
        f"pitbook.figures({HOLDEM!r})",
        f"pitbook.advice({HOLDEM!r}, 'As Kd')",
        f"pitbook.strategy({HOLDEM!r})",
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


NEEDED_TO_SERVE = [
    *("alembic", "argon2", "cryptography", "fastapi", "h11", "prometheus_client"),
    *("sqlalchemy", "starlette", "uvicorn", "websockets"),
]
SERVE = ["serve", "--data", "house", "--port", "0"]
QR_CODE = "from pitbook.house.nights.ticket_codes import qr_code; qr_code('http://x')"
FORMS = "from pitbook.house.people.names import confusable_forms; confusable_forms('ann')"
CODE = """
from datetime import datetime
from pitbook.house.people.factors import begin_setup
from pitbook.shoe.crypto import Vault
begin_setup(Vault(bytes(32)), 'ann', datetime(2026, 1, 1))
"""
IMPORT_ALL = """
import importlib, pkgutil, pitbook.house
for module in pkgutil.walk_packages(pitbook.house.__path__, "pitbook.house.", print):
    if not module.name.endswith(".env") and ".migrations." not in module.name:
        try:
            importlib.import_module(module.name)
        except pitbook.errors.ExtraMissing as error:
            assert 'pip install "pitbook[house]"' in str(error), module.name
            print(module.name)
"""
ASKING.update({package: [SERVE] for package in NEEDED_TO_SERVE})
ASKING |= {
    "confusable_homoglyphs": [FORMS],
    "httpx": [["bot", "--practice", CMS], "import pitbook.house.client"],
    "pyotp": [CODE],
    "segno": [QR_CODE],
}
HOUSE_PACKAGES = sorted(name for name, extra in extras.EXTRA_OF.items() if extra == extras.HOUSE)
REST: list[list[str] | str] = [  # What works without any optional package.
    ["--help"],
    ["sheets", "list"],
    ["math", CMS],
    ["math", THREE_CARD, "--ante", "10", "--side", "pair-plus=5"],
    ["advise", CMS, "--cards", "As Kd"],
    ["advise", HOLDEM, "--cards", "As Kd", "--community", "Ah 9c 4d", "--bets", "check"],
    ["drill", CMS, "--list"],
    ["papers", "build", "--help"],
    "from pitbook.shoe.crypto import numbers; next(numbers(bytes(32)))",
]
Outcome = tuple[int | str | None, str, str]  # The exit code or the error's name, and the output.


def run_without(
    packages: list[str], calls: list[list[str] | str], folder: Path, **variables: str
) -> list[Outcome]:
    """Answers to commands and Python calls in one process that has none of the packages."""
    environment = {
        name: text for name, text in os.environ.items() if not name.startswith("PITBOOK")
    }
    write_changed_sheets(folder)
    code = BLOCKED.format(packages=packages) + ASK_BOTH
    ended = subprocess.run(
        [sys.executable, "-c", code, json.dumps(calls)],
        cwd=folder,
        env=environment | variables,
        capture_output=True,
        check=False,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    answers: list[Outcome] = json.loads(ended.stdout)
    return answers


def ask_without(packages: list[str], folder: Path, **variables: str) -> None:
    """Ask for each package in one process that has none of them."""
    calls = [(package, call) for package in packages for call in ASKING[package]]
    answers = run_without(packages, [call for _, call in calls], folder, **variables)
    for (package, call), (code, out, err) in zip(calls, answers, strict=True):
        assert code == ("ExtraMissing" if isinstance(call, str) else 1), (call, err)
        assert out == "", call
        assert err.splitlines()[-1].rstrip(".").endswith(install_command(package)), (call, err)


def write_changed_sheets(folder: Path) -> None:
    (folder / "sheets").mkdir(exist_ok=True)
    for name, (sheet, old, new) in CHANGES.items():
        text = text_of(sheet)
        assert old in text
        changed_text = text.replace(old, new).replace(sheet, f"house/{Path(name).stem}")
        (folder / name).write_text(changed_text, encoding="utf-8")


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
    others = [name for name, extra in extras.EXTRA_OF.items() if extra not in ("simulate", "house")]
    ask_without(others, tmp_path)


@pytest.mark.slow_cases(*(name for name in extras.EXTRA_OF if name not in ("sqlalchemy", "segno")))
@pytest.mark.long
@pytest.mark.parametrize("package", extras.EXTRA_OF)
def test_without_one_package_the_rest_works(package: str, tmp_path: Path) -> None:
    for call, (code, _, err) in zip(REST, run_without([package], REST, tmp_path), strict=True):
        assert code in (0, None), (call, err)
    if package != "numba":  # With stored counts, some figures do not need it.
        ask_without([package], tmp_path)


@pytest.mark.long
def test_without_any_optional_package_the_core_works(tmp_path: Path) -> None:
    answers = run_without([*extras.EXTRA_OF, "llvmlite", "pysqlite3", "uvloop"], REST, tmp_path)
    for call, (code, _, err) in zip(REST, answers, strict=True):
        assert code in (0, None), (call, err)


@pytest.mark.slow_cases("every house package")
@pytest.mark.long
@pytest.mark.parametrize(
    "packages", [["sqlalchemy"], HOUSE_PACKAGES], ids=["sqlalchemy", "every house package"]
)
def test_import_of_a_module_names_the_install_command(packages: list[str], tmp_path: Path) -> None:
    """Every module either works without these packages or raises ExtraMissing."""
    (answer,) = run_without(packages, [IMPORT_ALL], tmp_path)
    assert answer[0] is None, answer[2]
    assert "pitbook.house.ledger.schema" in answer[1].split()


@pytest.mark.long
def test_server_without_packages_answers_503_with_the_install_command(tmp_path: Path) -> None:
    code = BLOCKED.format(packages=["numba", "typst"]) + ASK_COMMAND
    data = str(tmp_path / "house")
    write_changed_sheets(tmp_path)
    changed_text = (tmp_path / THREE_CARD).read_text(encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", code, "serve", "--data", data, "--port", "0"],
        cwd=tmp_path,
        env={
            **os.environ,
            **WEAK,
            "PITBOOK_SHEETS": "sheets",
            "XDG_CACHE_HOME": str(tmp_path),
            "NUMBA_CACHE_DIR": "",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with ServerProcess(process).client() as client:
            spot = {"sheet": "house/holdem", "cards": "As Kd"}
            answers = {
                "math": client.get("/api/math/house/holdem"),
                "advise": client.post("/api/advise", json=spot),
                "pdf": client.get(f"/api/papers/{CMS}/rules/pdf"),
                "sheets": client.get("/api/sheets"),
                "checked": client.post("/api/sheets/check", json={"toml": changed_text}),
            }
            while is_awaited(answers["checked"]):
                answers["checked"] = client.post("/api/sheets/check", json={"toml": changed_text})
    finally:
        process.kill()
        process.wait()
    for name, package in (("math", "numba"), ("advise", "numba"), ("pdf", "typst")):
        problem = problem_in(answers[name], 503)
        assert problem["key"] == "extras.missing"
        assert problem["fields"]["extra"] == extras.EXTRA_OF[package]
        assert problem["error"].rstrip(".").endswith(install_command(package))
    assert answers["sheets"].status_code == answers["checked"].status_code == 200
    # NumPy counts a pair game, in another process.
    assert answers["checked"].json()["wagers"]["main"]["house_edge"] is not None


def is_awaited(answer: httpx.Response) -> bool:
    """Whether the server is still counting."""
    return answer.status_code == 503 and answer.json()["key"] == "exact.large.awaited"


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
    return f'Install it with: pip install "pitbook[{extras.EXTRA_OF[package]}]"'
