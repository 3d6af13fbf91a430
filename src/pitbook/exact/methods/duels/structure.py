"""Whether a game is a hand against a dealer's: both ranked alike, compared once.

What is asked is how hands are made and read, and that pay tables look at the player's own.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from pitbook.exact.compiled import once_for_each
from pitbook.hands.kinds import Ace, catalogue
from pitbook.hands.ranking import classes
from pitbook.rules.game import Game, Hand
from pitbook.rules.pricing import Best, Kinds

__all__ = ["EVENTS", "Fight", "fight_of", "kind_starts", "kinds_by_class"]

# How a hand comes out; the last three are the first where the dealer does not qualify.
EVENTS = ("lose", "tie", "win", "below-lose", "below-tie", "below-win")


class Fight(NamedTuple):
    """Cards of the player, in common and of the dealer, and what decides who is ahead."""

    own: int
    common: int
    other: int
    best: int
    ace: Ace
    least: int  # The first class with which the dealer qualifies; 0: with any.
    hands: tuple[int, int, int]  # Of a showdown: own strength, the dealer's, the own kind.


@once_for_each
def fight_of(game: Game) -> Fight | None:
    """The game as a fight; None where it is none."""
    if len(game.duels) != 1 or game.decks != 1 or any(place.later for place in game.places):
        return None
    (duel,), last = game.duels, len(game.places) - 1
    own, other, asked = game.hand(duel.own), game.hand(duel.other), game.looks_at("main")
    common = tuple(range(1, last))
    if duel.low or last not in (1, 2) or not isinstance(own.ranking, Best):
        return None
    if own.ranking != other.ranking or not _is_kind(own, asked):
        return None
    if own.places != (0, *common) or sorted(other.places) != [*common, last]:
        return None
    first, *shared, dealers = (place.cards for place in game.places)
    numbers = (game.hands.index(own), game.hands.index(other), game.hands.index(asked))
    size, ace = own.ranking
    return Fight(first, sum(shared), dealers, size, ace, duel.least or 0, numbers)


def _is_kind(own: Hand, asked: Hand) -> bool:
    """Whether pay tables ask for the kind of the very hand that is compared."""
    assert isinstance(own.ranking, Best)
    return asked.places == own.places and asked.ranking == Kinds(*own.ranking)


@cache
def kinds_by_class(best: int, ace: Ace) -> tuple[int, ...]:
    """By class, the number of its kind; it never falls."""
    return tuple(hand.kind for hand in classes(best, ace))


@cache
def kind_starts(best: int, ace: Ace) -> tuple[int, ...]:
    """By kind, its first class; then how many classes there are."""
    kinds = kinds_by_class(best, ace)
    return (*(kinds.index(kind) for kind in range(len(catalogue(best)))), len(kinds))
