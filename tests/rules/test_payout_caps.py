"""Caps on synthetic lines: which wins count, how they are reduced, and the odd cent."""

from __future__ import annotations

from typing import Any

import pytest

import pitbook
from pitbook.money import Cents, odds
from pitbook.rules.payout_caps import apply_payout_caps, shares
from pitbook.rules.settlement_lines import (
    AppliedCap,
    Line,
    Settlement,
    forfeit_wagers,
    return_wagers,
)
from pitbook.sheets.field_types import choice
from pitbook.sheets.model import Limit, Sheet

CMS = pitbook.load("catfish-bend/mississippi-stud")
MHL = pitbook.load("catfish-bend/matchem-hi-lo")


def cap(per: str, pays_max: str, **counts: Any) -> Limit:
    table = {"per": per, "pays_max": pays_max, "clause": f"CAP-{per}", "counts": counts or None}
    return Limit.model_validate(table)


def with_caps(*caps: Limit, sheet: Sheet = CMS, **payouts: Any) -> Sheet:
    choices = {name: choice(value, "HOUSE") for name, value in payouts.items()}
    return sheet.model_copy(
        update={"limits": caps, "payouts": sheet.payouts.model_copy(update=choices)}
    )


def win_line(
    wager: str, wins: int, pay: str = "4:1", outcome: str = "straight", stake: int = 0
) -> Line:
    return Line(wager, Cents(stake), outcome, "win", odds(pay), Cents(wins), "PAYS")


def hand(seat: int, *lines: Line) -> Settlement:
    return Settlement(seat, lines)


def capped_wins(sheet: Sheet, *hands: Settlement) -> list[list[int]]:
    """What each line wins after the caps."""
    return [
        [line.wins for line in settlement.lines]
        for settlement in apply_payout_caps(sheet, hands)[0]
    ]


@pytest.mark.parametrize(
    ("total", "due", "split"),
    [
        (0, [5, 7], [0, 0]),
        (12, [5, 7], [5, 7]),
        (100, [1, 1, 1], [34, 33, 33]),
        (101, [1, 1, 1], [34, 34, 33]),
        (10, [10, 0, 30], [3, 0, 7]),  # 2.5 and 7.5: equal remainders, so the first.
        (10, [30, 0, 10], [8, 0, 2]),
        (7, [3, 5, 6], [2, 2, 3]),  # 1.5, 2.5, 3.0
        (9, [3, 5, 6], [2, 3, 4]),  # 1.93, 3.21, 3.86
        (8, [3, 5, 6], [2, 3, 3]),  # 1.71, 2.86, 3.43
        (2_500_000, [5_000_000, 2_000_000], [1_785_714, 714_286]),
        (1, [10**12, 1], [1, 0]),
        (3, [7], [3]),
    ],
)
def test_gen_4_shares(total: int, due: list[int], split: list[int]) -> None:
    assert shares(total, due) == split
    assert sum(split) == total


@pytest.mark.parametrize(
    ("per", "below", "at", "above"),
    [
        ("bet", [[999, 5], [999]], [[1000, 5], [1000]], [[1001, 5], [1001]]),
        ("hand", [[994, 5], [999]], [[995, 5], [1000]], [[996, 5], [1001]]),
        ("round", [[494, 5], [500]], [[495, 5], [500]], [[496, 5], [500]]),
    ],
)
def test_a_cap_applies_only_above_its_amount(
    per: str, below: list[list[int]], at: list[list[int]], above: list[list[int]]
) -> None:
    sheet = with_caps(cap(per, "10.00"))

    def hands(amounts: list[list[int]]) -> list[Settlement]:
        lines = [
            [win_line("ante", wins) for wins in amounts_of_hand] for amounts_of_hand in amounts
        ]
        return [hand(number, *hand_lines) for number, hand_lines in enumerate(lines, start=1)]

    for amounts in (below, at):
        assert apply_payout_caps(sheet, hands(amounts)) == (tuple(hands(amounts)), ())
    cut = capped_wins(sheet, *hands(above))
    totals = {"bet": [cut[0][:1], cut[1]], "hand": cut, "round": [cut[0] + cut[1]]}[per]
    assert all(sum(group) == 1000 for group in totals)


def test_a_cap_on_a_bet_cuts_each_line_alone() -> None:
    sheet = with_caps(cap("bet", "10.00"))
    lines = [win_line("ante", 1500), win_line("flop", 700), win_line("river", 1001)]
    after, caps_applied = apply_payout_caps(
        sheet, [hand(2, *lines), hand(4, win_line("ante", 2000))]
    )
    assert [[line.wins for line in settlement.lines] for settlement in after] == [
        [1000, 700, 1000],
        [1000],
    ]
    assert caps_applied == (
        AppliedCap("CAP-bet", Cents(1500), Cents(1000), 2),
        AppliedCap("CAP-bet", Cents(1001), Cents(1000), 2),
        AppliedCap("CAP-bet", Cents(2000), Cents(1000), 4),
    )


