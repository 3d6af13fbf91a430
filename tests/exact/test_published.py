"""Figures published by others, to every digit given."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from tests.exact.figures_json import math_document
from tests.exact.plain_stud import PlainStud
from tests.random_sheets.sheets import document
from tests.sheets.samples import CMS, IDS, LAS, MHL, STAX, hi_lo, stud

from pitbook.exact.methods.ladder.solve import main_figures, solve
from pitbook.exact.methods.points import solve as solved_hi_lo
from pitbook.exact.sheet_figures import wager_figures
from pitbook.exact.side_wagers import hand_counts_by_kind, many_deck_ways, side_figures
from pitbook.hands.kinds import hand_kinds

JACKS, SIXES = ("J", "Q", "K", "A"), ("6", "7", "8", "9", "10")


def percent(value: Fraction, digits: int) -> str:
    """The value rounded half up, as usually published."""
    scaled = abs(value) * 100 * 10**digits + Fraction(1, 2)
    digits_text = str(scaled.numerator // scaled.denominator).zfill(digits + 1)
    return f"{'-' if value < 0 else ''}{digits_text[:-digits]}.{digits_text[-digits:]}%"


@pytest.mark.parametrize("sheet_id", [CMS, LAS, STAX])
def test_mississippi_stud_house_edge_is_4_9149_percent(sheet_id: str) -> None:
    # E. Jacobson, 888casino blog, edge sorting update 1.
    figures = main_figures(solve(stud(sheet_id)))
    assert percent(figures.house_edge, 4) == "4.9149%"
    assert figures.expected == Fraction(-53223, 1082900)


def test_mississippi_stud_straight_at_5_to_1_edge_is_3_7591_percent() -> None:
    # Same source.
    figures = main_figures(solve(stud(CMS, ('straight = "4:1"', 'straight = "5:1"'))))
    assert percent(figures.house_edge, 4) == "3.7591%"


def test_average_wager_is_3_59_antes_and_element_of_risk_1_37_percent() -> None:
    # J. Grochowski, Casino City Times; ties between fold and bet are bet (GEN-16).
    figures = main_figures(solve(stud(CMS)))
    assert f"{float(figures.average_wager):.2f}" == "3.59"
    assert figures.average_wager == Fraction(74757, 20825)
    assert percent(figures.element_of_risk, 2) == "1.37%"


def test_average_wager_changes_if_ties_are_folded() -> None:
    # One round in ten has a tie, so GEN-16 matters.
    folding_ties = stud(CMS, ('is = "smallest-bet"', 'is = "fold"'))
    figures = main_figures(solve(folding_ties))
    assert figures.expected == Fraction(-53223, 1082900)
    assert figures.average_wager < Fraction(74757, 20825)


@pytest.mark.slow
@pytest.mark.long
def test_known_third_street_card_is_worth_54_8660_percent() -> None:
    # E. Jacobson, 888casino blog, hole-card play. Third street is the first community card: the
    # player knows three cards at the flop bet, and that bet reveals no card.
    three_known = stud(
        CMS,
        ("hole = { is = 2", "hole = { is = 3"),
        ("reveals = { is = 1", "reveals = { is = 0"),
        ('looks_at = "community"', 'looks_at = "hole"'),
    )
    assert percent(solve(three_known).expected, 4) == "54.8660%"
    assert PlainStud(document(three_known)).round().expected == solve(three_known).expected


def test_math_document_matches_the_published_contract() -> None:
    main = math_document(stud(CMS))["wagers"]["main"]
    assert main["expected"] == "-53223/1082900"
    assert main["average_wager"] == "74757/20825"
    assert f"{main['house_edge']:.8f}" == "0.04914858"
    assert f"{main['element_of_risk']:.7f}" == "0.0136913"
    assert f"{main['standard_deviation']:.6f}" == "9.836641"
    assert [f"{main[result]:.4f}" for result in ("win", "push", "lose")] == [
        "0.1605",
        "0.1018",
        "0.7377",
    ]
    bonus = math_document(stud(CMS))["wagers"]["three-card-bonus"]
    assert bonus["expected"] == "-402/5525"
    assert f"{bonus['house_edge']:.5f}" == "0.07276"


def test_five_card_hand_counts_of_one_deck() -> None:
    ways = dict(
        zip(
            (kind.name for kind in hand_kinds(5)),
            hand_counts_by_kind(5, "high-or-low"),
            strict=True,
        )
    )
    highest_names = (
        "royal-flush",
        "straight-flush",
        "four-of-a-kind",
        "full-house",
        "flush",
        "straight",
    )
    counts = [ways[name] for name in (*highest_names, "three-of-a-kind", "two-pair")]
    assert counts == [4, 36, 624, 3744, 5108, 10200, 54912, 123552]
    assert sum(ways[f"pair-{rank}"] for rank in JACKS) == 337_920
    assert sum(ways[f"pair-{rank}"] for rank in SIXES) == 422_400
    assert sum(ways[f"pair-{rank}"] for rank in ("2", "3", "4", "5")) == 337_920
    assert sum(ways.values()) == comb(52, 5) == 2_598_960


def test_three_card_hand_counts_of_one_deck() -> None:
    # Wizard of Odds, Three Card Poker.
    ways = dict(
        zip(
            (kind.name for kind in hand_kinds(3)),
            hand_counts_by_kind(3, "high-or-low"),
            strict=True,
        )
    )
    names = ("straight-flush", "three-of-a-kind", "straight", "flush")
    assert [ways[name] for name in names] == [48 - 4, 52, 720, 1096]
    pairs = sum(count for name, count in ways.items() if name.startswith("pair-"))
    high_cards = sum(count for name, count in ways.items() if name.startswith("high-card-"))
    assert (ways["mini-royal"], pairs, high_cards) == (4, 3744, 16_440)
    assert sum(ways.values()) == 22_100


@pytest.mark.parametrize(("sheet_id", "wager"), [(CMS, "three-card-bonus"), (LAS, "three-up")])
def test_three_card_40_30_6_3_1_edge_is_402_in_5525(sheet_id: str, wager: str) -> None:
    # J. Grochowski, Casino City Times.
    figures = side_figures(stud(sheet_id), wager)
    assert figures.house_edge == Fraction(402, 5525)
    assert percent(figures.house_edge, 4) == "7.2760%"


def test_three_card_hand_counts_of_six_decks() -> None:
    kinds = (kind.name for kind in hand_kinds(3, many_decks=True))
    ways = dict(zip(kinds, many_deck_ways(3, 6, "high-or-low"), strict=True))
    assert ways["straight-flush"] + ways["mini-royal"] == 10_368
    assert ways["suited-three-of-a-kind"] == 1_040
    assert ways["three-of-a-kind"] + ways["suited-three-of-a-kind"] == 26_312
    assert ways["straight"] == 155_520
    assert sum(ways.values()) == comb(312, 3) == 5_013_320


def test_matchem_strategy_without_an_ace_matches_published() -> None:
    # matchemhilo.com, rules page: low at 13 or less, high at 14 or more, double low at 6 or less.
    spots = [spot for spot in solved_hi_lo.solve(hi_lo(MHL)).spots if 12 not in spot.ranks]
    assert {spot.low for spot in spots} == set(range(31)) - {1}
    for spot in spots:
        assert spot.low == spot.high
        declaration, _, double = spot.best.partition("+")
        assert declaration == ("low" if spot.low <= 13 else "high"), spot
        if declaration == "low":
            assert bool(double) == (spot.low <= 6), spot


def test_bundled_sheets_have_plausible_edges() -> None:
    for sheet_id in IDS:
        sheet = hi_lo(sheet_id) if sheet_id == MHL else stud(sheet_id)
        for wager in ("main", *sheet.side):
            assert 0 < wager_figures(sheet, wager).house_edge < Fraction(1, 4)
