"""The report shows what a bonus pays even if its hand loses to the dealer."""

from __future__ import annotations

from fractions import Fraction

from pitbook.printing.report import outcome_rounds

LOST = {"result": "lose", "net": "-1", "probability": "1/4", "contribution": "-1/4", "count": 1}
BONUS = {"wager": "super-bonus", "outcome": "straight", "result": "win"}
ANTE = {"wager": "ante", "outcome": "nothing", "result": "lose"}


def test_losing_hand_is_paid_if_a_wager_of_its_line_wins() -> None:
    rows = [
        {**LOST, "outcome": "nothing + straight", "wagers": [ANTE, BONUS]},
        {**LOST, "outcome": "flush", "wagers": [{**ANTE, "outcome": "flush"}]},
        {**LOST, "outcome": "nothing"},
        {**LOST, "outcome": "flush", "result": "win"},
    ]
    outcomes = outcome_rounds({"outcomes": rows}, against=True)
    assert [(outcome.outcome, outcome.pays) for outcome in outcomes] == [
        ("nothing + straight", True),
        ("flush", False),
        ("nothing", False),
        ("flush", True),
    ]
    assert outcomes[0].average == Fraction(-1)
