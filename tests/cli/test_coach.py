"""The coach at the terminal table: hints on request, costs in dollars, and silence when off."""

from __future__ import annotations

import re

import pytest
from tests.cli.test_play import session
from tests.command_line import Ask
from tests.sheets.samples import CMS, MHL

from pitbook.cli.play_table import TerminalCoach

Captured = pytest.CaptureFixture[str]


def play(answers: str, capsys: Captured, sheet: str = CMS, *, on: bool = True) -> str:
    table = session(sheet, answers)
    table.coach = TerminalCoach(on=on)
    table.run()
    return " ".join(capsys.readouterr().out.split())


def test_hint_names_the_best_play_and_says_why(capsys: Captured) -> None:
    output = play("10,0,h,q", capsys)
    assert re.search(r"Best play: \w+\. .*possible boards", output)


def test_worse_play_shows_its_cost_in_dollars(capsys: Captured) -> None:
    output = play("10,0,2,1,1,q", capsys)
    assert re.search(r"2x costs \$\d+\.\d\d compared with (fold|1x|3x)\.", output)
    assert re.search(r"Best play in \d of 3 decisions; the others cost \$", output)


def test_best_play_gets_no_comment(capsys: Captured) -> None:
    best = re.search(r"Best play: (\w)", play("10,0,h,q", capsys))
    assert best is not None
    output = play(f"10,0,{best[1]},q", capsys)
    assert "compared with" not in output
    assert "Best play in 1 of 1 decision." in output


def test_hi_lo_keys_h_declares_and_a_asks(capsys: Captured) -> None:
    output = play("10,0,0,a,q", capsys, MHL)
    assert re.search(r"Best play: (low|high)", output)
    output = play("10,0,0,h,q", capsys, MHL)
    assert "Best play:" not in output
    assert "1 round played." in output


def test_k_toggles_the_coach(capsys: Captured) -> None:
    output = play("10,0,k,h,2,k,2,q", capsys)
    assert output.count("The coach is off. Press k to turn it on.") == 1
    assert "The coach is off. " in output
    assert "The coach is on." in output
    assert output.count("compared with") == 1


def test_coach_is_silent_when_off(capsys: Captured) -> None:
    output = play("10,0,2,2,2,q", capsys, on=False)
    assert "compared with" not in output
    assert "Best play" not in output


def test_coach_can_be_set_by_option(typed: Ask) -> None:
    answers = "10\n0\n2\n2\n2\nq\n"
    assert "compared with" in typed("play", "--seed", "a", text=answers).out
    assert "compared with" not in typed("play", "--seed", "a", "--no-coach", text=answers).out
    assert "k coach on or off" in typed("play", "--seed", "a", text="?\nq\n").out


def test_hint_names_the_best_affordable_play(capsys: Captured) -> None:
    """Seed 1 deals a pair of queens; with $40 beside the ante, 1x and then 3x are affordable."""
    table = session(CMS, "10,0,h,3,q", bankroll="50")
    table.seed = "1"
    table.run()
    output = " ".join(capsys.readouterr().out.split())
    assert "You have $40 left, not enough for every bet." in output
    assert "With enough chips for every bet: 3x." in output
    assert re.search(r"3x costs \$\d+\.\d\d compared with 1x\.", output)
