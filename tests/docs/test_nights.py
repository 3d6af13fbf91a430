"""The evening of docs/nights.md: every command of it, in order, does what the page says."""

from __future__ import annotations

import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from tests.cli.books import alone
from tests.cli.conftest import Ask, ask  # noqa: F401  A fixture.
from tests.web.conftest import fast_folder

PAGE = (Path(__file__).parents[2] / "docs" / "nights.md").read_text(encoding="utf-8")
NOW = datetime.now(UTC)
ZONE = f"Etc/GMT{NOW.hour - 12:+d}"  # Where it is noon: the evening does not run into midnight.
TODAY = NOW.astimezone(ZoneInfo(ZONE)).date().isoformat()


def steps() -> list[list[str]]:
    lines = "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).splitlines()
    return [shlex.split(line)[1:] for line in lines]


def on_the_day(step: list[str]) -> list[str]:
    """A night opens on its gaming date alone, so that is today's."""
    if "--date" not in step:
        return step
    place = step.index("--date") + 1
    return [*step[:place], TODAY, *step[place + 1 :], "--zone", ZONE]


def test_the_evening(
    ask: Ask,  # noqa: F811
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
        answer = ask(*on_the_day(step))
        assert answer.code == 0, (step, answer.err)
        told = answer.out
    assert "Facts and balances agree to the cent" in told
    assert "Proceeds for Seacoast Food Pantry" in told
