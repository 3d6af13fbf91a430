"""Red dog in the dealer's school: all drills that its rules allow, and no code for any."""

from __future__ import annotations

import pytest
from tests.drills.check_answers import confirm

from pitbook.drills.kinds import allowed, drill
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet


@pytest.mark.long
def test_it_has_every_drill_that_its_rules_allow(sheet: Sheet) -> None:
    game = compile_game(sheet)
    found = allowed(game)
    assert set(found) == {
        *("pay-hand", "cut-chips", "settle-table", "what-becomes", "read-hand", "odds", "bounds"),
        *("next-step", "paying-order", "what-now", "spot-error"),
    }
    for kind in found:
        for seed in range(4):
            confirm(sheet, drill(game, kind, str(seed)))
