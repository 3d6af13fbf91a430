"""Red dog with the coach, and in a charity house."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitbook.cards import cards
from pitbook.coach.review import review
from pitbook.coach.verdicts import weigh
from pitbook.house.nights.house_rules import load
from pitbook.house.nights.sheets import derive
from pitbook.money import Cents
from pitbook.rules.actions import BOARD, Absent, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import open_round
from pitbook.rules.stored_rounds import replay
from pitbook.sheets.model import Sheet

BET = Cents(1000)


def actions(board: str, *played: Action) -> list[Action]:
    first, second, *rest = (Turn(BOARD, card) for card in cards(board))
    deal = [Deal(BOARD)] * 3
    return [Wager(1, "ann", "bet", BET), Close(), *deal, first, second, *played, *rest, Settle()]


def test_every_play_has_its_expected_value(sheet: Sheet) -> None:
    round = replay(open_round(sheet), actions("2s 9h 5d")[:7])
    weighed = weigh(round, round.seats[0])
    assert [
        (play_row["play"], play_row["title"], play_row["best"]) for play_row in weighed.plays
    ] == [
        ("stand", "Stand", True),
        ("raise", "Raise", False),
    ]
    assert weighed.worth("raise") == 2 * weighed.worth("stand")


@pytest.mark.long
@pytest.mark.parametrize(
    ("choice_made", "bankroll"),
    [(Decide(1, "raise"), None), (Decide(1, "stand"), 1500), (Absent(1), 1500)],
)
def test_a_result_is_expectation_cost_and_luck_to_the_cent(
    sheet: Sheet, choice_made: Action, bankroll: int | None
) -> None:
    breakdown = review(
        open_round(sheet), actions("2s 9h 5d", choice_made), 1, purse=bankroll
    ).breakdown
    assert breakdown is not None
    assert (
        breakdown.net
        == breakdown.expected
        - breakdown.cost
        - breakdown.absence_cost
        - breakdown.shortage_cost
        + breakdown.luck
    )
    assert (breakdown.shortage_cost > 0) == (bankroll is not None)


def test_a_raise_on_a_narrow_spread_costs_money(sheet: Sheet) -> None:
    hand_review = review(open_round(sheet), actions("2s 9h 5d", Decide(1, "raise")), 1)
    (decision,) = hand_review.decisions
    assert decision.play == "raise"
    assert decision.cost > Fraction(0)


def test_a_pair_has_no_decision(sheet: Sheet) -> None:
    assert review(open_round(sheet), actions("2s 2h 5d"), 1).decisions == ()


def test_a_charity_house_refuses_its_stakes(sheet: Sheet) -> None:
    refusal = derive(sheet, load("oceanfront"))
    assert isinstance(refusal, Refusal)
    assert (
        refusal.message
        == "example/red-dog: The minimum bet already means a bet of $5, above the $4 limit."
    )
