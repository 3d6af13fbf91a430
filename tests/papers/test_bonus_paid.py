"""What a bonus pays stands in the report where its hand loses to the dealer's, too."""

from __future__ import annotations

from fractions import Fraction

from pitbook.papers.report import grouped

LOST = {"result": "lose", "net": "-1", "probability": "1/4", "contribution": "-1/4", "count": 1}
BONUS = {"wager": "super-bonus", "outcome": "straight", "result": "win"}
ANTE = {"wager": "ante", "outcome": "nothing", "result": "lose"}


def test_a_hand_that_loses_is_paid_where_a_wager_of_its_line_is() -> None:
    rows = [
        {**LOST, "outcome": "nothing + straight", "wagers": [ANTE, BONUS]},
        {**LOST, "outcome": "flush", "wagers": [{**ANTE, "outcome": "flush"}]},
        {**LOST, "outcome": "nothing"},
        {**LOST, "outcome": "flush", "result": "win"},
    ]
    found = grouped({"outcomes": rows}, against=True)
    assert [(one.outcome, one.paid) for one in found] == [
        ("nothing + straight", True),
        ("flush", False),
        ("nothing", False),
        ("flush", True),
    ]
    assert found[0].average == Fraction(-1)
