"""Games against the dealer in the terminal: `pitbook play`, line by line and seat by seat."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from tests.rules.families.versus.test_live import SHEETS

from pitbook import load
from pitbook.cli.play_table import TerminalTable
from pitbook.cli.play_view import GoHome
from pitbook.money import Cents
from pitbook.rules.game import compile_game


class Willing:
    """A player who bets the least, makes the last play that is offered and goes on."""

    def __init__(self, rounds: int) -> None:
        self.rounds, self.asked, self.asked_plays = rounds, 0, 0

    def line(self, prompt: str) -> str:
        return ""

    def key(self, prompt: str) -> str:
        if "same bets" in prompt:
            self.asked += 1
            if self.asked == self.rounds:
                raise GoHome
            return ""
        self.asked_plays += 1
        assert self.asked_plays < 100, prompt
        return [part.split()[-1] for part in prompt.split(":")[:-1]][-1]


def played(sheet: str, seats: int) -> tuple[TerminalTable, str]:
    paper = io.StringIO()
    keys: Any = Willing(3)
    table = TerminalTable(
        game=compile_game(load(sheet)),
        seats=tuple(range(1, seats + 1)),
        seed="seven",
        bankroll=Cents(100_000),
        console=Console(file=paper, width=100),
        keys=keys,
        show_rules=lambda: None,
    )
    table.coach.on = False
    table.run()
    return table, paper.getvalue()


@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("sheet", SHEETS)
def test_rounds_are_bet_played_and_paid(sheet: str, seats: int) -> None:
    table, told = played(sheet, seats)
    assert table.rounds == 3
    assert "Dealer" in told
    assert "$0, win" not in told  # A bonus is told without a stake of nothing.
