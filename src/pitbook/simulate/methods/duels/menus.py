"""Where plays lead: the menus that a seat chooses from, and the ways that its round can end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer.boards_solve import BoardStreet, streets_of
from pitbook.exact.methods.dealer.structure import as_dealer_game, kind_starts
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play

ON = -1  # Leads to the next decision.


class Menus(NamedTuple):
    """By decision the plays of each menu, in the order in which they are offered; and the ends."""

    stages: tuple[int, ...]  # By decision, the stage of the game.
    plays: tuple[tuple[tuple[Play, ...], ...], ...]  # By decision and menu.
    by_kind: tuple[int, ...]  # Of the first decision: the menu of each kind of the own hand.
    ons: tuple[Play | None, ...]  # By decision, the play by which the round goes on.
    ends: tuple[tuple[Play, ...], ...]  # Plays, from the first decision on.

    @property
    def width(self) -> int:
        """Numbers that a menu takes."""
        return 1 + max(len(menu) for street in self.plays for menu in street)

    def laid_out(self) -> tuple[NDArray[np.int32], list[int]]:
        """Every menu: how many plays, then where each leads; and where each decision's begin."""
        rows: list[list[int]] = []
        starts = []
        for street, some in enumerate(self.plays):
            starts.append(len(rows) * self.width)
            for menu in some:
                leads = [self._lead(street, play) for play in menu]
                rows.append([len(menu), *leads, *[0] * (self.width - 1 - len(leads))])
        return np.array(rows, np.int32).ravel(), starts

    def _lead(self, street: int, play: Play) -> int:
        if play == self.ons[street]:
            return ON
        return self.ends.index((*self._before(street), play))

    def _before(self, street: int) -> tuple[Play, ...]:
        return tuple(play for play in self.ons[:street] if play is not None)


def menus(plain: PlainSolver) -> Menus:
    """The menus of a game that is a fight, with one decision or on a board."""
    game, fight = plain.game, as_dealer_game(plain.game)
    assert fight is not None
    found = streets_of(game) or (BoardStreet(0, 0, None),)
    ons = tuple(street.on for street in found)
    kinds = len(kind_starts(fight.best, fight.ace)) - 1
    by_kind = [_offered(plain, 0, plain.seat, kind) for kind in range(kinds)]
    different = list(dict.fromkeys(by_kind))
    plays, seat, ends = [], plain.seat, []
    before: tuple[Play, ...] = ()
    for number, street in enumerate(found):
        some = tuple(different) if number == 0 else (_offered(plain, street.stage, seat, kinds),)
        plays.append(some)
        every = dict.fromkeys(play for menu in some for play in menu)
        ends += [(*before, play) for play in every if play != street.on]
        if street.on is not None:
            seat, before = seat.made(street.on), (*before, street.on)
    stages = tuple(street.stage for street in found)
    places = tuple(different.index(menu) for menu in by_kind)
    return Menus(stages, tuple(plays), places, ons, tuple(ends))


def _offered(plain: PlainSolver, stage: int, seat: Seat, kind: int) -> tuple[Play, ...]:
    """The plays of a stage with a kind of hand, in the game's own order."""
    game: Game = plain.game
    may = tuple(one for one in game.plays(stage) if one.needs is None or kind >= one.needs.least)
    if plain.ante is None:
        return may
    return tuple(one for one in may if game.too_much(seat, stage, one) is None)
