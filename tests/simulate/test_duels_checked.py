"""Games against a dealer's hand, simulated and judged by what `exact` has counted."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.exact.fights import CARIBBEAN, CASINO, CRAZY, FOUR, TCP, ULTIMATE, UTH
from tests.sheets.samples import sheet_of, text_of

from pitbook.money import Cents
from pitbook.sheets.library import Library
from pitbook.simulate.check import check
from pitbook.simulate.expected import expected
from pitbook.simulate.plan import Plan, plan
from pitbook.simulate.run import run

SEED = 21
ROUNDS = 200_000
LONG = pytest.mark.slow  # Their counts take seconds where none are kept.


def planned(sheet_id: str, strategy: str = "best", **how: Any) -> Plan:
    sheet = Library().load(sheet_id, date(2026, 1, 1))
    return plan(sheet, ante=sheet.main_wager.min, strategy=strategy, seed=SEED, **how)


@pytest.mark.long
@pytest.mark.parametrize(
    "sheet_id",
    [
        TCP,
        ULTIMATE,
        CRAZY,
        *(pytest.param(one, marks=LONG) for one in (CARIBBEAN, FOUR, CASINO, UTH)),
    ],
)
@pytest.mark.parametrize("seats", [1, 2])
def test_play_agrees_with_theory(sheet_id: str, seats: int) -> None:
    found = check(run(planned(sheet_id, seats=seats), ROUNDS))
    assert found.unknown == {}
    assert len(found.means) == seats
    assert {one.outcome.wager for one in found.outcomes} > {"main", "ante"}
    assert found.agrees, found.document()


@pytest.mark.long
def test_mistakes_and_side_wagers_are_judged_too() -> None:
    side = {"pair-plus": Cents(500), "six-card-bonus": Cents(500)}
    found = check(run(planned(TCP, "best:0.2", side=side), ROUNDS))
    assert found.unknown == {}
    assert {"pair-plus", "six-card-bonus", "main"} <= {one.wager for one in found.tables}
    assert found.agrees, found.document()


def test_the_figures_of_another_strategy_do_not_agree() -> None:
    totals = run(planned(TCP), ROUNDS)
    assert not check(totals, expected(planned(TCP, "always-1x"))).agrees


@pytest.mark.long
def test_what_wagers_net_together_under_a_cap_with_others_is_not_judged() -> None:
    """Outcomes on balance were called impossible: a side wager had taken the cap's room."""
    cap = '[[limits]]\nper = "round"\npays_max = "60"\nclause = "GEN-12"\n'
    text = re.sub(r"\[uncapped\]\n(.+\n)+", cap, text_of(TCP))
    side = {"pair-plus": Cents(500), "six-card-bonus": Cents(100)}
    made = plan(sheet_of(text), ante=Cents(500), side=side, seed=7)
    found = check(run(made, ROUNDS))
    assert found.agrees, found.document()
    judged = {one.outcome.wager for one in found.outcomes}
    assert judged == {"ante", "play", "ante-bonus", "pair-plus", "six-card-bonus"}
    assert set(found.unknown) == {"mean"}


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
    found = check(run(planned(UTH, str(file)), ROUNDS))
    assert found.unknown == {}
    assert found.agrees, found.document()


@LONG
def test_what_has_no_exact_figure_is_not_judged() -> None:
    """It was said to be impossible, and the verdict was that play disagrees."""
    found = check(run(planned(UTH, "best:0.1"), 10_000))
    assert set(found.unknown) == {"main", "mean"}
    assert found.judgements == 0
    assert found.agrees
