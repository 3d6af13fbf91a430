"""The exact value of every play in a spot, and of every starting hand; `pitbook.advice`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from pitbook.answer_tables import Answer
from pitbook.cards import Card, cards
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.method import Advice
from pitbook.exact.spots import Spot, ante_or_minimum, check_spot
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.sheets.arguments import (
    CardsGiven,
    Sides,
    SomeSheet,
    ante_of,
    bets_of,
    cards_of,
    one_of,
    sheet_of,
    sides_of,
)
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet


def advise(  # noqa: PLR0917  The order in which a player tells a spot.
    sheet: Sheet,
    cards: Sequence[Card],
    community: Sequence[Card] = (),
    bets: Sequence[str] = (),
    ante: Cents | None = None,
    side: Mapping[str, Cents] | None = None,
    dead: Sequence[Card] = (),
    purse: Cents | None = None,
) -> Advice:
    """The exact value of every legal play, for the main game and the side wagers it affects.

    `purse` is what the player has left after the wagers made: a play that it cannot pay for, now
    or on a later street, is not offered. None means no limit.
    """
    game, method = choose_method(sheet)
    spot = Spot(tuple(cards), tuple(community), tuple(bets), ante, side or {}, tuple(dead), purse)
    return method.advise(game, check_spot(game, spot))


RANKS = "AKQJT98765432"
HAND_CARDS = 2
SPADE, HEART = "s", "h"


class StartingHand(NamedTuple):
    """Two ranks, suited or not. `worth` is in main wagers."""

    cards: str
    suited: bool
    play: str
    short: str
    worth: Fraction


def has_starting_hands(game: Game) -> bool:
    """Whether the first decision sees only the player's own two cards."""
    stage = next(stage for stage in game.stages if stage.plays)
    player = game.places[0]
    return (
        player.cards - player.later == HAND_CARDS and not any(stage.opens[1:]) and game.decks == 1
    )


def starting_hands(game: Game, sheet: Sheet) -> Iterator[StartingHand]:
    """All 169 hands, row by row: suited above the pairs, offsuit below."""
    stage = next(stage for stage in game.stages if stage.plays)
    shorts = {str(play): play.short for play in stage.plays}
    for row, high in enumerate(RANKS):
        for column, low in enumerate(RANKS):
            suited = column > row
            advice = advise(sheet, _hand_cards(high, low, suited=suited))
            best = str(advice.best)
            yield StartingHand(
                f"{RANKS[min(row, column)]}{RANKS[max(row, column)]}",
                suited,
                best,
                shorts.get(best, best),
                advice.actions[advice.best],
            )


def _hand_cards(high: str, low: str, *, suited: bool) -> tuple[Card, ...]:
    return cards(" ".join((high + SPADE, low + (SPADE if suited else HEART))))


@dataclass(frozen=True, repr=False)
class SpotAdvice(Answer):
    """The EV of every legal play in antes (or Bets), the best play, and the reason."""

    sheet: str
    hash: str
    ante: Cents | None  # In cents; None without payout limits.
    actions: Entries[str, Fraction]
    best: str
    why: str
    _rules: Sheet

    @property
    def value(self) -> Fraction:
        """EV of the best play."""
        return self.actions[self.best]

    def cost(self, play: str) -> Fraction:
        """Cost of a play against the best one."""
        return self.value - self.actions[one_of(self.actions, play, "play")]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook advise --json`."""
        return {
            "sheet": self.sheet,
            "actions": {play: str(value) for play, value in self.actions.items()},
            "best": self.best,
            "cost": {play: str(self.cost(play)) for play in self.actions},
            "why": self.why,
        }

    def _rows(self) -> Iterator[dict[str, Any]]:
        for play, value in self.actions.items():
            is_best = play == self.best
            yield {"play": play, "value": value, "cost": self.cost(play), "best": is_best}

    def _lines(self) -> tuple[str, ...]:
        values = ", ".join(f"{play} {float(value):+.4f}" for play, value in self.actions.items())
        return (f"advice: {self.best}; {values}", str(self.why))


def advice(
    sheet: SomeSheet,
    cards: CardsGiven,
    community: CardsGiven = "",
    *,
    bets: str | Sequence[str] = "",
    ante: str | None = None,
    side: Sides = None,
    dead: CardsGiven = "",
    purse: str | None = None,
) -> SpotAdvice:
    """The exact value of every play in a spot, the best play, and why it is best.

    `bets` are the street bets made so far, `dead` the cards known to be out of play. `purse` is
    what the player has left beside the wagers made; it needs an ante in dollars.

    >>> spot = advice("catfish-bend/mississippi-stud", "6h5h", "7h", bets="1x")
    >>> spot.best, str(spot.cost("1x"))
    ('3x', '17/196')
    """
    rules, sides = sheet_of(sheet), sides_of(side)
    ante_cents = ante_or_minimum(rules, ante_of(ante), sides)
    return spot_advice(
        rules,
        cards_of(cards, "cards"),
        cards_of(community, "community"),
        bets_of(bets),
        ante=ante_cents,
        side=sides,
        dead=cards_of(dead, "dead"),
        purse=ante_of(purse, "purse"),
    )


def spot_advice(
    sheet: Sheet,
    cards: tuple[Card, ...],
    community: tuple[Card, ...] = (),
    bets: Sequence[str] = (),
    *,
    ante: Cents | None = None,
    side: Mapping[str, Cents] | None = None,
    dead: tuple[Card, ...] = (),
    purse: Cents | None = None,
) -> SpotAdvice:
    """Advice for a spot whose cards and stakes are already parsed."""
    advice_found = advise(
        sheet, cards, community, bets, ante=ante, side=side, dead=dead, purse=purse
    )
    return SpotAdvice(
        sheet=sheet.id,
        hash=digest(sheet),
        ante=ante,
        actions=Entries({str(play): value for play, value in advice_found.actions.items()}),
        best=str(advice_found.best),
        why=advice_found.why,
        _rules=sheet,
    )
