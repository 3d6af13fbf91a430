"""All hands of two, three and four cards, and of three cards from six decks, counted plainly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest
from tests.hands.reference_ranking import all_called, hand_name, shape_of, strength

from pitbook.cards import DECK, name
from pitbook.hands import Ace, batch, hand_kinds

NAMES = [name(card) for card in DECK]


@pytest.mark.slow_cases("high-4", "high-or-low-4")
@pytest.mark.long
@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("ace", ["high-or-low", "high"])
def test_every_hand_matches_the_reference_ranking(n: int, ace: Ace) -> None:
    dealt = np.array(list(combinations(DECK, n)), np.uint8)
    low = ace == "high-or-low"
    plain = all_called(n, ace_low=low)
    shapes = [shape_of(kind.name) for kind in hand_kinds(n)]
    assert [shapes[kind] for kind in batch.kinds(dealt, ace=ace)] == plain
    strengths = [strength(hand, ace_low=low) for hand in combinations(NAMES, n)]
    place = {strength: rank for rank, strength in enumerate(sorted(set(strengths)))}
    assert batch.ranks(dealt, ace).tolist() == [place[strength] for strength in strengths]


def test_three_card_hands_of_one_deck_match_the_reference() -> None:
    """Wizard of Odds, Three Card Poker."""
    assert count_kinds(3) == {
        "mini-royal": 4,
        "straight-flush": 48 - 4,
        "three-of-a-kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "high-card": 16_440,
    }


def test_rarer_two_card_hands_rank_higher() -> None:
    kind_counts = count_kinds(2)
    assert kind_counts == {
        "high-card": 780,
        "flush": 260,
        "straight": 156,
        "pair": 78,
        "straight-flush": 52,
    }
    assert list(kind_counts.values()) == sorted(kind_counts.values(), reverse=True)


@pytest.mark.long
def test_four_card_hands_of_one_deck_match_the_reference() -> None:
    assert count_kinds(4) == {
        "high-card": 183_040 - 44 - 2_816 - 2_772,
        "pair": 82_368,
        "two-pair": 2_808,
        "straight": 11 * (4**4 - 4),
        "flush": 4 * comb(13, 4) - 44,
        "three-of-a-kind": 2_496,
        "straight-flush": 44,
        "four-of-a-kind": 12,
        "four-aces": 1,
    }


@pytest.mark.long
def test_three_card_hands_of_six_decks_match_the_reference() -> None:
    """Arithmetic: 5,013,320 hands, of which 1,040 of the three of a kind are suited."""
    dealt = list(combinations_with_replacement(DECK, 3))
    weights = [copies(hand) for hand in dealt]
    plain: Counter[str] = Counter()
    for hand, weight in zip(combinations_with_replacement(NAMES, 3), weights, strict=True):
        plain[hand_name(hand, many_decks=True)] += weight
    kind_counts: Counter[str] = Counter()
    shapes = [shape_of(kind.name) for kind in hand_kinds(3, many_decks=True)]
    kinds = batch.kinds(np.array(dealt, np.uint8), many_decks=True)
    for kind, weight in zip(kinds, weights, strict=True):
        kind_counts[shapes[kind]] += weight
    assert kind_counts == plain
    assert kind_counts.total() == comb(312, 3) == 5_013_320
    assert kind_counts["mini-royal"] == 4 * 6**3
    assert kind_counts["straight-flush"] == 10_368 - 4 * 6**3
    assert kind_counts["suited-three-of-a-kind"] == 1_040
    assert kind_counts["three-of-a-kind"] == 26_312 - 1_040
    assert kind_counts["straight"] == 155_520
    assert kind_counts["suited-pair"] == 52 * comb(6, 2) * 36 * 6
    assert kind_counts["suited-pair-flush"] == 52 * comb(6, 2) * 12 * 6


def test_three_card_hands_of_several_decks_rank_alike_in_any_order() -> None:
    dealt = np.indices((52, 52, 52)).reshape(3, -1).T
    kinds_found = batch.kinds(dealt, many_decks=True)
    assert (kinds_found == batch.kinds(dealt[:, ::-1], many_decks=True)).all()
    assert (kinds_found == batch.kinds(dealt[:, [1, 2, 0]], many_decks=True)).all()


def count_kinds(n: int) -> dict[str, int]:
    kinds = batch.kinds(np.array(list(combinations(DECK, n)), np.uint8))
    kind_counts: dict[str, int] = {}
    for kind, times in zip(hand_kinds(n), np.bincount(kinds).tolist(), strict=True):
        kind_counts[shape_of(kind.name)] = kind_counts.get(shape_of(kind.name), 0) + times
    return kind_counts


def copies(hand: tuple[int, ...]) -> int:
    """Number of ways to draw these cards from six decks."""
    return prod(comb(6, times) for times in Counter(hand).values())
