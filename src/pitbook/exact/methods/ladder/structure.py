"""Whether a game is a ladder: a seat climbs from its own cards to a whole hand, betting multiples.

Or it takes back, street by street, bets that were placed as high as the first.

What is asked is how its cards are opened, what its plays do and what its pay tables look at.
"""

from __future__ import annotations

from typing import NamedTuple

from pitbook.exact.compiled import once_for_each
from pitbook.hands.kinds import Ace
from pitbook.rules.game import Game, Hand, Stage
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Kinds

__all__ = ["CARDS", "Ladder", "ladder_of"]

CARDS = 5  # Of a whole hand: classes and kinds are tabled for as many.
WHOLE, OWN, BOARD = (0, 1), (0,), (1,)


class Ladder(NamedTuple):
    """A ladder's measures: its cards, those of the board open at each stage, its hands' names."""

    own: int
    board: int
    ace: Ace
    opened: tuple[int, ...]
    hands: tuple[str, str, str]  # All cards, the seat's own, the board; empty: no wager asks.

    @property
    def seen(self) -> tuple[int, ...]:
        """The cards that a seat knows at each stage."""
        return tuple(self.own + one for one in self.opened)

    @property
    def reveals(self) -> tuple[int, ...]:
        """The cards of the board that are turned after each stage."""
        later = (*self.opened[1:], self.board)
        return tuple(after - before for before, after in zip(self.opened, later, strict=True))


@once_for_each
def ladder_of(game: Game) -> Ladder | None:
    """The game as a ladder; None where it is none."""
    if len(game.places) != 2 or game.duels or game.sheet.deck.decks > 1:
        return None
    own, board = (place.cards for place in game.places)
    if own + board != CARDS or any(place.later for place in game.places):
        return None
    opened = tuple(stage.opens[1] for stage in game.stages)
    if not all(_open(stage, own) for stage in game.stages) or list(opened) != sorted(opened):
        return None
    if not (_given_back(game) if game.equals else all(map(_sold, game.stages))):
        return None
    asked = {one.wager: game.hand(one.hand) for one in game.asked}
    if "main" not in asked or asked["main"].places != WHOLE or _plays_on(game):
        return None
    named = {hand.places: hand for hand in asked.values()}
    if not all(_by_kind(game, hand) and named[hand.places] == hand for hand in asked.values()):
        return None
    aces = {hand.ranking.ace for hand in named.values() if isinstance(hand.ranking, Kinds)}
    if len(aces) != 1:
        return None
    whole, hole, common = (named[one].name if one in named else "" for one in (WHOLE, OWN, BOARD))
    return Ladder(own, board, aces.pop(), opened, (whole, hole, common))


def _plays_on(game: Game) -> bool:
    """Whether the main wagers outlive a fold."""
    return any(one.survives for one in game.asked if one.wager == "main")


def _open(stage: Stage, own: int) -> bool:
    """Whether everybody comes to a stage with all own cards."""
    return not stage.once and stage.when is None and stage.opens[0] == own


def _given_back(game: Game) -> bool:
    """Whether every bet made along with the main one is taken back or left at a stage of its own.

    Nobody bets or folds besides: then what is left at stake is all that there is to know.
    """
    plays = [play for stage in game.stages for play in stage.plays]
    does_more = any(play.puts or play.folds or play.said or play.needs for play in plays)
    pairs = [sorted(play.takes for play in stage.plays) for stage in game.stages]
    return not does_more and sorted(pairs) == sorted([(), (wager,)] for wager in game.equals)


def _sold(stage: Stage) -> bool:
    """Whether all that one does at a stage is to fold or to bet a multiple."""
    bets = [play for play in stage.plays if not play.folds]
    puts = {one for play in bets for one in play.puts}
    told_apart = len({play.times for play in bets}) == len(bets) > 0
    return told_apart and len(dict(puts)) <= 1 and not any(map(_does_more, stage.plays))


def _does_more(play: Play) -> bool:
    """Whether a play does more than bet or fold, or asks for a hand."""
    return bool(play.takes or play.said or play.needs or (play.folds and play.puts))


def _by_kind(game: Game, hand: Hand) -> bool:
    """Whether a hand is read as a kind of all cards of its places, of one deck."""
    cards = sum(game.places[place].cards for place in hand.places)
    ranking = hand.ranking
    return isinstance(ranking, Kinds) and ranking.cards == cards and not ranking.many_decks
