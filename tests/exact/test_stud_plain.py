"""Street-stud a second way: every card of every board, no classes. Both must agree exactly."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.exact.kit import unusual_stud
from tests.exact.plain_stud import PlainStud
from tests.generated_sheets import document, street_stud_sheets
from tests.lanes import spread
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
FOLDED = ('ties = { is = "smallest-bet"', 'ties = { is = "fold"')
CHECKED_FIRST = (
    'bets = [1, 2, 3]\npieces = ["bet", "raise", "re-raise"]\nfold = true\n'
    'reveals = { is = 1, clause = "OMS-5" }\nclause = "OMS-4"\nours = ["bets", "pieces"]',
    'bets = [0]\nfold = false\nreveals = { is = 1, clause = "OMS-5" }\nclause = "OMS-4"',
)
FORTUNE = ('royal-flush = "500:1"', 'royal-flush = "999999999:1"')

ordinary: list[tuple[str, tuple[Swap, ...], int | None]] = [
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
SOME = spread([pytest.param(*one) for one in ordinary], 5)
further: list[tuple[str, tuple[Swap, ...], int | None]] = [
    (OMS, (), None),
    (OMS, (PER_BET,), 2_00),
    (LAS, (), 50_00),
    (CMS, (FOLDED,), 400_00),
    (CMS, (('{ is = "high-or-low"', '{ is = "high"'),), None),
    (CMS, (("stake_counted = { is = false", "stake_counted = { is = true"),), 100_00),
    (LAS, (FORTUNE,), None),
]


@pytest.mark.slow_cases(
    "catfish-bend/mississippi-stud-swaps2-2500",
    "catfish-bend/mississippi-stud-swaps4-50000",
    "catfish-bend/mississippi-stud-swaps8-50000",
)
@pytest.mark.long
@pytest.mark.parametrize(("sheet_id", "swaps", "ante"), SOME)
def test_whole_game_over_all_169_starting_hands(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int | None
) -> None:
    agree(stud(sheet_id, *swaps), ante)


@pytest.mark.slow
@pytest.mark.parametrize(("sheet_id", "swaps", "ante"), further)
def test_whole_game_of_further_sheets(
    sheet_id: str, swaps: tuple[Swap, ...], ante: int | None
) -> None:
    agree(stud(sheet_id, *swaps), ante)


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
def test_whole_game_of_unusual_sheets(name: str, ante: int | None) -> None:
    agree(unusual_stud(name), ante)


@pytest.mark.long
def test_a_first_street_that_nothing_may_be_bet_on() -> None:
    """What is bet later still falls under the cap of a hand."""
    agree(stud(OMS, CHECKED_FIRST), 4_00)


def test_caps_bend_the_value() -> None:
    sheet = stud(CMS)
    edges = [-solve(sheet, Cents(ante)).expected for ante in (5_00, 25_00, 100_00, 500_00)]
    assert edges == sorted(edges)
    assert edges[0] == -solve(sheet).expected  # $5 at 10 antes and 500:1 is $25,000: not cut.
    assert edges[0] < edges[1]
    assert -solve(stud(OMS), Cents(2_00)).expected < -solve(stud(OMS), Cents(4_00)).expected


def test_a_bet_above_its_maximum_is_no_play() -> None:
    sheet = stud(CMS, AT_MOST_TWICE)
    first = {ante: solve(sheet, Cents(ante)).streets[0] for ante in (333_00, 334_00, 500_00)}
    assert first[333_00][0,].plays == ("1x", "2x", "3x", "fold")
    assert first[334_00][0,].plays == ("1x", "2x", "fold")
    assert first[500_00][0,].plays == ("1x", "2x", "fold")
    assert solve(sheet).streets[0][0,].plays == ("1x", "2x", "3x", "fold")


@pytest.mark.long
@pytest.mark.parametrize("ante", [None, 500_00])
def test_a_fortune_passes_2_to_the_63(ante: int | None) -> None:
    table = ", ".join(f"{line} 999999999:1" for line in list(stud(LAS).main.pays)[:-1])
    sheet = sheet_of(with_pays(LAS, "main", table))
    assert isinstance(sheet, StreetStud)
    stake = None if ante is None else Cents(ante)
    solution = solve(sheet, stake)
    assert solution.terms.numbers is object
    assert all(type(one) is int for one in solution.streets[0][0,].top)
    plain = PlainStud(document(sheet), ante)
    for held in ([48, 44], [0, 20], [9, 50]):
        assert at_first(solution, held)[0] == plain.spot(held).values
    with_dead = advise(sheet, [Card(48), Card(44)], dead=[Card(0), Card(51)], ante=stake)
    assert with_dead.actions == plain.spot([48, 44], dead=[0, 51]).values


@pytest.mark.long
@settings(max_examples=25)
@given(street_stud_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_generated_sheets_for_one_starting_hand(
    sheet: StreetStud, capped: bool, luck: Random
) -> None:
    assume(sheet.deal.hole.value > 1)  # With one hole card there are 250,000 boards.
    for_one_hand(sheet, luck, capped=capped)


@pytest.mark.slow
@settings(max_examples=200)
@given(street_stud_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_many_generated_sheets_for_one_starting_hand(
    sheet: StreetStud, capped: bool, luck: Random
) -> None:
    *earlier, last = sheet.streets
    before = 5 - sheet.deal.hole.value - last.reveals.value
    assume(50**before * prod(len(street.bets) for street in earlier) < 5_000_000)  # Fits in memory.
    for_one_hand(sheet, luck, capped=capped)


def agree(sheet: StreetStud, ante: int | None) -> None:
    """All moments of the main game, exactly."""
    ours = main_figures(solve(sheet, None if ante is None else Cents(ante)))
    plain = PlainStud(document(sheet), ante).round()
    assert ours.expected == plain.expected
    assert ours.variance == plain.variance
    assert ours.average_wager == plain.average_wager
    assert (ours.share("win"), ours.share("push")) == (plain.win, plain.push)


def for_one_hand(sheet: StreetStud, luck: Random, *, capped: bool) -> None:
    """Every play's value and the best play at the first decision."""
    rule = sheet.ante
    ante = luck.randrange(rule.min, rule.max + 1, rule.step) if capped else None
    cards = luck.sample(range(52), sheet.deal.hole.value)
    plain = PlainStud(document(sheet), ante).spot(cards)
    solution = solve(sheet, None if ante is None else Cents(ante))
    values, best = at_first(solution, cards)
    assert values == plain.values
    assert best == plain.best


def at_first(solution: Solution, cards: list[int]) -> tuple[dict[str, Fraction], str]:
    ranks = tuple(sorted((card // 4 for card in cards), reverse=True))
    suited = len({card % 4 for card in cards}) == 1
    hands = classes(len(cards), solution.ace)
    place = next(n for n, one in enumerate(hands) if (one.ranks, one.suited) == (ranks, suited))
    (choice,) = solution.streets[0].values()
    scale = choice.ways * solution.terms.ante
    values = [Fraction(int(one), scale) for one in choice.worth[:, place]]
    return dict(zip(choice.plays, values, strict=True)), choice.plays[choice.best[place]]
