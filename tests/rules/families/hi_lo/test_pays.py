"""Other pays tried in hi-lo: what `compare` and the lab put into it."""

from __future__ import annotations

import pytest
from tests.played import play_of

import pitbook
from pitbook.cards import cards
from pitbook.money import Cents
from pitbook.rules.game import Seat, compile_game
from pitbook.rules.pricing import pay_by_kind

MHL = "catfish-bend/matchem-hi-lo"
DEALER = cards("Ac As Kd Qd 9h")


@pytest.mark.parametrize(("said", "wins"), [("low", 1000), ("high", 1500)])
def test_a_game_with_the_pays_of_another_sheet_settles_as_it(said: str, wins: int) -> None:
    base = compile_game(pitbook.load(MHL))
    other = pitbook.changed(MHL, {"main.pays": {"low": "2:1", "high": "3:1"}})
    tried = base.with_pays(pay_by_kind(other, "main"))
    assert tried is not None
    assert tried != base
    assert (tried.sheet, tried.tried) == (base.sheet, pay_by_kind(other, "main"))
    own = cards("Kc Kh Ks" if said == "low" else "Ac Ad Ah")
    hand = Seat(1, "", (("bet", Cents(500)),), cards=own, plays=(play_of(base, 0, said),))
    assert tried.settle(hand, DEALER).lines[0].wins == wins
    assert base.settle(hand, DEALER).lines[0].wins == 500
