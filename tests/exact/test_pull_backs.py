"""Bets that are placed before the deal and taken back: published figures, and who judges them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tests.exact.test_published import percent
from tests.lanes import spread
from tests.sheets.samples import LIR, stud

import pitbook
from pitbook.cards import DECK
from pitbook.exact.advice import advise
from pitbook.exact.methods.choose import method_for
from pitbook.exact.methods.ladder.strategies import follow
from pitbook.exact.methods.ladder.structure import ladder_of
from pitbook.exact.methods.ladder.transitions import class_sizes
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.sheet_figures import wager_figures
from pitbook.money import Cents
from pitbook.rules.game import Game, compile_game
from pitbook.rules.plays import FOLD, Need, Play

RIDE = stud(LIR)
PLACED = 'placed = "before-deal"\n'
SOLD = stud(LIR, (PLACED, ""), (PLACED, ""))  # The same bets, made on the streets: 0x or 1x.


def test_let_it_ride_s_house_edge_is_3_51_percent() -> None:
    # wizardofodds.com and others print 3.51% of one bet and an average of 1.22 bets.
    figures = follow(compile_game(RIDE), "best").figures
    assert percent(figures.house_edge, 2) == "3.51%"
    assert figures.expected == Fraction(-37963, 1082900)
    assert figures.average_wager == Fraction(331288, 270725)
    assert f"{float(figures.average_wager):.2f}" == "1.22"


def test_the_first_bet_rides_on_7_276_percent_of_hands() -> None:
    # Pairs from tens, three of a kind, and 29 draws of one suit: 1,440 + 52 + 4 x 29 of 22,100.
    choice = follow(compile_game(RIDE), "best").solution.streets[0][0,]
    assert choice.plays == ("pull", "ride")
    rides = class_sizes(3, "high-or-low")[choice.best == choice.plays.index("ride")].sum()
    assert rides == 1440 + 52 + 4 * 29
    assert percent(Fraction(int(rides), 22_100), 3) == "7.276%"


def test_the_bonus_on_three_cards_has_7_28_percent() -> None:
    # 40/30/6/3/1, J. Grochowski, Casino City Times.
    assert wager_figures(RIDE, "three-card-bonus").house_edge == Fraction(402, 5525)


@pytest.mark.parametrize("ante", [None, Cents(500), Cents(50_000)])
def test_a_bet_that_may_be_taken_back_is_worth_one_that_may_be_made(ante: Cents | None) -> None:
    assert method_for(compile_game(RIDE)).name == method_for(compile_game(SOLD)).name == "ladder"
    ours, sold = (follow(compile_game(one), "best", ante) for one in (RIDE, SOLD))
    assert ours.figures == sold.figures
    assert ours.expected == sold.expected == ours.figures.expected
    assert [one.play for one in ours.spots(1, (1,))] == [
        {"0x": "pull", "1x": "ride"}[one.play] for one in sold.spots(1, (1,))
    ]


@pytest.mark.parametrize(
    ("limit", "ante"),
    [
        ('per = "bet"\npays_max = "10000"', Cents(2500)),
        ('per = "hand"\npays_max = "20000"', Cents(2500)),
        ('per = "round"\npays_max = "25000"', Cents(50_000)),
    ],
)
def test_caps_cut_what_rides(limit: str, ante: Cents) -> None:
    uncapped = '[uncapped]\nclause = "643a.12"\n'
    cap = f'[[limits]]\n{limit}\nclause = "643a.12"\n'
    swaps = ((uncapped, cap), ('jurisdiction = "Pennsylvania"', 'jurisdiction = "any"'))
    ours, sold = stud(LIR, *swaps), stud(LIR, *swaps, (PLACED, ""), (PLACED, ""))
    figures = [follow(compile_game(one), "best", ante).figures for one in (ours, sold)]
    assert figures[0] == figures[1]
    assert figures[0].expected < Fraction(-37963, 1082900)


@pytest.mark.parametrize("number", spread(range(24), 4))
def test_a_few_cards_are_gone_through_one_by_one(number: int) -> None:
    luck = Random(f"pull-backs {number}")
    few = tuple(sorted(luck.sample(DECK, 9)))
    dead = tuple(card for card in DECK if card not in few)
    own, turned = few[:3], few[3:4]
    plain = PlainSolver(compile_game(RIDE), deck=few)
    for board, made in (((), ()), (turned, ("pull",)), (turned, ("ride",))):
        plays = tuple(compile_game(RIDE).play(0, one) for one in made)
        worths = plain.worths(own, (board,), [one for one in plays if one])
        advice = advise(RIDE, own, board, made, dead=dead)
        assert worths == advice.actions, (own, board, made)


def test_a_player_without_another_dollar_lets_it_ride() -> None:
    rich, poor = (pitbook.advice(RIDE, "Ts Js Qs", ante="5", purse=one) for one in ("900", "0"))
    assert rich.best == poor.best == "ride"
    assert rich.actions == poor.actions


def test_what_a_side_wager_on_own_cards_adds_is_the_same_for_every_play() -> None:
    plain, beside = (
        pitbook.advice(RIDE, "7s 8s 9s", ante="10", side=side)
        for side in ({}, {"three-card-bonus": "100"})
    )
    assert plain.actions == beside.actions


def test_strategies_are_named_by_their_plays() -> None:
    names = method_for(compile_game(RIDE)).names(compile_game(RIDE))
    assert names == ("best", "never-pull", "never-ride", "always-pull", "always-ride")
    # All three bets on every hand: three times what one bet loses.
    all_ride, none = (
        follow(compile_game(RIDE), f"always-{one}").expected for one in ("ride", "pull")
    )
    assert all_ride == 3 * none < follow(compile_game(RIDE), "best").expected


def bent(**parts: object) -> Game:
    """Let It Ride with something changed."""
    game = compile_game(stud(LIR))
    for name, value in parts.items():
        setattr(game, name, value)
    return game


def with_first(*plays: Play) -> Game:
    first, second = compile_game(RIDE).stages
    return bent(stages=(first._replace(plays=plays), second))


PULL, LEFT = Play("pull", takes=("bet-1",)), Play("ride")


@pytest.mark.parametrize(
    "game",
    [
        bent(equals=("bet-1", "bet-2", "blind")),
        with_first(FOLD, PULL, LEFT),
        with_first(PULL, Play("1x", puts=(("more", 1),))),
        with_first(PULL, Play("ride", needs=Need("hand", 3))),
        with_first(PULL, Play("ride", said="ride")),
        with_first(PULL),
        with_first(Play("pull", takes=("bet-1", "bet-2")), LEFT),
    ],
)
def test_bets_taken_back_with_more_besides_are_no_ladder(game: Game) -> None:
    assert ladder_of(compile_game(RIDE)) is not None
    assert ladder_of(with_first(PULL, LEFT)) is not None
    assert ladder_of(game) is None


@pytest.mark.parametrize(
    ("held", "turned", "before", "best"),
    [
        ("2c 7d 9h", "", "", "pull"),
        ("Tc Td 2h", "", "", "ride"),
        ("9c 9d 2h", "", "", "pull"),
        ("Tc Js Qh", "", "", "pull"),
        ("3h 4h 5h", "", "", "ride"),
        ("2h 3h 4h", "", "", "pull"),
        ("2c 7d 9h", "9c", "pull", "pull"),
        ("2c 7d Th", "Tc", "pull", "ride"),
        ("2h 7h 9h", "Kh", "pull", "ride"),
        ("Tc Js Qh", "Kd", "pull", "ride"),
    ],
)
def test_hands_that_every_player_knows(held: str, turned: str, before: str, best: str) -> None:
    assert pitbook.advice(RIDE, held, turned, bets=before).best == best
