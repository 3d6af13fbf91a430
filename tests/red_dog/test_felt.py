"""The layout of red dog: three shared cards, a Bet and a Raise, derived from the game."""

from __future__ import annotations

from pitbook.rules.felt import felt
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet


def test_felt_of_red_dog(sheet: Sheet) -> None:
    drawn = felt(compile_game(sheet))
    assert (drawn.hand, [group.cards for group in drawn.groups]) == (0, [3])
    assert [(circle.wager, circle.title, circle.kind) for circle in drawn.circles] == [
        ("bet", "Bet", "main"),
        ("raised", "Raise", "play"),
    ]
    assert [(link.play, link.times) for link in drawn.circles[1].links] == [("raise", 1)]
    assert drawn.boxes == ()
