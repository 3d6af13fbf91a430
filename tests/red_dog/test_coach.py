"""Red dog with the coach, and as a house of charity nights may deal it."""

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
from pitbook.rules.stored import replay
from pitbook.sheets.model import Sheet

BET = Cents(1000)


def actions(board: str, *played: Action) -> list[Action]:
    first, second, *rest = (Turn(BOARD, card) for card in cards(board))
    laid = [Deal(BOARD)] * 3
    return [Wager(1, "ann", "bet", BET), Close(), *laid, first, second, *played, *rest, Settle()]


def test_every_play_is_weighed_by_its_name(sheet: Sheet) -> None:
    round = replay(open_round(sheet), actions("2s 9h 5d")[:7])
    weighed = weigh(round, round.seats[0])
    assert [(one["play"], one["title"], one["best"]) for one in weighed.plays] == [
        ("stand", "Stand", True),
        ("raise", "Raise", False),
    ]
    assert weighed.worth("raise") == 2 * weighed.worth("stand")


@pytest.mark.long
@pytest.mark.parametrize(
    ("made", "purse"), [(Decide(1, "raise"), None), (Decide(1, "stand"), 1500), (Absent(1), 1500)]
)
def test_a_result_is_expectation_cost_and_luck_to_the_cent(
    sheet: Sheet, made: Action, purse: int | None
) -> None:
    found = review(open_round(sheet), actions("2s 9h 5d", made), 1, purse=purse).reckoning
    assert found is not None
    assert found.net == found.expected - found.cost - found.absent - found.short + found.luck
    assert (found.short > 0) == (purse is not None)


def test_a_raise_on_a_narrow_spread_gives_something_away(sheet: Sheet) -> None:
    found = review(open_round(sheet), actions("2s 9h 5d", Decide(1, "raise")), 1)
    (decision,) = found.decisions
    assert decision.play == "raise"
    assert decision.cost > Fraction(0)


def test_a_pair_leaves_nothing_to_decide(sheet: Sheet) -> None:
    assert review(open_round(sheet), actions("2s 2h 5d"), 1).decisions == ()


def test_a_charity_house_cuts_its_stakes_like_any_others(sheet: Sheet) -> None:
    made = derive(sheet, load("oceanfront"))
    assert isinstance(made, Refusal)
    assert made.message == "example/red-dog: the least bet makes a bet of $5, above $4"
