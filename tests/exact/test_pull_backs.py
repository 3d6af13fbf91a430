"""Bets placed before the deal and taken back: published figures and independent checks."""

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
from pitbook.rules.actions import FOLD, Need, Play
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.family_registry import family_of

LET_IT_RIDE = stud(LIR)
BEFORE_DEAL = 'placed = "before-deal"\n'
# The same bets, made on the streets: 0x or 1x.
BET_INSTEAD = stud(LIR, (BEFORE_DEAL, ""), (BEFORE_DEAL, ""))


def test_let_it_ride_s_house_edge_is_3_51_percent() -> None:
    # wizardofodds.com and others print 3.51% of one bet and an average of 1.22 bets.
    figures = follow(compile_game(LET_IT_RIDE), "best").figures
    assert percent(figures.house_edge, 2) == "3.51%"
    assert figures.expected == Fraction(-37963, 1082900)
    assert figures.average_wager == Fraction(331288, 270725)
    assert f"{float(figures.average_wager):.2f}" == "1.22"


def test_first_bet_rides_with_7_276_percent_of_hands() -> None:
    # Pairs of tens or better, three of a kind, and 29 suited draws: 1,440 + 52 + 4 x 29 of 22,100.
    choice = follow(compile_game(LET_IT_RIDE), "best").solution.streets[0][0,]
    assert choice.plays == ("pull", "ride")
    rides = class_sizes(3, "high-or-low")[choice.best == choice.plays.index("ride")].sum()
    assert rides == 1440 + 52 + 4 * 29
    assert percent(Fraction(int(rides), 22_100), 3) == "7.276%"


def test_three_card_bonus_edge_is_7_28_percent() -> None:
    # 40/30/6/3/1, J. Grochowski, Casino City Times.
    assert wager_figures(LET_IT_RIDE, "three-card-bonus").house_edge == Fraction(402, 5525)


@pytest.mark.parametrize("ante", [None, Cents(500), Cents(50_000)])
def test_bet_to_take_back_equals_bet_to_make(ante: Cents | None) -> None:
    assert (
        method_for(compile_game(LET_IT_RIDE)).name
        == method_for(compile_game(BET_INSTEAD)).name
        == "ladder"
    )
    pull_back, made_later = (
        follow(compile_game(sheet), "best", ante) for sheet in (LET_IT_RIDE, BET_INSTEAD)
    )
    assert pull_back.figures == made_later.figures
    assert pull_back.expected == made_later.expected == pull_back.figures.expected
    assert [spot.play for spot in pull_back.spots(1, (1,))] == [
        {"0x": "pull", "1x": "ride"}[spot.play] for spot in made_later.spots(1, (1,))
    ]


@pytest.mark.parametrize(
    ("limit", "ante"),
    [
        ('per = "bet"\npays_max = "10000"', Cents(2500)),
        ('per = "hand"\npays_max = "20000"', Cents(2500)),
        ('per = "round"\npays_max = "25000"', Cents(50_000)),
    ],
)
def test_caps_apply_to_riding_bets(limit: str, ante: Cents) -> None:
    uncapped = '[uncapped]\nclause = "643a.12"\n'
    cap = f'[[limits]]\n{limit}\nclause = "643a.12"\n'
    swaps = ((uncapped, cap), ('jurisdiction = "Pennsylvania"', 'jurisdiction = "any"'))
    pull_back_sheet, bet_sheet = (
        stud(LIR, *swaps),
        stud(LIR, *swaps, (BEFORE_DEAL, ""), (BEFORE_DEAL, "")),
    )
    figures = [
        follow(compile_game(sheet), "best", ante).figures for sheet in (pull_back_sheet, bet_sheet)
    ]
    assert figures[0] == figures[1]
    assert figures[0].expected < Fraction(-37963, 1082900)


@pytest.mark.parametrize("number", spread(range(24), 4))
def test_small_deck_spots_equal_plain_enumeration(number: int) -> None:
    rng = Random(f"pull-backs {number}")
    small_deck = tuple(sorted(rng.sample(DECK, 9)))
    dead = tuple(card for card in DECK if card not in small_deck)
    hole, board_card = small_deck[:3], small_deck[3:4]
    plain = PlainSolver(compile_game(LET_IT_RIDE), deck=small_deck)
    for board, plays_made in (((), ()), (board_card, ("pull",)), (board_card, ("ride",))):
        plays = tuple(compile_game(LET_IT_RIDE).play(0, name) for name in plays_made)
        worths = plain.worths(hole, (board,), [play for play in plays if play])
        advice = advise(LET_IT_RIDE, hole, board, plays_made, dead=dead)
        assert worths == advice.actions, (hole, board, plays_made)


def test_empty_purse_can_still_ride() -> None:
    rich, poor = (
        pitbook.advice(LET_IT_RIDE, "Ts Js Qs", ante="5", purse=purse) for purse in ("900", "0")
    )
    assert rich.best == poor.best == "ride"
    assert rich.actions == poor.actions


def test_side_wager_on_own_cards_does_not_change_advice() -> None:
    plain, with_side = (
        pitbook.advice(LET_IT_RIDE, "7s 8s 9s", ante="10", side=side)
        for side in ({}, {"three-card-bonus": "100"})
    )
    assert plain.actions == with_side.actions


def test_strategy_names_use_the_plays() -> None:
    names = method_for(compile_game(LET_IT_RIDE)).names(compile_game(LET_IT_RIDE))
    assert names == ("best", "never-pull", "never-ride", "always-pull", "always-ride")
    # All three bets on every hand: three times what one bet loses.
    all_riding, none_riding = (
        follow(compile_game(LET_IT_RIDE), f"always-{play}").expected for play in ("ride", "pull")
    )
    assert all_riding == 3 * none_riding < follow(compile_game(LET_IT_RIDE), "best").expected


def changed_game(**fields: object) -> Game:
    """Let It Ride with changed fields."""
    sheet = stud(LIR)
    game: Game = family_of(sheet).compile(sheet)  # Not the game that others share.
    for name, field_value in fields.items():
        setattr(game, name, field_value)
    return game


def with_first(*plays: Play) -> Game:
    first, second = compile_game(LET_IT_RIDE).stages
    return changed_game(stages=(first._replace(plays=plays), second))


PULL, RIDE_PLAY = Play("pull", takes=("bet-1",)), Play("ride")


@pytest.mark.parametrize(
    "game",
    [
        changed_game(equals=("bet-1", "bet-2", "blind")),
        with_first(FOLD, PULL, RIDE_PLAY),
        with_first(PULL, Play("1x", puts=(("more", 1),))),
        with_first(PULL, Play("ride", needs=Need("hand", 3))),
        with_first(PULL, Play("ride", declaration="ride")),
        with_first(PULL),
        with_first(Play("pull", takes=("bet-1", "bet-2")), RIDE_PLAY),
    ],
)
def test_pull_backs_with_other_features_are_not_a_ladder(game: Game) -> None:
    assert ladder_of(compile_game(LET_IT_RIDE)) is not None
    assert ladder_of(with_first(PULL, RIDE_PLAY)) is not None
    assert ladder_of(game) is None


@pytest.mark.parametrize(
    ("hole", "board", "earlier_plays", "best"),
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
def test_well_known_hands_are_played_correctly(
    hole: str, board: str, earlier_plays: str, best: str
) -> None:
    assert pitbook.advice(LET_IT_RIDE, hole, board, bets=earlier_plays).best == best
