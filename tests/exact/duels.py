"""Games against a dealer's hand for tests of exact figures, and unusual variants of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from tests.sheets.samples import modified_text, sheet_of

from pitbook.cards import DECK, Card
from pitbook.exact.advice import advise
from pitbook.exact.methods.method import Advice
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, compile_game
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


def changed_sheet(sheet_id: str, swaps: Sequence[Swap]) -> Sheet:
    return sheet_of(modified_text(sheet_id, *swaps))


def small_deck(rng: Random, size: int, *, alike: bool) -> tuple[Card, ...]:
    """A deck of some cards: with `alike`, a few ranks in three or four suits; else any cards."""
    if not alike:
        return tuple(sorted(rng.sample(DECK, size)))
    suits = 4 if size % 4 == 0 else 3
    ranks = rng.sample(range(13), size // suits)
    return tuple(sorted(Card(4 * rank + suit) for rank in ranks for suit in range(suits)))


class Spot(NamedTuple):
    """A decision with a small deck."""

    cards: tuple[Card, ...]
    common: tuple[tuple[Card, ...], ...]
    bets: tuple[str, ...]
    deck: tuple[Card, ...]
    ante: Cents | None = None
    purse: Cents | None = None

    def plain_values(self, game: Game) -> tuple[dict[Play, Fraction], Play]:
        solver = PlainSolver(game, self.ante, deck=self.deck, purse=self.purse)
        plays = [game.play(number, bet) for number, bet in enumerate(self.bets)]
        plays_made = [play for play in plays if play is not None]
        worths = solver.worths(self.cards, self.common, plays_made)
        return worths, solver.best(self.cards, self.common, plays_made)

    def advise(self, sheet: Sheet) -> Advice:
        dead = tuple(card for card in DECK if card not in self.deck)
        common_cards = tuple(card for place in self.common for card in place)
        return advise(
            sheet, self.cards, common_cards, self.bets, self.ante, dead=dead, purse=self.purse
        )


def assert_advice_is_exact(sheet: Sheet, spot: Spot) -> None:
    """Assert that advice and the plain solver agree in one spot."""
    worths, best = spot.plain_values(compile_game(sheet))
    advice = spot.advise(sheet)
    assert advice.actions == worths, spot
    assert advice.best == best, spot