def test_a_cap_on_a_hand_is_split_over_its_lines() -> None:
    sheet = with_caps(cap("hand", "10.00"))
    hands = [
        hand(1, win_line("ante", 500)),
        hand(3, win_line("ante", 1000), win_line("flop", 3000)),
    ]
    after, caps_applied = apply_payout_caps(sheet, hands)
    assert after[0] == hands[0]
    assert [line.wins for line in after[1].lines] == [250, 750]
    assert caps_applied == (AppliedCap("CAP-hand", Cents(4000), Cents(1000), 3),)


def test_a_cap_on_the_round_is_split_over_hands_then_lines() -> None:
    sheet = with_caps(cap("round", "10.00"))
    hands = [
        hand(1, win_line("ante", 1000), win_line("flop", 1000)),
        hand(5, win_line("ante", 1000)),
    ]
    after, caps_applied = apply_payout_caps(sheet, hands)
    # Of 1,000 cents two thirds are 666.67: seat 1 has the cent and splits 667 into 334 and 333.
    assert [[line.wins for line in settlement.lines] for settlement in after] == [[334, 333], [333]]
    assert caps_applied == (AppliedCap("CAP-round", Cents(3000), Cents(1000), None),)


@pytest.mark.parametrize(
    ("ties", "wins"),
    [("lower-seat", [[334], [333], [333]]), ("higher-seat", [[333], [333], [334]])],
)
def test_equal_remainders_follow_seat_numbers(ties: str, wins: list[list[int]]) -> None:
    sheet = with_caps(cap("round", "10.00"), share_ties=ties)
    hands = {seat: hand(seat, win_line("ante", 2000)) for seat in (1, 4, 6)}
    assert capped_wins(sheet, *hands.values()) == wins
    shuffled = capped_wins(sheet, hands[6], hands[1], hands[4])
    assert shuffled == [wins[2], wins[0], wins[1]]


def test_lines_of_a_hand_follow_the_sheets_order_for_ties() -> None:
    sheet = with_caps(cap("round", "0.05"), share_ties="higher-seat")
    assert capped_wins(sheet, hand(1, win_line("ante", 10), win_line("flop", 10))) == [[3, 2]]
    assert capped_wins(sheet, hand(1, win_line("flop", 10), win_line("ante", 10))) == [[2, 3]]


def test_hands_without_wins_are_unchanged() -> None:
    loses = Line("ante", Cents(500), "nothing", "lose", None, Cents(0), "PAYS")
    pushes = Line("ante", Cents(500), "pair-6-10", "push", None, Cents(0), "PAYS")
    others = [
        hand(1, loses),
        hand(2, pushes),
        return_wagers(3, [("ante", Cents(500))], "VOID"),
        forfeit_wagers(4, [("ante", Cents(500))], "OFFENCE"),
    ]
    sheet = with_caps(cap("bet", "0.01"), cap("hand", "0.01"), cap("round", "0.01"))
    assert apply_payout_caps(sheet, others) == (tuple(others), ())
    after, _ = apply_payout_caps(sheet, [*others, hand(5, win_line("ante", 10))])
    assert after == (*others, hand(5, win_line("ante", 1)))
    after, _ = apply_payout_caps(
        with_caps(cap("round", "0.01")), [*others, hand(5, win_line("ante", 10))]
    )
    assert after == (*others, hand(5, win_line("ante", 1)))


def test_a_counted_stake_leaves_losses_and_pushes_unchanged() -> None:
    loses = Line("ante", Cents(500), "nothing", "lose", None, Cents(0), "PAYS")
    sheet = with_caps(cap("hand", "0.01"), stake_counted=True)
    assert apply_payout_caps(sheet, [hand(1, loses)]) == ((hand(1, loses),), ())


@pytest.mark.parametrize(
    ("at_least", "wins"),
    [
        ("4:1", [80, 120]),
        ("8:2", [80, 120]),
        ("9:2", [800, 200]),
        ("5:1", [800, 200]),
        ("51:10", [800, 1200]),
    ],
)
def test_only_wins_at_or_above_the_odds_count(at_least: str, wins: list[int]) -> None:
    sheet = with_caps(cap("round", "2.00", odds_at_least=at_least))
    lines = [win_line("ante", 800, "8:2"), win_line("three-card-bonus", 1200, "10:2")]
    assert capped_wins(sheet, hand(1, *lines)) == [wins]


