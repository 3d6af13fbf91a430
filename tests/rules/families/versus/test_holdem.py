"""Hold'em against the dealer: boards, single raises, Blind, Trips, and a pay table for the Ante."""

from __future__ import annotations

import pytest
from tests.rules.families.versus.rounds import line, nets, play_round

from pitbook.errors import RoundError

ULTIMATE, CASINO = "pennsylvania/ultimate-texas-holdem", "classic/casino-holdem"
DRY = "2c 5d 9h Js Kd"  # A board that helps no hand.


@pytest.mark.parametrize(
    ("plays", "raised"),
    [(("4x",), 4), (("3x",), 3), (("check", "2x"), 2), (("check", "check", "1x"), 1)],
)
def test_a_raise_is_made_once_and_later_raises_are_smaller(
    plays: tuple[str, ...], raised: int
) -> None:
    round = play_round(ULTIMATE, "As Ah", "Qs Qh", *plays, community=DRY)
    assert nets(round) == {"ante": 1000, "blind": 0, "play": 1000 * raised}


@pytest.mark.parametrize(
    "plays", [("1x",), ("2x",), ("fold",), ("check", "3x"), ("4x", "2x"), ("check", "fold")]
)
def test_other_plays_are_refused(plays: tuple[str, ...]) -> None:
    with pytest.raises(RoundError):
        play_round(ULTIMATE, "As Ah", "Qs Qh", *plays, community=DRY)


@pytest.mark.parametrize(
    ("cards", "dealer", "board", "expected"),
    [
        ("As Qh", "Ts 8h", DRY, (0, 0, 4000)),  # No pair: the Ante pushes, the others are compared.
        ("3s 4h", "As Qh", DRY, (0, -1000, -4000)),
        ("As Qh", "Ks 8h", DRY, (-1000, -1000, -4000)),
        ("Ks 8h", "Kh 8s", DRY, (0, 0, 0)),
        ("Qh Th", "Ks 8h", DRY, (1000, 1000, 4000)),  # A straight,
        ("Ah 3h", "Ks 8h", "2h 5h 9h Js Kd", (1000, 1500, 4000)),  # a flush,
        ("Ks Kh", "2s 8h", "2c 9d 9h Js Kd", (1000, 3000, 4000)),  # a full house,
        ("Ks Kh", "2s 8h", "Kc Kd 9h Js 2d", (1000, 10_000, 4000)),  # four of a kind,
        ("8h 7h", "Ks Kc", "9h Th Jh 2s Kd", (1000, 50_000, 4000)),  # a straight flush,
        ("Ah Kh", "Ks Kc", "Qh Th Jh 2s Kd", (1000, 500_000, 4000)),  # a royal flush.
        ("Ah 2c", "3s 3c", "Qh Kh Jh Th 9h", (1000, 500_000, 4000)),
        ("2s 2c", "3s 3c", "Ah Qh Kh Jh Th", (0, 0, 0)),  # The board plays for both.
    ],
)
def test_ante_blind_and_play(
    cards: str, dealer: str, board: str, expected: tuple[int, int, int]
) -> None:
    round = play_round(ULTIMATE, cards, dealer, "4x", community=board)
    assert nets(round) == dict(zip(("ante", "blind", "play"), expected, strict=True))


def test_a_fold_loses_ante_and_blind_but_not_trips() -> None:
    board = "2c 2d 9h Js Kd"
    round = play_round(
        ULTIMATE, "2s 3h", "As Ah", "check", "check", "fold", community=board, trips="5"
    )
    assert nets(round) == {"ante": -1000, "blind": -1000, "trips": 1500}
    assert round.common[1] == ()  # No wager uses the dealer's cards.


@pytest.mark.parametrize(
    ("cards", "dealer", "board", "ante", "call"),
    [
        ("As Qh", "3s 3h", DRY, 1000, 0),  # Threes do not qualify: the Ante is paid by its table.
        ("As Qh", "4s 4h", DRY, -1000, -2000),
        ("As Ah", "4s 4h", DRY, 1000, 2000),
        ("4d 4c", "4s 4h", DRY, 0, 0),
        ("Ah 3h", "Ks 8h", "2h 5h 9h Js Kd", 2000, 2000),
        ("Ah 3h", "Qs 8s", "2h 5h 9h Js Kd", 2000, 0),
        ("Ah Kh", "Ks Kc", "Qh Th Jh 2s Kd", 100_000, 2000),
    ],
)
def test_casino_holdem_pays_the_ante_by_its_table(
    cards: str, dealer: str, board: str, ante: int, call: int
) -> None:
    round = play_round(CASINO, cards, dealer, "2x", community=board)
    assert nets(round) == {"ante": ante, "call": call}
    assert line(round, "ante").clause in ("CHE-7", "CHE-8")


def test_after_a_casino_holdem_fold_no_further_card_is_turned() -> None:
    round = play_round(CASINO, "2s 3h", "As Ah", "fold", community="9h Js Kd")
    assert nets(round) == {"ante": -1000}
