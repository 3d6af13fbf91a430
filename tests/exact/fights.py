"""Games against a dealer's hand for tests of the mathematics, and odd ones made of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from tests.sheets.samples import changed, sheet_of

from pitbook.cards import DECK, Card
from pitbook.exact.advice import advise
from pitbook.exact.methods.method import Advice
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.money import Cents
from pitbook.rules.game import Game, compile_game
from pitbook.rules.plays import Play
from pitbook.sheets.model import Sheet

TCP = "pennsylvania/three-card-poker"
UTH = "pennsylvania/ultimate-texas-holdem"
CRAZY = "pennsylvania/crazy-4-poker"
FOUR = "pennsylvania/four-card-poker"
CARIBBEAN = "classic/caribbean-stud"
CASINO = "classic/casino-holdem"
ULTIMATE = "classic/ultimate-three-card-poker"
WAR = "classic/casino-war"

Swap = tuple[str, str]
PAIRED: dict[str, tuple[str, tuple[Swap, ...]]] = {
    "three card": (TCP, ()),
    "ultimate three card": (ULTIMATE, ()),
    "crazy 4": (CRAZY, ()),
    "four card": (FOUR, ()),
    "caribbean": (CARIBBEAN, ()),
    "a pair qualifies": (TCP, (('qualifies = "high-card-Q"', 'qualifies = "pair-2"'),)),
    "ties win": (TCP, (('tie = "push"', 'tie = "1:1"'),)),
    "ties lose": (CARIBBEAN, (('tie = "push"', 'tie = "lose"'),)),
    "aces low in no straight": (ULTIMATE, (('is = "high-or-low"', 'is = "high"'),)),
    "folds are preferred": (TCP, (('is = "smallest-bet"', 'is = "fold"'),)),
    "large bets are preferred": (CRAZY, (('is = "smallest-bet"', 'is = "largest-bet"'),)),
}
BOARDED: dict[str, tuple[str, tuple[Swap, ...]]] = {
    "ultimate": (UTH, ()),
    "casino": (CASINO, ()),
    "three of a kind qualifies": (
        UTH,
        (('qualifies = "pair"', 'qualifies = "three-of-a-kind"'),),
    ),
    "ties lose": (UTH, (('tie = "push"', 'tie = "lose"'),)),
    "any hand qualifies with jacks": (CASINO, (('qualifies = "pair-4"', 'qualifies = "pair-J"'),)),
    "aces low in no straight": (UTH, (('is = "high-or-low"', 'is = "high"'),)),
    "folds are preferred": (UTH, (('is = "smallest-bet"', 'is = "fold"'),)),
}


def odd(sheet_id: str, swaps: Sequence[Swap]) -> Sheet:
    return sheet_of(changed(sheet_id, *swaps))


def some_deck(luck: Random, size: int, *, alike: bool) -> tuple[Card, ...]:
    """So many cards: of a few ranks in three suits or four, or any."""
    if not alike:
        return tuple(sorted(luck.sample(DECK, size)))
    suits = 4 if size % 4 == 0 else 3
    ranks = luck.sample(range(13), size // suits)
    return tuple(sorted(Card(4 * rank + suit) for rank in ranks for suit in range(suits)))


class Spot(NamedTuple):
    """A decision on some cards alone."""

    cards: tuple[Card, ...]
    common: tuple[tuple[Card, ...], ...]
    bets: tuple[str, ...]
    deck: tuple[Card, ...]
    ante: Cents | None = None
    purse: Cents | None = None

    def plain(self, game: Game) -> tuple[dict[Play, Fraction], Play]:
        judge = PlainSolver(game, self.ante, deck=self.deck, purse=self.purse)
        plays = [game.play(number, bet) for number, bet in enumerate(self.bets)]
        made = [play for play in plays if play is not None]
        worths = judge.worths(self.cards, self.common, made)
        return worths, judge.best(self.cards, self.common, made)

    def advised(self, sheet: Sheet) -> Advice:
        dead = tuple(card for card in DECK if card not in self.deck)
        seen = tuple(card for place in self.common for card in place)
        return advise(sheet, self.cards, seen, self.bets, self.ante, dead=dead, purse=self.purse)


def judged(sheet: Sheet, spot: Spot) -> None:
    """One spot, by both."""
    worths, best = spot.plain(compile_game(sheet))
    advice = spot.advised(sheet)
    assert advice.actions == worths, spot
    assert advice.best == best, spot
