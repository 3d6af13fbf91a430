"""Street stud checked another way: every card of every board, without classes."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.exact.example_sheets import unusual_stud
from tests.exact.plain_stud import PlainStud
from tests.lanes import spread
from tests.random_sheets.sheets import document, street_stud_sheets
from tests.sheets.samples import CMS, LAS, OMS, Swap, sheet_of, stud, with_pays

from pitbook.cards import Card
from pitbook.exact.advice import advise
from pitbook.exact.methods.ladder.solve import Solution, main_figures, solve
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud

PER_BET = ('per = "hand"\npays_max = "1000"', 'per = "bet"\npays_max = "300"')
AT_MOST_TWICE = ("bets = [1, 2, 3]\nfold = true", 'bets = [1, 2, 3]\nfold = true\nbet_max = "1000"')
LARGEST = ('ties = { is = "smallest-bet"', 'ties = { is = "largest-bet"')
FOLDING_TIES = ('ties = { is = "smallest-bet"', 'ties = { is = "fold"')
CHECK_ON_FIRST_STREET = (
    'bets = [1, 2, 3]\npieces = ["bet", "raise", "re-raise"]\nfold = true\n'
    'reveals = { is = 1, clause = "OMS-5" }\nclause = "OMS-4"\nours = ["bets", "pieces"]',
    'bets = [0]\nfold = false\nreveals = { is = 1, clause = "OMS-5" }\nclause = "OMS-4"',
)
HUGE_PAY = ('royal-flush = "500:1"', 'royal-flush = "999999999:1"')

SHEET_CASES: list[tuple[str, tuple[Swap, ...], int | None]] = [
    (CMS, (), None),
    (CMS, (), 5_00),
    (CMS, (), 25_00),
    (CMS, (), 100_00),
    (CMS, (), 500_00),
    (OMS, (), 2_00),
    (OMS, (), 4_00),
    (OMS, (PER_BET,), 4_00),
    (CMS, (AT_MOST_TWICE,), 500_00),
    (CMS, (LARGEST,), None),
]
SAMPLED_CASES = spread([pytest.param(*case) for case in SHEET_CASES], 5)
MORE_SHEET_CASES: list[tuple[str, tuple[Swap, ...], int | None]] = [
    (OMS, (), None),
    (OMS, (PER_BET,), 2_00),
    (LAS, (), 50_00),
    (CMS, (FOLDING_TIES,), 400_00),
    (CMS, (('{ is = "high-or-low"', '{ is = "high"'),), None),
    (CMS, (("stake_counted = { is = false", "stake_counted = { is = true"),), 100_00),
    (LAS, (HUGE_PAY,), None),
]


@pytest.mark.slow_cases(
    "catfish-bend/mississippi-stud-swaps2-2500",
    "catfish-bend/mississippi-stud-swaps4-50000",
    "catfish-bend/mississippi-stud-swaps8-50000",
)
@pytest.mark.long
@pytest.mark.parametrize(("sheet_id", "swaps", "ante"), SAMPLED_CASES)
def test_games_equal_plain_enumeration(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int | None
) -> None:
    assert_round_equals_plain(stud(sheet_id, *swaps), ante)


@pytest.mark.slow
@pytest.mark.parametrize(("sheet_id", "swaps", "ante"), MORE_SHEET_CASES)
def test_more_games_equal_plain_enumeration(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int | None
) -> None:
    assert_round_equals_plain(stud(sheet_id, *swaps), ante)


@pytest.mark.slow_cases("bets-withdrawn-None", "three-hole-cards-10000")
@pytest.mark.parametrize(
    ("name", "ante"),
    [
        ("three-hole-cards", 100_00),
        ("bets-withdrawn", None),
        pytest.param("three-hole-cards", None, marks=pytest.mark.slow),
        pytest.param("bets-withdrawn", 100_00, marks=pytest.mark.slow),
    ],
)
def test_unusual_games_equal_plain_enumeration(name: str, ante: int | None) -> None:
    assert_round_equals_plain(unusual_stud(name), ante)


@pytest.mark.long
def test_first_street_without_bets() -> None:
    """Later bets still count toward the cap per hand."""
    assert_round_equals_plain(stud(OMS, CHECK_ON_FIRST_STREET), 4_00)


def test_caps_raise_the_edge() -> None:
    sheet = stud(CMS)
    edges = [-solve(sheet, Cents(ante)).expected for ante in (5_00, 25_00, 100_00, 500_00)]
    assert edges == sorted(edges)
    # $5 at 10 antes and 500:1 is $25,000: not above the cap.
    assert edges[0] == -solve(sheet).expected
    assert edges[0] < edges[1]
    assert -solve(stud(OMS), Cents(2_00)).expected < -solve(stud(OMS), Cents(4_00)).expected


def test_bet_above_its_maximum_is_not_a_play() -> None:
    sheet = stud(CMS, AT_MOST_TWICE)
    first_streets = {
        ante: solve(sheet, Cents(ante)).streets[0] for ante in (333_00, 334_00, 500_00)
    }
    assert first_streets[333_00][0,].plays == ("1x", "2x", "3x", "fold")
    assert first_streets[334_00][0,].plays == ("1x", "2x", "fold")
    assert first_streets[500_00][0,].plays == ("1x", "2x", "fold")
    assert solve(sheet).streets[0][0,].plays == ("1x", "2x", "3x", "fold")


@pytest.mark.long
@pytest.mark.parametrize("ante", [None, 500_00])
def test_payouts_beyond_64_bits_are_exact(ante: int | None) -> None:
    table = ", ".join(f"{line} 999999999:1" for line in list(stud(LAS).main.pays)[:-1])
    sheet = sheet_of(with_pays(LAS, "main", table))
    assert isinstance(sheet, StreetStud)
    stake = None if ante is None else Cents(ante)
    solution = solve(sheet, stake)
    assert solution.terms.numbers is object
    assert all(type(worth) is int for worth in solution.streets[0][0,].worth.flat)
    plain = PlainStud(document(sheet), ante)
    for hole in ([48, 44], [0, 20], [9, 50]):
        assert first_decision(solution, hole)[0] == plain.spot(hole).values
    with_dead = advise(sheet, [Card(48), Card(44)], dead=[Card(0), Card(51)], ante=stake)
    assert with_dead.actions == plain.spot([48, 44], dead=[0, 51]).values


@pytest.mark.long
@settings(max_examples=25)
@given(street_stud_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_generated_sheets_equal_plain_enumeration(
    sheet: StreetStud, capped: bool, rng: Random
) -> None:
    assume(sheet.deal.hole.value > 1)  # With one hole card there are 250,000 boards.
    assert_hand_equals_plain(sheet, rng, capped=capped)


@pytest.mark.slow
@settings(max_examples=200)
@given(street_stud_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_many_generated_sheets_equal_plain_enumeration(
    sheet: StreetStud, capped: bool, rng: Random
) -> None:
    *earlier, last = sheet.streets
    cards_before = 5 - sheet.deal.hole.value - last.reveals.value
    # Fits in memory.
    assume(50**cards_before * prod(len(street.bets) for street in earlier) < 5_000_000)
    assert_hand_equals_plain(sheet, rng, capped=capped)


def assert_round_equals_plain(sheet: StreetStud, ante: int | None) -> None:
    """Assert that all moments of the main game are equal."""
    figures = main_figures(solve(sheet, None if ante is None else Cents(ante)))
    plain_round = PlainStud(document(sheet), ante).round()
    assert figures.expected == plain_round.expected
    assert figures.variance == plain_round.variance
    assert figures.average_wager == plain_round.average_wager
    assert (figures.share("win"), figures.share("push")) == (plain_round.win, plain_round.push)


def assert_hand_equals_plain(sheet: StreetStud, rng: Random, *, capped: bool) -> None:
    """Assert that every play's value and the best play at the first decision are equal."""
    rule = sheet.ante
    ante = rng.randrange(rule.min, rule.max + 1, rule.step) if capped else None
    cards = rng.sample(range(52), sheet.deal.hole.value)
    plain_spot = PlainStud(document(sheet), ante).spot(cards)
    solution = solve(sheet, None if ante is None else Cents(ante))
    values, best = first_decision(solution, cards)
    assert values == plain_spot.values
    assert best == plain_spot.best


def first_decision(solution: Solution, cards: list[int]) -> tuple[dict[str, Fraction], str]:
    ranks = tuple(sorted((card // 4 for card in cards), reverse=True))
    suited = len({card % 4 for card in cards}) == 1
    hands = classes(len(cards), solution.ace)
    place = next(
        number for number, hand in enumerate(hands) if (hand.ranks, hand.suited) == (ranks, suited)
    )
    (choice,) = solution.streets[0].values()
    scale = choice.ways * solution.terms.ante
    values = [Fraction(int(worth), scale) for worth in choice.worth[:, place]]
    return dict(zip(choice.plays, values, strict=True)), choice.plays[choice.best[place]]
