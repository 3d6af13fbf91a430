"""Red dog in dealer training: all drills that its rules allow, without extra code."""

from __future__ import annotations

import pytest
from tests.drills.check_answers import confirm

from pitbook.drills.kinds import drill, supported_kinds
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet


@pytest.mark.long
def test_available_drills(sheet: Sheet) -> None:
    game = compile_game(sheet)
    kinds = supported_kinds(game)
    assert set(kinds) == {
        *("pay-hand", "cut-chips", "settle-table", "what-becomes", "read-hand", "odds", "bounds"),
        *("next-step", "paying-order", "what-now", "spot-error"),
    }
    for kind in kinds:
        for seed in range(4):
            confirm(sheet, drill(game, kind, str(seed)))
