"""GEN-17: general rules for sheets whose document is silent."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import LAS, LAS_STAX, OMS

from pitbook.sheets.model import Sheet


def test_gen_17_default_of_one_hand_per_player() -> None:
    rule = OMS.seats.per_player
    assert (rule.value, rule.clause) == (1, "GEN-17")


@pytest.mark.parametrize("sheet", [OMS, LAS, LAS_STAX], ids=lambda sheet: sheet.id)
def test_gen_17_default_that_cards_stay_over_the_table(sheet: Sheet) -> None:
    rule = sheet.irregularities.cards_off_table
    assert rule is not None
    assert (rule.value, rule.clause) == ("warn", "GEN-17")
