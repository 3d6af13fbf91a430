"""A strategy for any game, computed spot by spot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from pitbook.cards import Card
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.rule_files import StrategyError
from pitbook.exact.strategies import follow
from pitbook.exact.work import TooLarge
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

KEPT = 2**16  # Spots.
Seen = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, eq=False)
class Choosing:
    """A strategy of any game; `room` is how many main wagers a player has for all stages."""

    followed: PlainStrategy
    room: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.plain.game.sheet, self.name, self.plain.ante, self.room)

    @property
    def name(self) -> str:
        """What the strategy is called."""
        return self.followed.name

    @property
    def plain(self) -> PlainSolver:
        """The main game, for one seat."""
        return self.followed.plain

    def choices(self, stage: int, seen: Seen, seat: Seat) -> tuple[Play, ...]:
        """What a seat that sees these cards may do, the play to make first."""
        alike = self.plain.shoe.canonical(seen)
        bare = seat._replace(cards=(), laid=0, side=())  # Seats play by the main game.
        return self._known(stage, alike, bare)

    @cached_property
    def _known(self) -> Callable[[int, Seen, Seat], tuple[Play, ...]]:
        return lru_cache(KEPT)(self._chosen)

    def _chosen(self, stage: int, seen: Seen, seat: Seat) -> tuple[Play, ...]:
        plays = self._paid(stage, seat, self.plain.plays(stage, seen, seat))
        first = plays[0] if len(plays) == 1 else self._wanted(stage, seen, seat)
        if first not in plays:  # The largest bet that is left and no larger, or else the least.
            smaller = [play for play in plays if not play.folds and play.times <= first.times]
            first = max(smaller or plays, key=lambda play: play.times if smaller else -play.times)
        return (first, *(play for play in plays if play != first))

    def _wanted(self, stage: int, seen: Seen, seat: Seat) -> Play:
        """What the strategy says, whatever the player has left."""
        if self.followed.choose is not None:
            return self.followed.choose(stage, seen, seat)
        try:
            self.plain.check(stage)
        except TooLarge as error:
            raise StrategyError(say("simulate.no-best-play", why=sentence_of(error))) from None
        return self.plain.choose(stage, seen, seat)

    def _paid(self, stage: int, seat: Seat, plays: tuple[Play, ...]) -> tuple[Play, ...]:
        """The plays that leave enough for the smallest bet of every stage to come."""
        if self.room is None:
            return plays
        game = self.plain.game
        later = sum(least(game, one) for one in range(stage + 1, len(game.stages)))
        left = self.room - later - sum(play.times for play in seat.plays)
        paid = tuple(play for play in plays if play.folds or play.times <= left)
        return paid or (min(plays, key=lambda play: play.times),)


def _again(sheet: Sheet, name: str, ante: Cents, room: int | None) -> Choosing:
    followed = follow(sheet, name, ante)
    assert isinstance(followed, PlainStrategy)
    return Choosing(followed, room)


def least(game: Game, stage: int) -> int:
    """The fewest main wagers by which a stage is gone through without a fold."""
    return min((play.times for play in game.plays(stage) if not play.folds), default=0)


def most(game: Game, stage: int) -> int:
    """The most that a stage can take."""
    return max((play.times for play in game.plays(stage)), default=0)
