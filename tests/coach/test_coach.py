"""The coach weighs a decision: values in antes and dollars, and the best that can be paid for."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.coach.test_review import spot
from tests.sheets.samples import CMS, MHL

from pitbook import load
from pitbook.cards import cards
from pitbook.coach.values import told
from pitbook.coach.verdicts import weigh
from pitbook.exact.advice import advise
from pitbook.money import Cents
from pitbook.rules.game import Seat
from pitbook.rules.round import Round, open_round


def test_values_are_those_of_the_mathematics_times_the_ante() -> None:
    round, seat = spot(load(CMS), "7h 5h", "6h", ("1x",))
    advice = advise(load(CMS), cards("7h 5h"), cards("6h"), ("1x",), ante=Cents(1_000))
    found = weigh(round, seat, 100_000)
    assert found.best == advice.best
    for play, units in advice.actions.items():
        assert found.worth(play) == units * 1_000
        assert found.cost(play) == advice.cost(play) * 1_000
    worths = {str(play): units for play, units in advice.actions.items()}
    for one in found.plays:
        assert one["worth"] is not None
        assert Fraction(one["worth"]["units"]) == worths[one["play"]]
        assert Fraction(one["worth"]["exact"]) == worths[one["play"]] * 10
        assert one["best"] == (one["play"] == advice.best)
        assert one["covered"]


def test_a_verdict_is_one_number_in_a_sentence() -> None:
    round, seat = spot(load(CMS), "As Ad")
    found = weigh(round, seat)
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
        for one in [weigh(*spot(load(CMS), hole, board, ("1x", "1x")))]
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
    """On the last street, where nothing is bought later."""
    round, seat = spot(load(CMS), "As Ad", "2c 7d", ("1x", "1x"))
    found = weigh(round, seat, chips)
    assert found.covered == plays
    assert found.best == plays[-1]
    assert not found.cost(found.best)
    assert [one["covered"] for one in found.plays] == [
        play in plays for play in found.ample.actions
    ]
    assert all((one["worth"] is None) == (not one["covered"]) for one in found.plays)
    more = " With chips for every bet it would be 3x."
    assert found.hint.endswith(more) == (chips < 3_000)


@pytest.mark.parametrize(
    ("chips", "best", "sure"),
    [(500_00, "fold", -1_000_00), (1_499_99, "fold", -1_000_00), (1_500_00, "1x", None)],
)
def test_the_purse_must_carry_the_hand(chips: int, best: str, sure: int | None) -> None:
    """Less than three times the ante is left: no bet on the flop ever comes to a showdown."""
    round, seat = spot(load(CMS), "Ks 9d")
    rich = seat._replace(main=(("ante", Cents(500_00)),))
    found = weigh(round, rich, chips)
    assert (found.best, found.ample.best) == (best, "1x")
    if sure is not None:
        assert found.worth("1x") == sure
        assert found.verdict("1x") == "1x gives away $500 against fold."


def test_chips_for_some_bets_but_not_for_all() -> None:
    """Two pair and chips for five: 3x, and two for the river; 1x leaves chips unused."""
    round, seat = spot(load(CMS), "As Kd", "Ac Kh", ("1x", "1x"))
    assert weigh(round, seat, 2_000).best == "2x"
    round, seat = spot(load(CMS), "As Kd", "Ac", ("1x",))
    found = weigh(round, seat, 5_000)
    assert found.worth("2x") == found.worth("3x")  # Five in all, however they are split.
    assert found.best == "2x"
    assert "$50 is left, which does not pay for every bet" in found.hint


def test_a_declaration_is_weighed_in_bets() -> None:
    game = open_round(load(MHL)).game
    seat = Seat(1, "ann", (("bet", Cents(2_000)),), cards=cards("Kc Qd Jh"))
    round = Round(game, phase="play", seats=(seat,))
    assert weigh(round, seat, 1_999).best == "low"
    assert weigh(round, seat, 2_000).best == "low+double"
    found = weigh(round, seat)
    assert (found.unit, found.best) == ("bet", "low+double")
    assert found.cost("high") > found.cost("low") > 0
    assert [one["title"] for one in found.plays] == ["Low", "High", "Low, double", "High, double"]
