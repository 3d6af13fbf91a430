"""Whole rounds: wagers on the same cards counted together, compared with plain enumeration."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.exact.example_sheets import ANYWHERE, four_card_hi_lo, unusual_stud
from tests.exact.plain_hi_lo import PlainHiLo
from tests.exact.plain_stud import PlainStud, Round
from tests.random_sheets.sheets import document
from tests.sheets.samples import (
    CMS,
    LAS,
    MHL,
    OMS,
    STAX,
    UNUSUAL,
    Swap,
    hi_lo,
    sheet_of,
    stud,
    with_pays,
)

from pitbook.exact.compiled_games import exact_ante
from pitbook.exact.methods.ladder.enumerate import side_wagers_change_play
from pitbook.exact.methods.ladder.solve import main_figures, solve
from pitbook.exact.methods.ladder.structure import Terms
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.sheet_figures import wager_figures, whole_round
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet

LOSES_WITH_FOLD = ("after_fold = { plays = true", "after_fold = { plays = false")
LOW_CAP = (('pays_max = "25000"', 'pays_max = "1000"'), ('least = "100:1"', 'least = "30:1"'))
TWO_CAPS = (
    "[[limits]]",
    '[[limits]]\nper = "hand"\npays_max = "777.77"\nclause = "CMS-12"\n\n[[limits]]',
)
BONUS = {"three-card-bonus": 5_00}
BOTH_SIDE_WAGERS = {"three-up": 1_00, "stax": 2_00}


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet_id", "side"),
    [
        (CMS, BONUS),
        (LAS, BOTH_SIDE_WAGERS),
        (LAS, {"stax": 3_00}),
        (STAX, {"three-up": 1_00, "stax": 5_00}),
    ],
)
def test_expected_values_of_surviving_wagers_add_up(sheet_id: str, side: dict[str, int]) -> None:
    sheet = stud(sheet_id)
    parts = [main_figures(solve(sheet)).expected]
    parts += [
        side_figures(sheet, wager).expected * Fraction(stake, 100) for wager, stake in side.items()
    ]
    figures = round_of(sheet, None, side)
    assert figures.expected == sum(parts)
    assert figures.average_wager == main_figures(solve(sheet)).average_wager + Fraction(
        sum(side.values()), 100
    )


@pytest.mark.long
def test_variance_of_a_round_exceeds_the_sum() -> None:
    """The board that makes the hand also makes the bonus."""
    sheet = stud(CMS)
    main, bonus = main_figures(solve(sheet)), side_figures(sheet, "three-card-bonus")
    figures = round_of(sheet, None, {"three-card-bonus": 1_00})
    assert figures.variance > main.variance + bonus.variance


@pytest.mark.parametrize(
    ("sheet_id", "swaps", "ante", "side"),
    [
        pytest.param(CMS, (), None, BONUS, marks=pytest.mark.slow),
        pytest.param(CMS, (LOSES_WITH_FOLD,), None, BONUS, marks=pytest.mark.slow),
        pytest.param(
            *(CMS, (ANYWHERE, *LOW_CAP), 25_00, {"three-card-bonus": 100_00}),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_rounds_equal_plain_enumeration(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int | None, side: dict[str, int]
) -> None:
    assert_round_equals_plain(stud(sheet_id, *swaps), ante, side)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet_id", "swaps", "ante", "side"),
    [
        (CMS, (), 500_00, BONUS),
        (CMS, (LOSES_WITH_FOLD,), 5_00, BONUS),
        (LAS, (), None, BOTH_SIDE_WAGERS),
        (LAS, (LOSES_WITH_FOLD,), None, BOTH_SIDE_WAGERS),
        (CMS, (ANYWHERE, LOSES_WITH_FOLD, *LOW_CAP, TWO_CAPS), 25_00, {"three-card-bonus": 99_00}),
    ],
)
def test_more_rounds_equal_plain_enumeration(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int | None, side: dict[str, int]
) -> None:
    assert_round_equals_plain(stud(sheet_id, *swaps), ante, side)


@pytest.mark.slow
def test_round_with_side_wager_on_hole_cards() -> None:
    assert_round_equals_plain(unusual_stud("three-hole-cards"), 100_00, {"trio": 50_00})


@pytest.mark.slow
@pytest.mark.long
def test_shared_cap_without_folds() -> None:
    text = (UNUSUAL / "bets-withdrawn.toml").read_text(encoding="utf-8")
    head, _, tail = text.partition("[uncapped]")
    remaining_text = tail[tail.index("[irregularities") :]
    sheet = sheet_of(
        f'{head}[[limits]]\nper = "hand"\npays_max = "900"\nclause = "UNU-10"\n\n{remaining_text}'
    )
    assert isinstance(sheet, StreetStud)
    side = {"three-card-bonus": 25_00}
    assert side_wagers_change_play(
        Terms(compile_game(sheet), Cents(20_00), True, {"three-card-bonus": Cents(25_00)})
    )
    assert_round_equals_plain(sheet, 20_00, side)


@pytest.mark.long
def test_wager_lost_by_folding_reduces_folds() -> None:
    sheet = stud(CMS, LOSES_WITH_FOLD)
    unit = exact_ante(sheet)
    small, large = ({"three-card-bonus": Cents(factor * unit)} for factor in (1, 100))
    assert side_wagers_change_play(Terms(compile_game(sheet), unit, False, small))
    assert not side_wagers_change_play(Terms(compile_game(stud(CMS)), unit, False, small))
    fold_rates = [_fold_rate(round_of(sheet, None, side)) for side in (small, large)]
    assert fold_rates[1] < fold_rates[0] < _fold_rate(main_figures(solve(sheet)))


@pytest.mark.slow
def test_matchem_expected_values_add_up() -> None:
    sheet, side = hi_lo(MHL), {"matchem-bonus": 1_00, "poker-bonus": 3_00}
    figures = round_of(sheet, None, side)
    parts = [wager_figures(sheet, "main").expected]
    parts += [
        side_figures(sheet, wager).expected * Fraction(stake, 100) for wager, stake in side.items()
    ]
    assert figures.expected == sum(parts)


@pytest.mark.slow_cases("50000-side2")
@pytest.mark.long
@pytest.mark.parametrize(
    ("bet", "side"),
    [
        (None, {"matchem-bonus": 1_00, "poker-bonus": 1_00}),
        pytest.param(
            25_00, {"matchem-bonus": 100_00, "poker-bonus": 100_00}, marks=pytest.mark.slow
        ),
        (500_00, {"matchem-bonus": 5_00}),
    ],
)
def test_matchem_rounds_equal_plain_enumeration(bet: int | None, side: dict[str, int]) -> None:
    sheet = hi_lo(MHL, ANYWHERE, ('pays_max = "25000"', 'pays_max = "6000"'))
    assert_figures_equal(round_of(sheet, bet, side), PlainHiLo(document(sheet), bet, side).round())


@pytest.mark.slow
def test_one_deck_five_card_round_adds_up() -> None:
    text = with_pays(
        MHL,
        "poker-bonus",
        "straight-flush 50:1, four-of-a-kind 25:1, full-house 9:1, flush 6:1, straight 4:1, "
        "three-of-a-kind 3:1, two-pair 2:1, pair 1:1",
        ("decks = 6", "decks = 1"),
        ("player = 3", "player = 5"),
        ('\npoker-bonus = ["suited-three-of-a-kind", "straight-flush"]', ""),
    )
    sheet = sheet_of(text)
    figures = round_of(sheet, None, {"poker-bonus": 1_00})
    parts = (wager_figures(sheet, "main").expected, side_figures(sheet, "poker-bonus").expected)
    assert figures.expected == sum(parts)


@pytest.mark.slow
def test_round_with_one_hole_card() -> None:
    one_hole_card_swaps = (
        ("hole = { is = 2", "hole = { is = 1"),
        ("reveals = { is = 1", "reveals = { is = 2"),
    )
    assert_round_equals_plain(stud(OMS, *one_hole_card_swaps), 4_00, {})


@pytest.mark.long
def test_street_that_reveals_nothing() -> None:
    three_known_swaps = (
        ("hole = { is = 2", "hole = { is = 3"),
        ("reveals = { is = 1", "reveals = { is = 0"),
    )
    sheet = stud(CMS, *three_known_swaps, ('looks_at = "community"', 'looks_at = "hole"'))
    figures, side = round_of(sheet, None, BONUS), side_figures(sheet, "three-card-bonus")
    assert figures.expected == solve(sheet).expected + 5 * side.expected


@pytest.mark.slow
def test_two_deck_round_equals_plain_enumeration() -> None:
    sheet, side = four_card_hi_lo(), {"match": 1_00}
    assert_figures_equal(
        round_of(sheet, None, side), PlainHiLo(document(sheet), None, side).round()
    )


def assert_round_equals_plain(sheet: StreetStud, ante: int | None, side: dict[str, int]) -> None:
    assert_figures_equal(
        round_of(sheet, ante, side), PlainStud(document(sheet), ante, side).round()
    )


def assert_figures_equal(figures: Figures, plain_round: Round) -> None:
    assert figures.expected == plain_round.expected
    assert figures.variance == plain_round.variance
    assert figures.average_wager == plain_round.average_wager
    assert (figures.share("win"), figures.share("push")) == (plain_round.win, plain_round.push)


def round_of(sheet: Sheet, ante: int | None, side: dict[str, int] | dict[str, Cents]) -> Figures:
    stakes = {wager: Cents(stake) for wager, stake in side.items()}
    return whole_round(sheet, None if ante is None else Cents(ante), stakes)


def _fold_rate(figures: Figures) -> Fraction:
    count = sum(row.count for row in figures.rows if row.outcome.startswith("fold"))
    return Fraction(count, figures.rounds)
