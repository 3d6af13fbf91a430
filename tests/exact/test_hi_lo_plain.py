"""Hi-lo checked in two other ways: dealer hands rank by rank, and the whole game dealer first."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.exact.example_sheets import four_card_hi_lo
from tests.exact.plain_hi_lo import PlainHiLo
from tests.lanes import examples
from tests.random_sheets.sheets import document, hi_lo_sheets
from tests.sheets.samples import MHL, Swap, hi_lo

from pitbook.cards import Card
from pitbook.exact.advice import advise
from pitbook.exact.methods.points.solve import HandValues, Solution, add_ways, solve
from pitbook.exact.strategies import strategy_figures
from pitbook.money import Cents
from pitbook.rules.families.hi_lo.sheet import HiLo

SEED = 312
TIES_DEALER = ('ties = { is = "player"', 'ties = { is = "dealer"')
TIES_PUSH = ('ties = { is = "player"', 'ties = { is = "push"')
TWO_TO_ONE = ('low = "1:1"', 'low = "2:1"')
CAPPED = ("[limits.counts.lines]", '[limits.counts.lines]\nmain = ["low", "high"]')


def samples(solution: Solution, number: int) -> list[HandValues]:
    """A fixed sample of hands: the seed is the shoe's size."""
    return Random(SEED).sample(solution.spots, number)


@pytest.mark.long
@pytest.mark.parametrize("swaps", [(), (TIES_DEALER,), (TIES_PUSH,)])
def test_hands_equal_plain_enumeration(swaps: tuple[Swap, ...]) -> None:
    sheet = hi_lo(MHL, *swaps)
    plain, solution = PlainHiLo(document(sheet)), solve(sheet)
    assert len(solution.spots) == 455
    for spot in samples(solution, 25):
        values = plain.values(spot.ranks)
        assert spot.worth == values
        assert spot.best == plain.best(values)
        assert (spot.low, spot.high) == plain.points(spot.ranks)
        assert spot.ways == plain.ways(spot.ranks)


@pytest.mark.long
def test_hands_equal_ordered_deals_of_the_dealer() -> None:
    """All 371,293 orders of the dealer's five ranks."""
    sheet = hi_lo(MHL)
    plain = PlainHiLo(document(sheet))
    for spot in samples(solve(sheet), 3):
        assert spot.worth == plain.values_by_ordered_deal(spot.ranks)


@pytest.mark.slow_cases("(('ties = { is = \"player\"', 'ties = { is = \"dealer\"'),)", "()")
@pytest.mark.long
@pytest.mark.parametrize(
    "swaps", [(), (TIES_DEALER,), (TIES_PUSH,), (TWO_TO_ONE, TIES_PUSH)], ids=str
)
def test_expected_value_equals_plain_round(swaps: tuple[Swap, ...]) -> None:
    sheet = hi_lo(MHL, *swaps)
    assert solve(sheet).expected == PlainHiLo(document(sheet)).expected_value()
    assert strategy_figures(sheet, "best").expected == solve(sheet).expected


@pytest.mark.long
def test_two_deck_hands_equal_plain_enumeration() -> None:
    sheet = four_card_hi_lo()
    solution, plain = solve(sheet), PlainHiLo(document(sheet))
    assert sum(spot.ways for spot in solution.spots) == comb(104, 4)
    for spot in samples(solution, 4):
        values = plain.values(spot.ranks)
        assert (spot.worth, spot.best) == (values, plain.best(values))


@pytest.mark.slow
def test_two_deck_expected_value_equals_plain_round() -> None:
    sheet = four_card_hi_lo()
    assert solve(sheet).expected == PlainHiLo(document(sheet)).expected_value()


@pytest.mark.long
@pytest.mark.parametrize("bet", [5_00, 500_00])
def test_cap_on_bet_and_double_equals_plain_round(bet: int) -> None:
    sheet = hi_lo(MHL, ('pays_max = "25000"', 'pays_max = "600"'), CAPPED)
    assert solve(sheet, Cents(bet)).expected == PlainHiLo(document(sheet), bet).expected_value()


def test_edge_rises_from_ties_win_to_ties_lose() -> None:
    edges = [-solve(hi_lo(MHL, *swaps)).expected for swaps in ((), (TIES_PUSH,), (TIES_DEALER,))]
    assert edges == sorted(set(edges))


@pytest.mark.long
def test_double_above_the_table_maximum_is_not_allowed() -> None:
    sheet = hi_lo(MHL, ("within_max = { is = false", "within_max = { is = true"))
    for bet, doubles in ((250_00, True), (251_00, False)):
        spot = solve(sheet, Cents(bet)).spots[0]
        assert ("low+double" in spot.worth) == doubles
        plain = PlainHiLo(document(sheet), bet)
        assert spot.worth == plain.values(spot.ranks)
    assert "low+double" in solve(sheet).spots[0].worth


def test_sums_of_ways_beyond_64_bits_are_exact() -> None:
    assert comb(12 * 52 - 3, 9) > 2**63
    places, ways = np.array([0, 2, 0, 0]), np.array([2**62 + 1, 5, 2**62 + 2, 2**62 + 3])
    assert add_ways(places, ways, 3) == [3 * 2**62 + 6, 0, 5]
    assert add_ways(places, ways % 7, 3) == [int(sum(ways[[0, 2, 3]] % 7)), 0, 5]


@pytest.mark.slow
def test_nine_cards_of_twelve_decks_equal_plain_enumeration() -> None:
    lines = "".join(f'match-{count} = "100:1"\n' for count in (9, 8, 7, 6))
    huge = hi_lo(
        MHL,
        ("decks = 6", "decks = 12"),
        ("dealer = 5", "dealer = 9"),
        ('match-5 = "100:1"', f'{lines}match-5 = "100:1"'),
    )
    cards = [Card(0), Card(17), Card(51)]
    values = PlainHiLo(document(huge)).values([card // 4 for card in cards])
    assert advise(huge, cards).actions == values


@pytest.mark.long
@settings(max_examples=examples(12, 20))
@given(hi_lo_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_generated_sheets_equal_plain_enumeration(sheet: HiLo, capped: bool, rng: Random) -> None:
    assume(sheet.deal.dealer <= 6)
    assert_hand_is_exact(sheet, capped, rng)


@pytest.mark.slow
@settings(max_examples=100)
@given(hi_lo_sheets(), st.booleans(), st.randoms(use_true_random=False))
def test_many_generated_sheets_equal_plain_enumeration(
    sheet: HiLo, capped: bool, rng: Random
) -> None:
    assume(sheet.deal.dealer <= 8)
    assert_hand_is_exact(sheet, capped, rng)


def assert_hand_is_exact(sheet: HiLo, capped: bool, rng: Random) -> None:
    """Values, best play and dead cards through advice, which counts a single hand."""
    rule = sheet.bet
    bet = rng.randrange(rule.min, rule.max + 1, rule.step) if capped else None
    shoe = rng.sample(range(52 * sheet.deck.decks), sheet.deal.player + 6)
    dealt = [Card(number % 52) for number in shoe]
    cards, dead = dealt[:-6], dealt[-6:] if rng.random() < 0.5 else []
    plain = PlainHiLo(document(sheet), bet)
    values = plain.values([card // 4 for card in cards], [card // 4 for card in dead])
    advice = advise(sheet, cards, ante=None if bet is None else Cents(bet), dead=dead)
    assert advice.actions == values
    assert advice.best == plain.best(values)
    assert advice.cost(advice.best) == Fraction(0)
