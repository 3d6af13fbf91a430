"""How the seats play: best play, a simpler one, a rule file, and how often they err."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card, rank
from pitbook.exact.methods.ladder.strategies import LadderStrategy
from pitbook.exact.methods.method import SheetStrategy
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.methods.points.strategies import PointsStrategy
from pitbook.exact.rule_files import StrategyError
from pitbook.exact.strategies import follow
from pitbook.hands.ranking import classes, rank_of
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play
from pitbook.simulate.methods.plain.choosing import Choosing
from pitbook.simulate.plans.rule_file import followed_rules, followed_text
from pitbook.simulate.rounds.random_words import MISTAKES, below, block
from pitbook.text import say

_RATE = re.compile(r"(?P<name>.+):(?P<rate>[0-9]*\.?[0-9]*)")
_DECIMALS_MAX = 4

Seen = tuple[tuple[Card, ...], ...]
Ranks = tuple[int, ...]


@dataclass(frozen=True)
class Strategy:
    """A way to play that every seat follows, and the share of decisions that go wrong.

    A seat that errs makes one of the other plays, each as likely as any other. What is followed is
    laid out by the class of the cards seen, by the ranks of a seat's cards, or spot by spot.
    """

    name: str
    mistakes: Fraction
    followed: LadderStrategy | PointsStrategy | Choosing = field(compare=False, repr=False)

    @property
    def knows_classes(self) -> bool:
        """Whether it is laid out by class: `by_class` can be asked."""
        return isinstance(self.followed, LadderStrategy)

    @property
    def knows_ranks(self) -> bool:
        """Whether it is laid out by ranks: `by_ranks` can be asked."""
        return isinstance(self.followed, PointsStrategy)

    def by_class(self, before: tuple[Play, ...]) -> tuple[tuple[Play, ...], NDArray[np.int8]]:
        """The plays of the stage after some plays, and for each class which one to make."""
        assert isinstance(self.followed, LadderStrategy)
        stage, terms = len(before), self.followed.solution.terms
        purse = terms.purses[0][0]
        for street, play in enumerate(before):
            purse = terms.purse_after(street, purse, play)
        plays = self.followed.solution.streets[stage][purse].plays
        return plays, self.followed.policy[stage][purse]

    def by_ranks(self) -> tuple[tuple[Play, ...], Mapping[Ranks, Play]]:
        """The plays of the only stage, and which one to make with each hand."""
        assert isinstance(self.followed, PointsStrategy)
        return tuple(self.followed.solution.spots[0].worth), self.followed.plays

    def to_play(self) -> Strategy:
        """The strategy without its figures, which can be large and which a table does not need."""
        if not isinstance(self.followed, Choosing):
            return self
        followed = self.followed.followed
        bare = PlainStrategy(followed.name, followed.plain, followed.choose)
        return replace(self, followed=Choosing(bare, self.followed.room))

    def choices(self, stage: int, seat: Seat, seen: Seen) -> tuple[Play, ...]:
        """The plays of a seat that sees these cards, place by place; the one to make first."""
        if isinstance(self.followed, Choosing):
            return self.followed.choices(stage, seen, seat)
        if isinstance(self.followed, LadderStrategy):
            plays, best = self.by_class(seat.plays)
            cards = tuple(card for place in seen for card in place)
            return _first(plays, int(best[_place(cards, self.followed.solution.ace)]))
        plays, made = self.by_ranks()
        return _first(plays, plays.index(made[tuple(sorted(rank(card) for card in seen[0]))]))


def strategy_of(game: Game, text: str, ante: Cents) -> Strategy:
    """The strategy of a text like "best", "never-3x", "mine.toml" or "best:0.05"."""
    name, rate = text, Fraction(0)
    if found := _RATE.fullmatch(text):
        name, rate = found["name"], _rate(found["rate"], text)
    return _strategy(_followed(game, name, ante), rate)


def strategy_in(game: Game, text: str, name: str, ante: Cents) -> Strategy:
    """The strategy of a rule file's text, under the name that its findings are told by."""
    return _strategy(followed_text(text, name, game, ante), Fraction(0))


def _strategy(found: SheetStrategy, rate: Fraction) -> Strategy:
    assert isinstance(found, LadderStrategy | PointsStrategy | PlainStrategy)
    return Strategy(
        found.name, rate, Choosing(found) if isinstance(found, PlainStrategy) else found
    )


def _followed(game: Game, name: str, ante: Cents) -> SheetStrategy:
    if name.endswith(".toml"):
        return followed_rules(Path(name), game, ante)
    return follow(game.sheet, name, ante)


def erred(
    rate: Fraction, plays: tuple[Play, ...], *, seed: int, number: int, decision: int
) -> Play:
    """The play that is made: the first one, or another where this decision goes wrong."""
    others = len(plays) - 1
    if not rate or not others:
        return plays[0]

    def word(attempt: int) -> int:
        purpose = MISTAKES + decision // 4
        return block(seed, number, attempt=attempt, purpose=purpose)[decision % 4]

    drawn = below(rate.denominator * others, word)
    return plays[1 + drawn % others] if drawn < rate.numerator * others else plays[0]


def _first(plays: tuple[Play, ...], place: int) -> tuple[Play, ...]:
    return (plays[place], *plays[:place], *plays[place + 1 :])


def _place(seen: tuple[Card, ...], ace: Any) -> int:
    if len(seen) > 1:
        return rank_of(seen, ace)
    return next(n for n, one in enumerate(classes(1, ace)) if one.ranks[0] == rank(seen[0]))


def _rate(text: str, whole: str) -> Fraction:
    decimals = len(text.partition(".")[2])
    if not text.strip(".") or decimals > _DECIMALS_MAX or Fraction(text) > 1:
        raise StrategyError(say("simulate.mistake-rate", given=whole))
    return Fraction(text)
