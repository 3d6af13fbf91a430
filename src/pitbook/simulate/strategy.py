"""How the seats play: best play, a simpler one, a rule file, and how often they err."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitbook.cards import Card, rank
from pitbook.exact.followed import Declared, Followed, follow
from pitbook.exact.strategy import StrategyError
from pitbook.hands.ranking import classes, rank_of
from pitbook.money import Cents
from pitbook.sheets.model import Sheet
from pitbook.simulate.rule_file import followed_rules
from pitbook.simulate.words import MISTAKES, below, block

__all__ = ["Strategy", "erred", "strategy_of"]

_RATE = re.compile(r"(?P<name>.+):(?P<rate>[0-9]*\.?[0-9]*)")
_DECIMALS_MAX = 4


@dataclass(frozen=True)
class Strategy:
    """A way to play that every seat follows, and the share of decisions that go wrong.

    A seat that errs makes one of the other plays, each as likely as any other.
    """

    name: str
    mistakes: Fraction
    followed: Followed | Declared = field(compare=False, repr=False)

    def street(self, street: int, bets: tuple[str, ...]) -> tuple[tuple[str, ...], Any]:
        """The plays before a street after some bets, and which one to make in each class."""
        assert isinstance(self.followed, Followed)
        terms = self.followed.solution.terms
        purse = terms.purses[0][0]
        for bet in bets:
            purse = terms.add(purse, int(bet[:-1]))
        plays = self.followed.solution.streets[street][purse].plays
        return plays, self.followed.policy[street][purse]

    def played(self, street: int, bets: tuple[str, ...], seen: tuple[Card, ...]) -> tuple[str, ...]:
        """The plays before a street, the one to make first."""
        assert isinstance(self.followed, Followed)
        plays, best = self.street(street, bets)
        return _first(plays, int(best[_place(seen, self.followed.solution.ace)]))

    def declared(self, cards: tuple[Card, ...]) -> tuple[str, ...]:
        """The declarations of hi-lo, the one to make first."""
        assert isinstance(self.followed, Declared)
        ranks = tuple(sorted(rank(card) for card in cards))
        plays = tuple(self.followed.solution.spots[0].worth)
        return _first(plays, plays.index(self.followed.plays[ranks]))


def strategy_of(sheet: Sheet, text: str, ante: Cents) -> Strategy:
    """The strategy of a text like "best", "never-3x", "mine.toml" or "best:0.05"."""
    name, rate = text, Fraction(0)
    if found := _RATE.fullmatch(text):
        name, rate = found["name"], _rate(found["rate"], text)
    followed = (
        followed_rules(Path(name), sheet, ante)
        if name.endswith(".toml")
        else follow(sheet, name, ante)
    )
    return Strategy(followed.name, rate, followed)


def erred(rate: Fraction, plays: tuple[str, ...], *, seed: int, number: int, decision: int) -> str:
    """The play that is made: the first one, or another where this decision goes wrong."""
    others = len(plays) - 1
    if not rate or not others:
        return plays[0]

    def word(attempt: int) -> int:
        purpose = MISTAKES + decision // 4
        return block(seed, number, attempt=attempt, purpose=purpose)[decision % 4]

    drawn = below(rate.denominator * others, word)
    return plays[1 + drawn % others] if drawn < rate.numerator * others else plays[0]


def _first(plays: tuple[str, ...], place: int) -> tuple[str, ...]:
    return (plays[place], *plays[:place], *plays[place + 1 :])


def _place(seen: tuple[Card, ...], ace: Any) -> int:
    if len(seen) > 1:
        return rank_of(seen, ace)
    return next(n for n, one in enumerate(classes(1, ace)) if one.ranks[0] == rank(seen[0]))


def _rate(text: str, whole: str) -> Fraction:
    decimals = len(text.partition(".")[2])
    if not text.strip(".") or decimals > _DECIMALS_MAX or Fraction(text) > 1:
        raise StrategyError(
            f'"{whole}": a mistake rate is a share from 0 to 1 with at most four decimals, '
            "as in best:0.05"
        )
    return Fraction(text)
