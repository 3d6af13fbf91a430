"""Whether a game has one decision, made on the own hand and at most one card of the dealer."""

from __future__ import annotations

from pitbook.exact.compiled import once_for_each
from pitbook.exact.methods.duels.structure import fight_of
from pitbook.exact.methods.pairs.counting import Shape
from pitbook.rules.game import Game
from pitbook.rules.plays import Play

__all__ = ["shape", "shape_of"]

CARDS_MAX = 5  # Of the own hand, and of the dealer's closed cards.
RANKED = range(3, 6)


def shape(game: Game) -> Shape:
    """The measures of a game that is known to fit."""
    found = shape_of(game)
    assert found is not None
    return found


@once_for_each
def shape_of(game: Game) -> Shape | None:
    """All that decides who is ahead; None where the game is another."""
    fight = fight_of(game)
    if fight is None or fight.common or len(game.stages) != 1 or fight.best not in RANKED:
        return None
    (stage,) = game.stages
    own, up = stage.opens
    if stage.when is not None or own != fight.own or up > 1 or not stage.plays:
        return None
    if not all(_plain(game, play) for play in stage.plays):
        return None
    if fight.own > CARDS_MAX or not 1 <= fight.other - up <= CARDS_MAX:
        return None
    return Shape(fight.own, fight.other, up, fight.best, fight.ace, fight.least)


def _plain(game: Game, play: Play) -> bool:
    """Whether a play takes nothing back, and asks for no other hand than pay tables do."""
    own = game.looks_at("main").name
    return not play.takes and not play.said and (play.needs is None or play.needs.hand == own)
