"""The report shows what a bonus pays even if its hand loses to the dealer."""

from __future__ import annotations

from fractions import Fraction

from pitbook.exact.outcome_figures import WagerResult
from pitbook.exact.sheet_figures import OutcomeRow
from pitbook.printing.report import outcome_rounds

BONUS = WagerResult("super-bonus", "straight", 1, "win", Fraction(1))


def ante(outcome: str) -> WagerResult:
    return WagerResult("ante", outcome, 1, "lose", Fraction(-1))


def ending(outcome: str, *wagers: WagerResult, result: str = "lose") -> OutcomeRow:
    """A quarter of all rounds, with a net loss of one unit."""
    return OutcomeRow(
        outcome=outcome,
        units=1,
        result=result,
        net=Fraction(-1),
        count=1,
        probability=Fraction(1, 4),
        contribution=Fraction(-1, 4),
        wagers=wagers,
    )


def test_losing_hand_is_paid_if_a_wager_of_its_line_wins() -> None:
    rows = [
        ending("nothing + straight", ante("nothing"), BONUS),
        ending("flush", ante("flush")),
        ending("nothing"),
        ending("flush", result="win"),
    ]
    outcomes = outcome_rounds(rows, against=True)
    assert [(outcome.outcome, outcome.pays) for outcome in outcomes] == [
        ("nothing + straight", True),
        ("flush", False),
        ("nothing", False),
        ("flush", True),
    ]
    assert outcomes[0].average == Fraction(-1)
