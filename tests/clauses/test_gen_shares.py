"""GEN-4: caps shared to the cent. All amounts are computed by hand."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import (
    CMS,
    MHL,
    OMS,
    applied_caps,
    cents,
    line,
    nets,
    play_round,
    seat,
    wins,
    with_field,
)

from pitbook.money import Odds
from pitbook.rules.payout_caps import shares
from pitbook.sheets.model import Counts, Limit, Sheet

# 5h 6h and Th Jh both make a straight flush, 100 to 1, with this board.
HEARTS = "7h 8h 9h"
NINES = "9d 9d 9d 9d 2c"  # The dealer's hand where players hold three nines of hearts.


def cap(per: str, amount: str, at_least: str | None = None) -> Limit:
    counts = {"odds_at_least": at_least} if at_least else None
    table = {"per": per, "pays_max": amount, "counts": counts, "clause": f"CAP-{per}"}
    return Limit.model_validate(table)


def with_limits(sheet: Sheet, *limits: Limit) -> Sheet:
    return with_field(sheet, "limits", limits)


def test_gen_4_shares_are_pro_rata_first_by_hand_then_by_line() -> None:
    low = seat(1, "5h 6h", "3x 3x 3x", ante=500)
    high = seat(2, "Th Jh", "1x 1x 1x", ante=500)
    round = play_round(CMS, HEARTS, low, high)
    # Due 500,000 and 200,000. Of 2,500,000 cents five sevenths are 1,785,714.28 and two sevenths
    # 714,285.71: the cent left over goes to seat 2. Seat 1 splits 1 : 3 : 3 : 3 into 178,571.4 and
    # three times 535,714.2, its cent goes to the ante. Seat 2 splits evenly, 178,571.5 each: the
    # two cents go to the first two wagers.
    assert applied_caps(round) == [("CMS-12", "700000.00", "25000.00", None)]
    assert nets(round) == {1: "17857.14", 2: "7142.86"}
    assert wins(round, 1) == {
        "ante": "1785.72",
        "flop": "5357.14",
        "turn": "5357.14",
        "river": "5357.14",
    }
    assert wins(round, 2) == {
        "ante": "1785.72",
        "flop": "1785.72",
        "turn": "1785.71",
        "river": "1785.71",
    }


def test_gen_4_wins_within_the_cap_are_paid_in_full() -> None:
    hands = [seat(number, "9h 9h 9h", "high", bet=5, poker_bonus=100) for number in (3, 5)]
    round = play_round(MHL, NINES, *hands)
    assert applied_caps(round) == []
    assert [wins(round, number)["poker-bonus"] for number in (3, 5)] == ["10000.00"] * 2


@pytest.mark.parametrize(
    ("ties", "cap_of_round", "shared"),
    [
        # 2,500,000 cents over three: one cent is left, and all remainders are equal.
        ("lower-seat", 25_000, ["8333.34", "8333.33", "8333.33"]),
        ("higher-seat", 25_000, ["8333.33", "8333.33", "8333.34"]),
        # 2,000,000 cents over three: two cents are left.
        ("lower-seat", 20_000, ["6666.67", "6666.67", "6666.66"]),
        ("higher-seat", 20_000, ["6666.66", "6666.67", "6666.67"]),
        # No cent is left.
        ("lower-seat", 15_000, ["5000.00", "5000.00", "5000.00"]),
    ],
)
@pytest.mark.parametrize("seats", [(1, 2, 3), (2, 4, 6), (6, 1, 3)])
def test_gen_4_equal_remainders_go_to_the_lower_seat_number(
    ties: str, cap_of_round: int, shared: list[str], seats: tuple[int, ...]
) -> None:
    sheet = with_field(MHL, "payouts.share_ties", ties)
    sheet = with_field(sheet, "limits.0.pays_max", cents(cap_of_round))
    hands = [
        seat(number, cards_text, "high", bet=5, poker_bonus=100)
        for number, cards_text in zip(seats, ["9h 9h 9h", "8h 8h 8h", "7h 7h 7h"], strict=True)
    ]
    round = play_round(sheet, NINES, *hands)
    assert [wins(round, number)["poker-bonus"] for number in sorted(seats)] == shared


def test_gen_4_the_largest_remainder_comes_before_the_seat_number() -> None:
    first = seat(1, "9h 9h 9h", "high", bet=5, poker_bonus=99)
    second = seat(2, "8h 8h 8h", "high", bet=5, poker_bonus=99)
    third = seat(3, "7h 7h 7h", "high", bet=5, poker_bonus=100)
    round = play_round(MHL, NINES, first, second, third)
    # Due 9,900 9,900 10,000 of 29,800: 830,536.91 cents twice and 838,926.17; two cents are left.
    shared = [wins(round, number)["poker-bonus"] for number in (1, 2, 3)]
    assert shared == ["8305.37", "8305.37", "8389.26"]


def test_gen_4_within_a_hand_lines_share_in_the_same_way() -> None:
    first = seat(1, "9h 9h 9h", "high", bet=5, matchem_bonus=100, poker_bonus=50)
    second = seat(2, "9h 9c 9s", "high", bet=5, matchem_bonus=100)
    third = seat(3, "8h 8h 8h", "high", bet=5, poker_bonus=1)
    round = play_round(MHL, "9d 9d 9d 9s 9c", first, second, third)
    # Due: 10,000 + 5,000; 10,000; 100: together 25,100. In cents of 2,500,000:
    # 1,494,023.90 / 996,015.93 / 9,960.15: two cents are left, for seats 2 (.93) and 1 (.90).
    assert applied_caps(round) == [("MHL-13", "25100.00", "25000.00", None)]
    assert wins(round, 1) == {
        "bet": "5.00",
        "matchem-bonus": "9960.16",
        "poker-bonus": "4980.08",
    }
    assert wins(round, 2)["matchem-bonus"] == "9960.16"
    assert wins(round, 3)["poker-bonus"] == "99.60"


def test_gen_4_equal_remainders_of_lines_go_in_the_sheets_wager_order() -> None:
    sheet = with_limits(CMS, cap("hand", "0.10"))
    round = play_round(sheet, "2h 4s Tc", seat(1, "Jc Jd", "1x 1x 1x", ante=5))
    # Ten cents over four equal lines: 2.5 each.
    assert list(wins(round, 1).values()) == ["0.03", "0.03", "0.02", "0.02"]
    sheet = with_limits(MHL, cap("round", "0.03"))
    pair = seat(1, "9h 9h 2c", "low+double", bet=6, matchem_bonus=2, poker_bonus=2)
    round = play_round(sheet, "9s Tc Td Th 9c", pair)
    # Low 20 against 9 + 9 + 10; bet 6, double 6, two matches 2, suited pair 6: three cents over 20.
    assert wins(round, 1) == {
        "bet": "0.01",
        "double": "0.01",
        "matchem-bonus": "0.00",
        "poker-bonus": "0.01",
    }


def test_gen_4_a_hand_cap_comes_before_a_round_cap_whatever_their_order_in_the_sheet() -> None:
    low = seat(1, "5h 6h", "1x 1x 1x", ante=500)  # Due 200,000.
    high = seat(2, "Th Jh", "3x 3x 3x", ante=5)  # Due 5,000.
    hand_limit, round_limit = cap("hand", "10000"), cap("round", "15000", "100:1")
    for limits in ((hand_limit, round_limit), (round_limit, hand_limit)):
        round = play_round(with_limits(CMS, *limits), HEARTS, low, high)
        assert applied_caps(round) == [("CAP-hand", "200000.00", "10000.00", 1)]
        assert nets(round) == {1: "10000.00", 2: "5000.00"}
    lower_limit = cap("round", "12000", "100:1")
    for limits in ((hand_limit, lower_limit), (lower_limit, hand_limit)):
        round = play_round(with_limits(CMS, *limits), HEARTS, low, high)
        assert applied_caps(round) == [
            ("CAP-hand", "200000.00", "10000.00", 1),
            ("CAP-round", "15000.00", "12000.00", None),
        ]
        assert nets(round) == {1: "8000.00", 2: "4000.00"}
        assert list(wins(round, 1).values()) == ["2000.00"] * 4
        assert list(wins(round, 2).values()) == ["400.00", "1200.00", "1200.00", "1200.00"]


@pytest.mark.parametrize(
    ("cap_of_round", "paid", "is_capped"),
    [("24999.99", "24999.99", True), ("25000", "25000.00", False), ("25000.01", "25000.00", False)],
)
def test_gen_4_a_cap_bites_from_the_first_cent_above_and_never_raises_a_payout(
    cap_of_round: str, paid: str, is_capped: bool
) -> None:
    sheet = with_field(CMS, "limits.0.pays_max", cents(cap_of_round))
    round = play_round(sheet, "Qs Js Ts", seat(1, "As Ks", "3x 3x 3x", ante=5))  # Due 25,000.
    assert nets(round) == {1: paid}
    assert bool(applied_caps(round)) == is_capped
    if is_capped:  # 2,499,999 cents as 1 : 3 : 3 : 3 are 249,999.9 and 749,999.7.
        assert list(wins(round, 1).values()) == ["2500.00", "7500.00", "7500.00", "7499.99"]


def test_gen_4_wins_below_the_caps_odds_are_paid_in_full() -> None:
    low = seat(1, "5h 6h", "3x 3x 3x", ante=500, three_card_bonus=100)
    flush = seat(2, "Ah 2h", "1x 1x 1x", ante=500, three_card_bonus=100)
    round = play_round(CMS, HEARTS, low, flush)
    # The board itself is a straight flush, 40 to 1 on the bonus; a flush pays 6 to 1.
    assert wins(round, 1)["three-card-bonus"] == "4000.00"
    assert nets(round) == {1: "29000.00", 2: "16000.00"}


@pytest.mark.parametrize(
    ("odds", "paid"), [(99, "198000.00"), (100, "25000.00"), (101, "25000.00")]
)
def test_gen_4_odds_of_exactly_100_to_1_fall_under_the_cap(odds: int, paid: str) -> None:
    sheet = with_field(CMS, "main.pays.straight-flush", Odds(odds))
    round = play_round(sheet, HEARTS, seat(1, "5h 6h", "1x 1x 1x", ante=500))
    assert nets(round) == {1: paid}


@pytest.mark.parametrize(
    ("per", "lines"),
    [
        ("hand", ["100.00", "300.00", "300.00", "300.00"]),
        ("bet", ["500.00", "1000.00", "1000.00", "1000.00"]),
    ],
)
def test_gen_4_a_cap_on_each_bet_leaves_the_others_alone(per: str, lines: list[str]) -> None:
    sheet = with_field(OMS, "limits.0.per", per)
    round = play_round(sheet, "Qs Js Ts", seat(1, "As Ks", "3x 3x 3x", ante=2))
    assert list(wins(round, 1).values()) == lines  # Due 500 and three times 1,500.


def test_gen_4_losing_and_pushing_lines_have_no_share() -> None:
    pushed = seat(2, "6c 6d", "3x 3x 3x", ante=500)
    lost = seat(3, "2c 4d", "3x 3x 3x", ante=500)
    round = play_round(CMS, HEARTS, seat(1, "5h Jh", "1x 1x 1x", ante=500), pushed, lost)
    assert nets(round) == {1: "12000.00", 2: "0.00", 3: "-5000.00"}
    assert line(round, 2, "ante").result == "push"


def test_gen_4_a_capped_line_keeps_its_odds_and_its_stake() -> None:
    capped_line = line(
        play_round(CMS, "Qs Js Ts", seat(1, "As Ks", "3x 3x 3x", ante=10)), 1, "ante"
    )
    assert (capped_line.odds, capped_line.stake, capped_line.wins) == (Odds(500), 1000, 250_000)


@pytest.mark.parametrize(
    ("total", "due", "expected"),
    [
        (100, [1, 1, 1], [34, 33, 33]),
        (101, [1, 1, 1], [34, 34, 33]),
        (100, [50, 30, 20], [50, 30, 20]),
        (10, [1, 0, 2], [3, 0, 7]),
        (1, [1, 1], [1, 0]),
        (0, [5, 5], [0, 0]),
        (7, [9], [7]),
        (2_500_000, [10**15, 1], [2_500_000, 0]),
    ],
)
def test_gen_4_largest_remainder(total: int, due: list[int], expected: list[int]) -> None:
    assert shares(total, due) == expected


def test_gen_4_a_limit_may_name_its_lines() -> None:
    counts = Counts.model_validate({"lines": {"main": ["full-house"]}})
    limit = cap("round", "100").model_copy(update={"counts": counts})
    sheet = with_limits(CMS, limit)
    full = seat(1, "9c 9d", "1x 1x 1x", ante=5)
    trips = seat(2, "Ac Kd", "1x 1x 1x", ante=5)
    round = play_round(sheet, "9h 2s 2c", full, trips)
    assert nets(round) == {1: "100.00", 2: "-20.00"}
    assert nets(play_round(sheet, "9h 9s 2c", full)) == {1: "800.00"}
