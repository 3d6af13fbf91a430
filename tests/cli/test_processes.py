"""The command as a shell calls it: what it loads, how it ends in a pipe, poor terminals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import Ask
from tests.sheets.samples import CMS, OMS

PITBOOK = [sys.executable, "-m", "pitbook"]


def loaded_by(*arguments: str) -> set[str]:
    code = (
        "import sys\n"
        "from pitbook.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_list_loads_only_what_it_needs() -> None:
    loaded = loaded_by("sheets", "list")
    assert "pitbook.sheets.library" in loaded
    heavy = {"numpy", "rich", "pitbook.sheets.checks", "pitbook.cli.sheets.show"}
    assert loaded & heavy == set()


@pytest.mark.parametrize("arguments", [("sheets", "show", CMS), ("sheets", "diff", CMS, OMS)])
def test_only_a_thorough_check_loads_numpy(arguments: tuple[str, ...]) -> None:
    assert "numpy" not in loaded_by(*arguments)


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("sheets", "--help")])
def test_help_loads_no_sheets(arguments: tuple[str, ...]) -> None:
    assert "pitbook.sheets.library" not in loaded_by(*arguments)


def test_installed_command_and_module_are_one_door(shell: Ask) -> None:
    script = Path(sys.executable).with_name("pitbook")
    if not script.exists():
        pytest.skip("the command is not installed beside this Python")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == shell("--version").out


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("arguments", ["sheets list", f"sheets show {CMS}", "sheets schema --json"])
def test_reader_that_leaves_early_is_no_error(arguments: str) -> None:
    line = f"{sys.executable} -m pitbook {arguments} | head -1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [("list",), ("show", CMS)])
def test_full_disk_is_said_in_a_sentence(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [*PITBOOK, "sheets", *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "No space left on device" in done.stderr


def test_closed_output_is_no_traceback() -> None:
    line = f"{sys.executable} -m pitbook sheets list >&-"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""


POOR = [
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
]


@pytest.mark.parametrize("environment", POOR, ids=str)
def test_poor_terminals_get_an_answer(
    shell: Ask, environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text("family = 'Straße ♠'", encoding="utf-8")
    answer = shell("sheets", "show", CMS, **environment)
    assert (answer.code, answer.err) == (0, "")
    assert "Royal flush" in answer.out
    refused = shell("sheets", "show", "mine.toml", "--json", **environment)
    assert refused.code == 1
    assert "Straße ♠" in json.loads(refused.out)["error"]
    assert "Traceback" not in refused.err


@pytest.mark.skipif(os.name == "nt", reason="file names are bytes elsewhere")
def test_name_that_is_no_text_is_refused(shell: Ask) -> None:
    answer = shell("sheets", "show", os.fsdecode(b"caf\xe9.toml"), "--json")
    assert answer.code == 1
    assert r"caf\udce9.toml" in answer.document["error"]
