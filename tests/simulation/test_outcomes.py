"""The main game is reported as the sum of its wagers, and wager by wager if they end
differently.
"""

from __future__ import annotations

from pitbook.money import Cents, Odds, odds
from pitbook.rules.settlement_lines import Line, Result
from pitbook.simulation.totals import Outcome, main_wagers_differ, outcomes

ANTE = Cents(10_00)


def line(wager: str, units: int, outcome: str, result: Result, pays: Odds | None = None) -> Line:
    stake = Cents(units * ANTE)
    return Line(wager, stake, outcome, result, pays, pays.wins(stake) if pays else Cents(0), "X-1")


WON = PAYS = odds("1:1")


def test_wagers_that_end_alike_are_one_outcome() -> None:
    lines = (line("ante", 1, "pair", "win", WON), line("play", 3, "pair", "win", WON))
    assert list(outcomes(lines, (), ANTE)) == [Outcome("main", "pair", 4, "win", PAYS)]
    assert not main_wagers_differ(lines, ())


def test_ante_win_with_play_push_is_not_two_units() -> None:
    lines = (
        line("ante", 1, "win", "win", WON),
        line("play", 1, "below", "push"),
        line("bonus", 1, "nothing", "lose"),
    )
    assert main_wagers_differ(lines, ("bonus",))
    reported = list(outcomes(lines, ("bonus",), ANTE, by_wager=True))
    assert reported == [
        Outcome("main", "win + below", 2, "win", None),
        Outcome("ante", "win", 1, "win", PAYS),
        Outcome("play", "below", 1, "push", None),
        Outcome("bonus", "nothing", 1, "lose", None),
    ]


def test_sum_is_decided_by_the_net_result() -> None:
    even = (line("ante", 1, "win", "win", WON), line("blind", 1, "high", "lose"))
    (total,) = outcomes(even, (), ANTE)
    assert (total.result, total.units) == ("push", 2)
    behind = (line("ante", 1, "win", "win", WON), line("blind", 2, "high", "lose"))
    (total,) = outcomes(behind, (), ANTE)
    assert total.result == "lose"


def test_side_wager_does_not_affect_the_main_game() -> None:
    lines = (line("ante", 1, "nothing", "lose"), line("bonus", 1, "pair", "win", WON))
    assert not main_wagers_differ(lines, ("bonus",))
    assert [outcome.wager for outcome in outcomes(lines, ("bonus",), ANTE)] == ["main", "bonus"]
