"""A wager without an edge for either side is not an advantage."""

from __future__ import annotations

from fractions import Fraction

from tests.sheets.samples import CMS, modified_text

from pitbook.exact.edge_findings import WagerEdge, advantage_findings
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet

FAIR = {"main": WagerEdge("main", Fraction(0))}
DECLARED = (
    "[payouts]",
    '[[player_advantage]]\nwager = "main"\nclause = "X-1"\nnote = "Tuesdays."\n\n[payouts]',
)


def sheet(*swaps: tuple[str, str]) -> Sheet:
    loaded = examine(modified_text(CMS, *swaps), "s.toml", thorough=False).sheet
    assert loaded is not None
    return loaded


def test_fair_wager_is_not_a_player_advantage() -> None:
    assert list(advantage_findings(sheet(), FAIR)) == []


def test_fair_wager_declared_as_advantage_is_an_error() -> None:
    (finding,) = advantage_findings(sheet(DECLARED), FAIR)
    assert finding.level == "error"
    assert '"main" has a house edge of 0.0000%, so the player has no advantage' in finding.message
    assert finding.path == ("player_advantage", 0, "wager")
