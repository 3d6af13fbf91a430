"""Casino War and Ultimate Three Card Poker."""

from __future__ import annotations

import pytest
from tests.rules.families.versus.rounds import nets, play_round

from pitbook.errors import RoundError

WAR, THREE = "classic/casino-war", "classic/ultimate-three-card-poker"


@pytest.mark.parametrize(
    ("cards", "dealer", "plays", "expected"),
    [
        ("As", "Kh", (), {"ante": 1000}),
        ("2s", "3h", (), {"ante": -1000}),
        ("9s", "9h", ("surrender",), {"ante": -500}),
        ("9s Kd", "9h Qd", ("war",), {"ante": 0, "raise": 1000}),
        ("9s Qc", "9h Qd", ("war",), {"ante": 0, "raise": 1000}),
        ("9s Jc", "9h Qd", ("war",), {"ante": -1000, "raise": -1000}),
        ("9s 9s", "9s 9s", ("war",), {"ante": 0, "raise": 1000}),
    ],
)
def test_casino_war_higher_card_wins(
    cards: str, dealer: str, plays: tuple[str, ...], expected: dict[str, int]
) -> None:
    assert nets(play_round(WAR, cards, dealer, *plays)) == expected


@pytest.mark.parametrize(("dealer", "tie"), [("9h", 5000), ("8h", -500)])
def test_a_tie_is_paid_ten_to_one_before_a_surrender(dealer: str, tie: int) -> None:
    plays = ("surrender",) if tie > 0 else ()
    assert nets(play_round(WAR, "9s", dealer, *plays, tie="5"))["tie"] == tie


def test_without_a_tie_there_is_no_decision() -> None:
    with pytest.raises(RoundError, match="1 play; 0 can be made"):
        play_round(WAR, "As Kd", "Kh 2d", "war")


def test_after_a_tie_the_file_must_have_a_decision() -> None:
    with pytest.raises(RoundError, match="0 plays and still has to decide: surrender or war"):
        play_round(WAR, "9s", "9h")


@pytest.mark.parametrize(
    ("cards", "dealer", "times", "expected"),
    [
        ("As 8d 7c", "Js 9d 8c", 1, (0, 0, 1000)),  # Below: the Ante pushes, the others play.
        ("2s 3d 5c", "Js 9d 8c", 1, (0, -1000, -1000)),
        ("As 8d 7c", "Qs 9d 8c", 1, (1000, 0, 1000)),
        ("2s 2d 7c", "Qs 9d 8c", 3, (1000, 0, 3000)),
        ("2h 9h 7h", "Qs 9d 8c", 3, (1000, 1000, 3000)),
        ("6s 8d 7c", "Qs 9d 8c", 3, (1000, 1500, 3000)),
        ("6s 6d 6c", "Qs 9d 8c", 3, (1000, 6000, 3000)),
        ("6h 7h 8h", "Qs 9d 8c", 3, (1000, 8000, 3000)),
        ("Ah Kh Qh", "Qs 9d 8c", 3, (1000, 100_000, 3000)),
        ("Ah Kh Qh", "As Ks Qs", 3, (0, 0, 0)),
    ],
)
def test_ultimate_three_card_poker_wagers(
    cards: str, dealer: str, times: int, expected: tuple[int, int, int]
) -> None:
    round = play_round(THREE, cards, dealer, f"{times}x")
    assert nets(round) == dict(zip(("ante", "blind", "play"), expected, strict=True))


def test_three_times_needs_a_pair() -> None:
    with pytest.raises(RoundError):
        play_round(THREE, "As 8d 7c", "Js 9d 8c", "3x")
