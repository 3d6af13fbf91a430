"""58 Pa. Code 653a: Ultimate Texas Hold 'Em Poker."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import Table, nets, play_round, start_table

from pitbook.cards import cards
from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

ULTIMATE = "pennsylvania/ultimate-texas-holdem"
DRY = "2c 7d 9h Js 4c"  # A board without a pair.


def table_at_stage(stage: int, hand: str = "As Kd", **wagers: int) -> Table:
    """A table at the decision before the flop, on it, or on the river, without a raise."""
    table = start_table(ULTIMATE, hand, "Qc 3d", DRY, **{"ante": 10, **wagers})
    for _ in range(stage):
        table = table.apply(Decide(1, "check")).turn_due_cards()
    return table


@pytest.mark.parametrize(
    ("stage", "open_cards", "plays"),
    [
        (0, 0, {"check", "3x", "4x"}),
        (1, 3, {"check", "2x"}),
        (2, 5, {"fold", "1x"}),
    ],
)
def test_653a_11_three_decisions(stage: int, open_cards: int, plays: set[str]) -> None:
    table = table_at_stage(stage)
    assert (len(table.round.board), table.plays) == (open_cards, plays)
    for play in {"fold", "check", "1x", "2x", "3x", "4x", "5x"} - plays:
        assert table.refusal(play).code in (Code.UNKNOWN_PLAY, Code.ABOVE_MAXIMUM)


@pytest.mark.parametrize(("stage", "play"), [(0, "3x"), (0, "4x"), (1, "2x"), (2, "1x")])
def test_653a_11_a_player_who_raised_has_no_further_decision(stage: int, play: str) -> None:
    table = table_at_stage(stage).apply(Decide(1, play)).turn_due_cards()
    assert table.round.phase == "settle"
    (seat,) = table.round.seats
    assert dict(seat.main)["play"] == 1000 * int(play[0])


def test_653a_7_the_blind_equals_the_ante() -> None:
    (seat,) = table_at_stage(0, trips=5).round.seats
    assert seat.main == (("ante", 1000), ("blind", 1000))
    assert seat.side == (("trips", 500),)


@pytest.mark.parametrize(
    ("hand", "dealer", "board", "paid"),
    [
        # Neither hand has a pair: the Ante pushes, the others are compared.
        ("As Kd", "Qc 3d", DRY, ("0.00", "0.00", "40.00")),
        ("Qs 3h", "Ac Kh", DRY, ("0.00", "-10.00", "-40.00")),
        ("Qs 3h", "Qc 3d", DRY, ("0.00", "0.00", "0.00")),
        # The lowest pair qualifies, in the dealer's hand or on the board.
        ("As Ad", "2d 3d", DRY, ("10.00", "0.00", "40.00")),
        ("As Kd", "2d 3d", DRY, ("-10.00", "-10.00", "-40.00")),
        ("As Kd", "Qc 3d", "2c 2d 9h Js 4c", ("10.00", "0.00", "40.00")),
        # A tie pushes, also on the board alone.
        ("As Kd", "Ac Kh", "2c 2d 9h Js 4c", ("0.00", "0.00", "0.00")),
        ("2s 3d", "4c 5h", "As Ks Qs Js Ts", ("0.00", "0.00", "0.00")),
    ],
)
def test_653a_11_without_a_dealer_pair_only_the_ante_pushes(
    hand: str, dealer: str, board: str, paid: tuple[str, str, str]
) -> None:
    wager_nets = nets(play_round(ULTIMATE, hand, dealer, board, "4x", ante=10))
    assert wager_nets == dict(zip(("ante", "blind", "play"), paid, strict=True))


@pytest.mark.parametrize(("board", "trips"), [(DRY, "-5.00"), ("Ac Ad Kh Ks 4c", "40.00")])
def test_653a_11_a_fold_loses_ante_and_blind_but_not_trips(board: str, trips: str) -> None:
    hand = "As Kd"
    wager_nets = nets(
        play_round(ULTIMATE, hand, "Qc 3d", board, "check check fold", ante=10, trips=5)
    )
    assert wager_nets == {"ante": "-10.00", "blind": "-10.00", "trips": trips}


def test_653a_11_dealer_cards_stay_closed_after_a_fold_without_trips() -> None:
    round = play_round(ULTIMATE, "As Kd", "", DRY, "check check fold", ante=10)
    assert round.common[1] == ()


HANDS = [  # Player cards, board, and odds of Blind and Trips; the dealer loses with Qc 3d.
    ("As Ks", "Qs Js Ts 2c 3c", "500", 50),
    ("9s Ks", "Qs Js Ts 2c 3c", "50", 40),
    ("9s 9d", "9h 9c Ts 2c 3c", "10", 30),
    ("9s 9d", "9h Tc Ts 2c 4c", "3", 8),
    ("As 9s", "Ts 8s 2s 4c 3c", "1.5", 7),
    ("9s Kd", "Qs Js Ts 2c 3c", "1", 4),
    ("As 2d", "3s 4s 5d Jc Jh", "1", 4),
    ("9s 9d", "9h Tc 4s 2c 6h", "0", 3),
    ("9s 9d", "Th Tc 4s 2c 6h", "0", -1),
    ("As Ad", "Th 9c 4s 2c 6h", "0", -1),
]


@pytest.mark.parametrize(("hand", "board", "blind", "trips"), HANDS)
def test_653a_12_the_blind_is_paid_by_the_hand_that_wins(
    hand: str, board: str, blind: str, trips: int
) -> None:
    wager_nets = nets(play_round(ULTIMATE, hand, "Qc 3d", board, "4x", ante=10, trips=5))
    assert wager_nets["blind"] == f"{float(blind) * 10:.2f}"
    assert wager_nets["trips"] == f"{5 * trips}.00"
    assert wager_nets["play"] == "40.00"


def test_653a_12_a_losing_hand_is_paid_on_trips_only() -> None:
    wager_nets = nets(
        play_round(ULTIMATE, "9s 9d", "Ts Td", "9h Tc 4s 2c 6h", "4x", ante=10, trips=5)
    )
    assert wager_nets == {"ante": "-10.00", "blind": "-10.00", "play": "-40.00", "trips": "15.00"}


def test_653a_12_a_hand_is_paid_50_000_at_most() -> None:
    round = play_round(ULTIMATE, "As Ks", "Qc 3d", "Qs Js Ts 2c 3c", "4x", ante=100, trips=100)
    assert sum(line.wins for line in round.settlements[0].lines) == 5_000_000
    below = play_round(ULTIMATE, "As Ks", "Qc 3d", "Qs Js Ts 2c 3c", "4x", ante=95, trips=5)
    assert below.applied_caps == ()
    assert nets(below)["blind"] == "47500.00"


def test_653a_6_the_best_five_of_seven_cards() -> None:
    wager_nets = nets(play_round(ULTIMATE, "2s 3d", "Kc Kh", "4c 5h 6s Qd Qh", "3x", ante=10))
    assert wager_nets == {"ante": "10.00", "blind": "10.00", "play": "30.00"}
    assert (
        cards("4c 5h 6s Qd Qh")
        == play_round(ULTIMATE, "2s 3d", "Kc Kh", "4c 5h 6s Qd Qh", "3x", ante=10).board
    )
