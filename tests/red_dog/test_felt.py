"""The felt of red dog: three cards in common, a Bet and a Raise, drawn from structure alone."""

from __future__ import annotations

from pitbook.rules.felt import felt
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet


def test_the_felt(sheet: Sheet) -> None:
    drawn = felt(compile_game(sheet))
    assert (drawn.hand, [one.cards for one in drawn.groups]) == (0, [3])
    assert [(one.wager, one.title, one.kind) for one in drawn.circles] == [
        ("bet", "Bet", "main"),
        ("raised", "Raise", "play"),
    ]
    assert [(one.play, one.times) for one in drawn.circles[1].links] == [("raise", 1)]
    assert drawn.boxes == ()
