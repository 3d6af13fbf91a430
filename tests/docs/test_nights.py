"""The example event of docs/nights.md: every command works in order as the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.ledger_folders import use_folder
from tests.command_line import Ask
from tests.house.web.conftest import fast_folder

PAGE = (Path(__file__).parents[2] / "docs" / "nights.md").read_text(encoding="utf-8")


def steps() -> list[list[str]]:
    lines = "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).splitlines()
    return [shlex.split(line)[1:] for line in lines]


@pytest.mark.long
def test_commands_of_the_event_page_work(
    ask: Ask,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_folder(tmp_path, monkeypatch)
    monkeypatch.delenv("PITBOOK_CONFIG", raising=False)
    (tmp_path / "pitbook-data").mkdir()
    fast_folder(tmp_path / "pitbook-data").close()
    (schedule,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "stud.toml").write_text(schedule, encoding="utf-8")
    assert len(steps()) > 25
    output = ""
    for step in steps():
        response = ask(*step)  # By the real clock, on any day.
        assert response.code == 0, (step, response.err)
        output = response.out
    assert "balance to the cent" in output
    assert "Net proceeds for Seacoast Food Pantry" in output
    assert output.startswith("REHEARSAL")
    assert "paid to bob, receipt gala-" in output
