"""A whole round with a side wager for a player with few chips: figures known by reasoning."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.sheets.samples import CMS, stud

from pitbook.exact.methods.ladder.enumerate import round_figures
from pitbook.exact.methods.ladder.structure import Terms
from pitbook.money import Cents
from pitbook.rules.game import compile_game

LOSES_WITH_FOLD = ("after_fold = { plays = true", "after_fold = { plays = false")


@pytest.mark.long
def test_short_purse_folds_at_once_and_loses_the_bonus() -> None:
    """Two antes for three streets: no hand can reach the showdown, so any bet is wasted."""
    bonus = {"three-card-bonus": Cents(5_00)}
    terms = Terms(compile_game(stud(CMS, LOSES_WITH_FOLD)), Cents(10_00), True, bonus, antes_left=2)
    figures = round_figures(terms)
    assert figures.expected == Fraction(-3, 2)
    assert {(row.outcome, row.units, row.net) for row in figures.rows} == {
        ("fold", Fraction(3, 2), Fraction(-3, 2))
    }
