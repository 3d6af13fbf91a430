"""Versus games in the terminal: `pitbook play`, seat by seat."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from tests.rules.families.versus.test_live import SHEETS

from pitbook import load
from pitbook.cli.play_table import LeaveTable, TerminalTable
from pitbook.money import Cents
from pitbook.rules.game import compile_game


class AutoPlayer:
    """A player who bets the minimum and always takes the last play offered."""

    def __init__(self, rounds: int) -> None:
        self.rounds, self.prompts, self.play_prompts = rounds, 0, 0

    def line(self, prompt: str) -> str:
        return ""

    def key(self, prompt: str) -> str:
        if "same bets" in prompt:
            self.prompts += 1
            if self.prompts == self.rounds:
                raise LeaveTable
            return ""
        self.play_prompts += 1
        assert self.play_prompts < 100, prompt
        return [part.split()[-1] for part in prompt.split(":")[:-1]][-1]


def play_terminal(sheet: str, seats: int) -> tuple[TerminalTable, str]:
    output = io.StringIO()
    keys: Any = AutoPlayer(3)
    table = TerminalTable(
        game=compile_game(load(sheet)),
        seats=tuple(range(1, seats + 1)),
        seed="seven",
        bankroll=Cents(100_000),
        console=Console(file=output, width=100),
        keys=keys,
        show_rules=lambda: None,
    )
    table.coach.on = False
    table.run()
    return table, output.getvalue()


@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("sheet", SHEETS)
def test_rounds_run_in_the_terminal(sheet: str, seats: int) -> None:
    table, output = play_terminal(sheet, seats)
    assert table.rounds == 3
    assert "Dealer" in output
    assert "$0, win" not in output  # A bonus is printed without a stake.
