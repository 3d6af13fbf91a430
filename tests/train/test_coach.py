"""The coach weighs a decision: values in antes and dollars, and the best that can be paid for."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.sheets.samples import CMS, MHL
from tests.train.test_review import spot

from pitbook import games, load
from pitbook.cards import cards
from pitbook.engine.game import Seat
from pitbook.engine.round import Round
from pitbook.exact.advice import advise
from pitbook.money import Cents
from pitbook.train.coach import covered, weigh
from pitbook.train.sums import told


def test_values_are_those_of_the_mathematics_times_the_ante() -> None:
    round, seat = spot(load(CMS), "7h 5h", "6h", ("1x",))
    advice = advise(load(CMS), cards("7h 5h"), cards("6h"), ("1x",), ante=Cents(1_000))
    found = weigh(round, seat, covered(round, seat, 100_000))
    assert found.best == advice.best
    for play, units in advice.actions.items():
        assert found.worth(play) == units * 1_000
        assert found.cost(play) == advice.cost(play) * 1_000
    for one in found.plays:
        assert Fraction(one["worth"]["units"]) == advice.actions[one["play"]]
        assert Fraction(one["worth"]["exact"]) == advice.actions[one["play"]] * 10
        assert one["best"] == (one["play"] == advice.best)
        assert one["covered"]


def test_a_verdict_is_one_number_in_a_sentence() -> None:
    round, seat = spot(load(CMS), "As Ad")
    found = weigh(round, seat, round.game.plays(0))
    cost = told(found.cost("1x"))
    assert found.verdict("1x") == f"1x gives away {cost} against 3x."
    assert found.verdict("3x") == "3x is best."
    assert found.hint.startswith("Best is 3x. ")
    weighing = found.weighing("1x")
    assert (weighing["is_best"], weighing["best"], weighing["unit"]) == (False, "3x", "ante")
    assert weighing["cost"]["text"] == cost
    assert weighing["stake"] == "10.00"


def test_a_play_that_is_as_good_is_called_so() -> None:
    """An ace, a jack and two small cards: exact ties are common; here is one (GEN-16)."""
    found = next(
        one
        for hole, board in (("Ah Jd", "2c 3s"), ("Kh 2d", "3c 4s"), ("2h 3d", "7c 9s"))
        for one in [weigh(*spot(load(CMS), hole, board, ("1x", "1x")), ("fold", "1x", "2x", "3x"))]
        if sum(not one.cost(play) for play in one.covered) > 1
    )
    equal = next(play for play in found.covered if not found.cost(play) and play != found.best)
    assert found.verdict(equal) == f"{equal} is as good as {found.best}."
    assert found.weighing(equal)["is_best"]


@pytest.mark.parametrize(
    ("chips", "plays"),
    [
        (3_000, ("fold", "1x", "2x", "3x")),
        (2_999, ("fold", "1x", "2x")),
        (1_000, ("fold", "1x")),
        (999, ("fold",)),
        (0, ("fold",)),
    ],
)
def test_what_chips_pay_for(chips: int, plays: tuple[str, ...]) -> None:
    round, seat = spot(load(CMS), "As Ad")
    assert covered(round, seat, chips) == plays
    found = weigh(round, seat, plays)
    assert found.covered == plays
    assert found.best == plays[-1]
    assert not found.cost(found.best)
    assert found.short == found.worth("3x") - found.worth(plays[-1])
    if chips < 3_000:
        assert found.hint == f"Best is 3x, which you cannot cover; {plays[-1]} is the best you can."


def test_a_declaration_is_weighed_in_bets() -> None:
    game = games.open(load(MHL)).game
    seat = Seat(1, "ann", (("bet", Cents(2_000)),), cards=cards("Kc Qd Jh"))
    found = weigh(Round(game, phase="play", seats=(seat,)), seat, game.plays(0))
    assert (found.unit, found.best) == ("bet", "low+double")
    assert found.cost("high") > found.cost("low") > 0
    assert [one["title"] for one in found.plays] == ["Low", "High", "Low, double", "High, double"]
