"""Figures of red dog: published house edges, advice, and simulation."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.command_line import Ask
from tests.lanes import spread
from tests.red_dog.conftest import SHEET

import pitbook
from pitbook.cards import cards
from pitbook.exact.methods.plain.method import main_figures
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet

# The house edge by decks. OddsShark (oddsshark.com/betting-101/casino/red-dog-odds) prints 3.15%,
# 3.077%, 2.88%, 2.80% and 2.75%; here with the digits that others print.
PUBLISHED = {1: "3.155%", 2: "3.077%", 4: "2.884%", 6: "2.798%", 8: "2.751%"}


def of_decks(sheet: Sheet, decks: int) -> Sheet:
    return pitbook.changed(sheet, {"deck.decks": decks})


@pytest.mark.long
@pytest.mark.parametrize("decks", spread(PUBLISHED, 2))
def test_the_house_edge_is_as_published(sheet: Sheet, decks: int) -> None:
    plain = PlainSolver(compile_game(of_decks(sheet, decks)))
    assert f"{float(-plain.value()):.3%}" == PUBLISHED[decks]


@pytest.mark.long
@pytest.mark.parametrize("decks", spread([1, 6], 1))
def test_the_house_edge_counted_by_ranks(sheet: Sheet, decks: int) -> None:
    """A second computation: ranks only, with their numbers of combinations."""
    copies, total = 4 * decks, Fraction(0)
    size = 13 * copies
    odds = {1: 5, 2: 4, 3: 2}
    for first in range(13):
        for second in range(13):
            between = abs(first - second) - 1
            combinations = copies * (copies - (first == second))
            if between < 0:
                total += combinations * Fraction(11 * (copies - 2), size - 2)
            elif between > 0:
                inside = Fraction(between * copies, size - 2)
                bet = inside * odds.get(between, 1) - (1 - inside)
                total += combinations * bet * (2 if bet > 0 else 1)
    value = total / (size * (size - 1))
    assert PlainSolver(compile_game(of_decks(sheet, decks))).value() == value


def test_best_play_is_to_raise_from_a_spread_of_seven(sheet: Sheet) -> None:
    plain = PlainSolver(compile_game(sheet))
    twos = {spread: cards(f"2c {high}d") for spread, high in enumerate("456789TJQKA", start=1)}
    best = {spread: plain.best((), (two,)) for spread, two in twos.items()}
    assert [spread for spread, play in best.items() if play == "raise"] == [7, 8, 9, 10, 11]


@pytest.mark.parametrize("two", ["9c Td", "9c 9d"])
def test_without_a_spread_there_is_no_decision(sheet: Sheet, two: str) -> None:
    with pytest.raises(ValueError, match="no more decisions"):
        PlainSolver(compile_game(sheet)).worths((), (cards(two),))


@pytest.mark.long
def test_outcome_probabilities(sheet: Sheet) -> None:
    figures = main_figures(PlainSolver(compile_game(of_decks(sheet, 1))))
    threes = [row for row in figures.rows if row.outcome == "three-of-a-kind"]
    assert [(row.units, row.net) for row in threes] == [(1, Fraction(11))]
    assert Fraction(threes[0].count, figures.rounds) == Fraction(3, 51) * Fraction(2, 50)


@pytest.mark.long
def test_math_command(ask: Ask, sheet: Sheet) -> None:
    answer = ask("math", str(SHEET), "--json")
    assert answer.code == 0, answer.err
    assert f"{answer.document['wagers']['main']['house_edge']:.3%}" == PUBLISHED[6]


def test_python_figures(sheet: Sheet) -> None:
    main_wager = pitbook.figures(sheet)["main"]
    assert f"{float(main_wager.house_edge):.3%}" == PUBLISHED[6]


def test_python_advice(sheet: Sheet) -> None:
    wide = pitbook.advice(sheet, "", community="2c Ad")
    assert wide.best == "raise"
    narrow = pitbook.advice(sheet, "", community="4c 9d")
    assert narrow.best == "stand"
    assert set(narrow.actions) == {"stand", "raise"}


def test_advise_command(ask: Ask) -> None:
    answer = ask("advise", str(SHEET), "--community", "2c Ad", "--json")
    assert answer.code == 0, answer.err
    assert answer.document["best"] == "raise"


@pytest.mark.long
def test_strategy_command(ask: Ask) -> None:
    answer = ask("strategy", str(SHEET), "--json")
    assert answer.code == 0, answer.err
