"""Synthetic games, one for each unusual feature of a game definition.

Their settlement is simple; they test who is dealt cards, who sees them and who decides.
"""

from __future__ import annotations

from typing import Any

import pitbook
from pitbook.cards import Card, rank
from pitbook.money import Cents
from pitbook.rules.actions import FOLD, Need, Play, bets
from pitbook.rules.game import Game, GameWager, Hand, Place, Seat, Stage, When
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.settlement_lines import Line, Other, Settlement, return_wagers
from pitbook.sheets.model import Sheet

CHECK, WAR, SURRENDER = (
    Play("check"),
    Play("war", puts=(("raise", 1),)),
    Play("surrender", folds=True),
)


class ToyGame(Game):
    """A game that compares the first own card with the first dealer card, ace high."""

    absent_clause = "TOY-1"

    def __init__(self, places: tuple[Place, ...], stages: tuple[Stage, ...]) -> None:
        stud = pitbook.load("catfish-bend/mississippi-stud")
        common = tuple(place.id for place in places[1:])
        deal = stud.deal.model_copy(update={"order": ("players", *common)})  # type: ignore[attr-defined]
        self.sheet: Sheet = stud.model_copy(update={"deal": deal, "limits": ()})
        self.places, self.stages = places, stages
        last = len(places) - 1
        self.hands = (
            Hand("ahead", (0, last), Other("who has the higher first card: 1, 0 or -1")),
            Hand("own", (0,), Other("the rank of the first card")),
        )
        self.wager_rules = (GameWager("main", "ahead", survives=False),)

    def read(self, cards: tuple[Card, ...], *common: tuple[Card, ...]) -> tuple[int | None, ...]:
        own_rank = rank(cards[0]) if cards else None
        dealer_rank = rank(common[-1][0]) if common[-1] else None
        if own_rank is None or dealer_rank is None:
            return None, own_rank
        return (own_rank > dealer_rank) - (own_rank < dealer_rank), own_rank

    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        ahead = -1 if seat.folded else showdown[0]
        result: Any = {1: "win", 0: "push", -1: "lose"}[ahead]
        return tuple(
            Line(wager, stake, None, result, None, stake if ahead == 1 else Cents(0), "TOY-2")
            for wager, stake in seat.stakes
        )

    def unknown_play(self, stage: int, play: str) -> Refusal:
        return Refusal(Code.UNKNOWN_PLAY, f'"{play}" is not a play here')

    def exceeded_clause(self, seat: Seat, stage: int, play: Play) -> str | None:
        return None

    def absent_play(self, seat: Seat, stage: int) -> Play | None:
        return self.fold(stage) or self.plays(stage)[0]

    def looks_at_hand(self, seat: Seat) -> bool:
        return not seat.folded

    def looks_at_board(self, seat: Seat) -> bool:
        return not seat.folded

    def void(self, seat: Seat, clause: str) -> Settlement:
        return return_wagers(seat.number, seat.stakes, clause)


def raises(wager: str, *times: int) -> tuple[Play, ...]:
    """Raises by several multiples on one wager."""
    return tuple(bets(wager, multiple) for multiple in times)


def ultimate() -> ToyGame:
    """Five board cards, two dealer cards; an early raise ends the decisions."""
    game = ToyGame(
        (Place("own", "own", 2), Place("community", "community", 5), Place("dealer", "dealer", 2)),
        (
            Stage("before", "first raise", "TOY-3", (2, 0, 0), (CHECK, *raises("play", 3, 4))),
            Stage("flop", "flop raise", "TOY-3", (2, 3, 0), (CHECK, *raises("play", 2)), once=True),
            Stage("river", "last raise", "TOY-3", (2, 5, 0), (FOLD, *raises("play", 1)), once=True),
        ),
    )
    game.equals = ("blind",)
    return game


def caribbean() -> ToyGame:
    """One dealer card is open before the decision."""
    return ToyGame(
        (Place("own", "own", 5), Place("dealer", "dealer", 5)),
        (Stage("raise", "raise", "TOY-4", (5, 1), (FOLD, *raises("raise", 2))),),
    )


def war() -> ToyGame:
    """A tie leads to a war with another card each; other seats are finished."""
    tie = When("ahead", frozenset({0}))
    return ToyGame(
        (Place("own", "own", 2, later=1, open=True), Place("dealer", "dealer", 2, later=1)),
        (
            Stage("deal", "deal", "TOY-5", (1, 1), ()),
            Stage("tie", "tie", "TOY-5", (1, 1), (SURRENDER, WAR), when=tie),
            Stage("war", "war", "TOY-5", (2, 2), (), when=tie),
        ),
    )


def let_it_ride() -> ToyGame:
    """Three equal bets, two of which can be pulled back."""
    game = ToyGame(
        (Place("own", "own", 3), Place("community", "community", 2)),
        tuple(
            Stage(bet, bet, "TOY-6", (3, open), (Play("ride"), Play("pull", takes=(bet,))))
            for open, bet in enumerate(("first", "second"))
        ),
    )
    game.equals = ("first", "second")
    return game


def crazy() -> ToyGame:
    """A raise of three antes requires an ace as first card."""
    large_raise = Play("3x", puts=(("play", 3),), needs=Need("own", 12))
    return ToyGame(
        (Place("own", "own", 5), Place("dealer", "dealer", 5)),
        (Stage("play", "play", "TOY-7", (5, 0), (FOLD, *raises("play", 1), large_raise)),),
    )


TOYS = {
    "ultimate": ultimate,
    "caribbean": caribbean,
    "war": war,
    "let-it-ride": let_it_ride,
    "crazy": crazy,
}
