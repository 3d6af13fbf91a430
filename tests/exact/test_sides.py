"""Side wagers' return tables, compared with a plain count of the deciding cards."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.exact.example_sheets import ANYWHERE
from tests.exact.plain_sides import returns
from tests.random_sheets.sheets import document, sheets
from tests.rules.random_rounds import known_sheets
from tests.sheets.samples import AGAINST_THE_DEALER, CMS, LAS, MHL, hi_lo, stud

import pitbook
from pitbook.exact.long_computations import TooLarge
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.side_wagers import match_ways, side_figures
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

SIDE_WAGERS = [
    (sheet.id, wager)
    for sheet in known_sheets()
    if sheet.id not in AGAINST_THE_DEALER
    for wager in sheet.side
]
# Published counts, best hand first: three cards, the best five of six and of seven.
PUBLISHED = {
    ("pennsylvania/three-card-poker", "pair-plus"): (48, 52, 720, 1_096, 3_744, 16_440),
    ("pennsylvania/three-card-poker", "six-card-bonus"): (
        *(188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160),
        20_358_520 - 1_482_064,
    ),
    ("pennsylvania/ultimate-texas-holdem", "trips"): (
        *(4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620),
        133_784_560 - 20_428_900,
    ),
}


@pytest.mark.slow_cases("louisiana-stud/standard-stax")
@pytest.mark.long
@pytest.mark.parametrize(("sheet_id", "wager"), SIDE_WAGERS)
def test_side_wagers_equal_plain_counting(sheet_id: str, wager: str) -> None:
    sheet = next(known_sheet for known_sheet in known_sheets() if known_sheet.id == sheet_id)
    assert_returns_equal_plain_counting(sheet, wager, None)
    assert_returns_equal_plain_counting(sheet, wager, sheet.side[wager].stake.min)
    assert_returns_equal_plain_counting(sheet, wager, sheet.side[wager].stake.max)


@pytest.mark.long
@pytest.mark.parametrize(("sheet_and_wager", "ways"), PUBLISHED.items())
def test_dealer_game_side_wagers_match_published_counts(
    sheet_and_wager: tuple[str, str], ways: tuple[int, ...]
) -> None:
    sheet = next(
        known_sheet for known_sheet in known_sheets() if known_sheet.id == sheet_and_wager[0]
    )
    figures = side_figures(sheet, sheet_and_wager[1])
    net_shares = sorted(
        ((row.net, Fraction(row.count, figures.rounds)) for row in figures.rows), reverse=True
    )
    assert [share for _, share in net_shares] == [Fraction(count, sum(ways)) for count in ways]


def test_tie_frequency_with_six_decks() -> None:
    sheet = next(
        known_sheet for known_sheet in known_sheets() if known_sheet.id == "classic/casino-war"
    )
    assert side_figures(sheet, "tie").hit_frequency == Fraction(6 * 4 - 1, 6 * 52 - 1)


@pytest.mark.parametrize(
    ("stake", "straight_flush"), [(25_00, 40), (26_00, Fraction(1000, 26)), (100_00, 10)]
)
def test_cap_limits_the_win_of_a_stake(stake: int, straight_flush: Fraction | int) -> None:
    low_cap = (('pays_max = "25000"', 'pays_max = "1000"'), ('least = "100:1"', 'least = "30:1"'))
    sheet = stud(CMS, ANYWHERE, *low_cap)
    figures = side_figures(sheet, "three-card-bonus", Cents(stake))
    (best,) = (row for row in figures.rows if row.outcome == "straight-flush")
    assert best.net == straight_flush
    assert_returns_equal_plain_counting(sheet, "three-card-bonus", stake)


def test_cap_without_a_stake_has_no_effect() -> None:
    sheet = stud(
        CMS, ANYWHERE, ('max = "25000"', 'max = "1"'), ('least = "100:1"', 'least = "1:1"')
    )
    assert side_figures(sheet, "three-card-bonus").house_edge == Fraction(402, 5525)


@pytest.mark.parametrize("stake", [1_00, 60_00, 100_00])
def test_caps_on_named_lines(stake: int) -> None:
    sheet = hi_lo(MHL, ('pays_max = "25000"', 'pays_max = "3000"'))
    assert_returns_equal_plain_counting(sheet, "matchem-bonus", stake)
    assert_returns_equal_plain_counting(sheet, "poker-bonus", stake)


def test_impossible_outcomes_are_not_listed() -> None:
    figures = side_figures(stud(LAS), "stax")
    assert all(row.count for row in figures.rows)
    assert {row.outcome for row in figures.rows} == {*stud(LAS).side["stax"].pays, "nothing"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("player", "dealer", "decks"),
    [(1, 2, 1), (2, 3, 1), (3, 3, 2), (4, 2, 1), pytest.param(5, 2, 1, marks=pytest.mark.slow)],
)
def test_match_counts_equal_enumeration_of_hand_pairs(player: int, dealer: int, decks: int) -> None:
    """Every player's hand of ranks against every dealer's, matched card by card."""
    ways_by_matches = [0] * (dealer + 1)
    copies = 4 * decks
    for player_ranks in combinations_with_replacement(range(13), player):
        for dealer_ranks in combinations_with_replacement(range(13), dealer):
            ways = prod(
                comb(copies, player_ranks.count(rank))
                * comb(max(0, copies - player_ranks.count(rank)), dealer_ranks.count(rank))
                for rank in {*player_ranks, *dealer_ranks}
            )
            ways_by_matches[sum(rank in player_ranks for rank in dealer_ranks)] += ways
    assert match_ways(player, dealer, decks) == tuple(ways_by_matches)
    size = 13 * copies
    assert sum(ways_by_matches) == comb(size, player) * comb(size - player, dealer)


@pytest.mark.long
@settings(max_examples=25)
@given(sheets(), st.randoms(use_true_random=False), st.booleans())
def test_generated_side_wagers_equal_plain_counting(
    sheet: Sheet, rng: Random, capped: bool
) -> None:
    assume(sheet.side)
    wager = rng.choice(list(sheet.side))
    rule = sheet.side[wager].stake
    assert_returns_equal_plain_counting(
        sheet, wager, rng.randrange(rule.min, rule.max + 1, rule.step) if capped else None
    )


def assert_returns_equal_plain_counting(sheet: Sheet, wager: str, stake: int | None) -> None:
    """The same outcomes with the same probabilities and results; and the resulting figures."""
    figures = side_figures(sheet, wager, None if stake is None else Cents(stake))
    plain_returns = returns(document(sheet), wager, stake)
    ways = sum(count for count, _ in plain_returns.values())
    assert _returns_by_outcome(figures) == {
        outcome: (Fraction(count, ways), net) for outcome, (count, net) in plain_returns.items()
    }
    mean = sum(net * Fraction(count, ways) for count, net in plain_returns.values())
    assert figures.expected == mean
    square = sum((net - mean) ** 2 * Fraction(count, ways) for count, net in plain_returns.values())
    assert figures.variance == square
    assert figures.average_wager == 1
    win_share = sum(Fraction(count, ways) for count, net in plain_returns.values() if net > 0)
    assert figures.hit_frequency == win_share


def _returns_by_outcome(figures: Figures) -> dict[str, tuple[Fraction, Fraction]]:
    assert len({row.outcome for row in figures.rows}) == len(figures.rows)
    return {row.outcome: (Fraction(row.count, figures.rounds), row.net) for row in figures.rows}


BOTH_HANDS_WAGER = {
    "title": "Ten Cards",
    "looks_at": "both-hands",
    "clause": "X-1",
    "pays": {"royal-flush": "1000:1", "straight-flush": "200:1"},
    "stake": {"min": "1", "max": "25", "step": "1", "required": False, "clause": "X-1"},
    "after_fold": {"plays": True, "clause": "X-1"},
}


def test_wager_on_too_many_cards_is_refused_by_name() -> None:
    changes = {"side.ten": BOTH_HANDS_WAGER, "settlement.passes": [["main", "ten"]]}
    sheet = pitbook.changed("classic/caribbean-stud", changes)
    with pytest.raises(TooLarge, match="The Ten Cards uses 10 cards at a time, too many to count"):
        side_figures(sheet, "ten")
