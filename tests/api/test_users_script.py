"""What a user's own script relies on: types, no warnings, help texts, no command line."""

from __future__ import annotations

import os
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest
from tests.sheets.samples import CMS, OMS

import pitbook

SCRIPT = f"""
from decimal import Decimal
from fractions import Fraction

import pitbook

sheet: pitbook.actions.Action | None = None
edge: Fraction = pitbook.figures({OMS!r}, wager="main").house_edge
values: dict[str, Fraction] = dict(pitbook.advice({CMS!r}, "As Kd").actions)
plays: list[str] = [row.play for row in pitbook.strategy({OMS!r}, street="3rd-street").rows]
changes: list[str] = [change.words for change in pitbook.diff({CMS!r}, {OMS!r}).differences]
difference: Fraction | None = pitbook.compare({CMS!r}, {OMS!r})["main"].difference
valid: bool = pitbook.check({OMS!r}).valid
seat = {{"seat": 1, "wagers": {{"ante": "10"}}, "play": ["fold"]}}
settled = pitbook.settle({{"sheet": {CMS!r}, "seats": [seat]}})
net: Decimal = settled.seats[0].net
again: bool = pitbook.replay(settled.stored()) == settled
answers: list[str] = [question.answer for question in pitbook.drill({CMS!r}, count=2).questions]
page: str = pitbook.papers({CMS!r}, "sign")["sign"].html()
records: list[dict[str, object]] = pitbook.figures({OMS!r}).records()
round: pitbook.Round | pitbook.Refusal = pitbook.open(pitbook.load({OMS!r}))
try:
    pitbook.load("no/such")
except pitbook.PitbookError as error:
    message: str = str(error)
print(edge, net, valid, again, len(plays), len(answers), len(records))
"""


def test_a_script_runs_without_warnings_and_without_the_command_line(tmp_path: Path) -> None:
    """Nothing that the functions or `print` need comes from the command line."""
    script = tmp_path / "script.py"
    blocked = "import sys\nsys.modules.update(dict.fromkeys(('typer', 'rich', 'pitbook.cli')))\n"
    shown = f"print(pitbook.figures({OMS!r}, wager='main'))\n"
    script.write_text(blocked + SCRIPT + shown, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(script)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "house edge main 9.2415%" in ran.stdout


@pytest.mark.long
def test_a_script_passes_strict_type_checks(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("sheet: pitbook.actions.Action | None = None", ""), "utf-8")
    cache = ("--cache-dir", str(tmp_path / "cache"), "--config-file", os.devnull)
    command = [sys.executable, "-m", "mypy", "--strict", *cache, str(script)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("name", ["simulate", "papers", "figures", "drill"])
def test_help_shows_the_arguments_and_an_example(name: str) -> None:
    text = pydoc.plain(pydoc.render_doc(getattr(pitbook, name)))
    assert f"{name}(sheet: " in text
    assert f'{name}("catfish-bend/mississippi-stud"' in text


def test_no_function_names_a_command_line_option() -> None:
    """Errors name arguments; the command line adds its own wording."""
    wrong_calls = (
        lambda: pitbook.figures(OMS, ante="3.5"),
        lambda: pitbook.advice(CMS, "As Kd", purse="5"),
        lambda: pitbook.advice(CMS, "As Kd", purse="5", ante="1"),
        lambda: pitbook.figures(OMS, side={"stax": "1"}),
        lambda: pitbook.simulate(CMS, 0),
        lambda: pitbook.simulate(CMS, 10, seats=9),
        lambda: pitbook.session(CMS, "500", 1, stop_loss="900"),
        lambda: pitbook.strategy(CMS, "none.toml"),
        lambda: pitbook.strategy(CMS, street="x"),
        lambda: pitbook.papers(CMS, jurisdiction="Atlantis"),
        lambda: pitbook.drill(CMS, "x"),
        lambda: pitbook.check("no/such"),
        lambda: pitbook.settle({"sheet": CMS, "seats": [{}]}),
    )
    for call in wrong_calls:
        with pytest.raises(pitbook.PitbookError) as refused:
            call()
        assert "--" not in str(refused.value)
