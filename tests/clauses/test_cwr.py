"""CWR: Casino War."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import lines, nets, play_round, start_table
from tests.clauses.one_line_rounds import load

from pitbook.rules.actions import Decide
from pitbook.rules.refusals import Code

WAR = "classic/casino-war"


@pytest.mark.parametrize(
    ("hand", "dealer", "net"),
    [("3s", "2c", "20.00"), ("As", "Kc", "20.00"), ("2s", "Ac", "-20.00"), ("Qs", "Kc", "-20.00")],
)
def test_cwr_1_and_7_the_higher_card_wins_even_money(hand: str, dealer: str, net: str) -> None:
    round = play_round(WAR, hand, dealer, "", "", ante=20)
    assert nets(round) == {"ante": net}


def test_cwr_3_six_decks_hold_a_card_six_times() -> None:
    assert load(WAR).deck.decks == 6
    assert start_table(WAR, "As", "As", ante=20).plays == {"surrender", "war"}


def test_cwr_4_and_5_a_tie_is_surrendered_or_goes_to_war() -> None:
    table = start_table(WAR, "9s 4d", "9c 3h", ante=20)
    assert table.plays == {"surrender", "war"}
    for play in ("fold", "1x", "raise"):
        assert table.refusal(play).code is Code.UNKNOWN_PLAY
    (seat,) = table.apply(Decide(1, "war")).round.seats
    assert seat.main == (("ante", 2000), ("raise", 2000))
    over = table.apply(Decide(1, "war")).finish()
    assert (len(over.seats[0].cards), len(over.board)) == (2, 2)


@pytest.mark.parametrize(
    ("hand", "dealer", "ante", "bet"),
    [
        ("9s 4d", "9c 3h", "0.00", "20.00"),
        ("9s 3d", "9c 3h", "0.00", "20.00"),  # A tied war is won by the player.
        ("9s 2d", "9c 3h", "-20.00", "-20.00"),
    ],
)
def test_cwr_6_a_war_pays_the_raise_and_returns_the_ante(
    hand: str, dealer: str, ante: str, bet: str
) -> None:
    assert nets(play_round(WAR, hand, dealer, "", "war", ante=20)) == {"ante": ante, "raise": bet}


@pytest.mark.parametrize(("ante", "net"), [(10, "-5.00"), (20, "-10.00"), (100, "-50.00")])
def test_cwr_5_and_6_half_is_lost_with_a_surrender(ante: int, net: str) -> None:
    round = play_round(WAR, "9s", "9c", "", "surrender", ante=ante)
    assert nets(round) == {"ante": net}
    assert lines(round)["ante"].stake == 100 * ante


@pytest.mark.parametrize(
    ("hand", "dealer", "play", "net"),
    [
        ("9s", "8c", "", "-5.00"),
        ("9s", "Tc", "", "-5.00"),
        ("9s", "9c", "surrender", "50.00"),
        ("9s 2d", "9c 3h", "war", "50.00"),
        ("9s 3d", "9c 3h", "war", "50.00"),
    ],
)
def test_cwr_8_the_tie_wager_depends_on_the_first_cards_only(
    hand: str, dealer: str, play: str, net: str
) -> None:
    assert nets(play_round(WAR, hand, dealer, "", play, ante=20, tie=5))["tie"] == net
