"""Return tables of side wagers, each against a plain count of the cards that decide it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.exact.kit import ANYWHERE
from tests.exact.plain_sides import returns
from tests.generated_sheets import document, sheets
from tests.rules.rounds.play import known_sheets
from tests.sheets.samples import AGAINST_THE_DEALER, CMS, LAS, MHL, hi_lo, stud

import pitbook
from pitbook.exact.figures import Figures
from pitbook.exact.side_wagers import match_ways, side_figures
from pitbook.exact.work import TooLarge
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

EVERY = [
    (sheet.id, wager)
    for sheet in known_sheets()
    if sheet.id not in AGAINST_THE_DEALER
    for wager in sheet.side
]
# Ways of hands as they are published, best first: three cards, the best five of six and of seven.
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
@pytest.mark.parametrize(("sheet_id", "wager"), EVERY)
def test_every_side_wager_of_every_known_sheet(sheet_id: str, wager: str) -> None:
    sheet = next(one for one in known_sheets() if one.id == sheet_id)
    agree(sheet, wager, None)
    agree(sheet, wager, sheet.side[wager].stake.min)
    agree(sheet, wager, sheet.side[wager].stake.max)


@pytest.mark.long
@pytest.mark.parametrize(("of", "ways"), PUBLISHED.items())
def test_wagers_beside_a_dealer_s_hand_are_as_published(
    of: tuple[str, str], ways: tuple[int, ...]
) -> None:
    sheet = next(one for one in known_sheets() if one.id == of[0])
    ours = side_figures(sheet, of[1])
    found = sorted(((row.net, Fraction(row.count, ours.rounds)) for row in ours.rows), reverse=True)
    assert [share for _, share in found] == [Fraction(one, sum(ways)) for one in ways]


def test_a_tie_of_six_decks_comes_so_often() -> None:
    sheet = next(one for one in known_sheets() if one.id == "classic/casino-war")
    assert side_figures(sheet, "tie").hit_frequency == Fraction(6 * 4 - 1, 6 * 52 - 1)


@pytest.mark.parametrize(
    ("stake", "straight_flush"), [(25_00, 40), (26_00, Fraction(1000, 26)), (100_00, 10)]
)
def test_a_cap_cuts_what_a_stake_can_win(stake: int, straight_flush: Fraction | int) -> None:
    low = (('pays_max = "25000"', 'pays_max = "1000"'), ('least = "100:1"', 'least = "30:1"'))
    sheet = stud(CMS, ANYWHERE, *low)
    figures = side_figures(sheet, "three-card-bonus", Cents(stake))
    (best,) = (row for row in figures.rows if row.outcome == "straight-flush")
    assert best.net == straight_flush
    agree(sheet, "three-card-bonus", stake)


def test_a_cap_without_a_stake_is_no_matter() -> None:
    sheet = stud(
        CMS, ANYWHERE, ('max = "25000"', 'max = "1"'), ('least = "100:1"', 'least = "1:1"')
    )
    assert side_figures(sheet, "three-card-bonus").house_edge == Fraction(402, 5525)


@pytest.mark.parametrize("stake", [1_00, 60_00, 100_00])
def test_caps_that_name_lines(stake: int) -> None:
    sheet = hi_lo(MHL, ('pays_max = "25000"', 'pays_max = "3000"'))
    agree(sheet, "matchem-bonus", stake)
    agree(sheet, "poker-bonus", stake)


def test_outcomes_that_no_hand_makes_are_not_listed() -> None:
    figures = side_figures(stud(LAS), "stax")
    assert all(row.count for row in figures.rows)
    assert {row.outcome for row in figures.rows} == {*stud(LAS).side["stax"].pays, "nothing"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("player", "dealer", "decks"),
    [(1, 2, 1), (2, 3, 1), (3, 3, 2), (4, 2, 1), pytest.param(5, 2, 1, marks=pytest.mark.slow)],
)
def test_matches_against_every_pair_of_hands(player: int, dealer: int, decks: int) -> None:
    """Every hand of ranks against every dealer's, matched card by card."""
    counted = [0] * (dealer + 1)
    copies = 4 * decks
    for own in combinations_with_replacement(range(13), player):
        for other in combinations_with_replacement(range(13), dealer):
            ways = prod(
                comb(copies, own.count(rank))
                * comb(max(0, copies - own.count(rank)), other.count(rank))
                for rank in {*own, *other}
            )
            counted[sum(rank in own for rank in other)] += ways
    assert match_ways(player, dealer, decks) == tuple(counted)
    size = 13 * copies
    assert sum(counted) == comb(size, player) * comb(size - player, dealer)


@pytest.mark.long
@settings(max_examples=25)
@given(sheets(), st.randoms(use_true_random=False), st.booleans())
def test_generated_side_wagers(sheet: Sheet, luck: Random, capped: bool) -> None:
    assume(sheet.side)
    wager = luck.choice(list(sheet.side))
    rule = sheet.side[wager].stake
    agree(sheet, wager, luck.randrange(rule.min, rule.max + 1, rule.step) if capped else None)


def agree(sheet: Sheet, wager: str, stake: int | None) -> None:
    """The same outcomes, equally likely, with the same results; and the figures that follow."""
    ours = side_figures(sheet, wager, None if stake is None else Cents(stake))
    plain = returns(document(sheet), wager, stake)
    ways = sum(count for count, _ in plain.values())
    assert _table(ours) == {
        outcome: (Fraction(count, ways), net) for outcome, (count, net) in plain.items()
    }
    mean = sum(net * Fraction(count, ways) for count, net in plain.values())
    assert ours.expected == mean
    square = sum((net - mean) ** 2 * Fraction(count, ways) for count, net in plain.values())
    assert ours.variance == square
    assert ours.average_wager == 1
    won = sum(Fraction(count, ways) for count, net in plain.values() if net > 0)
    assert ours.hit_frequency == won


def _table(figures: Figures) -> dict[str, tuple[Fraction, Fraction]]:
    assert len({row.outcome for row in figures.rows}) == len(figures.rows)
    return {row.outcome: (Fraction(row.count, figures.rounds), row.net) for row in figures.rows}


BOTH = {
    "title": "Ten Cards",
    "looks_at": "both-hands",
    "clause": "X-1",
    "pays": {"royal-flush": "1000:1", "straight-flush": "200:1"},
    "stake": {"min": "1", "max": "25", "step": "1", "required": False, "clause": "X-1"},
    "after_fold": {"plays": True, "clause": "X-1"},
}


def test_a_wager_on_more_cards_than_can_be_counted_is_named() -> None:
    changes = {"side.ten": BOTH, "settlement.passes": [["main", "ten"]]}
    sheet = pitbook.changed("classic/caribbean-stud", changes)
    with pytest.raises(TooLarge, match="the Ten Cards looks at 10 cards at a time"):
        side_figures(sheet, "ten")
