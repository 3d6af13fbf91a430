"""The evening of docs/nights.md: every command of it, in order, does what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.books import alone
from tests.command_line import Ask
from tests.house.web.conftest import fast_folder

PAGE = (Path(__file__).parents[2] / "docs" / "nights.md").read_text(encoding="utf-8")


def steps() -> list[list[str]]:
    lines = "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).splitlines()
    return [shlex.split(line)[1:] for line in lines]


@pytest.mark.long
def test_the_evening(
    ask: Ask,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone(tmp_path, monkeypatch)
    monkeypatch.delenv("PITBOOK_CONFIG", raising=False)
    (tmp_path / "pitbook-data").mkdir()
    fast_folder(tmp_path / "pitbook-data").close()
    (schedule,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "stud.toml").write_text(schedule, encoding="utf-8")
    assert len(steps()) > 25
    told = ""
    for step in steps():
        answer = ask(*step)  # By the real clock, whatever the day.
        assert answer.code == 0, (step, answer.err)
        told = answer.out
    assert "Facts and balances agree to the cent" in told
    assert "Proceeds for Seacoast Food Pantry" in told
    assert told.startswith("REHEARSAL")
    assert "paid to bob, receipt gala-" in told
