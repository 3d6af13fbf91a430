"""Simulations of duels agree with the exact figures."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.exact.duels import CARIBBEAN, CASINO, CRAZY, FOUR, TCP, ULTIMATE, UTH
from tests.sheets.samples import sheet_of, text_of

from pitbook.money import Cents
from pitbook.sheets.library import Library
from pitbook.simulation.compare_with_exact import check, expected_figures
from pitbook.simulation.plan import Plan, plan
from pitbook.simulation.run import run

SEED = 21
ROUNDS = 200_000
LONG = pytest.mark.slow  # Exact counts take seconds if none are cached.


def duel_plan(sheet_id: str, strategy: str = "best", **options: Any) -> Plan:
    sheet = Library().load(sheet_id, date(2026, 1, 1))
    return plan(sheet, ante=sheet.main_wager.min, strategy=strategy, seed=SEED, **options)


@pytest.mark.long
@pytest.mark.parametrize(
    "sheet_id",
    [
        TCP,
        ULTIMATE,
        CRAZY,
        *(pytest.param(sheet_name, marks=LONG) for sheet_name in (CARIBBEAN, FOUR, CASINO, UTH)),
    ],
)
@pytest.mark.parametrize("seats", [1, 2])
def test_play_agrees_with_theory(sheet_id: str, seats: int) -> None:
    theory_check = check(run(duel_plan(sheet_id, seats=seats), ROUNDS))
    assert theory_check.unknown == {}
    assert len(theory_check.means) == seats
    assert {outcome_test.outcome.wager for outcome_test in theory_check.outcomes} > {"main", "ante"}
    assert theory_check.agrees, theory_check.document()


@pytest.mark.long
def test_mistakes_and_side_wagers_are_judged_too() -> None:
    side = {"pair-plus": Cents(500), "six-card-bonus": Cents(500)}
    theory_check = check(run(duel_plan(TCP, "best:0.2", side=side), ROUNDS))
    assert theory_check.unknown == {}
    assert {"pair-plus", "six-card-bonus", "main"} <= {
        table_test.wager for table_test in theory_check.tables
    }
    assert theory_check.agrees, theory_check.document()


def test_the_figures_of_another_strategy_do_not_agree() -> None:
    totals = run(duel_plan(TCP), ROUNDS)
    assert not check(totals, expected_figures(duel_plan(TCP, "always-1x"))).agrees


@pytest.mark.long
def test_net_under_a_shared_cap_is_not_tested() -> None:
    """Regression: net outcomes were called impossible because a side wager had used up the shared
    cap.
    """
    cap = '[[limits]]\nper = "round"\npays_max = "60"\nclause = "GEN-12"\n'
    text = re.sub(r"\[uncapped\]\n(.+\n)+", cap, text_of(TCP))
    side = {"pair-plus": Cents(500), "six-card-bonus": Cents(100)}
    capped_plan = plan(sheet_of(text), ante=Cents(500), side=side, seed=7)
    theory_check = check(run(capped_plan, ROUNDS))
    assert theory_check.agrees, theory_check.document()
    tested_wagers = {outcome_test.outcome.wager for outcome_test in theory_check.outcomes}
    assert tested_wagers == {"ante", "play", "ante-bonus", "pair-plus", "six-card-bonus"}
    assert set(theory_check.unknown) == {"mean"}


@LONG
def test_rules_on_a_board(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[[street]]\non = ["pre-flop"]\nat_least = "K 5"\nplay = "4x"\n'
        '[[street]]\non = ["flop"]\nmade = ["pair"]\nplay = "2x"\n'
        '[[street]]\non = ["river"]\nat_least = "A K 9 8 7"\nplay = "1x"\n'
        '[[street]]\non = ["river"]\nplay = "fold"\n'
        '[[street]]\nplay = "check"\n'
    )
    theory_check = check(run(duel_plan(UTH, str(file)), ROUNDS))
    assert theory_check.unknown == {}
    assert theory_check.agrees, theory_check.document()


@LONG
def test_missing_exact_figures_are_not_tested() -> None:
    """Regression: outcomes without exact figures were called impossible."""
    theory_check = check(run(duel_plan(UTH, "best:0.1"), 10_000))
    assert set(theory_check.unknown) == {"main", "mean"}
    assert theory_check.comparisons == 0
    assert theory_check.agrees
