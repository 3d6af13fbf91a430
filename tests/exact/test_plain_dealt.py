"""The table deals, the plain method chooses: over all orders of a few cards it is the value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import pytest
from tests.rules.rounds.toys import TOYS

from pitbook.cards import Card, cards
from pitbook.exact.methods.plain.method import main_figures
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.game import Game
from pitbook.rules.legal import legal
from pitbook.rules.plays import PASSED
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step

ANTE = Cents(500)


@pytest.mark.parametrize(
    ("name", "deck", "most"),
    [
        ("war", "2c 2d 5c 5d Ad", 4),
        ("let-it-ride", "2c 2d 5c 9c Ad", 5),
    ],
)
def test_every_order_of_a_few_cards(name: str, deck: str, most: int) -> None:
    game, few = TOYS[name](), cards(deck)
    plain = PlainSolver(game, deck=few)
    orders = list(permutations(few, most))
    nets = [net(game, plain, iter(order)) for order in orders]
    assert Fraction(sum(nets), len(nets) * ANTE) == plain.value() == main_figures(plain).expected


def net(game: Game, plain: PlainSolver, shoe: Iterator[Card]) -> int:
    """What one seat comes to in cents, each card named as it is turned."""
    round = done(new_round(game), Wager(1, "ann", "ante", ANTE))
    round = done(round, Close())
    while round.phase != "over":
        round = done(round, chosen(round, plain, shoe))
    return round.settlements[0].net


def chosen(round: Round, plain: PlainSolver, shoe: Iterator[Card]) -> Action:
    """The next card, the best play, or the payment."""
    if round.phase == "deal":
        return Deal(round.to_deal[0])
    if round.phase == "settle":
        return Settle()
    turned = [one.place for one in legal(round) if one.action is Turn]
    if turned:
        return Turn(turned[-1] or 0, next(shoe))
    (seat,) = round.seats
    made = [play for play in seat.plays if play != PASSED]
    return Decide(1, plain.best(seat.cards, round.common, made))


def done(round: Round, action: Action) -> Round:
    after = step(round, action)
    assert isinstance(after, Round), (action, after)
    return after
