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
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Seat
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

CACHED_SPOTS = 2**16  # Spots cached.
VisibleCards = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, eq=False)
class SpotStrategy:
    """A strategy for any game; `main_wagers_max` limits a player's main wagers over all stages."""

    strategy: PlainStrategy
    main_wagers_max: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.plain.game.sheet, self.name, self.plain.ante, self.main_wagers_max)

    @property
    def name(self) -> str:
        """The strategy's name."""
        return self.strategy.name

    @property
    def plain(self) -> PlainSolver:
        """The solver of the main game for one seat."""
        return self.strategy.plain

    def choices(self, stage: int, cards: VisibleCards, seat: Seat) -> tuple[Play, ...]:
        """The allowed plays of a seat that sees these cards, the one to make first."""
        canonical = self.plain.shoe.canonical(cards)
        bare = seat._replace(cards=(), laid=0, side=())  # Seats play by the main game alone.
        return self._cached_choices(stage, canonical, bare)

    @cached_property
    def _cached_choices(self) -> Callable[[int, VisibleCards, Seat], tuple[Play, ...]]:
        return lru_cache(CACHED_SPOTS)(self._compute_choices)

    def _compute_choices(self, stage: int, visible: VisibleCards, seat: Seat) -> tuple[Play, ...]:
        plays = self._affordable(stage, seat, self.plain.plays(stage, visible, seat))
        first = plays[0] if len(plays) == 1 else self._unlimited_play(stage, visible, seat)
        if first not in plays:  # The largest bet up to it, else the smallest.
            smaller = [play for play in plays if not play.folds and play.times <= first.times]
            first = max(smaller or plays, key=lambda play: play.times if smaller else -play.times)
        return (first, *(play for play in plays if play != first))

    def _unlimited_play(self, stage: int, cards: VisibleCards, seat: Seat) -> Play:
        """The strategy's play regardless of the player's money."""
        if self.strategy.choose is not None:
            return self.strategy.choose(stage, cards, seat)
        try:
            self.plain.check(stage)
        except TooLarge as error:
            raise StrategyError(say("simulate.no-best-play", why=sentence_of(error))) from None
        return self.plain.choose(stage, cards, seat)

    def _affordable(self, stage: int, seat: Seat, plays: tuple[Play, ...]) -> tuple[Play, ...]:
        """The plays that leave enough for the minimum bet of every later stage."""
        if self.main_wagers_max is None:
            return plays
        game = self.plain.game
        later = sum(least(game, later_stage) for later_stage in range(stage + 1, len(game.stages)))
        available = self.main_wagers_max - later - sum(play.times for play in seat.plays)
        affordable = tuple(play for play in plays if play.folds or play.times <= available)
        return affordable or (min(plays, key=lambda play: play.times),)


def _rebuild(sheet: Sheet, name: str, ante: Cents, main_wagers_max: int | None) -> SpotStrategy:
    strategy = follow(sheet, name, ante)
    assert isinstance(strategy, PlainStrategy)
    return SpotStrategy(strategy, main_wagers_max)


def least(game: Game, stage: int) -> int:
    """Minimum main wagers needed to pass a stage without folding."""
    return min((play.times for play in game.plays(stage) if not play.folds), default=0)


def most(game: Game, stage: int) -> int:
    """Maximum main wagers of a stage."""
    return max((play.times for play in game.plays(stage)), default=0)
