"""How cards become a number that a pay rule can ask for: a kind of hand, points, matches."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from pitbook.hands.kinds import Ace
from pitbook.hands.points import EqualPoints, PointTable, SharedCard

__all__ = ["Arranged", "Best", "Kinds", "Matches", "Other", "PointSum", "Ranking"]


class Kinds(NamedTuple):
    """Poker hands of so many cards: the number of a kind in the catalogue of that size.

    Where more cards lie in its places, the best so many of them count.
    """

    cards: int
    ace: Ace
    many_decks: bool = False


class Best(NamedTuple):
    """The best so many cards as a hand that is compared: its place among all classes, rising."""

    cards: int
    ace: Ace


class PointSum(NamedTuple):
    """The sum of what cards count, by rank, two to ace."""

    values: tuple[int, ...]


class Arranged(NamedTuple):
    """The points of the low or the high hand that a dealer's cards are laid out as."""

    which: Literal["low", "high"]
    points: PointTable
    low: int
    shared: SharedCard
    equal: EqualPoints


class Matches(NamedTuple):
    """How many cards of the other place have a rank that the first one holds."""


class Other(NamedTuple):
    """Whatever else a family reads; `about` says what. Only enumeration can work with it."""

    about: str
    suits: bool = True  # Whether it may tell suits apart.
    ranks: bool = False  # Whether it looks at nothing but ranks.


Ranking: TypeAlias = Kinds | Best | PointSum | Arranged | Matches | Other
