"""The command in a shell: what it imports, how it ends in a pipe, and limited terminals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.imported_modules import (
    DIFF,
    HELP,
    LIST,
    MATH,
    MATH_AT_10,
    SHOW,
    loaded_after,
    output_lines,
)
from tests.command_line import Ask
from tests.sheets.samples import CMS

PITBOOK = [sys.executable, "-m", "pitbook"]


@pytest.mark.long
def test_list_loads_only_what_it_needs() -> None:
    loaded = loaded_after(*LIST)
    assert "pitbook.sheets.library" in loaded
    heavy = {"numpy", "rich", "pitbook.sheets.check", "pitbook.cli.sheets_show"}
    assert loaded & heavy == set()


def test_showing_a_bundled_sheet_neither_checks_it_nor_loads_numpy() -> None:
    assert "pitbook.sheets.check" not in loaded_after(*SHOW)
    assert "numpy" not in loaded_after(*SHOW)
    assert "numpy" not in loaded_after(*DIFF)


def test_help_loads_no_sheets_no_database_and_no_cipher() -> None:
    heavy = {"sqlalchemy", "cryptography", "alembic", "psycopg", "pitbook.house.ledger.ledger"}
    assert {
        arguments: heavy_modules
        for arguments in HELP
        if (heavy_modules := loaded_after(*arguments) & heavy)
    } == {}
    assert "pitbook.sheets.library" not in loaded_after("--version")


def test_overview_loads_only_the_houses_command_table() -> None:
    house = {module for module in loaded_after("--help") if module.startswith("pitbook.house")}
    assert house == {"pitbook.house", "pitbook.house.cli", "pitbook.house.cli.commands"}


def test_figures_of_a_bundled_sheet_load_neither_its_game_nor_numpy() -> None:
    heavy = {"numpy", "pitbook.rules.game"}
    assert loaded_after(*MATH) & heavy == set()


def test_figures_load_neither_plots_nor_round_code() -> None:
    assert "numpy" in loaded_after(*MATH_AT_10)
    assert "matplotlib" not in loaded_after(*MATH_AT_10)
    assert output_lines()[-1] == "0"


@pytest.mark.long
def test_installed_command_and_module_are_the_same(shell: Ask) -> None:
    script = Path(sys.executable).with_name("pitbook")
    if not script.exists():
        pytest.skip("the command is not installed beside this Python")
    completed = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert completed.stdout == shell("--version").out


@pytest.mark.slow_cases("sheets list", "sheets show catfish-bend/mississippi-stud")
@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("arguments", ["sheets list", f"sheets show {CMS}", "sheets schema --json"])
def test_closed_pipe_is_not_an_error(arguments: str) -> None:
    line = f"{sys.executable} -m pitbook {arguments} | head -1"
    completed = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
    assert completed.stdout.count("\n") == 1
    assert completed.stderr == ""


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [("list",), ("show", CMS)])
def test_full_disk_is_reported_in_a_sentence(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [*PITBOOK, "sheets", *arguments]
        completed = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert completed.returncode == 1
    assert "Traceback" not in completed.stderr
    assert "No space left on device" in completed.stderr


@pytest.mark.long
def test_closed_output_gives_no_traceback() -> None:
    line = f"{sys.executable} -m pitbook sheets list >&-"
    completed = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert completed.stderr == ""


POOR = [
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
]


TWICE = """
import sys
from pitbook.cli import main
for arguments in (sys.argv[1:3], sys.argv[3:]):
    try: main(("sheets", *arguments))
    except SystemExit as ended: print(ended.code, file=sys.stderr, flush=True)
"""


@pytest.mark.slow_cases("{'LC_ALL': 'C'}", "{'PYTHONIOENCODING': 'ascii'}")
@pytest.mark.long
@pytest.mark.parametrize("environment", POOR, ids=str)
def test_limited_terminals_are_supported(environment: dict[str, str], tmp_path: Path) -> None:
    """One sheet is printed, and one is refused with characters that the terminal cannot encode."""
    refused_sheet = tmp_path / "mine.toml"
    refused_sheet.write_text("family = 'Straße ♠'", encoding="utf-8")
    completed = subprocess.run(
        [sys.executable, "-c", TWICE, "show", CMS, "show", str(refused_sheet), "--json"],
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
        text=True,
        errors="replace",
    )
    printed_card, brace, refused = completed.stdout.partition("\n{")
    assert "Royal flush" in printed_card
    assert "Straße ♠" in json.loads(brace + refused)["error"]
    lines = completed.stderr.splitlines()
    first, *others = [line for line in lines if not line.startswith("Still calculating")]
    assert first == "0"
    assert others[-1] == "1"
    assert "Traceback" not in completed.stderr


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="file names are bytes elsewhere")
def test_argument_that_is_not_utf_8_is_refused(shell: Ask) -> None:
    answer = shell("sheets", "show", os.fsdecode(b"caf\xe9.toml"), "--json")
    assert answer.code == 1
    assert r"caf\udce9.toml" in answer.document["error"]
