"""Versus with trial payouts, as used by `compare` and the pay table lab."""

from __future__ import annotations

import pytest

import pitbook
from pitbook.cards import cards
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat, compile_game
from pitbook.rules.settlement_lines import pay_by_kind

ULTIMATE = "pennsylvania/ultimate-texas-holdem"


def seat(game: Game, text: str) -> Seat:
    wagers = (("ante", Cents(1000)), *((name, Cents(1000)) for name in game.equals))
    play = game.play(0, "4x")
    assert play is not None
    return Seat(1, "", wagers, cards=cards(text)).after_play(play)


@pytest.mark.parametrize(
    ("hand", "board"),
    [("Qh Th", "2c 5d 9h Js Kd"), ("Ah 3h", "2h 5h 9h Js Kd"), ("Ks Kh", "2c 9d 9h Js Kd")],
)
def test_a_game_with_the_pays_of_a_variant_settles_as_the_variant(hand: str, board: str) -> None:
    base, other = (compile_game(pitbook.load(ULTIMATE + name)) for name in ("", "+blind-b"))
    trial = base.with_pays(pay_by_kind(other.sheet, "main"))
    assert trial is not None
    assert trial != base
    common = cards(board), cards("2s 8d")
    game_nets = [game.settle(seat(game, hand), *common).net for game in (trial, other)]
    assert game_nets[0] == game_nets[1]


def test_with_its_own_pays_a_game_settles_the_same() -> None:
    game = compile_game(pitbook.load("classic/caribbean-stud"))
    same_pays = game.with_pays(pay_by_kind(game.sheet, "main"))
    assert same_pays is not None
    for hand_cards in ("9s 8d 7c Ts Jd", "Ah Kc 5c 3h 4d"):
        play = game.play(0, "2x")
        assert play is not None
        hand = Seat(1, "", (("ante", Cents(1000)),), cards=cards(hand_cards)).after_play(play)
        dealer = cards("As Kd 2c 3d 4h")
        assert game.settle(hand, dealer) == same_pays.settle(hand, dealer)
