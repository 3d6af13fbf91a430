"""An external family has a lesson like any other."""

from __future__ import annotations

from pitbook.house.table.lesson import build_lesson
from pitbook.sheets.model import Sheet


def test_red_dog_is_taught(sheet: Sheet) -> None:
    lesson = build_lesson(sheet)
    bet, cards, decide, _, paid = lesson["steps"]
    assert bet["told"][0] == "You play against the pay table: there is no other hand to beat."
    assert cards["told"][0] == "You get no cards of your own: all play on the same ones."
    assert [choice["play"] for choice in decide["choices"]] == ["stand", "raise"]
    assert decide["told"][1].startswith("It comes only with some cards")
    assert paid["view"]["result"] is not None
