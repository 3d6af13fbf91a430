"""Hi-lo with trial payouts, as used by `compare` and the pay table lab."""

from __future__ import annotations

import pytest
from tests.rules.plays import play_of

import pitbook
from pitbook.cards import cards
from pitbook.money import Cents
from pitbook.rules.game import Seat, compile_game
from pitbook.rules.settlement_lines import pay_by_kind

MHL = "catfish-bend/matchem-hi-lo"
DEALER = cards("Ac As Kd Qd 9h")


@pytest.mark.parametrize(("declaration", "wins"), [("low", 1000), ("high", 1500)])
def test_a_game_with_the_pays_of_another_sheet_settles_like_it(declaration: str, wins: int) -> None:
    base = compile_game(pitbook.load(MHL))
    other = pitbook.changed(MHL, {"main.pays": {"low": "2:1", "high": "3:1"}})
    trial = base.with_pays(pay_by_kind(other, "main"))
    assert trial is not None
    assert trial != base
    assert (trial.sheet, trial.trial_pays) == (base.sheet, pay_by_kind(other, "main"))
    player_cards = cards("Kc Kh Ks" if declaration == "low" else "Ac Ad Ah")
    hand = Seat(
        1, "", (("bet", Cents(500)),), cards=player_cards, plays=(play_of(base, 0, declaration),)
    )
    assert trial.settle(hand, DEALER).lines[0].wins == wins
    assert base.settle(hand, DEALER).lines[0].wins == 500
