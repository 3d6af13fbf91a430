"""Whether a game is one of points: a seat declares one of two duels with the dealer, once.

What is asked is how its hands are read, what its plays say and what its pay tables look at.
"""

from __future__ import annotations

from typing import NamedTuple

from pitbook.exact.compiled import once_for_each
from pitbook.exact.methods.points.dealer_totals import Shape
from pitbook.rules.game import Duel, Game, Hand, Stage
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Arranged, Kinds, Matches, PointSum

__all__ = ["Pointed", "pointed", "pointed_of"]

OWN, DEALER, BOTH = (0,), (1,), (0, 1)


class Pointed(NamedTuple):
    """A game of points: what decides who is ahead, its two duels, and what side wagers meet."""

    shape: Shape
    low: Duel
    high: Duel
    matches: str  # The hands' names; empty where no wager asks.
    kind: str

    @property
    def duels(self) -> tuple[Duel, Duel]:
        """The duel with the dealer's low hand, and with the high one."""
        return self.low, self.high


def pointed(game: Game) -> Pointed:
    """The measures of a game that is known to be one of points."""
    found = pointed_of(game)
    assert found is not None
    return found


@once_for_each
def pointed_of(game: Game) -> Pointed | None:
    """The game as one of points; None where it is none."""
    if len(game.places) != 2 or len(game.stages) != 1 or len(game.duels) != 2 or game.equals:
        return None
    if any(place.later for place in game.places) or not _declared(game, game.stages[0]):
        return None
    low, high = sorted(game.duels, key=lambda duel: not duel.low)
    shape, asked = _shape(game, low, high), [game.hand(one.hand) for one in game.asked]
    if shape is None or not all(_met(game, hand) for hand in asked):
        return None
    matches = {hand.name for hand in asked if isinstance(hand.ranking, Matches)}
    kinds = {hand.name for hand in asked if isinstance(hand.ranking, Kinds)}
    if len(matches) > 1 or len(kinds) > 1:
        return None
    return Pointed(shape, low, high, "".join(matches), "".join(kinds))


def _declared(game: Game, stage: Stage) -> bool:
    """Whether everybody names a duel, the own cards seen and none of the dealer's."""
    seen = (game.places[0].cards, 0)
    names = {duel.name for duel in game.duels}
    always = not stage.once and stage.when is None and stage.opens == seen
    return always and all(_names_one(play, names) for play in stage.plays)


def _names_one(play: Play, duels: set[str]) -> bool:
    """Whether a play names a duel, whatever the hand, and gives nothing up."""
    return play.said in duels and not (play.folds or play.takes or play.needs)


def _shape(game: Game, low: Duel, high: Duel) -> Shape | None:
    """All that decides who is ahead, where one duel is about the low hand, one about the high."""
    own = [game.hand(duel.own) for duel in (low, high)]
    other = [game.hand(duel.other) for duel in (low, high)]
    if [hand.places for hand in (*own, *other)] != [OWN, OWN, DEALER, DEALER]:
        return None
    if not low.low or high.low:
        return None
    one, two = (hand.ranking for hand in other)
    if not isinstance(one, Arranged) or two != one._replace(which="high") or one.which != "low":
        return None
    if [hand.ranking for hand in own] != [PointSum(one.points.low), PointSum(one.points.high)]:
        return None
    cards, dealer = (place.cards for place in game.places)
    copies = 4 * game.sheet.deck.decks
    return Shape(cards, dealer, copies, one.points, one.low, one.shared, one.equal)


def _met(game: Game, hand: Hand) -> bool:
    """Whether a side wager asks for a kind of the own cards, or for matches with the dealer's."""
    ranking = hand.ranking
    if isinstance(ranking, Kinds):
        many = game.sheet.deck.decks > 1
        whole = ranking == Kinds(game.places[0].cards, ranking.ace, many)
        return hand.places == OWN and whole
    return isinstance(ranking, Matches) and hand.places == BOTH
