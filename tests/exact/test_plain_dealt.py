"""Rounds dealt at the table with plays from the plain method: their mean is the plain value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import pytest
from tests.rules.toy_games import TOYS

from pitbook.cards import Card, cards
from pitbook.exact.methods.plain.method import main_figures
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.money import Cents
from pitbook.rules.actions import PASSED, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.game import Game
from pitbook.rules.legal_actions import legal
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step

ANTE = Cents(500)


@pytest.mark.parametrize(
    ("name", "deck", "cards_dealt"),
    [
        ("war", "2c 2d 5c 5d Ad", 4),
        ("let-it-ride", "2c 2d 5c 9c Ad", 5),
    ],
)
def test_mean_over_every_order_equals_the_value(name: str, deck: str, cards_dealt: int) -> None:
    game, few_cards = TOYS[name](), cards(deck)
    plain = PlainSolver(game, deck=few_cards)
    orders = list(permutations(few_cards, cards_dealt))
    nets = [play_round(game, plain, iter(order)) for order in orders]
    assert Fraction(sum(nets), len(nets) * ANTE) == plain.value() == main_figures(plain).expected


def play_round(game: Game, plain: PlainSolver, shoe: Iterator[Card]) -> int:
    """Play one round; return the seat's net result in cents."""
    round_ = apply_action(new_round(game), Wager(1, "ann", "ante", ANTE))
    round_ = apply_action(round_, Close())
    while round_.phase != "over":
        round_ = apply_action(round_, next_action(round_, plain, shoe))
    return round_.settlements[0].net


def next_action(round_: Round, plain: PlainSolver, shoe: Iterator[Card]) -> Action:
    """The next card, the best play, or the settlement."""
    if round_.phase == "deal":
        return Deal(round_.to_deal[0])
    if round_.phase == "settle":
        return Settle()
    places_to_turn = [action.place for action in legal(round_) if action.action is Turn]
    if places_to_turn:
        return Turn(places_to_turn[-1] or 0, next(shoe))
    (seat,) = round_.seats
    plays_made = [play for play in seat.plays if play != PASSED]
    return Decide(1, plain.best(seat.cards, round_.common, plays_made))


def apply_action(round_: Round, action: Action) -> Round:
    next_round = step(round_, action)
    assert isinstance(next_round, Round), (action, next_round)
    return next_round
