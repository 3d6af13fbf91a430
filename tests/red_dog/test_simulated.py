"""Red dog simulated: the mean agrees with the exact value."""

from __future__ import annotations

import pytest
from tests.command_line import Ask
from tests.lanes import examples
from tests.red_dog.conftest import SHEET

import pitbook
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet

pytestmark = pytest.mark.long

ROUNDS = examples(4_000, 60_000)


def test_simulated_mean_matches_the_exact_value(sheet: Sheet) -> None:
    simulation = pitbook.simulate(sheet, ROUNDS, seed=7)
    dollars = sheet.main_wager.min // 100
    value = float(PlainSolver(compile_game(sheet)).value()) * dollars
    assert abs(simulation.mean - value) < 4 * simulation.standard_error
    assert {row.outcome for row in simulation.outcomes} >= {"consecutive", "spread-1", "nothing"}


def test_simulated_round_settles_the_same(sheet: Sheet) -> None:
    settled = pitbook.simulate(sheet, 50, seed=7).round(3)
    assert settled.seats[0].lines


def test_simulate_command(ask: Ask) -> None:
    answer = ask("simulate", str(SHEET), "--rounds", "2000", "--seed", "7", "--json")
    assert answer.code == 0, answer.err
