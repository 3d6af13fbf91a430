"""An external family has a lesson like any other."""

from __future__ import annotations

from pitbook.house.table.lesson import build_lesson
from pitbook.sheets.model import Sheet


def test_red_dog_is_taught(sheet: Sheet) -> None:
    lesson = build_lesson(sheet)
    bet, cards, decide, _, paid = lesson["steps"]
    assert bet["told"][0] == "You play against the pay table. There is no dealer hand to beat."
    assert cards["told"][0] == "You get no cards of your own. All players use the same cards."
    assert [choice["play"] for choice in decide["choices"]] == ["stand", "raise"]
    assert decide["told"][1].startswith("You decide only with some hands")
    assert paid["view"]["result"] is not None
