"""58 Pa. Code 653a: Ultimate Texas Hold 'Em Poker."""

from __future__ import annotations

import pytest
from tests.clauses.against import Table, begun, nets, played

from pitbook.cards import cards
from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

ULTIMATE = "pennsylvania/ultimate-texas-holdem"
DRY = "2c 7d 9h Js 4c"  # A board that pairs nobody by itself.


def at(stage: int, own: str = "As Kd", **wagers: int) -> Table:
    """The decision before the flop, on it, or on the river, nothing raised yet."""
    table = begun(ULTIMATE, own, "Qc 3d", DRY, **{"ante": 10, **wagers})
    for _ in range(stage):
        table = table.did(Decide(1, "check")).turned()
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
    table = at(stage)
    assert (len(table.round.board), table.plays) == (open_cards, plays)
    for play in {"fold", "check", "1x", "2x", "3x", "4x", "5x"} - plays:
        assert table.no(play).code in (Code.UNKNOWN_PLAY, Code.ABOVE_MAXIMUM)


@pytest.mark.parametrize(("stage", "play"), [(0, "3x"), (0, "4x"), (1, "2x"), (2, "1x")])
def test_653a_11_who_has_raised_is_asked_no_more(stage: int, play: str) -> None:
    table = at(stage).did(Decide(1, play)).turned()
    assert table.round.phase == "settle"
    (seat,) = table.round.seats
    assert dict(seat.main)["play"] == 1000 * int(play[0])


def test_653a_7_the_blind_is_as_high_as_the_ante() -> None:
    (seat,) = at(0, trips=5).round.seats
    assert seat.main == (("ante", 1000), ("blind", 1000))
    assert seat.side == (("trips", 500),)


@pytest.mark.parametrize(
    ("own", "dealer", "board", "paid"),
    [
        # Nobody has a pair: the Ante goes back, the others are compared.
        ("As Kd", "Qc 3d", DRY, ("0.00", "0.00", "40.00")),
        ("Qs 3h", "Ac Kh", DRY, ("0.00", "-10.00", "-40.00")),
        ("Qs 3h", "Qc 3d", DRY, ("0.00", "0.00", "0.00")),
        # The lowest pair qualifies, in the dealer's hand or on the board.
        ("As Ad", "2d 3d", DRY, ("10.00", "0.00", "40.00")),
        ("As Kd", "2d 3d", DRY, ("-10.00", "-10.00", "-40.00")),
        ("As Kd", "Qc 3d", "2c 2d 9h Js 4c", ("10.00", "0.00", "40.00")),
        # A tie goes back, with the board alone too.
        ("As Kd", "Ac Kh", "2c 2d 9h Js 4c", ("0.00", "0.00", "0.00")),
        ("2s 3d", "4c 5h", "As Ks Qs Js Ts", ("0.00", "0.00", "0.00")),
    ],
)
def test_653a_11_a_pair_qualifies_and_only_the_ante_minds(
    own: str, dealer: str, board: str, paid: tuple[str, str, str]
) -> None:
    found = nets(played(ULTIMATE, own, dealer, board, "4x", ante=10))
    assert found == dict(zip(("ante", "blind", "play"), paid, strict=True))


@pytest.mark.parametrize(("board", "trips"), [(DRY, "-5.00"), ("Ac Ad Kh Ks 4c", "40.00")])
def test_653a_11_a_fold_takes_ante_and_blind_and_leaves_trips(board: str, trips: str) -> None:
    own = "As Kd"
    found = nets(played(ULTIMATE, own, "Qc 3d", board, "check check fold", ante=10, trips=5))
    assert found == {"ante": "-10.00", "blind": "-10.00", "trips": trips}


def test_653a_11_without_trips_nobody_needs_the_dealer_s_cards_after_a_fold() -> None:
    round = played(ULTIMATE, "As Kd", "", DRY, "check check fold", ante=10)
    assert round.common[1] == ()


MADE = [  # Own cards, the board, the odds of Blind and Trips; the dealer holds Qc 3d, beaten.
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


@pytest.mark.parametrize(("own", "board", "blind", "trips"), MADE)
def test_653a_12_the_blind_is_paid_by_the_hand_that_wins(
    own: str, board: str, blind: str, trips: int
) -> None:
    found = nets(played(ULTIMATE, own, "Qc 3d", board, "4x", ante=10, trips=5))
    assert found["blind"] == f"{float(blind) * 10:.2f}"
    assert found["trips"] == f"{5 * trips}.00"
    assert found["play"] == "40.00"


def test_653a_12_a_hand_that_loses_is_paid_on_trips_alone() -> None:
    found = nets(played(ULTIMATE, "9s 9d", "Ts Td", "9h Tc 4s 2c 6h", "4x", ante=10, trips=5))
    assert found == {"ante": "-10.00", "blind": "-10.00", "play": "-40.00", "trips": "15.00"}


def test_653a_12_a_hand_is_paid_50_000_at_most() -> None:
    round = played(ULTIMATE, "As Ks", "Qc 3d", "Qs Js Ts 2c 3c", "4x", ante=100, trips=100)
    assert sum(line.wins for line in round.settlements[0].lines) == 5_000_000
    below = played(ULTIMATE, "As Ks", "Qc 3d", "Qs Js Ts 2c 3c", "4x", ante=95, trips=5)
    assert below.bites == ()
    assert nets(below)["blind"] == "47500.00"


def test_653a_6_the_best_five_of_seven_cards() -> None:
    found = nets(played(ULTIMATE, "2s 3d", "Kc Kh", "4c 5h 6s Qd Qh", "3x", ante=10))
    assert found == {"ante": "10.00", "blind": "10.00", "play": "30.00"}
    assert (
        cards("4c 5h 6s Qd Qh")
        == played(ULTIMATE, "2s 3d", "Kc Kh", "4c 5h 6s Qd Qh", "3x", ante=10).board
    )
