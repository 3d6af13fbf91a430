"""A wager with which neither side has the better of the other is nobody's advantage."""

from __future__ import annotations

from fractions import Fraction

from tests.sheets.samples import CMS, changed

from pitbook.exact.check import WagerEdge, advantage_findings
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet

FAIR = {"main": WagerEdge("main", Fraction(0))}
DECLARED = (
    "[payouts]",
    '[[player_advantage]]\nwager = "main"\nclause = "X-1"\nnote = "Tuesdays."\n\n[payouts]',
)


def sheet(*swaps: tuple[str, str]) -> Sheet:
    read = examine(changed(CMS, *swaps), "s.toml", thorough=False).sheet
    assert read is not None
    return read


def test_a_fair_wager_is_no_advantage_of_the_player() -> None:
    assert list(advantage_findings(sheet(), FAIR)) == []


def test_a_fair_wager_that_is_declared_an_advantage_is_told_to_be_none() -> None:
    (found,) = advantage_findings(sheet(DECLARED), FAIR)
    assert found.level == "error"
    assert "no player has the better of it" in found.message
    assert found.path == ("player_advantage", 0, "wager")
