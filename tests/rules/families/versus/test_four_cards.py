"""Crazy 4 and Four Card Poker: the best four of five or six cards, raises that require a hand."""

from __future__ import annotations

import pytest
from tests.rules.families.versus.rounds import line, nets, play_round

from pitbook.errors import RoundError
from pitbook.money import Cents, odds
from pitbook.rules.settlement_lines import Line

CRAZY, FOUR = "pennsylvania/crazy-4-poker", "pennsylvania/four-card-poker"
LOW = "Qs 9d 7c 5h 3s"  # Queen high: it does not qualify in Crazy 4.
KING = "Ks 9d 7c 5h 3s"


@pytest.mark.parametrize(
    ("cards", "dealer", "times", "expected"),
    [
        ("Ah Jd 8c 6h 2s", LOW, 1, (0, 1000, 0)),
        ("Jh Td 8c 6h 2s", LOW, 1, (0, 1000, -1000)),  # Loses, though the dealer does not qualify.
        ("Ah Jd 8c 6h 2s", KING, 1, (1000, 1000, 0)),
        ("Kh 9s 7d 5c 2s", KING, 1, (0, 0, 0)),  # Four cards of five are compared.
        ("Qh Jd 8c 6h 2s", KING, 1, (-1000, -1000, -1000)),
        ("Ah Ad 8c 6h 2s", KING, 3, (1000, 3000, 0)),
        ("Ah Ad 8c 6h 2s", KING, 2, (1000, 2000, 0)),
        ("5s 6d 7h 8c 2s", KING, 3, (1000, 3000, 1000)),  # A straight,
        ("5s 6d 7h 8c 2s", "As Ad Ac 5h 3s", 1, (-1000, -1000, 1000)),  # paid though it loses.
        ("Kh 9h 7h 4h 2s", KING, 3, (1000, 3000, 1500)),
        ("4h 4d 4c 6h 2s", KING, 3, (1000, 3000, 2000)),
        ("4h 5h 6h 7h 2s", "Ks 9d 7c 3h 3s", 3, (1000, 3000, 15_000)),
        ("4h 4d 4c 4s 2s", KING, 3, (1000, 3000, 30_000)),
        ("Ah Ad Ac As 2s", KING, 3, (1000, 3000, 200_000)),
    ],
)
def test_crazy_4_poker_wagers(
    cards: str, dealer: str, times: int, expected: tuple[int, int, int]
) -> None:
    round = play_round(CRAZY, cards, dealer, f"{times}x")
    wagers = ("ante", "play", "super-bonus")
    assert nets(round) == dict(zip(wagers, expected, strict=True))


@pytest.mark.parametrize("play", ["2x", "3x", "4x"])
def test_a_larger_raise_needs_a_pair_of_aces(play: str) -> None:
    with pytest.raises(RoundError):
        play_round(CRAZY, "Kh Kd 8c 6h 2s", LOW, play)


def test_a_crazy_four_fold_loses_all_wagers() -> None:
    round = play_round(CRAZY, "Qh Qd 8c 6h 2s", LOW, "fold", queens_up="5")
    assert nets(round) == {"ante": -1000, "super-bonus": -1000, "queens-up": -500}


@pytest.mark.parametrize(
    ("cards", "dealer", "times", "nets_"),
    [
        ("Ah Ad 8c 6h 2s", "Ks Kd 9d 7c 5h 3s", 3, {"ante": 1000, "play": 3000}),
        ("Ah Ad 8c 6h 2s", "As Ac 8d 6c 3h 2h", 2, {"ante": 1000, "play": 2000}),  # Ties win.
        ("Ah Ad 8c 6h 2s", "Ks Kd 9d 9c 5h 3s", 1, {"ante": -1000, "play": -1000}),
        (
            "4h 4d 4c 6h 2s",
            "5s 5d 5c 9c Jh 3s",
            1,
            {"ante": -1000, "play": -1000, "ante-bonus": 2000},
        ),
        (
            "4h 5h 6h 7h 2s",
            "5s 5d 5c 9c Jh 3s",
            1,
            {"ante": 1000, "play": 1000, "ante-bonus": 20_000},
        ),
        (
            "4h 4d 4c 4s 2s",
            "5s 5d 5c 9c Jh 3s",
            1,
            {"ante": 1000, "play": 1000, "ante-bonus": 25_000},
        ),
    ],
)
def test_four_card_poker_wagers(cards: str, dealer: str, times: int, nets_: dict[str, int]) -> None:
    assert nets(play_round(FOUR, cards, dealer, f"{times}x")) == nets_


def test_an_ante_bonus_is_a_win_on_the_ante_without_a_stake_of_its_own() -> None:
    round = play_round(FOUR, "4h 4d 4c 6h 2s", "5s 5d 5c 9c Jh 3s", "3x")
    kind, pays = "three-of-a-kind", odds("2:1")
    won = Line("ante-bonus", Cents(0), kind, "win", pays, Cents(2000), "641a.12")
    assert line(round, "ante-bonus") == won
