"""The coach weighs a decision: values in antes and dollars, and the best covered play."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.coach.test_review import spot
from tests.sheets.samples import CMS, MHL

from pitbook import load
from pitbook.cards import cards
from pitbook.coach.verdicts import render_amount, weigh
from pitbook.exact.advice import advise
from pitbook.money import Cents
from pitbook.rules.game import Seat
from pitbook.rules.round import Round, open_round


def test_values_are_exact_values_times_the_ante() -> None:
    round, seat = spot(load(CMS), "7h 5h", "6h", ("1x",))
    advice = advise(load(CMS), cards("7h 5h"), cards("6h"), ("1x",), ante=Cents(1_000))
    weighed = weigh(round, seat, 100_000)
    assert weighed.best == advice.best
    for play, units in advice.actions.items():
        assert weighed.worth(play) == units * 1_000
        assert weighed.cost(play) == advice.cost(play) * 1_000
    worths = {str(play): units for play, units in advice.actions.items()}
    for play_value in weighed.plays:
        assert play_value["worth"] is not None
        assert Fraction(play_value["worth"]["units"]) == worths[play_value["play"]]
        assert Fraction(play_value["worth"]["exact"]) == worths[play_value["play"]] * 10
        assert play_value["best"] == (play_value["play"] == advice.best)
        assert play_value["covered"]


def test_verdict_states_the_cost_in_one_sentence() -> None:
    round, seat = spot(load(CMS), "As Ad")
    weighed = weigh(round, seat)
    cost = render_amount(weighed.cost("1x"))
    assert weighed.verdict("1x") == f"1x costs {cost} compared with 3x."
    assert weighed.verdict("3x") == "3x is best."
    assert weighed.hint.startswith("Best play: 3x. ")
    weighing = weighed.weighing("1x")
    assert (weighing["is_best"], weighing["best"], weighing["unit"]) == (False, "3x", "ante")
    assert weighing["cost"]["text"] == cost
    assert weighing["stake"] == "10.00"


def test_equal_play_is_called_as_good() -> None:
    """An ace, a jack and two small cards: exact ties are common; here is one (GEN-16)."""
    weighed = next(
        candidate
        for hole, board in (("Ah Jd", "2c 3s"), ("Kh 2d", "3c 4s"), ("2h 3d", "7c 9s"))
        for candidate in [weigh(*spot(load(CMS), hole, board, ("1x", "1x")))]
        if sum(not candidate.cost(play) for play in candidate.covered) > 1
    )
    equal = next(
        play for play in weighed.covered if not weighed.cost(play) and play != weighed.best
    )
    assert weighed.verdict(equal) == f"{equal} is as good as {weighed.best}."
    assert weighed.weighing(equal)["is_best"]


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
def test_only_plays_covered_by_chips_are_weighed(chips: int, plays: tuple[str, ...]) -> None:
    """On the last street, where no later bet is due."""
    round, seat = spot(load(CMS), "As Ad", "2c 7d", ("1x", "1x"))
    weighed = weigh(round, seat, chips)
    assert weighed.covered == plays
    assert weighed.best == plays[-1]
    assert not weighed.cost(weighed.best)
    assert [play_value["covered"] for play_value in weighed.plays] == [
        play in plays for play in weighed.ample.actions
    ]
    assert all(
        (play_value["worth"] is None) == (not play_value["covered"]) for play_value in weighed.plays
    )
    more = " With enough chips for every bet: 3x."
    assert weighed.hint.endswith(more) == (chips < 3_000)


@pytest.mark.parametrize(
    ("chips", "best", "sure"),
    [(500_00, "fold", -1_000_00), (1_499_99, "fold", -1_000_00), (1_500_00, "1x", None)],
)
def test_purse_must_cover_the_rest_of_the_hand(chips: int, best: str, sure: int | None) -> None:
    """Less than three times the ante is left: a flop bet cannot reach a showdown."""
    round, seat = spot(load(CMS), "Ks 9d")
    rich = seat._replace(main=(("ante", Cents(500_00)),))
    weighed = weigh(round, rich, chips)
    assert (weighed.best, weighed.ample.best) == (best, "1x")
    if sure is not None:
        assert weighed.worth("1x") == sure
        assert weighed.verdict("1x") == "1x costs $500 compared with fold."


def test_chips_for_some_bets_but_not_for_all() -> None:
    """Two pair and chips for five: 3x, and two for the river; 1x leaves chips unused."""
    round, seat = spot(load(CMS), "As Kd", "Ac Kh", ("1x", "1x"))
    assert weigh(round, seat, 2_000).best == "2x"
    round, seat = spot(load(CMS), "As Kd", "Ac", ("1x",))
    weighed = weigh(round, seat, 5_000)
    assert weighed.worth("2x") == weighed.worth("3x")  # Five in all, however they are split.
    assert weighed.best == "2x"
    assert "You have $50 left, not enough for every bet." in weighed.hint


def test_declaration_is_weighed_in_bets() -> None:
    game = open_round(load(MHL)).game
    seat = Seat(1, "ann", (("bet", Cents(2_000)),), cards=cards("Kc Qd Jh"))
    round = Round(game, phase="play", seats=(seat,))
    assert weigh(round, seat, 1_999).best == "low"
    assert weigh(round, seat, 2_000).best == "low+double"
    weighed = weigh(round, seat)
    assert (weighed.unit, weighed.best) == ("bet", "low+double")
    assert weighed.cost("high") > weighed.cost("low") > 0
    assert [play_value["title"] for play_value in weighed.plays] == [
        "Low",
        "High",
        "Low, double",
        "High, double",
    ]
