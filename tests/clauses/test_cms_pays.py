"""CMS-9, CMS-10 and CMS-12: payouts and the cap of Mississippi Stud at Catfish Bend."""

from __future__ import annotations

import pytest
from tests.clauses.example_hands import FIVE_CARDS, PAIRS, THREE_CARDS
from tests.clauses.one_line_rounds import (
    CMS,
    applied_caps,
    hand,
    line,
    nets,
    play_round,
    results,
    seat,
    wins,
)

from pitbook.money import Cents, money

BONUS = "three-card-bonus"
MAIN = {
    "royal-flush": 500,
    "straight-flush": 100,
    "four-of-a-kind": 40,
    "full-house": 10,
    "flush": 6,
    "straight": 4,
    "three-of-a-kind": 3,
    "two-pair": 2,
}
THREE = {"straight-flush": 40, "three-of-a-kind": 30, "straight": 6, "flush": 3, "pair": 1}


@pytest.mark.parametrize(("hole", "community", "kind"), FIVE_CARDS)
def test_cms_9_all_main_wagers_are_paid_at_the_odds_of_the_hand(
    hole: str, community: str, kind: str
) -> None:
    # 5 + 5 + 10 + 15: at most 17,500, below the cap.
    round = play_round(CMS, community, seat(1, hole, "1x 2x 3x", ante=5))
    odds = MAIN.get(kind)
    for wager_line in hand(round, 1).lines:
        assert (wager_line.outcome, wager_line.clause) == (kind, "CMS-9")
        assert str(wager_line.odds) == (f"{odds}:1" if odds else "None")
    assert nets(round) == {1: money(Cents(3500 * (odds or -1)))}


@pytest.mark.parametrize(("rank", "hole", "community"), PAIRS)
def test_cms_9_jacks_or_better_win_sixes_to_tens_push_lower_pairs_lose(
    rank: str, hole: str, community: str
) -> None:
    outcome, result, net = {
        **dict.fromkeys("2345", ("nothing", "lose", "-35.00")),
        **dict.fromkeys(("6", "7", "8", "9", "10"), ("pair-6-10", "push", "0.00")),
        **dict.fromkeys("JQKA", ("pair-J-A", "win", "35.00")),
    }[rank]
    round = play_round(CMS, community, seat(1, hole, "1x 2x 3x", ante=5))
    assert {(wager_line.outcome, wager_line.result) for wager_line in hand(round, 1).lines} == {
        (outcome, result)
    }
    assert nets(round) == {1: net}


@pytest.mark.parametrize(("community", "kind"), THREE_CARDS)
@pytest.mark.parametrize("stake", [1, 100])
def test_cms_10_the_bonus_has_its_own_pay_table(community: str, kind: str, stake: int) -> None:
    round = play_round(CMS, community, seat(1, None, "fold", ante=5, three_card_bonus=stake))
    bonus = line(round, 1, BONUS)
    odds = THREE.get(kind, 0)
    assert (bonus.outcome, bonus.clause) == (kind, "CMS-10")
    assert bonus.wins == stake * 100 * odds
    assert bonus.result == ("win" if odds else "lose")


@pytest.mark.parametrize(
    ("ante", "plays", "due", "paid"),
    [
        (5, "3x 3x 2x", "22500.00", "22500.00"),  # Below.
        (5, "3x 3x 3x", "25000.00", "25000.00"),  # At the cap.
        (6, "3x 3x 2x", "27000.00", "25000.00"),  # Above.
        (500, "3x 3x 3x", "2500000.00", "25000.00"),
    ],
)
def test_cms_12_a_royal_flush_is_paid_25_000_at_most(
    ante: int, plays: str, due: str, paid: str
) -> None:
    round = play_round(CMS, "Qs Js Ts", seat(1, "As Ks", plays, ante=ante))
    assert nets(round) == {1: paid}
    assert applied_caps(round) == ([] if due == paid else [("CMS-12", due, paid, None)])


@pytest.mark.parametrize(
    ("units", "paid", "capped"),
    [("3x 2x", "24500.00", False), ("3x 3x", "25000.00", True)],
)
def test_cms_12_a_straight_flush_at_100_to_1_counts(units: str, paid: str, capped: bool) -> None:
    # An ante of 35: 7 units are 24,500; 8 units would be 28,000.
    round = play_round(CMS, "7h 8h 9h", seat(1, "5h 6h", f"{units} 1x", ante=35))
    assert (nets(round), bool(applied_caps(round))) == ({1: paid}, capped)


def test_cms_12_round_limit_is_shared_pro_rata() -> None:
    # A straight flush each on 500 and on 1,500: due 50,000 and 150,000.
    first = seat(2, "5h 6h", "1x 1x 2x", ante=100)
    second = seat(5, "Th Jh", "1x 1x 2x", ante=300)
    round = play_round(CMS, "7h 8h 9h", first, second)
    assert applied_caps(round) == [("CMS-12", "200000.00", "25000.00", None)]
    assert nets(round) == {2: "6250.00", 5: "18750.00"}
    assert wins(round, 2) == {
        "ante": "1250.00",
        "flop": "1250.00",
        "turn": "1250.00",
        "river": "2500.00",
    }


def test_cms_12_every_other_win_is_paid_in_full() -> None:
    quads = seat(1, "9c 9d", "3x 3x 3x", ante=500)  # 40 to 1 on 5,000.
    full = seat(2, "2d 2h", "3x 3x 3x", ante=500)  # 10 to 1 on 5,000.
    round = play_round(CMS, "9h 9s 2c", quads, full)
    assert nets(round) == {1: "200000.00", 2: "50000.00"}
    assert applied_caps(round) == []


def test_cms_12_the_bonus_at_40_to_1_does_not_count() -> None:
    royal = seat(1, "As Ks", "3x 3x 3x", ante=500, three_card_bonus=100)
    folded = seat(2, None, "fold", ante=500, three_card_bonus=100)
    round = play_round(CMS, "Qs Js Ts", royal, folded)
    assert nets(round) == {1: "29000.00", 2: "3500.00"}


def test_cms_12_a_voided_hand_has_no_share() -> None:
    hands = [seat(1, "5h 6h", "3x 3x 3x", ante=500), seat(2, "Th Jh", "3x 3x 3x", ante=500)]
    voided = [{"seat": 2, "reason": "supervisor"}]
    round = play_round(CMS, "7h 8h 9h", *hands, voided=voided)
    assert nets(round) == {1: "25000.00", 2: "0.00"}
    assert set(results(round, 2).values()) == {"void"}
