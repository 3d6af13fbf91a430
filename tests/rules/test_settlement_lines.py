"""Totals of settlements: wins exclude stakes; returned and forfeited wagers."""

from __future__ import annotations

import pytest

import pitbook
from pitbook.errors import MoneyError, RoundError
from pitbook.money import Cents, dollars, odds
from pitbook.rules.result_json import report
from pitbook.rules.round import open_round
from pitbook.rules.settlement_lines import (
    NOTHING,
    KindPay,
    Line,
    Result,
    Settlement,
    forfeit_wagers,
    keep_settled_lines,
    pay_of,
    price_line,
    return_wagers,
)

STAKES = (("ante", Cents(500)), ("flop", Cents(1500)))


def line(result: Result, stake: int, wins: int = 0) -> Line:
    pay = odds("3:1") if result == "win" else None
    return Line("ante", Cents(stake), "straight", result, pay, Cents(wins), "PAYS")


@pytest.mark.parametrize(
    ("lines", "wins", "loses", "net"),
    [
        ((), 0, 0, 0),
        ((line("win", 100, 300),), 300, 0, 300),
        ((line("push", 100),), 0, 0, 0),
        ((line("void", 100),), 0, 0, 0),
        ((line("lose", 100),), 0, 100, -100),
        ((line("forfeit", 100),), 0, 100, -100),
        ((line("win", 100, 300), line("win", 50, 150)), 450, 0, 450),
        ((line("win", 100, 300), line("lose", 70), line("push", 9)), 300, 70, 230),
        ((line("lose", 100), line("forfeit", 30), line("win", 10, 20)), 20, 130, -110),
        ((line("win", 100, 0),), 0, 0, 0),  # Reduced to zero by a cap: the stake is returned.
    ],
)
def test_totals_of_a_hand(lines: tuple[Line, ...], wins: int, loses: int, net: int) -> None:
    settlement = Settlement(1, lines)
    assert (settlement.wins, settlement.loses, settlement.net) == (wins, loses, net)


def test_returned_wagers_are_void_and_cost_nothing() -> None:
    settlement = return_wagers(4, STAKES, "GEN-6")
    assert settlement == Settlement(
        4,
        (
            Line("ante", Cents(500), None, "void", None, Cents(0), "GEN-6"),
            Line("flop", Cents(1500), None, "void", None, Cents(0), "GEN-6"),
        ),
    )
    assert settlement.net == 0


def test_forfeited_wagers_go_to_the_house() -> None:
    settlement = forfeit_wagers(4, STAKES, "CMS-16")
    assert settlement == Settlement(
        4,
        (
            Line("ante", Cents(500), None, "forfeit", None, Cents(0), "CMS-16"),
            Line("flop", Cents(1500), None, "forfeit", None, Cents(0), "CMS-16"),
        ),
    )
    assert settlement.net == -2000


@pytest.mark.parametrize(
    ("pay", "stake", "counted", "result", "wins"),
    [
        ("500:1", 500, False, "win", 250_000),
        ("500:1", 500, True, "win", 249_500),  # "500 for 1"
        ("3:2", 200, False, "win", 300),
        ("3:2", 200, True, "win", 100),
        ("1:1", 700, True, "win", 0),
        ("1:2", 700, True, "win", 0),  # Never negative.
        ("1:2", 700, False, "win", 350),
        ("push", 700, False, "push", 0),
        ("push", 700, True, "push", 0),
    ],
)
def test_gen_3_a_wager_is_priced_with_or_without_its_stake(
    pay: str, stake: int, counted: bool, result: str, wins: int
) -> None:
    paid = pay_of("flush", "push" if pay == "push" else odds(pay))
    priced_line = price_line("ante", Cents(stake), paid, "CMS-9", stake_counted=counted)
    expected = None if pay == "push" else odds(pay)
    assert priced_line == Line(
        "ante", Cents(stake), "flush", priced_line.result, expected, Cents(wins), "CMS-9"
    )
    assert priced_line.result == result


def test_a_hand_outside_the_pay_table_loses() -> None:
    assert KindPay("nothing", "lose", None) == NOTHING
    priced_line = price_line("ante", Cents(500), NOTHING, "CMS-9", stake_counted=True)
    assert priced_line == Line("ante", Cents(500), "nothing", "lose", None, Cents(0), "CMS-9")


COMMAS = '. Commas only separate thousands. Write it like "1000" or "10.00".'


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("$five", '. Write it like "10" or "10.00".'),
        ("1,000,5", COMMAS),
        ("5.555,5", COMMAS),
        ("5,5", '. A comma is not a decimal point. Write "5.50" or "55".'),
    ],
)
def test_remedies_for_invalid_amounts(text: str, remedy: str) -> None:
    with pytest.raises(MoneyError) as error:
        dollars(text)
    assert str(error.value) == f'"{text}" is not an amount{remedy}'


@pytest.mark.parametrize(
    ("lower", "higher"),
    [("3:2", "2:1"), ("5:2", "3:1"), ("9:2", "5:1"), ("1:3", "1:2"), ("6:5", "5:4")],
)
def test_odds_are_compared_by_what_they_pay(lower: str, higher: str) -> None:
    lower_odds, more = odds(lower), odds(higher)
    assert lower_odds < more
    assert lower_odds <= more
    assert not more < lower_odds
    assert not more <= lower_odds


def test_a_round_that_is_not_over_has_no_report() -> None:
    round = open_round(pitbook.load("catfish-bend/mississippi-stud"))
    with pytest.raises(RoundError, match="The round is not over"):
        report(round)


def test_earlier_lines_are_kept_at_their_seat() -> None:
    ante, side = line("lose", 100), line("lose", 50)._replace(wager="bonus")
    paid, others = ante._replace(result="win", wins=Cents(300)), side._replace(wins=Cents(7))
    hand = keep_settled_lines(Settlement(2, (ante, side)), [(2, paid), (3, others)])
    assert hand == Settlement(2, (paid, side))
