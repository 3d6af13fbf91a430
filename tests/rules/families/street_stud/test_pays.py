"""Street-stud with trial payouts, as used by `compare` and the pay table lab."""

from __future__ import annotations

import pitbook
from pitbook.cards import cards
from pitbook.money import Cents
from pitbook.rules.game import Seat, compile_game
from pitbook.rules.settlement_lines import pay_by_kind

CMS = "catfish-bend/mississippi-stud"


def test_a_game_with_the_pays_of_another_sheet_settles_like_it() -> None:
    base = compile_game(pitbook.load(CMS))
    other = pay_by_kind(pitbook.changed(CMS, {"main.pays.pair-J-A": "2:1"}), "main")
    trial = base.with_pays(other)
    assert trial is not None
    assert trial != base
    assert (trial.sheet, trial.trial_pays) == (base.sheet, other)
    hand, board = Seat(1, "", (("ante", Cents(500)),), cards=cards("Kc 9d")), cards("Kh 2s 5c")
    assert base.settle(hand, board).lines[0].wins == 500
    assert trial.settle(hand, board).lines[0].wins == 1000
