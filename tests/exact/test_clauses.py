"""Clauses that only exact figures can test."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import pitbook
from pitbook.exact.methods.ladder.solve import main_figures, solve
from pitbook.exact.sheet_figures import prose_edge_change
from pitbook.rules.actions import FOLD
from pitbook.rules.families.street_stud.sheet import StreetStud


def mississippi(ties: str) -> StreetStud:
    sheet = pitbook.load("catfish-bend/mississippi-stud")
    assert isinstance(sheet, StreetStud)
    tie_choice = sheet.best_play.ties.model_copy(update={"value": ties})
    best_play = sheet.best_play.model_copy(update={"ties": tie_choice})
    return sheet.model_copy(update={"best_play": best_play})


def test_gen_16_on_a_tie_bet_rather_than_fold_and_the_smallest_bet() -> None:
    tie_count = 0
    for level in solve(mississippi("smallest-bet")).streets:
        for choice in level.values():
            best_worths = choice.worth.max(axis=0)
            is_tied = (choice.worth == best_worths).sum(axis=0) > 1
            tie_count += int(is_tied.sum())
            for place in np.flatnonzero(is_tied):
                equal_plays = [
                    play
                    for play, worth in zip(choice.plays, choice.worth[:, place], strict=True)
                    if worth == best_worths[place]
                ]
                assert choice.plays[int(choice.best[place])] == min(equal_plays, key=_bet_size)
    assert tie_count > 100


def _bet_size(play: str) -> int:
    return 1000 if play == FOLD else int(play[:-1])


def test_gen_16_ties_change_the_average_wager_and_never_the_value() -> None:
    small, large, fold = (
        main_figures(solve(mississippi(ties))) for ties in ("smallest-bet", "largest-bet", "fold")
    )
    assert small.expected == large.expected == fold.expected == Fraction(-53223, 1082900)
    assert fold.average_wager < small.average_wager == Fraction(74757, 20825)
    assert small.average_wager <= large.average_wager


def test_oms_7_the_prose_is_worth_about_eight_points_of_edge() -> None:
    worth = prose_edge_change(pitbook.load("oceanfront/mississippi-stud"))
    assert worth is not None
    assert Fraction(8, 100) < worth < Fraction(85, 1000)
    assert prose_edge_change(pitbook.load("catfish-bend/mississippi-stud")) is None
