"""GEN-17: where a document is silent, the sheet says by whose rule it goes on."""

from __future__ import annotations

import pytest
from tests.clauses.table import LAS, LAS_STAX, OMS

from pitbook.sheets.model import Sheet


def test_gen_17_one_hand_a_player_where_the_document_is_silent() -> None:
    rule = OMS.seats.per_player
    assert (rule.value, rule.clause) == (1, "GEN-17")


@pytest.mark.parametrize("sheet", [OMS, LAS, LAS_STAX], ids=lambda one: one.id)
def test_gen_17_cards_stay_over_the_table_where_the_document_is_silent(sheet: Sheet) -> None:
    rule = sheet.irregularities.cards_off_table
    assert rule is not None
    assert (rule.value, rule.clause) == ("warn", "GEN-17")
