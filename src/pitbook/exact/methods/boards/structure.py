"""Whether a game is played on a board of five: plays before it, after three of it, and after all.

A seat that raises has nothing more to decide; one that does not goes on in one way only.
"""

from __future__ import annotations

from typing import NamedTuple

from pitbook.exact.compiled import once_for_each
from pitbook.exact.methods.duels.structure import fight_of
from pitbook.rules.game import Game
from pitbook.rules.plays import Play

__all__ = ["BoardStreet", "streets", "streets_of"]

HOLE, BOARD, HAND = 2, 5, 5
NOTHING, FLOP = 0, 3


class BoardStreet(NamedTuple):
    """A stage: how much of the board is seen, and the play by which the round goes on, if any."""

    stage: int
    seen: int
    on: Play | None


def streets(game: Game) -> tuple[BoardStreet, ...]:
    """The stages of a game that is known to fit."""
    found = streets_of(game)
    assert found is not None
    return found


@once_for_each
def streets_of(game: Game) -> tuple[BoardStreet, ...] | None:
    """The stages of the game; None where it is another."""
    fight = fight_of(game)
    if fight is None or fight[:4] != (HOLE, BOARD, HOLE, HAND):
        return None
    found, before = [], -1
    for number, stage in enumerate(game.stages):
        own, seen, dealers = stage.opens
        last = number == len(game.stages) - 1
        on = [play for play in stage.plays if not last and not _ends(game, number, play)]
        if own != HOLE or dealers or seen <= before or seen not in (NOTHING, FLOP, BOARD):
            return None
        if stage.when is not None or len(on) != (not last) or not all(map(_plain, stage.plays)):
            return None
        if seen == BOARD and len(stage.plays) > 2:
            return None
        found.append(BoardStreet(number, seen, on[0] if on else None))
        before = seen
    return tuple(found) or None


def _ends(game: Game, number: int, play: Play) -> bool:
    """Whether nothing is decided after a play."""
    later = game.stages[number + 1 :]
    return play.folds or bool(play.puts and all(one.once for one in later))


def _plain(play: Play) -> bool:
    return not (play.takes or play.said or play.needs)
