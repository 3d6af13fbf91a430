"""Hi-lo: points, the dealer's arrangement, matches."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import pytest

from pitbook.cards import RANKS, Card, cards, names
from pitbook.errors import CardError
from pitbook.hands import EqualPoints, PointTable, SharedCard, arrange, matches, total

TENS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0)
POINTS = PointTable(low=(*TENS, 1), high=(*TENS, 11))  # MHL-3


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("As Kd 9c", 10, 20),
        ("Js Qd Kc", 0, 0),
        ("As Ad Ac", 3, 33),
        ("2s Td 9c", 21, 21),
        ("As", 1, 11),
        ("", 0, 0),
    ],
)
def test_mhl_3_ace_counts_1_low_and_11_high(text: str, low: int, high: int) -> None:
    assert (total(cards(text), POINTS.low), total(cards(text), POINTS.high)) == (low, high)


@pytest.mark.parametrize(
    ("dealer", "low_hand", "high_hand", "totals"),
    [  # The shared card is the first of the high hand.
        ("As Ad Ks Qs 9s", "Qs Ks Ad", "Ad As 9s", (1, 31)),  # MHL-9
        ("Js Qs Ks As 9s", "Js Qs Ks", "Ks As 9s", (0, 20)),  # MHL-9
        ("As Ad Ac Ah 9s", "Ac Ad Ah", "Ah As 9s", (3, 31)),
        ("As Ad Ac Ah As", "Ac Ad Ah", "Ah As As", (3, 33)),
        ("2s 3s 4s 5s 6s", "2s 3s 4s", "4s 5s 6s", (9, 15)),
        ("As 2s 3s 4s 5s", "As 2s 3s", "As 4s 5s", (6, 20)),
        ("As 2s 3s Ks Qs", "Qs Ks As", "As 2s 3s", (1, 16)),
        ("As 2s Js Ks Qs", "Js Qs Ks", "Ks As 2s", (0, 13)),
        ("Ts Td Tc Th 9s", "9s Tc Td", "Td Th Ts", (29, 30)),
    ],
)
def test_mhl_8_dealer_cards_are_split_into_three_areas(
    dealer: str, low_hand: str, high_hand: str, totals: tuple[int, int]
) -> None:
    lies = arrange(cards(dealer), POINTS)
    assert (names(lies.low), names(lies.high)) == (low_hand, high_hand)
    assert lies.shared == lies.high[0]
    assert (lies.low_total, lies.high_total) == totals


@pytest.mark.long
def test_mhl_8_every_dealer_hand_matches_brute_force() -> None:
    """All 6,188 rank multisets; however equal points are ordered, the totals are the same."""
    hands = list(combinations_with_replacement(range(13), 5))
    assert len(hands) == 6188
    for ranks in hands:
        arranged = arrange([Card(rank_index * 4) for rank_index in ranks], POINTS)
        assert laid_plainly(ranks) == {(arranged.low_total, arranged.high_total)}


@pytest.mark.parametrize(
    ("shared", "low_hand", "high_hand", "low", "high"),
    [
        ("ace-then-highest", "Ks As 2s", "As 3s 9s", 3, 23),
        ("highest", "Ks As 2s", "2s 3s 9s", 3, 14),
        ("none", "Ks As 2s", "3s 9s", 3, 12),
    ],
)
def test_sheet_chooses_the_shared_card(
    shared: SharedCard, low_hand: str, high_hand: str, low: int, high: int
) -> None:
    lies = arrange(cards("As 2s 3s Ks 9s"), POINTS, shared=shared)
    assert (names(lies.low), names(lies.high)) == (low_hand, high_hand)
    assert (lies.low_total, lies.high_total) == (low, high)
    assert (lies.shared is None) == (shared == "none")


@pytest.mark.parametrize(
    ("low_size", "low_hand", "high_hand"),
    [(1, "Ks", "Ks As 2s 3s"), (2, "Ks As", "As 2s 3s"), (4, "Ks As 2s 3s", "As")],
)
def test_low_hand_may_have_any_size(low_size: int, low_hand: str, high_hand: str) -> None:
    lies = arrange(cards("As 2s 3s Ks"), POINTS, low_size)
    assert (names(lies.low), names(lies.high)) == (low_hand, high_hand)


@pytest.mark.parametrize(
    ("equal", "low_hand", "high_hand", "totals"),
    [
        ("two-to-ace", "Js Qs Ks", "Ks As 9s", (0, 20)),
        ("ace-to-king", "As Js Qs", "Qs Ks 9s", (0, 9)),
        ("ace-to-two", "As Ks Qs", "Qs Js 9s", (0, 9)),
        ("king-to-ace", "Ks Qs Js", "Js As 9s", (0, 20)),
    ],
)
def test_sheet_chooses_the_order_of_equal_points(
    equal: EqualPoints, low_hand: str, high_hand: str, totals: tuple[int, int]
) -> None:
    """Aces, jacks, queens and kings count nothing in a low hand, so their order must be defined."""
    points = PointTable((*POINTS.low[:-1], 0), POINTS.high)
    lies = arrange(cards("Js As 9s Ks Qs"), points, 3, "highest", equal)
    assert (names(lies.low), names(lies.high)) == (low_hand, high_hand)
    assert (lies.low_total, lies.high_total) == totals


@pytest.mark.parametrize("low_size", [-1, 0, 6])
def test_empty_low_hand_is_refused(low_size: int) -> None:
    with pytest.raises(CardError, match=f"a low hand of {low_size} cannot be made from 5 cards"):
        arrange(cards("As 2s 3s Ks 9s"), POINTS, low_size)


@pytest.mark.parametrize("dealt", ["As Ks Qs Js 9s", "9s Js Qs Ks As", "Ks 9s As Qs Js"])
def test_the_order_of_the_deal_does_not_matter(dealt: str) -> None:
    assert arrange(cards(dealt), POINTS) == arrange(cards("Js Qs Ks As 9s"), POINTS)


def test_points_name_every_rank() -> None:
    with pytest.raises(CardError, match="high points name 12 ranks; a deck has 13"):
        PointTable(low=POINTS.low, high=TENS)
    with pytest.raises(CardError, match="low points name 14 ranks"):
        PointTable(low=(*POINTS.low, 0), high=POINTS.high)


@pytest.mark.parametrize(
    ("player", "dealer", "count"),
    [
        ("2s 3s 4s", "2d 2h 3c Jd Kd", 3),  # MHL-11
        ("4s 4d 9c", "4h Ks Qs Js 2s", 1),  # MHL-11
        ("Js Qs Ks", "Jd Jh Qd Kd Kh", 5),
        ("Js Js Js", "Qd Qh Kd Kh Ts", 0),
        ("As 2s 3s", "Ad 2d 3d 3h Ks", 4),
    ],
)
def test_mhl_11_matches_count_dealer_cards_of_a_held_rank(
    player: str, dealer: str, count: int
) -> None:
    assert matches(cards(player), cards(dealer)) == count


def laid_plainly(ranks: tuple[int, ...]) -> set[tuple[int, int]]:
    """The totals of every lowest hand of three, with every possible shared card."""
    ace = RANKS.index("A")
    totals_found = set()
    for places in combinations(range(5), 3):
        low = [ranks[place] for place in places]
        rest = [ranks[place] for place in range(5) if place not in places]
        highest = max(POINTS.low[low_rank] for low_rank in low)
        if highest > min(POINTS.low[other_rank] for other_rank in rest):
            continue
        shared = [low_rank for low_rank in low if low_rank == ace] or [
            low_rank for low_rank in low if POINTS.low[low_rank] == highest
        ]
        for shared_rank in shared:
            high = POINTS.high[shared_rank] + sum(POINTS.high[other] for other in rest)
            totals_found.add((sum(POINTS.low[other] for other in low), high))
    return totals_found