@pytest.mark.parametrize(
    ("counted", "wins"),
    [
        ({"main": ["straight"]}, [50, 50, 100, 400]),  # Ante and streets alike are the main game.
        ({"main": ["flush"]}, [400, 400, 100, 400]),
        ({"three-card-bonus": ["straight"]}, [400, 400, 100, 400]),
        ({"three-card-bonus": ["flush", "pair"]}, [400, 400, 100, 100]),
        ({"main": ["straight"], "three-card-bonus": ["flush"]}, [34, 33, 100, 33]),
    ],
)
def test_only_named_lines_of_named_wagers_count(
    counted: dict[str, list[str]], wins: list[int]
) -> None:
    sheet = with_caps(cap("hand", "1.00", lines=counted))
    lines = [
        win_line("ante", 400),
        win_line("river", 400),
        win_line("turn", 100, "3:1", "three-of-a-kind"),
    ]
    side = win_line("three-card-bonus", 400, "3:1", "flush")
    assert capped_wins(sheet, hand(1, *lines, side)) == [wins]


def test_mhl_13_bet_and_double_are_the_main_game() -> None:
    sheet = with_caps(cap("hand", "1.00", lines={"main": ["high"]}), sheet=MHL)
    lines = [win_line("bet", 300, "1:1", "high"), win_line("double", 300, "1:1", "high")]
    match = win_line("matchem-bonus", 300, "3:1", "match-3")
    assert capped_wins(sheet, hand(1, *lines, match)) == [[50, 50, 300]]


def test_caps_run_from_bets_to_hands_to_the_round_however_the_sheet_lists_them() -> None:
    caps = [cap("round", "9.00"), cap("hand", "6.00"), cap("bet", "4.00")]
    for order in (caps, caps[::-1]):
        sheet = with_caps(*order)
        hands = [
            hand(1, win_line("ante", 500), win_line("flop", 800)),
            hand(2, win_line("ante", 100, stake=100)),
        ]
        hands.append(hand(3, win_line("ante", 5000)))
        after, caps_applied = apply_payout_caps(sheet, hands)
        # 400 + 400 become 300 + 300; then 600, 100 and 400 share 900.
        assert [[wager_line.wins for wager_line in settlement.lines] for settlement in after] == [
            [246, 245],
            [82],
            [327],
        ]
        assert [bite.clause for bite in caps_applied] == ["CAP-bet"] * 3 + ["CAP-hand", "CAP-round"]
        assert [bite.due for bite in caps_applied] == [500, 800, 5000, 800, 1100]


def test_a_second_cap_of_the_same_kind_applies_after_the_first() -> None:
    sheet = with_caps(cap("hand", "10.00"), cap("hand", "3.00", odds_at_least="6:1"))
    lines = (win_line("ante", 1000), win_line("three-card-bonus", 1000, "6:1"))
    after, caps_applied = apply_payout_caps(sheet, [hand(1, *lines)])
    assert [line.wins for line in after[0].lines] == [500, 300]
    assert [(bite.due, bite.paid) for bite in caps_applied] == [(2000, 1000), (500, 300)]


def test_a_line_reduced_to_zero_remains_a_win() -> None:
    sheet = with_caps(cap("round", "0.01"))
    after, _ = apply_payout_caps(
        sheet, [hand(1, win_line("ante", 500)), hand(2, win_line("ante", 500))]
    )
    assert [line.wins for settlement in after for line in settlement.lines] == [1, 0]
    assert all(line.result == "win" for settlement in after for line in settlement.lines)
    again, caps_applied = apply_payout_caps(sheet, after)
    assert (again, caps_applied) == (after, ())


def test_gen_3_a_counted_stake_counts_toward_the_cap() -> None:
    sheet = with_caps(cap("bet", "10.00"), stake_counted=True)
    at, above = win_line("ante", 800, stake=200), win_line("ante", 801, stake=200)
    assert apply_payout_caps(sheet, [hand(1, at)]) == ((hand(1, at),), ())
    after, caps_applied = apply_payout_caps(sheet, [hand(1, above)])
    assert [line.wins for line in after[0].lines] == [800]
    assert caps_applied == (AppliedCap("CAP-bet", Cents(1001), Cents(1000), 1),)


def test_gen_3_a_cap_below_the_counted_stake_gives_a_win_of_zero() -> None:
    sheet = with_caps(cap("hand", "1.00"), stake_counted=True)
    lines = (win_line("ante", 500, stake=300), win_line("flop", 0, stake=200))
    after, caps_applied = apply_payout_caps(sheet, [hand(1, *lines)])
    assert [line.wins for line in after[0].lines] == [0, 0]
    assert caps_applied == (AppliedCap("CAP-hand", Cents(1000), Cents(100), 1),)


def test_gen_3_shares_under_a_counted_stake_are_shares_of_stake_and_win() -> None:
    sheet = with_caps(cap("round", "10.00"), stake_counted=True)
    hands = [hand(1, win_line("ante", 1400, stake=100)), hand(2, win_line("ante", 400, stake=100))]
    assert capped_wins(sheet, *hands) == [[650], [150]]  # 750 and 250 with the stake.
    uncounted = with_caps(cap("round", "10.00"))
    assert capped_wins(uncounted, *hands) == [[778], [222]]


def test_without_caps_nothing_changes() -> None:
    hands = (hand(1, win_line("ante", 10**9)),)
    assert apply_payout_caps(with_caps(), hands) == (hands, ())
