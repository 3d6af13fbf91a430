"""A package with red dog as an entry point: all commands know it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.command_line import Ask
from tests.red_dog.conftest import SHEET

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_commands_find_installed_families(shell: Ask, tmp_path: Path) -> None:
    installed = tmp_path / "red_dog-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: red-dog\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(
        "[pitbook.families]\nred-dog = tests.red_dog:FAMILY\n"
    )
    path = os.pathsep.join(map(str, (tmp_path, ROOT)))
    answer = shell("math", str(SHEET), "--json", PYTHONPATH=path)
    assert answer.code == 0, answer.err
    assert f"{answer.document['wagers']['main']['house_edge']:.3%}" == "2.798%"
    simulated = shell("simulate", str(SHEET), "--rounds", "2000", "--json", PYTHONPATH=path)
    assert simulated.code == 0, simulated.err


@pytest.mark.long
def test_commands_do_not_find_uninstalled_families(shell: Ask) -> None:
    answer = shell("math", str(SHEET), PYTHONPATH=str(ROOT))
    assert answer.code == 1
    assert 'There is no family "red-dog"' in answer.err
